package postgres

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/words"
)

const (
	// deepWords is how many of the newest rows of an entry are read: more than words.Common, so that of rows with common
	// words those are found that have several of them.
	deepWords = 3 * words.Common
	// passingWords is how many rows of a filter are listed before the index is read. Of a filter with more, at least every
	// fifth memory of 100,000 passes, and each that the index names is asked for itself, until enough pass.
	passingWords = 20 * words.Common
	// maxRange bounds how many lines of the index one beginning of words may cost. Of a beginning with more, those of the
	// alphabetically first words count; it tells little anyway.
	maxRange = 20 * words.Common
)

// worded is what the keyword leg has found.
type worded struct {
	// counts are the lines of the index that the forms of each term find, at most words.Common.
	counts []int
	// rows are the numbers of those found by words, the newest first.
	rows []int32
	// placed has those of rows that were measured against the query.
	placed map[int32]placed
	// query is what was asked, with what is looked for instead of words that are found nowhere.
	query model.SearchWords
	forms []wordForm
	// asked is how many of the forms were looked up.
	asked int
}

// wordForm is one form of one term, and where it was found.
type wordForm struct {
	term   int
	weight float64
	prefix bool
	// from and to bound the entries: those from the first on, before the second.
	from, to string
	// counted is whether its lines are those of no other form of the term.
	counted bool
	// lines are those of the index.
	lines int
	// rows are the numbers of those that have it, the newest first; whole tells that there are no others.
	rows  []int32
	whole bool
	// worth is what the form is worth to a row, where that depends on the row.
	worth map[int32]float64
}

// formsOf takes a query apart into the ranges of entries to look at.
func formsOf(query model.SearchWords) []wordForm {
	var all []wordForm
	for i, term := range query.Terms {
		first := len(all)
		for _, form := range term.Forms {
			one := wordForm{term: i, weight: max(min(form.Weight, 1), 0), prefix: form.Prefix, from: form.Term, to: form.Term,
				counted: true}
			if form.Prefix {
				one.to = after(form.Term)
			}
			all = append(all, one)
		}
		for j := first; j < len(all); j++ {
			for o := first; o < len(all); o++ {
				if o != j && covers(&all[o], &all[j]) && (!covers(&all[j], &all[o]) || o < j) {
					all[j].counted = false
				}
			}
		}
	}
	return all
}

// covers reports whether all entries of a form are also entries of another.
func covers(outer, inner *wordForm) bool {
	if outer.prefix {
		return strings.HasPrefix(inner.from, outer.from)
	}
	return !inner.prefix && inner.from == outer.from
}

// after returns the first text that comes, bytewise, after all that begin like this one; empty when there is none.
func after(prefix string) string {
	for prefix != "" {
		last, size := utf8.DecodeLastRuneInString(prefix)
		prefix = prefix[:len(prefix)-size]
		switch {
		case last < utf8.MaxRune && last+1 != 0xd800:
			return prefix + string(last+1)
		case last+1 == 0xd800:
			return prefix + "\ue000"
		}
	}
	return ""
}

// readWords finds the rows that have a form of any term.
func (k *seeker) readWords(ctx context.Context, out *worded) error {
	out.query, out.forms = k.search.Words, formsOf(k.search.Words)
	if err := k.readForms(ctx, out); err != nil {
		return err
	}
	var again []int
	if out.query, again = words.Settle(k.search.Words, out.counts); len(again) == 0 {
		return nil
	}
	out.asked = len(out.forms)
	for _, form := range formsOf(out.query) {
		if slices.Contains(again, form.term) {
			out.forms = append(out.forms, form)
		}
	}
	return k.readForms(ctx, out)
}

// readForms looks up the forms that were not asked for yet.
func (k *seeker) readForms(ctx context.Context, out *worded) error {
	b := newBatch()
	k.queueForms(b, out)
	if len(b.statements) > 0 {
		if err := k.store.apart(ctx, b); err != nil {
			return err
		}
	}
	out.settle(len(k.search.Words.Terms))
	return nil
}

// queueForms adds the statement that reads where forms are found: for each form how many lines of the index it has, and
// the newest rows with it that pass the filter.
func (k *seeker) queueForms(b *batch, out *worded) {
	q := newQuery(userArg(k.user))
	var parts []string
	for _, prefix := range [...]bool{false, true} {
		var places []int32
		var from, to []string
		for i := range out.forms {
			if form := &out.forms[i]; i >= out.asked && form.prefix == prefix && form.weight > 0 && (!prefix || form.to != "") {
				places, from, to = append(places, int32(i)), append(from, form.from), append(to, form.to)
			}
		}
		if len(places) > 0 {
			parts = append(parts, "SELECT f.place, p.* FROM unnest("+q.param(places)+"::integer[], "+q.param(from)+"::text[], "+
				q.param(to)+
				"::text[]) AS f (place, first, last) CROSS JOIN LATERAL ("+k.formRows(q, prefix)+") AS p")
		}
	}
	if len(parts) == 0 {
		return
	}
	if k.filtered && !k.complete {
		q.add("WITH passing AS MATERIALIZED (", k.sieve.all(q, "t.n"), " LIMIT ", q.param(int64(passingWords+1)), ") ")
	}
	q.add(strings.Join(parts, " UNION ALL "))
	q.into(b, func(r *row) { k.readForm(r, out) })
}

