package calendar

import "slices"

// Reminder is one reminder before the start of an event.
type Reminder struct {
	// Method is "popup" or "email".
	Method string `json:"method"`
	// Minutes before the start, 0 to 40320.
	Minutes int `json:"minutes"`
}

// reminders are a person's own for one event, instead of the calendar's.
type reminders struct {
	Overrides []Reminder `json:"overrides,omitempty"`
}

const (
	mostOverrides = 5
	mostMinutes   = 40320
)

// readReminders reads the property of an event. Nil means the calendar's defaults. The reference gives 0 to 40320 as
// the valid minutes; measured, what lies outside is silently brought to the nearer end, doubles are dropped, and so are
// overrides of unknown methods. Only their number, counted as sent, is refused.
func readReminders(value object) (*reminders, error) {
	if value == nil {
		return nil, nil // No reminders of one's own.
	}
	sent := objectsOf(value, "overrides")
	if flagOf(value, "useDefault") {
		if len(sent) > 0 {
			return nil, defaultAndOverrides()
		}
		return nil, nil // Back to the defaults.
	}
	list, err := readOverrides(sent)
	if err != nil {
		return nil, err
	}
	return &reminders{Overrides: list}, nil
}

func readOverrides(sent []object) ([]Reminder, error) {
	if len(sent) > mostOverrides {
		return nil, tooManyReminders()
	}
	var list []Reminder
	for _, one := range sent {
		minutes, ok := wholeNumber(one["minutes"])
		if !ok {
			return nil, required("Missing reminder minutes.")
		}
		method := textOf(one, "method")
		if method == "" {
			return nil, required("Missing reminder method.")
		}
		reminder := Reminder{Method: method, Minutes: int(min(max(minutes, 0), mostMinutes))}
		if (method == "popup" || method == "email") && !slices.Contains(list, reminder) {
			list = append(list, reminder)
		}
	}
	return list, nil
}

func (a *reminders) equal(b *reminders) bool {
	if a == nil || b == nil {
		return a == b
	}
	return slices.Equal(a.Overrides, b.Overrides)
}
