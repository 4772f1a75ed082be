package gmail

import (
	"net/http"
	"strings"

	"almanac/internal/standin/wire"
)

func problem(status int, domain, reason, message string) *wire.Problem {
	return &wire.Problem{Status: status, Domain: domain, Reason: reason, Message: message}
}

func invalid(message string) *wire.Problem {
	return problem(http.StatusBadRequest, "global", "invalidArgument", message)
}

func failedPrecondition(message string) *wire.Problem {
	return problem(http.StatusBadRequest, "global", "failedPrecondition", message)
}

func forbidden(message string) *wire.Problem {
	return problem(http.StatusForbidden, "global", "forbidden", message)
}

func notFound() *wire.Problem {
	return problem(http.StatusNotFound, "global", "notFound", "Requested entity was not found.")
}

func labelConflict() *wire.Problem {
	return problem(http.StatusConflict, "global", "aborted", "Label name exists or conflicts")
}

func mailboxFull() *wire.Problem {
	return problem(http.StatusForbidden, "usageLimits", "quotaExceeded", "The stand-in's mailboxes are full.")
}

func tooLarge() *wire.Problem {
	return problem(http.StatusRequestEntityTooLarge, "global", "uploadTooLarge", "Request payload size exceeds the limit.")
}

func sendingLimit(until string) *wire.Problem {
	return problem(http.StatusTooManyRequests, "usageLimits", "userRateLimitExceeded",
		"User-rate limit exceeded.  Retry after "+until+" (Mail sending)")
}

func notImplemented(method string) *wire.Problem {
	return problem(http.StatusNotImplemented, "global", "notImplemented", "The stand-in does not imitate "+method+".")
}

// clip keeps a quoted text short.
func clip(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
