package projections

import (
	"almanac/graph/model"
	"almanac/projections/compact"
)

// Confirmation is a question that must be answered before anything is done.
type Confirmation struct {
	Kind          model.ConfirmationKind
	Question      string
	Candidates    []Candidate
	AllowMultiple bool
	ExpiresAt     model.DateTime
	Token         string
}

// Row is the question for compact text; foreign says that others may have written what it names.
func (c *Confirmation) Row(foreign bool) *compact.Confirmation {
	if c == nil {
		return nil
	}
	out := &compact.Confirmation{
		Kind: c.Kind, Question: c.Question, AllowMultiple: c.AllowMultiple, ExpiresAt: compact.Time{Time: c.ExpiresAt.Time},
		Token: c.Token, Foreign: foreign,
		Candidates: make([]compact.Candidate, len(c.Candidates)),
	}
	for i, candidate := range c.Candidates {
		out.Candidates[i] = compact.Candidate{ID: candidate.Key, Label: candidate.Label, Score: candidate.Score}
	}
	return out
}

// Candidate is one thing that a confirmation offers to choose.
type Candidate struct {
	// Key is what the answer names it by: its public id, or a word such as "all" where it is no record.
	Key   string
	Label string
	Score float64
	Node  model.Node
}

// ListItemOutcome is what came of one step of updateListItems.
type ListItemOutcome struct {
	Action     model.ListItemAction
	Index      int
	Status     model.ListItemStatus
	Item       *ListItem
	Candidates []ListItem
	Code       *model.ErrorCode
	Message    *string
}
