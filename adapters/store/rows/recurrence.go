package rows

import (
	"encoding/json"
	"fmt"

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

// RecurrenceOf reads the rule's JSON; nil when there is none.
func RecurrenceOf(text []byte) (*model.Recurrence, error) {
	if len(text) == 0 {
		return nil, nil
	}
	rule := new(model.Recurrence)
	if err := json.Unmarshal(text, rule); err != nil {
		return nil, fmt.Errorf("recurrence: %w", err)
	}
	rule.Until = Time(rule.Until)
	return rule, nil
}
