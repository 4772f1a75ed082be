// Package plan reads a sentence in English, in Hebrew or in both, and says which of the six tools of a calendar
// assistant it asks for, and with what.
//
// It promises to refuse rather than to guess: what looks like a time and was not understood is never dropped or left in
// a title, what people read in two ways is reported with the reading that was taken, and what was filled in by rule is
// marked. It asks no model, reads no clock and knows no events: whom a title means is found out by whoever carries the
// plan out.
//
// # Order of the grammar
//
//  1. Tokens (token.go). The text is cut into words, numbers, clocks, dates, addresses, quotations and marks, each with
//     its bytes. Words are compared by their folded form, so that case, niqqud, final letters and marks of direction
//     make no difference. A Hebrew prefix before what is no Hebrew word ("ב-14:00") becomes part of its token; before a
//     Hebrew word it is taken off when the rest is in a table.
//  2. Intent (intent.go, question.go). Polite words and times at the beginning are passed over; then a verb, a question
//     or, without either, a title with a time says what is asked for. Negations, talk and other matters end here.
//  3. Time expressions (scan.go): all-day, recurrences (repeat.go), days (day.go), periods (period.go), lengths
//     (amount.go), hours (hour.go), parts of the day, zones (zone.go), each with the preposition that says its role.
//     The longest kind is tried first; a bare number is an hour only where a preposition or a day before it makes it
//     one.
//  4. Slots. The times are put together (collect.go, window.go, create.go) or divided into a target and a change
//     (target.go, change.go); the other words are the place, the people and the title (slots.go), or the words to look
//     for (looking.go).
//  5. Residue (residue.go). What is left must not look like a time, a misspelt time, a condition or a second wish.
//
// # What is decided
//
//   - "Next Tuesday" is the Tuesday of the next calendar week, "Tuesday" the coming one, never today.
//   - An hour without its half of the day is in the working day: 1–6 in the afternoon, 7–11 in the morning; 6:30, with
//     minutes, in the morning. A part of the day, a meal in the title, or an hour that has passed today decides
//     otherwise. Each is reported.
//   - One day without an hour is 10:00–11:00, a part of the day its usual hour (morning 09:00, noon 12:00, afternoon
//     14:00, evening 18:00, night 21:00), and so is a meal. Several days are all-day with an exclusive end. A missing
//     end is one hour later.
//   - "Block Friday" is the whole day, "block Friday morning" the morning; everything else without an hour is an hour.
//   - A question about a part of the day means 06:00–12:00, 12:00–18:00, 18:00–22:00, 21:00–24:00, and noon
//     12:00–14:00; "tonight" 18:00–24:00.
//   - Dates in digits have the day first in Hebrew and in Israel, the month first in the United States, and the day
//     first elsewhere; where both are common or the country is not known, and both readings are dates, they are
//     refused.
//   - Two wishes in one text are refused, wherever the second one's clause begins. So are feasts that are the only day
//     said, days counted from what is not read ("two days before the wedding"), an end without its start ("until 5pm"),
//     and reminders.
//   - "All my meetings with Dana" are looked for by "Dana" alone.
//   - Midnight of a day is the one that ends it. "Until June" ends before June. The weekend and the working week are
//     those of the viewer's country.
//   - "In Python" is no place, "in Berlin" and "in the office" are; a Hebrew place counts only if it is in the table,
//     else it stays in the title.
package plan
