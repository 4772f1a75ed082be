package websets

import (
	"strconv"
	"strings"

	"almanac/graph/model"
)

// cronField is one of the five fields of a cron expression.
type cronField struct {
	name        string
	least, most int
	// words may stand in place of numbers, from least on.
	words string
}

func cronFields() [5]cronField {
	return [5]cronField{
		{"minute", 0, 59, ""},
		{"hour", 0, 23, ""},
		{"day of month", 1, 31, ""},
		{"month", 1, 12, "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC"},
		{"day of week", 0, 7, "SUN MON TUE WED THU FRI SAT"},
	}
}

// maxCron is longer than any expression that makes sense, in bytes.
const maxCron = 200

// readCron checks when a monitor looks: five fields as in cron (crontab(5)), at most once a day, as Exa wants it, and
// on days that there are. It returns them with one space between.
func readCron(field, text string) (string, error) {
	if len(text) > maxCron {
		return "", model.BadInput(field, "a cron expression has at most %d bytes", maxCron)
	}
	parts := strings.Fields(text)
	if len(parts) != 5 {
		return "",
			model.BadInput(field,
				"cron has five fields (minute, hour, day of month, month, day of week), such as \"0 9 * * 1\", and not %d",
				len(parts))
	}
	var sets [5]uint64
	for i, f := range cronFields() {
		set, ok := f.read(parts[i])
		if !ok {
			return "", model.BadInput(field, "%q is no %s of cron; it is *, or numbers from %d to %d with commas, - and /",
				model.Clip(parts[i]), f.name, f.least, f.most)
		}
		sets[i] = set
	}
	for i := range 2 {
		if sets[i]&(sets[i]-1) != 0 {
			return "", model.BadInput(field, "a monitor looks at most once a day; give one %s and not %q", cronFields()[i].name,
				model.Clip(parts[i]))
		}
	}
	if parts[4] == "*" && !dayComes(sets[2], sets[3]) {
		return "", model.BadInput(field, "no month of %q has a day %q, so it never comes", model.Clip(parts[3]),
			model.Clip(parts[2]))
	}
	return strings.Join(parts, " "), nil
}

// dayComes reports whether one of the months has one of the days.
func dayComes(days, months uint64) bool {
	lengths := [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	for i, length := range lengths {
		if months&(1<<(i+1)) != 0 && days&(1<<(length+1)-1) != 0 {
			return true
		}
	}
	return false
}

// read returns the numbers of a field as bits.
func (f cronField) read(text string) (set uint64, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		span, stepText, stepped := strings.Cut(part, "/")
		step := 1
		if stepped {
			if step, ok = cronNumber(stepText); !ok || step < 1 || step > f.most {
				return 0, false
			}
		}
		from, to := f.least, f.most
		if span != "*" {
			first, last, ranged := strings.Cut(span, "-")
			if from, ok = f.value(first); !ok {
				return 0, false
			}
			switch {
			case ranged:
				if to, ok = f.value(last); !ok || to < from {
					return 0, false
				}
			case !stepped:
				to = from
			}
		}
		for n := from; n <= to; n += step {
			set |= 1 << n
		}
	}
	return set, set != 0
}

// value reads a number or a word.
func (f cronField) value(text string) (int, bool) {
	for i, word := range strings.Fields(f.words) {
		if strings.EqualFold(word, text) {
			return f.least + i, true
		}
	}
	n, ok := cronNumber(text)
	return n, ok && n >= f.least && n <= f.most
}

// cronNumber reads one or two digits.
func cronNumber(text string) (int, bool) {
	const most = 2
	if text == "" || len(text) > most || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}
