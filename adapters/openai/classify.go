package openai

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Classify turns any error of a call into the *model.Error that a caller of the API may see:
//
//	UPSTREAM_REJECTED      the endpoint refuses the key, the model or the request; with its code as Reason, or
//	                       "status_404" and the like
//	UPSTREAM_RATE_LIMITED  too fast, with RetryAfter; or an allowance is used up
//	UPSTREAM_UNAVAILABLE   no answer in time or none at all, 5xx, half an answer, one that cannot be read; RetryAfter
//	                       while it is left alone
//
// An error that is a *model.Error already stays as it is; nil stays nil. The Cause is for the log: it has neither the
// address nor a body.
func Classify(err error) error {
	if err == nil {
		return nil
	}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		return shown
	}
	lost, ok := errors.AsType[*remote.Failure](err)
	if !ok {
		return unavailable("The model endpoint's answer could not be read.", 0,
			errors.New("openai: an answer that is not the JSON it should be"))
	}
	switch lost.Kind {
	case remote.KindRejected:
		return rejected(lost)
	case remote.KindSpent:
		return &model.Error{Code: model.CodeUpstreamRateLimited, RetryAfter: lost.Wait, Cause: lost,
			Message: "This server's allowance at the model endpoint is used up; whoever runs it has to raise it."}
	case remote.KindLimited:
		return &model.Error{Code: model.CodeUpstreamRateLimited,
			Message: "The model endpoint asks to slow down" + remote.LaterBy(lost.Wait), RetryAfter: lost.Wait, Cause: lost}
	case remote.KindLate:
		return unavailable("The model endpoint did not answer in time.", 0, lost)
	case remote.KindHeld:
		return unavailable("The model endpoint did not answer several times, and is left alone for a moment"+
			remote.LaterBy(lost.Wait), lost.Wait, lost)
	default:
		message := "The model endpoint could not serve this now."
		switch {
		case lost.TimedOut:
			message = "The model endpoint did not answer in time."
		case errors.Is(lost.Err, remote.ErrUnreadable):
			message = "The model endpoint's answer could not be read."
		case lost.Status == 0:
			message = "The model endpoint could not be reached."
		}
		return unavailable(message, lost.Wait, lost)
	}
}

// rejected is a refusal in words for whoever runs the server. The endpoint's own words are left out: they quote keys
// and texts.
func rejected(lost *remote.Failure) *model.Error {
	message := fmt.Sprintf("The model endpoint refused this with status %d.", lost.Status)
	switch {
	case lost.Status < http.StatusMultipleChoices:
		message = "The model endpoint's answer cannot be used."
	case lost.Status == http.StatusUnauthorized, lost.Status == http.StatusForbidden:
		message = "The model endpoint does not accept this server; whoever runs it has to correct its key."
	case lost.Status == http.StatusNotFound:
		message = "The model endpoint has no such model, or its address is wrong; whoever runs this server has to correct " +
			"its settings."
	case lost.Status < http.StatusBadRequest:
		message = "The model endpoint has moved; whoever runs this server has to correct its address."
	}
	reason := lost.Code
	if reason == "" && lost.Status >= http.StatusMultipleChoices {
		reason = fmt.Sprintf("status_%d", lost.Status)
	}
	return &model.Error{Code: model.CodeUpstreamRejected, Message: message, Reason: reason, RetryAfter: lost.Wait,
		Cause: lost}
}

// IsAboutTexts reports whether an error of Embed or Ask may be owed to one of the texts, so that others may fare
// better. Keys, models, lengths and endpoints that are away concern all of them.
func IsAboutTexts(err error) bool {
	if lost, ok := errors.AsType[*remote.Failure](err); ok {
		switch lost.Status {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			return lost.Kind == remote.KindRejected
		}
		return lost.Kind == remote.KindRejected && (problemOf(lost).tooLong || errors.Is(lost.Err, remote.ErrTooLarge))
	}
	shown, ok := errors.AsType[*model.Error](err)
	return ok && shown.Code == model.CodeUpstreamRejected && (shown.Reason == reasonVectors ||
		shown.Reason == ReasonLength || shown.Reason == ReasonRefusal || shown.Reason == ReasonAnswer)
}

// reasonVectors and reasonDimensions are the reasons of answers that are whole and cannot be used.
const (
	reasonVectors    = "vectors"
	reasonDimensions = "dimensions"
)

// unusable is for answers that are whole and cannot be used; the reason says in one word why.
func unusable(reason, format string, args ...any) *model.Error {
	return &model.Error{
		Code: model.CodeUpstreamRejected, Reason: reason,
		Message: "The model endpoint gave vectors that cannot be used: " + fmt.Sprintf(format, args...) + ".",
		Cause:   errors.New("openai: " + fmt.Sprintf(format, args...)),
	}
}

func unavailable(message string, wait time.Duration, cause error) *model.Error {
	return &model.Error{Code: model.CodeUpstreamUnavailable, Message: message, RetryAfter: wait, Cause: cause}
}

// IsTooLong reports whether an error says that a question has more tokens than the model takes at once.
func IsTooLong(err error) bool {
	lost, ok := errors.AsType[*remote.Failure](err)
	return ok && lost.Kind == remote.KindRejected &&
		(problemOf(lost).tooLong || lost.Status == http.StatusRequestEntityTooLarge)
}

// IsLeftAlone reports whether an error says that nothing was sent, since the endpoint is left alone for now.
func IsLeftAlone(err error) bool {
	lost, ok := errors.AsType[*remote.Failure](err)
	return ok && lost.Held
}
