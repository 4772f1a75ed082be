package words

import (
	"strconv"
	"strings"

	"almanac/projections/memo"
)

// shaped reads a telephone number or a date that begins at i. The end is i when there is none.
func (s *scanner) shaped(i int) (token, int) {
	if !s.mayBeShaped(i) {
		return token{}, i
	}
	g := memo.ReadGroups(s.text[i:])
	if low, high, year, ok := g.Date(); ok {
		day := dayForm(low, high)
		return token{kind: date, text: day + "-" + strconv.Itoa(year), more: []string{day}, parts: digitsOf(g.List[:3])},
			i + g.List[2].End
	}
	count, digits := g.Phone()
	if count == 0 {
		return token{}, i
	}
	national, ok := memo.National(digits, g.Plus)
	if !ok {
		return token{}, i
	}
	t := token{kind: phone, text: national, parts: []string{digits},
		more: []string{national[max(0, len(national)-subscriber):]}}
	if count > 1 {
		t.parts = append(t.parts, digitsOf(g.List[:count])...)
	}
	return t, i + g.List[count-1].End
}

// mayBeShaped rules out cheaply most digits that have no shape: they stand alone and are few.
func (s *scanner) mayBeShaped(i int) bool {
	end := i
	for end < len(s.text) && (s.text[end] >= '0' && s.text[end] <= '9' || end == i) {
		end++
	}
	if end-i >= 9 {
		return true
	}
	for more := 0; more < 3 && end < len(s.text); more++ {
		switch c := s.text[end]; {
		case c >= '0' && c <= '9':
			return true
		case strings.IndexByte(" -./()", c) < 0:
			return false
		}
		end++
	}
	return end < len(s.text) && s.text[end] >= '0' && s.text[end] <= '9'
}

func digitsOf(groups []memo.Group) []string {
	out := make([]string, len(groups))
	for i, group := range groups {
		out[i] = group.Digits
	}
	return out
}

// subscriber is how many digits people give of a number in their own area.
const subscriber = 7

// dayForm is the form of a day without its year. Whether the day or the month is first differs between countries, so
// the smaller number is. No word begins with its mark.
func dayForm(low, high int) string { return "@" + strconv.Itoa(low) + "-" + strconv.Itoa(high) }

func (s *scanner) letterAt(i int) bool {
	if i >= len(s.text) {
		return false
	}
	of, _ := s.run(i)
	return of == latin || of == hebrew
}

// digits reads a number, or several that belong together, that begins at i with a digit and has no shape of its own.
func (s *scanner) digits(i int) int {
	if end := s.number(i); end > i {
		return end
	}
	if end := s.series(i); end > i {
		return end
	}
	if end := s.address(i); end > i {
		return s.addressed(i, end)
	}
	return s.compound(i)
}

// number reads a decimal, thousands or a time of day: 12.50, 1,234.5, 08:30. The end is i when there is none.
func (s *scanner) number(i int) int {
	if _, first := s.run(i); first == len(s.text) || strings.IndexByte(".,:", s.text[first]) < 0 {
		return i
	}
	text := s.text[i:]
	groups, joints, end := split(text)
	if len(groups) < 2 {
		return i
	}
	t := token{kind: exact, parts: groups}
	switch {
	case strings.Trim(joints, ":") == "" && len(groups) <= 3 && len(groups[1]) == 2 && len(groups[0]) <= 2:
		t.text = strings.TrimPrefix(text[:end], "0") // 08:30 is 8:30
	case joints == ".":
		t.text = groups[0]
		if rest := strings.TrimRight(groups[1], "0"); rest != "" {
			t.text += "." + rest
		}
		if day, ok := dayOf(groups[0], groups[1]); ok {
			t.more = []string{day}
		}
	case thousands(groups, joints):
		t.text = strings.Join(groups[:strings.Count(joints, ",")+1], "")
		t.parts = nil
		if rest := strings.TrimRight(groups[len(groups)-1], "0"); strings.HasSuffix(joints, ".") && rest != "" {
			t.text += "." + rest
		}
	default:
		return i
	}
	s.emit(t)
	return i + end
}

// split cuts digits at single points, commas and colons; joints are what it cut at. The end is where the last group
// ends.
func split(text string) (groups []string, joints string, end int) {
	for at := 0; ; {
		from := at
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at++
		}
		groups, end = append(groups, text[from:at]), at
		if at+1 >= len(text) || strings.IndexByte(".,:", text[at]) < 0 || text[at+1] < '0' || text[at+1] > '9' ||
			len(groups) > maxParts {
			return groups, joints, end
		}
		joints += text[at : at+1]
		at++
	}
}

// thousands reports whether groups are 1,234,567 or 1,234.5.
func thousands(groups []string, joints string) bool {
	whole := strings.TrimSuffix(joints, ".")
	if whole == "" || strings.Trim(whole, ",") != "" || len(groups[0]) > 3 {
		return false
	}
	for _, group := range groups[1 : len(whole)+1] {
		if len(group) != 3 {
			return false
		}
	}
	return true
}

// dayOf reads two numbers as a day of a month, in either order.
func dayOf(a, b string) (string, bool) {
	if len(a) > 2 || len(b) > 2 {
		return "", false
	}
	low, _ := strconv.Atoi(a)
	high, _ := strconv.Atoi(b)
	if low > high {
		low, high = high, low
	}
	return dayForm(low, high), 1 <= low && low <= 12 && high <= 31
}

// The numbers of cards, accounts and parcels are written in groups.
const (
	minSeries = 7
	maxSeries = 19
)

// series reads groups of digits between which there are single spaces or hyphens: a number that is written in groups,
// or numbers in a row; so both the whole and the groups are looked for. The end is i when there are not several groups,
// or too many digits.
func (s *scanner) series(i int) int {
	if i < s.rowEnd {
		return i
	}
	t := token{kind: compound}
	end := i
	for at := i; at < len(s.text) && s.text[at] >= '0' && s.text[at] <= '9' && len(t.text) <= maxSeries; {
		if at > i {
			if _, shaped := s.shaped(at); shaped > at {
				break
			}
		}
		_, stop := s.run(at)
		if stop < len(s.text) && strings.IndexByte(" -", s.text[stop]) < 0 && !s.breaks(stop) {
			break // the group is the beginning of something else
		}
		t.parts, t.text, end = append(t.parts, s.text[at:stop]), t.text+s.text[at:stop], stop
		if stop == len(s.text) || strings.IndexByte(" -", s.text[stop]) < 0 {
			break
		}
		at = stop + 1
	}
	if len(t.text) > maxSeries { // a row of numbers, which is not to be tried from each of them
		s.rowEnd = s.endOfRow(end)
		return i
	}
	if end < len(s.text) && s.text[end] == '-' && s.letterAt(end+1) || len(t.parts) < 2 || len(t.text) < minSeries {
		return i
	}
	s.emit(t)
	return end
}

// endOfRow returns where digits with single spaces and hyphens between them, which go on at i, end.
func (s *scanner) endOfRow(i int) int {
	for i < len(s.text) {
		if s.text[i] == ' ' || s.text[i] == '-' {
			i++
		}
		if i == len(s.text) || s.text[i] < '0' || s.text[i] > '9' {
			break
		}
		_, i = s.run(i)
	}
	return i
}

// breaks reports whether nothing that begins before i goes on there.
func (s *scanner) breaks(i int) bool {
	of, end := s.run(i)
	if of != separator {
		return of == symbol
	}
	if end == len(s.text) {
		return true
	}
	next, _ := s.run(end)
	return end > i+1 || next == separator || next == symbol
}
