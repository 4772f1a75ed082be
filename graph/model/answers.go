package model

import "errors"

// UserError is something that the caller of a mutation can mend.
type UserError struct {
	Code    ErrorCode
	Message string
	Field   []string
	// Readings are the values that an ambiguous text may mean.
	Readings []string
}

// BulkError says why one item of a bulk mutation was left as it was.
type BulkError struct {
	// NodeID is the id that the item named, as it was given; nil when it named none.
	NodeID  *string
	Index   int
	Message string
	Code    ErrorCode
}

// Mendable reports whether an error belongs in userErrors: the caller can mend it by changing the input.
// Everything else goes to the top-level errors.
func Mendable(err error) (*Error, bool) {
	var shown *Error
	if !errors.As(err, &shown) {
		return nil, false
	}
	switch shown.Code {
	case CodeBadUserInput, CodeNotFound, CodeConflict, CodeConfirmationInvalid:
		return shown, true
	default:
		return nil, false
	}
}

// UserError is the error as a mutation's payload shows it.
func (e *Error) UserError() UserError {
	return UserError{Code: e.Code, Message: e.Message, Field: e.Field, Readings: e.Readings}
}

// ConfirmationKind is what a confirmation asks for.
type ConfirmationKind string

// The kinds.
const (
	PickOne        ConfirmationKind = "PICK_ONE"
	PickMany       ConfirmationKind = "PICK_MANY"
	RecurringScope ConfirmationKind = "RECURRING_SCOPE"
	MonthDays      ConfirmationKind = "MONTH_DAYS"
	MemoryOverride ConfirmationKind = "MEMORY_OVERRIDE"
	Approval       ConfirmationKind = "APPROVAL"
	UndoChanged    ConfirmationKind = "UNDO_CHANGED"
)

// ListItemAction is one kind of step of updateListItems.
type ListItemAction string

// The steps, in the order in which they are taken.
const (
	ItemAdd     ListItemAction = "ADD"
	ItemCheck   ListItemAction = "CHECK"
	ItemUncheck ListItemAction = "UNCHECK"
	ItemRemove  ListItemAction = "REMOVE"
	ItemMove    ListItemAction = "MOVE"
)

// ListItemStatus is what came of a step.
type ListItemStatus string

// The outcomes.
const (
	ItemDone      ListItemStatus = "DONE"
	ItemUnchanged ListItemStatus = "UNCHANGED"
	ItemFailed    ListItemStatus = "FAILED"
)