// formRows returns the statement for one form f: a range of entries when prefix, else one entry.
func (k *seeker) formRows(q *query, prefix bool) string {
	limited := func(sql string, most int) string { return sql + " LIMIT " + q.param(int64(most)) }
	lines := "SELECT k.n, 0 AS length FROM " + k.in.terms + " AS k WHERE k.user_id = $1 AND k.term = f.first"
	if prefix {
		lines = "SELECT k.n, char_length(k.term) AS length FROM " + k.in.terms +
			" AS k WHERE k.user_id = $1 AND k.term >= f.first AND k.term < f.last"
	}
	newest := func(sql string, most int) string {
		if prefix { // the index has one term after another here
			sql = "SELECT n, length FROM (" + limited(sql, maxRange) + ") AS r"
		}
		return limited(sql+" ORDER BY n DESC", most)
	}
	// An array of lengths only where they differ.
	lists := func(alive string) string {
		list := "count(*) AS found, array_agg(p.n)" + alive + " AS numbers, "
		if prefix {
			return list + "array_agg(p.length)" + alive + " AS lengths"
		}
		return list + "NULL::integer[] AS lengths"
	}
	if !k.filtered {
		return "SELECT " + lists(" FILTER (WHERE "+k.passes(q, "p.n")+")") + " FROM (" + newest(lines, deepWords) + ") AS p"
	}
	var passes string
	if k.complete {
		passes = k.passes(q, "k.n")
	} else {
		passes = "CASE WHEN (SELECT count(*) FROM passing) <= " + q.param(int64(passingWords)) +
			" THEN k.n IN (SELECT n FROM passing) ELSE " + k.probe(q, "k.n") + " END"
	}
	counted := "(SELECT count(*) FROM (" + limited(lines, words.Common) + ") AS c)"
	return "SELECT " + counted + strings.TrimPrefix(lists(""), "count(*)") + " FROM (" +
		newest(lines+" AND "+passes, words.Common) + ") AS p"
}

// readForm reads what formRows returns of one form.
func (k *seeker) readForm(r *row, out *worded) {
	form := &out.forms[r.int32()]
	form.lines = int(r.int64())
	numbers, lengths := r.array(), r.array()
	if form.whole = form.lines < deepWords; k.filtered {
		form.whole = numbers.left < words.Common
	}
	form.rows = make([]int32, 0, numbers.left)
	if form.prefix {
		form.worth = make(map[int32]float64, numbers.left)
	}
	own := float64(utf8.RuneCountInString(form.from) - 1) // without its mark
	for numbers.left > 0 {
		n, length := int32Of(numbers.element()), int32Of(lengths.element())
		form.rows = append(form.rows, n)
		if form.prefix {
			form.worth[n] = max(form.worth[n], form.weight*(own/float64(max(length-1, 1))))
		}
	}
}

// settle counts, and chooses the rows: of each term the newest that have it, at most words.Common, and as many of those
// before them that have several.
func (w *worded) settle(terms int) {
	w.counts, w.rows = make([]int, terms), nil
	several := make(map[int32]int)
	chosen := make(map[int32]struct{})
	for term := range terms {
		var of []int32
		for i := range w.forms {
			if form := &w.forms[i]; form.term == term {
				if form.counted {
					w.counts[term] = min(w.counts[term]+form.lines, words.Common)
				}
				of = append(of, form.rows...)
			}
		}
		slices.SortFunc(of, newer)
		of = slices.Compact(of)
		for i, n := range of {
			several[n]++
			if i < words.Common {
				chosen[n] = struct{}{}
			}
		}
	}
	var rest []int32
	for n, of := range several {
		if _, known := chosen[n]; known {
			w.rows = append(w.rows, n)
		} else if of > 1 {
			rest = append(rest, n)
		}
	}
	slices.SortFunc(rest, func(a, b int32) int { return cmp.Or(cmp.Compare(several[b], several[a]), newer(a, b)) })
	w.rows = append(w.rows, rest[:min(len(rest), words.Common)]...)
	slices.SortFunc(w.rows, newer)
}

// newer orders numbers of rows, the newest first.
func newer(a, b int32) int { return cmp.Compare(b, a) }

// bounds returns the least and the most that the keyword score of each of the rows can be. Where a form was not looked
// for everywhere it may be in what lies before.
func (w *worded) bounds(numbers []int32) (least, most []float64) {
	terms := len(w.query.Terms)
	best, at := make([]float64, len(numbers)*terms), make(map[int32]int, len(numbers))
	for i, n := range numbers {
		at[n] = i * terms
	}
	raise := func(place int, form *wordForm, worth float64) {
		place += form.term
		best[place] = max(best[place], worth)
	}
	scores := func() []float64 {
		scores := make([]float64, len(numbers))
		for i := range scores {
			scores[i] = words.Score(w.query, w.counts, best[i*terms:(i+1)*terms])
		}
		return scores
	}
	for i := range w.forms {
		form := &w.forms[i]
		for _, n := range form.rows {
			if place, ok := at[n]; ok {
				worth := form.weight
				if form.prefix {
					worth = form.worth[n]
				}
				raise(place, form, worth)
			}
		}
	}
	least = scores()
	for i := range w.forms {
		form := &w.forms[i]
		if form.whole || form.weight == 0 {
			continue
		}
		oldest := int32(math.MaxInt32)
		if len(form.rows) > 0 {
			oldest = form.rows[len(form.rows)-1]
		}
		for j, n := range numbers {
			if n < oldest {
				raise(j*terms, form, form.weight)
			}
		}
	}
	return least, scores()
}
