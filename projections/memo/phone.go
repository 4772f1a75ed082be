package memo

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The lengths of telephone numbers (ITU-T E.164, 6.2): at most 15 digits with the country's code. Shorter than 7
// without one is a short code.
const (
	minPhone = 7
	maxPhone = 15
)

// National returns the national significant number (ITU-T E.164, 6.2.3) of a telephone number's digits: without the
// code of the country and without the zero that is dialled within it. International says that a plus sign stood before
// the digits; two zeros say the same. False when the digits can be no telephone number. So +972-50-999-9999, 00972
// (0)50 9999999 and 050-9999999 are all 509999999.
func National(digits string, international bool) (string, bool) {
	if rest, found := strings.CutPrefix(digits, "00"); found {
		digits, international = rest, true
	}
	if len(digits) < minPhone || len(digits) > maxPhone {
		return "", false
	}
	switch {
	case international:
		digits = digits[countryCode(digits):]
	case strings.HasPrefix(digits, "972") && (len(digits) == 11 || len(digits) == 12), // Israel, written without the plus
		digits[0] == '1' && len(digits) == 11: // North America
		digits = digits[countryCode(digits):]
	}
	digits = strings.TrimLeft(digits, "0")
	return digits, len(digits) >= minPhone-1
}

// countryCode returns the length of the country code that digits begin with (ITU-T E.164, list of assigned codes): one
// digit in zones 1 and 7, two for the codes below, three for all others.
func countryCode(digits string) int {
	switch small(digits[:2]) {
	case 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79:
		return 1
	case 20, 27, 30, 31, 32, 33, 34, 36, 39, 40, 41, 43, 44, 45, 46, 47, 48, 49, 51, 52, 53, 54, 55, 56, 57, 58,
		60, 61, 62, 63, 64, 65, 66, 81, 82, 84, 86, 90, 91, 92, 93, 94, 95, 98:
		return 2
	}
	return 3
}

// Groups are digits as they are written, in groups with something between them.
type Groups struct {
	// Plus says that a plus sign stands before the first group.
	Plus bool
	// List are the groups; there is at least one when any were read.
	List []Group
}

// Group is a row of digits.
type Group struct {
	Digits string
	// Gap is what stands before it; empty for the first.
	Gap string
	// End is the offset behind it in the text that was read.
	End int
}

// maxGroups bounds how many groups are looked at together.
const maxGroups = 8

// ReadGroups reads the groups of digits that a text begins with: ASCII digits, a plus sign or a bracket before them,
// and between them one or a few of space, hyphen, point, stroke and brackets. Digits that a letter follows at once are
// part of something else and end them. No groups when the text begins otherwise.
func ReadGroups(text string) Groups {
	var g Groups
	i, gap := 0, ""
	if strings.HasPrefix(text, "+") {
		g.Plus, i = true, 1
	}
	if strings.HasPrefix(text[i:], "(") {
		i++
	}
	for len(g.List) < maxGroups {
		end := i
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		if end == i || startsWithLetter(text[end:]) {
			break
		}
		if g.List == nil {
			g.List = make([]Group, 0, maxGroups)
		}
		g.List = append(g.List, Group{text[i:end], gap, end})
		for i = end; i < len(text) && i-end < 3 && strings.IndexByte(" -./()", text[i]) >= 0; i++ {
		}
		// a bracket stands around the area's code
		if gap = text[end:i]; !isGap(gap) || strings.HasSuffix(gap, "(") && len(g.List) > 1 {
			break
		}
	}
	return g
}

