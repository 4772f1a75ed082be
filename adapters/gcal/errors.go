package gcal

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// ErrUnknownOutcome is in the chain of an error after which nobody knows whether the change was made.
var ErrUnknownOutcome = errors.New("gcal: the change may have been made")

// unknownOutcome says of an error that the change may have been made all the same.
func unknownOutcome(err error) error {
	var shown *model.Error
	if !errors.As(google.Classify(err), &shown) {
		return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
	}
	told := *shown
	told.Message = joined(told.Message, "it is not known whether the change was made, so look before trying again")
	told.Cause = fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
	return &told
}

// joined makes one sentence of two.
func joined(first, second string) string {
	if second == "" {
		return first
	}
	return strings.TrimSuffix(first, ".") + "; " + strings.TrimSuffix(second, ".")
}

// missing is what a 404 is about.
type missing string

const (
	missingEvent    missing = "there is no such event in this calendar"
	missingCalendar missing = "there is no such calendar, or this account may not see it"
)

func noEvent() *model.Error { return model.Errorf(model.CodeNotFound, "%s", missingEvent) }

// classify turns an error of a call into one that may be shown.
func classify(err error, about missing) error {
	if google.Status(err) == http.StatusNotFound {
		return &model.Error{Code: model.CodeNotFound, Message: string(about), Cause: google.Classify(err)}
	}
	return google.Classify(err)
}

// changedMeanwhile is said when the version is not the one that the caller, or we, had seen.
func changedMeanwhile(cause error) error {
	return &model.Error{Code: model.CodeConflict, Message: "the event was changed meanwhile; read it again", Cause: cause}
}

// notOurs is what Google says when a guest changes what all guests see, said before anything is done.
func notOurs() error {
	return &model.Error{
		Code:    model.CodeUpstreamRejected,
		Message: "only the organizer can change this series from here on",
		Reason:  "forbiddenForNonOrganizer",
	}
}

// readOnly refuses to change events that Google made, or that mean more than an event.
func readOnly(kind model.EventType) error {
	return model.BadInput("", "an event of the type %s is not changed from here; change it in Google Calendar", kind)
}
