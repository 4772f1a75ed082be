package gmail

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"google.golang.org/api/gmail/v1"

	"almanac/adapters/google"
	"almanac/graph/model"
)

// ErrUnknownOutcome is in the chain of an error after which nobody knows whether the change was made.
var ErrUnknownOutcome = errors.New("gmail: the change may have been made")

// method is one of the API's, without "gmail.users.".
type method string

const (
	methodProfile      method = "getProfile"
	methodList         method = "messages.list"
	methodGet          method = "messages.get"
	methodAttachment   method = "messages.attachments.get"
	methodThread       method = "threads.get"
	methodHistory      method = "history.list"
	methodLabels       method = "labels.list"
	methodCreateLabel  method = "labels.create"
	methodModify       method = "messages.batchModify"
	methodCreateDraft  method = "drafts.create"
	methodSendDraft    method = "drafts.send"
	methodGetDraft     method = "drafts.get"
	methodDeleteDraft  method = "drafts.delete"
	unitsOfNoOtherKind        = 10
)

// units is what a call costs (https://developers.google.com/workspace/gmail/api/reference/quota, for projects since May
// 2026).
func (m method) units() int {
	switch m {
	case methodProfile, methodLabels:
		return 1
	case methodHistory:
		return 2
	case methodList, methodCreateLabel, methodGetDraft:
		return 5
	case methodGet, methodAttachment:
		return 20
	case methodThread:
		return 40
	case methodModify:
		return 50
	case methodSendDraft:
		return 100
	default: // creating and deleting drafts
		return unitsOfNoOtherKind
	}
}

// repeat says when a change may be sent again: always when doing it twice is doing it once, else only when it was
// surely not done.
func (m method) repeat() google.Repeat {
	switch m {
	case methodModify, methodDeleteDraft:
		return google.RepeatAlways
	default:
		return google.RepeatUnapplied
	}
}

// ask makes a call that reads, once its units may be spent. Its error is as the client library gives it.
func (s *session) ask(ctx context.Context, m method, send func(context.Context, *gmail.Service) error) error {
	_, err := s.call(ctx, m, google.ScopeGmailReadonly, send)
	return err
}

// change makes a call that changes something. Its error is one that may be shown, or one for which the caller has words
// of its own (see classify), and has ErrUnknownOutcome in its chain when the change may have been made all the same.
func (s *session) change(ctx context.Context, m method, send func(context.Context, *gmail.Service) error) error {
	s.box.changing()
	defer s.box.changing()
	unknown, err := s.call(ctx, m, google.ScopeGmailModify, send)
	if unknown {
		return unknownOutcome(err)
	}
	return err
}

// call makes a call, for which the account must have granted the scope, once its units may be spent. Unknown tells, of
// a change, that it failed and may have been made all the same.
func (s *session) call(ctx context.Context, m method, scope string,
	send func(context.Context, *gmail.Service) error) (unknown bool, err error) {
	api, err := s.api()
	if err != nil {
		return false, err
	}
	spent, err := s.spend(ctx, m.units())
	if err != nil {
		return false, err
	}
	named := google.WithScopes(google.WithOperation(ctx, "gmail.users."+string(m)), scope)
	unknown, attempts, err := google.Do(named, m.repeat(), func(ctx context.Context) error { return send(ctx, api) })
	s.box.units.add(spent, (attempts-1)*m.units()) // each attempt costs; none is made when there is no token
	return unknown, err
}

// unknownOutcome says of an error that the change may have been made all the same.
func unknownOutcome(err error) error {
	var shown *model.Error
	if !errors.As(google.Classify(err), &shown) {
		return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
	}
	told := *shown
	told.Cause = fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
	return &told
}

// errIncomplete is the cause when an answer lacks what it is for.
var errIncomplete = errors.New("gmail: an answer without what it should have")

// unreadable says that Google's answer is not what it should be.
func unreadable(cause error) error {
	return &model.Error{Code: model.CodeUpstreamUnavailable, Message: "Google's answer could not be read.", Cause: cause}
}

// missing is what a 404 is about.
type missing string

const (
	missingEmail  missing = "there is no such e-mail"
	missingThread missing = "there is no such conversation"
	missingDraft  missing = "there is no such draft"
	missingPart   missing = "this e-mail has no such attachment"
)

func (m missing) error(cause error) error {
	return &model.Error{Code: model.CodeNotFound, Message: string(m), Cause: cause}
}

// classify turns an error of a call into one that may be shown.
func classify(err error, about missing) error {
	if google.Status(err) == http.StatusNotFound {
		return about.error(google.Classify(err))
	}
	return google.Classify(err)
}

// classifyID is classify where the caller's id is all that Gmail can find wrong: of what is no id it says 400.
func classifyID(err error, about missing) error {
	if google.Status(err) == http.StatusBadRequest && google.Reason(err) == "invalidArgument" {
		return about.error(google.Classify(err))
	}
	return classify(err, about)
}
