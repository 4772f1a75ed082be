package projections

import "almanac/graph/model"

// Confirmation is a question that must be answered before anything is done.
type Confirmation struct {
	Kind          model.ConfirmationKind
	Question      string
	Candidates    []Candidate
	AllowMultiple bool
	ExpiresAt     model.DateTime
	Token         string
}

// Candidate is one thing that a confirmation offers to choose.
type Candidate struct {
	// ID is the public id of the candidate, or a word such as "all" where it is no thing of its own.
	ID    string
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
