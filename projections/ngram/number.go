package ngram

import "strings"

// number adds a number: a phone number in its national digits, a day as day and month, and anything else by its groups
// of digits.
func (r *reader) number(text string) {
	groups := strings.FieldsFunc(text, func(c rune) bool { return c < '0' || c > '9' })
	if day, month, ok := dateOf(text, groups); ok {
		r.day(day, month)
		for _, g := range groups {
			if len(g) == 4 {
				r.digits(g, weightYear)
			}
		}
		return
	}
	if digits, ok := phoneOf(text, groups); ok {
		r.digits(digits, weightNumber)
		return
	}
	if len(groups) > 1 {
		if isWhole(text, groups) {
			r.digits(strings.Join(groups, ""), weightNumber)
			return
		}
		r.sum.add(familyNumber.hash(strings.Join(groups, ".")), weightNumber)
	}
	for _, g := range groups {
		r.digits(g, weightNumber)
	}
}

// isWhole reports whether groups of digits are parts of one number: thousands after a comma, or anything with hyphens,
// or cards and accounts in fours.
func isWhole(text string, groups []string) bool {
	joint := text[len(groups[0])]
	for i, g := range groups[1:] {
		if joint == ',' && len(g) != 3 || joint == ' ' && (len(groups[i]) != 4 || len(groups) < 2) {
			return false
		}
	}
	switch joint {
	case ',':
		return len(groups[0]) <= 3
	case ' ':
		return len(groups) > 2
	}
	return joint == '-' && len(text)-len(groups)+1 >= 5
}

// digits adds a run of digits, without zeros before it; of a long one also its last four and seven, and its parts, so
// that a slip of the finger or a missing code leaves it near.
func (r *reader) digits(run string, weight int64) {
	run = clip(run, maxWord)
	digits := strings.TrimLeft(run, "0")
	if digits == "" {
		digits = run
	}
	for _, n := range [...]int{4, 7} {
		if len(run) >= n {
			r.sum.add(familyTail.hash(run[len(run)-n:]), weightTail)
		}
	}
	switch n := len(digits); {
	case n >= 5:
		r.parts(digits, weightDigitParts)
	case n < 3:
		weight = weightSmallNumber
	}
	h := familyNumber.hash(digits)
	r.sum.add(h, weight)
	r.said = append(r.said, said{stem: h, weight: weight, number: small(digits)})
}

// day adds a day of any year.
func (r *reader) day(day, month int) {
	r.sum.add(familyDay.with(uint64(month*100+day)), weightDay)
}

// phoneOf returns the national digits of what is written like a phone number: seven to fifteen digits, either with a
// plus or a zero before them or in at most five groups of which the last has three or more.
func phoneOf(text string, groups []string) (string, bool) {
	all := strings.Join(groups, "")
	if len(all) < 7 || len(all) > 15 || len(groups) > 6 || strings.ContainsAny(text, ",:/") {
		return "", false
	}
	last := groups[len(groups)-1]
	abroad := text[0] == '+' || strings.HasPrefix(all, "00")
	if !abroad && all[0] != '0' && (len(groups) > 3 || len(last) != 4) && len(groups) > 1 {
		return "", false
	}
	if abroad {
		all = strings.TrimLeft(all, "0")
	}
	if national, found := strings.CutPrefix(all, "972"); found && len(national) >= 8 {
		all = national
	}
	return strings.TrimLeft(all, "0"), true
}

// dateOf reads 12.5.2026, 12/05/26, 12.5 with a slash, and 2026-05-12; the day comes first unless only the second can
// be one.
func dateOf(text string, groups []string) (day, month int, ok bool) {
	if strings.ContainsAny(text, " ,:()+") || len(groups) < 2 || len(groups) > 3 {
		return 0, 0, false
	}
	if len(groups) == 2 && (!strings.Contains(text, "/") && !strings.Contains(text, ".") || len(groups[0]) > 2 ||
		len(groups[1]) > 2) {
		return 0, 0, false
	}
	if len(groups) == 3 && len(groups[0]) == 4 {
		groups = []string{groups[2], groups[1]}
	} else if len(groups) == 3 && len(groups[2]) != 4 && len(groups[2]) != 2 {
		return 0, 0, false
	}
	day, month = small(groups[0]), small(groups[1])
	if month > 12 {
		day, month = month, day
	}
	return day, month, day >= 1 && day <= 31 && month >= 1 && month <= 12
}

// small is the number that one or two digits make, else 0.
func small(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + int(digits[i]-'0')
	}
	if len(digits) > 2 {
		return 0
	}
	return n
}
