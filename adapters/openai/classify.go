package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"time"

	"almanac/graph/model"
)

// Classify turns any error of a call into the *model.Error that a caller of the API may see:
//
//	UPSTREAM_REJECTED      the endpoint refuses the key, the model or the request; with its code as Reason, or "status_404" and the like
//	UPSTREAM_RATE_LIMITED  too fast, with RetryAfter; or an allowance is used up
//	UPSTREAM_UNAVAILABLE   no answer in time or none at all, 5xx, half an answer, one that cannot be read; RetryAfter while it is left alone
//
// An error that is a *model.Error already stays as it is; nil gives nil. The Cause is for the log: it has neither the
// address nor a body.
func Classify(err error) error {
	if err == nil {
		return nil
	}
	if shown, ok := errors.AsType[*model.Error](err); ok {
		return shown
	}
	lost, ok := errors.AsType[*failure](err)
	if !ok {
		if cause := contextError(err); cause != nil {
			return unavailable("The model endpoint did not answer in time.", 0, cause)
		}
		return unavailable("The model endpoint's answer could not be read.", 0,
			errors.New("openai: an answer that is not the JSON it should be"))
	}
	switch lost.kind {
	case kindRejected:
		return rejected(lost)
	case kindSpent:
		return &model.Error{Code: model.CodeUpstreamRateLimited, RetryAfter: lost.wait, Cause: lost,
			Message: "This server's allowance at the model endpoint is used up; whoever runs it has to raise it."}
	case kindLimited:
		return &model.Error{Code: model.CodeUpstreamRateLimited,
			Message: "The model endpoint asks to slow down" + laterBy(lost.wait), RetryAfter: lost.wait, Cause: lost}
	case kindLate:
		return unavailable("The model endpoint did not answer in time.", 0, lost)
	case kindLeftAlone:
		return unavailable("The model endpoint did not answer several times, and is left alone for a moment"+
			laterBy(lost.wait), lost.wait, lost)
	default:
		if lost.status == 0 && contextError(lost.err) != nil {
			return unavailable("The model endpoint did not answer in time.", lost.wait, lost)
		}
		if lost.status == 0 {
			return unavailable("The model endpoint could not be reached.", lost.wait, lost)
		}
		return unavailable("The model endpoint could not serve this now.", lost.wait, lost)
	}
}

// rejected is a refusal in words for whoever runs the server. The endpoint's own words are left out: they quote keys
// and texts.
func rejected(lost *failure) *model.Error {
	message := fmt.Sprintf("The model endpoint refused this with status %d.", lost.status)
	switch {
	case lost.status == 0:
		message = "The model endpoint's answer cannot be used."
	case lost.status == http.StatusUnauthorized, lost.status == http.StatusForbidden:
		message = "The model endpoint does not accept this server; whoever runs it has to correct its key."
	case lost.status == http.StatusNotFound:
		message = "The model endpoint has no such model, or its address is wrong; whoever runs this server has to correct " +
			"its settings."
	case lost.status < http.StatusBadRequest:
		message = "The model endpoint has moved; whoever runs this server has to correct its address."
	}
	reason := lost.said.code
	if reason == "" && lost.status != 0 {
		reason = fmt.Sprintf("status_%d", lost.status)
	}
	return &model.Error{Code: model.CodeUpstreamRejected, Message: message, Reason: reason, RetryAfter: lost.wait,
		Cause: lost}
}

// IsAboutTexts tells whether an error of Embed or Ask may be owed to one of the texts, so that others may fare better.
// Keys, models, lengths and endpoints that are away concern all of them.
func IsAboutTexts(err error) bool {
	if lost, ok := errors.AsType[*failure](err); ok {
		switch lost.status {
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			return lost.kind == kindRejected
		}
		return lost.kind == kindRejected && (lost.said.tooLong || errors.Is(lost.err, errTooLarge))
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

func laterBy(wait time.Duration) string {
	if wait <= 0 {
		return "; try again later."
	}
	seconds := int64(math.Ceil(wait.Seconds()))
	if seconds == 1 {
		return "; try again in 1 second."
	}
	return fmt.Sprintf("; try again in %d seconds.", seconds)
}

// contextError finds the end of a context.
func contextError(err error) error {
	for _, end := range []error{context.DeadlineExceeded, context.Canceled} {
		if errors.Is(err, end) {
			return end
		}
	}
	return nil
}

// plainError says in a few words of our own what became of a connection: the standard library's errors quote addresses,
// and a proxy's may quote anything.
func plainError(err error) error {
	op, isOp := errors.AsType[*net.OpError](err)
	_, isDNS := errors.AsType[*net.DNSError](err)
	timed, isNet := errors.AsType[net.Error](err)
	switch {
	case isDNS:
		return errors.New("its name cannot be resolved")
	case isOp && op.Op == "dial":
		return errors.New("no connection")
	case isNet && timed.Timeout():
		return fmt.Errorf("no answer: %w", context.DeadlineExceeded)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("half an answer")
	default:
		return errors.New("the connection broke")
	}
}
