package compact

import "strings"

// Action is what a mutation has done.
type Action struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Summary  string `json:"summary"`
	At       Time   `json:"at"`
	Undoable bool   `json:"undoable"`
	Undone   bool   `json:"undone"`
}

func (a Action) id() string { return named(a.ID) }

// foreign: others write the titles of events, mails and what websets find.
func (a Action) foreign() bool {
	return strings.Contains(a.Kind, "Event") || strings.Contains(a.Kind, "Email") || strings.Contains(a.Kind, "Webset")
}

func (a Action) text(w *writing) string {
	state := ""
	switch {
	case a.Undone:
		state = "(" + w.say.undone + ")"
	case a.Undoable:
		state = "(" + w.say.undoable + ")"
	}
	return joined(" ", w.when(a.At.Time), w.part(a.Summary), state)
}
