package exa

import (
	"fmt"
	"net/http"
	"time"
)

// problem is an error as Exa says it.
type problem struct {
	status  int
	message string
	// tag makes it the general body, {requestId, error, tag}; otherwise it is that of Websets.
	tag string
	// plain makes it {error} alone.
	plain bool
	// retryAfter goes into the header of that name, when it is not zero.
	retryAfter time.Duration
}

func invalid(format string, args ...any) *problem {
	return &problem{status: http.StatusBadRequest, message: fmt.Sprintf(format, args...)}
}

func notFound(what, id string) *problem {
	return &problem{status: http.StatusNotFound, message: fmt.Sprintf("%s with id %s not found", what, id)}
}

func conflict(format string, args ...any) *problem {
	return &problem{status: http.StatusConflict, message: fmt.Sprintf(format, args...)}
}

func undetectable(format string, args ...any) *problem {
	return &problem{status: http.StatusUnprocessableEntity, message: fmt.Sprintf(format, args...)}
}

// websetsError is the body of an error of Websets.
type websetsError struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Error      string `json:"error,omitempty"`
	Timestamp  string `json:"timestamp"`
	Path       string `json:"path"`
}

// generalError is the body of an error of everything else.
type generalError struct {
	RequestID string `json:"requestId"`
	Error     string `json:"error"`
	Tag       string `json:"tag"`
}

type plainError struct {
	Error string `json:"error"`
}

// body is what is answered.
func (p *problem) body(now time.Time, requestID, path string) any {
	switch {
	case p.plain:
		return plainError{p.message}
	case p.tag != "":
		return generalError{RequestID: requestID, Error: p.message, Tag: p.tag}
	default:
		return websetsError{StatusCode: p.status, Message: p.message, Error: http.StatusText(p.status), Timestamp: stamp(now),
			Path: path}
	}
}

// usualTag is the tag that goes with a status when nobody names one.
func usualTag(status int) string {
	switch status {
	case http.StatusUnauthorized:
		return "INVALID_API_KEY"
	case http.StatusPaymentRequired:
		return "NO_MORE_CREDITS"
	case http.StatusForbidden:
		return "FORBIDDEN"
	case http.StatusNotFound:
		return "NOT_FOUND"
	case http.StatusGone:
		return "RESEARCH_RETIRED"
	case http.StatusTooManyRequests:
		return "RATE_LIMIT_EXCEEDED"
	case http.StatusServiceUnavailable:
		return "SERVICE_OVERLOADED"
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge:
		return "INVALID_REQUEST_BODY"
	default:
		return "DEFAULT_ERROR"
	}
}