// startsWithLetter reports whether what is behind digits begins with a letter; the x of an extension is no letter.
func startsWithLetter(text string) bool {
	if len(text) > 1 && text[0] == 'x' && isDigit(text[1]) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

func isGap(between string) bool {
	switch between {
	case " ", "-", ".", "/", "(", ")", ") ", ")-", " (", "-(", ") (", " - ":
		return true
	}
	return false
}

// Date reports whether the first three groups are a date in numbers, in any order of day, month and year: 21.11.2026,
// 11/21/26, 2026-11-21. The day and the month cannot be told apart, so the smaller of them is called low.
func (g Groups) Date() (low, high, year int, ok bool) {
	if g.Plus || len(g.List) < 3 {
		return 0, 0, 0, false
	}
	between := g.List[1].Gap
	if between != g.List[2].Gap || between != "." && between != "/" && between != "-" {
		return 0, 0, 0, false
	}
	if len(g.List) > 3 && g.List[3].Gap == between {
		return 0, 0, 0, false // four groups of a kind are an address or a number
	}
	a, b, c := g.List[0].Digits, g.List[1].Digits, g.List[2].Digits
	if len(a) == 4 {
		a, b, c = b, c, a
	} else if len(c) != 4 && (len(c) != 2 || between == "-") { // 05-12-34 is rather a number
		return 0, 0, 0, false
	}
	if len(a) > 2 || len(b) > 2 {
		return 0, 0, 0, false
	}
	low, high, year = small(a), small(b), small(c)
	if low > high {
		low, high = high, low
	}
	if len(c) == 2 {
		year += 2000
	}
	return low, high, year, 1 <= low && low <= 12 && high <= 31 && 1000 <= year && year < 3000
}

// small reads at most four digits.
func small(digits string) (n int) {
	for _, c := range []byte(digits) {
		n = 10*n + int(c-'0')
	}
	return n
}

// Phone returns how many of the first groups are a telephone number by their shape, and returns its digits; 0 for none.
// The shapes: with a plus sign or two zeros 8–15 digits; an Israeli number as it is dialled in Israel, 9 digits (02,
// 03, 04, 08, 09) or 10 (05x, 07x, 1-700, 1-800); a North American one in its groups, 3-3-4; and otherwise 10 or 11
// digits that begin with a zero and stand in groups.
func (g Groups) Phone() (count int, digits string) {
	var all []byte
	sizes := make([]int, 0, maxGroups)
	for _, group := range g.List {
		if len(all)+len(group.Digits) > maxPhone+2 {
			break
		}
		all = append(all, group.Digits...)
		sizes = append(sizes, len(group.Digits))
	}
	digits = string(all)
	for _, fits := range [...]func(digits string, sizes []int) bool{g.isInternational, isIsraeli, isAmerican, isDialled} {
		for n, end := len(sizes), len(digits); n > 0; n-- {
			if end >= minPhone && fits(digits[:end], sizes[:n]) {
				return n, digits[:end]
			}
			end -= sizes[n-1]
		}
	}
	return 0, ""
}

func (g Groups) isInternational(digits string, sizes []int) bool {
	if g.Plus {
		return len(digits) >= 8 && len(digits) <= longest(digits)
	}
	return strings.HasPrefix(digits, "00") && digits[2] != '0' && len(digits) >= 12 &&
		len(digits) <= 2+longest(digits[2:]) ||
		len(sizes) > 1 && sizes[0] == 3 && strings.HasPrefix(digits, "972") && (len(digits) == 11 || len(digits) == 12) ||
		len(sizes) == 1 && strings.HasPrefix(digits, "9725") && len(digits) == 12
}

// longest is how many digits a number with a country's code may have: Israel and North America have plans of fixed
// lengths.
func longest(digits string) int {
	switch {
	case strings.HasPrefix(digits, "9720"): // +972 (0)50
		return 13
	case strings.HasPrefix(digits, "972"):
		return 12
	case digits[0] == '1':
		return 11
	}
	return maxPhone
}

func isIsraeli(digits string, sizes []int) bool {
	switch {
	case len(digits) == 9 && digits[0] == '0' && strings.IndexByte("23489", digits[1]) >= 0:
		return len(sizes) == 1 || sizes[0] <= 3
	case len(digits) == 10 && digits[0] == '0':
		return (digits[1] == '5' || digits[1] == '7') && (len(sizes) == 1 || sizes[0] <= 6)
	case len(digits) == 10 && len(sizes) > 2:
		return sizes[0] == 1 && sizes[1] == 3 && (strings.HasPrefix(digits, "1700") || strings.HasPrefix(digits, "1800"))
	}
	return false
}

func isAmerican(digits string, sizes []int) bool {
	if digits[0] == '1' && len(sizes) == 4 && sizes[0] == 1 {
		sizes, digits = sizes[1:], digits[1:]
	}
	return slices.Equal(sizes, []int{3, 3, 4}) && digits[0] >= '2'
}

func isDialled(digits string, sizes []int) bool {
	return digits[0] == '0' && len(digits) > 1 && digits[1] != '0' && (len(digits) == 10 || len(digits) == 11) &&
		len(sizes) > 1 && sizes[0] <= 5
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
