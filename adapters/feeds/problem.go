package feeds

import (
	"errors"
	"net/http"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Reason is why a feed could not be read.
type Reason string

// The reasons.
const (
	// ReasonAddress: the address is none that may be asked, or leads into a private network.
	ReasonAddress Reason = "ADDRESS"
	// ReasonRedirects: the server sends us on too often, or to where we do not go.
	ReasonRedirects Reason = "REDIRECTS"
	// ReasonDenied: the server wants a login (401, 403).
	ReasonDenied Reason = "DENIED"
	// ReasonMissing: there is nothing at the address (404). ReasonGone: there will never be again (410).
	ReasonMissing Reason = "MISSING"
	ReasonGone    Reason = "GONE"
	// ReasonLimited: it was asked too often.
	ReasonLimited Reason = "LIMITED"
	// ReasonTooLarge: the calendar is larger than 5 MB, once unpacked.
	ReasonTooLarge Reason = "TOO_LARGE"
	// ReasonNoCalendar: what is there is no calendar, but a web page, say. ReasonCutOff: it does not end.
	ReasonNoCalendar Reason = "NO_CALENDAR"
	ReasonCutOff     Reason = "CUT_OFF"
	// ReasonRefused: another refusal of the server.
	ReasonRefused Reason = "REFUSED"
	// ReasonUnavailable: no answer, half an answer, or a fault of the server.
	ReasonUnavailable Reason = "UNAVAILABLE"
)

var (
	errRefused = errors.New("the feed cannot be read")
	errCutOff  = errors.New("the calendar does not end")
)

// Problem is a reading that failed. What is known of the feed stays as it was.
type Problem struct {
	Reason Reason
	// Wait is how long to leave the feed alone, MinInterval or more.
	Wait time.Duration
	err  *model.Error
}

// Error returns the code and a sentence.
func (p *Problem) Error() string { return p.err.Error() }

// Unwrap returns the error that a client may see, a *model.Error.
func (p *Problem) Unwrap() error { return p.err }

// refused is the failure of an answer that another attempt would not make better.
func refused(why Reason, status int) *remote.Failure {
	return &remote.Failure{Kind: remote.KindRejected, Status: status, Said: why, Code: string(why), Final: true,
		Err: errRefused}
}

// refusedBy is the failure of a status.
func refusedBy(status int, wait time.Duration) *remote.Failure {
	lost := refused(ReasonRefused, status)
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		lost.Kind, lost.Said = remote.KindDenied, ReasonDenied
	case status == http.StatusNotFound:
		lost.Kind, lost.Said = remote.KindMissing, ReasonMissing
	case status == http.StatusGone:
		lost.Kind, lost.Said = remote.KindMissing, ReasonGone
	case status == http.StatusTooManyRequests:
		// Feeds are read again after a quarter of an hour; that is soon enough.
		lost.Kind, lost.Said, lost.Wait = remote.KindLimited, ReasonLimited, wait
	case status >= http.StatusInternalServerError:
		lost.Kind, lost.Said, lost.Wait, lost.Final = remote.KindBroken, ReasonUnavailable, wait, false
	}
	return lost
}

// sentences are for people, by reason.
var sentences = map[Reason]string{
	ReasonAddress:     "The address of the calendar does not lead to a public server.",
	ReasonRedirects:   "The server sends us on to an address that cannot be used.",
	ReasonDenied:      "The server wants a login for this calendar; use its secret address.",
	ReasonMissing:     "There is no calendar at this address.",
	ReasonGone:        "The calendar at this address was taken away.",
	ReasonLimited:     "The calendar's server was asked too often.",
	ReasonTooLarge:    "The calendar is larger than 5 MB.",
	ReasonNoCalendar:  "What is at this address is no calendar.",
	ReasonCutOff:      "The calendar at this address does not end; it was cut off on the way.",
	ReasonRefused:     "The calendar's server refuses to send it.",
	ReasonUnavailable: "The calendar's server does not answer as it should.",
}

func problemOf(lost *remote.Failure) *Problem {
	why, said := lost.Said.(Reason)
	switch {
	case said:
	case errors.Is(lost.Err, remote.ErrTooLarge):
		why = ReasonTooLarge
	case lost.Kind == remote.KindLimited:
		why = ReasonLimited
	default:
		why = ReasonUnavailable
	}
	shown := &model.Error{Code: model.CodeUpstreamRejected, Message: sentences[why], Reason: string(why), Cause: lost}
	switch why {
	case ReasonAddress:
		shown.Code, shown.Reason = model.CodeBadUserInput, ""
	case ReasonUnavailable, ReasonCutOff:
		shown.Code, shown.Reason = model.CodeUpstreamUnavailable, ""
	case ReasonLimited:
		shown.Code, shown.Reason, shown.RetryAfter = model.CodeUpstreamRateLimited, "", lost.Wait
	}
	return &Problem{Reason: why, Wait: min(max(MinInterval, lost.Wait), maxInterval), err: shown}
}
