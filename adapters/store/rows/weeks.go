package rows

// Week is the length of the stretches of due dates by which tasks are counted, in microseconds.
const Week = 7 * 24 * 60 * 60 * 1_000_000

// Weeks returns the whole weeks within [from, to), both in microseconds since 1970: the number of the first one and
// that of the week behind the last, counted from 1970. There is none when end is not greater than first.
func Weeks(from, to int64) (first, end int64) {
	if first = from / Week; from%Week > 0 {
		first++
	}
	if end = to / Week; to%Week < 0 {
		end--
	}
	return first, end
}
