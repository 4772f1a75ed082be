package google

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"almanac/adapters/remote"
)

// problem is what an error's body says. The zero value is a body that says nothing, such as an HTML page.
type problem struct {
	// message is for people, as Google wrote it.
	message string
	// status is the name of the canonical code: "PERMISSION_DENIED".
	status string
	// reasons are those of errors[], then those of details[], without duplicates.
	reasons []string
	// oauth is the error code of the token endpoint (RFC 6749 section 5.2): "invalid_grant".
	oauth string
}

// maxReasons bounds how many reasons are kept; Google gives one or two.
const maxReasons = 8

// envelope is the form of an error of a Google API: the older one has errors, the newer one status and details, most
// have both.
type envelope struct {
	Message string `json:"message"`
	Status  string `json:"status"`
	Errors  []struct {
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"errors"`
	// Details are of many types, of which ErrorInfo has a reason; others have other things under that name.
	Details []json.RawMessage `json:"details"`
}

// readProblem reads an error's body, which may be anything. It keeps at most what maxReasons and maxText allow.
func readProblem(body []byte) problem {
	var outer struct {
		Error       json.RawMessage `json:"error"`
		Description string          `json:"error_description"`
	}
	// Some streaming front ends wrap the object into a list of one.
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	if json.Unmarshal(body, &outer) != nil {
		return problem{}
	}
	var code string
	if json.Unmarshal(outer.Error, &code) == nil { // null gives the empty one
		return problem{oauth: remote.Identifier(code, ""), message: remote.OneLine(outer.Description, maxText, nil)}
	}
	var e envelope
	if json.Unmarshal(outer.Error, &e) != nil {
		return problem{}
	}
	found := problem{message: remote.OneLine(e.Message, maxText, nil), status: remote.Identifier(e.Status, "")}
	for _, item := range e.Errors {
		found.add(item.Reason)
		if found.message == "" {
			found.message = remote.OneLine(item.Message, maxText, nil)
		}
	}
	for _, raw := range e.Details[:min(len(e.Details), maxReasons)] {
		var info struct {
			Reason string `json:"reason"`
		}
		if json.Unmarshal(raw, &info) == nil {
			found.add(info.Reason)
		}
	}
	return found
}

func (p *problem) add(reason string) {
	reason = remote.Identifier(reason, "")
	if reason != "" && len(p.reasons) < maxReasons && !slices.Contains(p.reasons, reason) {
		p.reasons = append(p.reasons, reason)
	}
}

// reason is the one to show: the first, or the canonical code, or the token endpoint's.
func (p problem) reason() string {
	switch {
	case len(p.reasons) > 0:
		return p.reasons[0]
	case p.status != "":
		return p.status
	default:
		return p.oauth
	}
}

// has reports whether one of the reasons is among those given.
func (p problem) has(reasons ...string) bool {
	return slices.ContainsFunc(p.reasons, func(r string) bool { return slices.Contains(reasons, r) })
}

// limited reports whether an answer says "too fast", which passes within a minute or so.
func (p problem) limited(status int) bool {
	switch status {
	case 429:
		return !p.usedUp() && !p.misconfigured()
	case 403:
		return p.has("rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED")
	default:
		return false
	}
}

// usedUp reports whether an answer says "enough for now" of a limit that can last a day: invitations, new calendars.
func (p problem) usedUp() bool { return p.has("quotaExceeded") }

// ofUser is what the message of a refusal says when a limit of one user is meant.
var ofUser = regexp.MustCompile(`(?i)\buser\b`)

// limitsProject reports whether a refusal is due to the requests of the whole project, and not to those of one user.
// The reason tells them apart only where it is userRateLimitExceeded: rateLimitExceeded is given for both, and the
// message then names the limit ("limit 'Queries per minute per user' of service 'calendar-json.googleapis.com'"). What
// says neither counts as the project's, which costs nothing but a wait. "Calendar usage limits exceeded" is a limit of
// one user's changes (https://developers.google.com/workspace/calendar/api/guides/errors).
func (p problem) limitsProject(status int) bool {
	switch {
	case p.has("userRateLimitExceeded"), ofUser.MatchString(p.message),
		strings.Contains(p.message, "usage limits exceeded"):
		return false
	}
	return p.limited(status) || p.usedUp() || p.has("dailyLimitExceeded")
}

// misconfigured reports whether it is the operator's matter, not the user's.
func (p problem) misconfigured() bool {
	return p.has("accessNotConfigured", "SERVICE_DISABLED", "dailyLimitExceeded", "dailyLimitExceededUnreg",
		"BILLING_DISABLED",
		"keyInvalid", "keyExpired", "API_KEY_INVALID", "CONSUMER_INVALID", "CONSUMER_SUSPENDED")
}

// lacksScope reports whether the token is good, and not for this.
func (p problem) lacksScope(status int) bool {
	return status == 403 && p.has("insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
}

// retryTimestamp is how Gmail says when sending is allowed again.
var retryTimestamp = regexp.MustCompile(`(?i)retry after\s+([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{5,20}Z)`)

// retryAt is the time that the message names, if it names one.
func (p problem) retryAt() (time.Time, bool) {
	match := retryTimestamp.FindStringSubmatch(p.message)
	if match == nil {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, match[1])
	return at, err == nil
}

// maxText is how many characters of Google's own words are passed on.
const maxText = 300
