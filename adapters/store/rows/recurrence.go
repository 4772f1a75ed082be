package rows

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"almanac/graph/model"
)

// Recurrence returns the two columns of a rule: its type, which is filtered and counted by, and the whole rule as JSON.
// Both are empty when there is none.
func Recurrence(rule *model.Recurrence) (kind string, text string, err error) {
	if rule == nil {
		return "", "", nil
	}
	exact := *rule
	exact.Until = Time(rule.Until)
	encoded, err := json.Marshal(exact)
	if err != nil {
		return "", "", fmt.Errorf("recurrence: %w", err)
	}
	return string(rule.Type), string(encoded), nil
}

// RecurrenceOf reads the rule's JSON; nil when there is none. The rule's texts are parts of the one given.
func RecurrenceOf(text string) (*model.Recurrence, error) {
	if text == "" {
		return nil, nil
	}
	rule := new(model.Recurrence)
	if !asWritten(text, rule) {
		*rule = model.Recurrence{}
		if err := json.Unmarshal([]byte(text), rule); err != nil {
			return nil, fmt.Errorf("recurrence: %w", err)
		}
	}
	rule.Until = Time(rule.Until)
	return rule, nil
}

// asWritten reads a rule in the words of Recurrence, without the reflection of encoding/json, which would take as long
// as the rest of a row. It reports false for any other JSON, some of the rule having been set.
func asWritten(text string, rule *model.Recurrence) bool {
	w := written{rest: text}
	rule.Type = model.RecurrenceType(w.text(`{"type":`))
	if w.has(`,"time":`) {
		rule.Time = w.text("")
	}
	if w.has(`,"days":[`) {
		rule.Days = make([]model.Weekday, 0, 7)
		for !w.failed && !w.has("]") {
			if len(rule.Days) > 0 {
				w.must(",")
			}
			rule.Days = append(rule.Days, model.Weekday(w.text("")))
		}
	}
	if w.has(`,"dayOfMonth":`) {
		rule.DayOfMonth = int(w.number())
	}
	if w.has(`,"interval":`) {
		rule.Interval = time.Duration(w.number())
	}
	if w.has(`,"until":`) {
		w.failed = rule.Until.UnmarshalText([]byte(w.text(""))) != nil || w.failed
	}
	if w.has(`,"timeZone":`) {
		rule.TimeZone = w.text("")
	}
	w.must("}")
	return !w.failed && w.rest == ""
}

// written is JSON that is being read, of which only some forms are known.
type written struct {
	rest   string
	failed bool
}

// has reports whether the words come next, and goes past them.
func (w *written) has(words string) bool {
	rest, found := strings.CutPrefix(w.rest, words)
	w.rest = rest
	return found
}

func (w *written) must(words string) { w.failed = !w.has(words) || w.failed }

// text returns the text behind the words; only one without escapes, of printable ASCII.
func (w *written) text(words string) string {
	w.must(words)
	w.must(`"`)
	for i := 0; i < len(w.rest); i++ {
		switch c := w.rest[i]; {
		case c == '"':
			text := w.rest[:i]
			w.rest = w.rest[i+1:]
			return text
		case c == '\\' || c < ' ' || c > '~':
			w.failed = true
		}
	}
	w.failed = true
	return ""
}

// number returns a whole number that is not negative, of at most 18 digits.
func (w *written) number() (n int64) {
	i := 0
	for i < len(w.rest) && w.rest[i] >= '0' && w.rest[i] <= '9' && i < 19 {
		n = 10*n + int64(w.rest[i]-'0')
		i++
	}
	w.failed = w.failed || i == 0 || i == 19 || i > 1 && w.rest[0] == '0'
	w.rest = w.rest[i:]
	return n
}
