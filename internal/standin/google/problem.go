package google

import (
	"errors"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/wire"
)

// problem is an error of an API with what only the front says: the name of the status, and details.
type problem struct {
	wire.Problem
	status  string
	details []any
	// headline stands above the error's own message; empty: the same.
	headline string
	// challenge is the error of WWW-Authenticate (RFC 6750, 3).
	challenge string
}

// statusNames are Google's names of statuses (google.rpc.Code).
var statusNames = map[int]string{
	http.StatusBadRequest:            "INVALID_ARGUMENT",
	http.StatusUnauthorized:          "UNAUTHENTICATED",
	http.StatusForbidden:             "PERMISSION_DENIED",
	http.StatusNotFound:              "NOT_FOUND",
	http.StatusConflict:              "ALREADY_EXISTS",
	http.StatusPreconditionFailed:    "FAILED_PRECONDITION",
	http.StatusRequestEntityTooLarge: "INVALID_ARGUMENT",
	http.StatusTooManyRequests:       "RESOURCE_EXHAUSTED",
	http.StatusInternalServerError:   "INTERNAL",
	http.StatusServiceUnavailable:    "UNAVAILABLE",
	http.StatusGatewayTimeout:        "DEADLINE_EXCEEDED",
}

// fail makes a problem of the front's own.
func fail(status int, reason, message string) *problem {
	return &problem{Problem: wire.Problem{Status: status, Domain: "global", Reason: reason, Message: message},
		status: statusNames[status]}
}

// at says which parameter or header is at fault.
func (p *problem) at(locationType, location string) *problem {
	p.LocationType, p.Location = locationType, location
	return p
}

func noToken() *problem {
	p := fail(http.StatusUnauthorized, "required", "Login Required.").at("header", "Authorization")
	p.challenge = " "
	return p
}

func badToken() *problem {
	p := fail(http.StatusUnauthorized, "authError", "Invalid Credentials").at("header", "Authorization")
	p.challenge = ", error=\"invalid_token\""
	return p
}

// missingScope names the method in the way of Google's ErrorInfo (google.rpc.ErrorInfo).
func missingScope(d *discovery.Document, m *discovery.Method) *problem {
	p := fail(http.StatusForbidden, "insufficientPermissions", "Insufficient Permission")
	p.headline = "Request had insufficient authentication scopes."
	p.challenge = fmt.Sprintf(", error=\"insufficient_scope\", scope=%q", strings.Join(m.Scopes, " "))
	p.details = []any{map[string]any{
		"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
		"domain":   "googleapis.com",
		"metadata": map[string]any{"service": d.Name + "-json.googleapis.com", "method": m.ID},
	}}
	return p
}

// newer returns a problem the form of Google's newer front ends, Gmail's among them: the name of the status, and of a
// limit that was met the ErrorInfo (google.rpc.ErrorInfo).
func (p *problem) newer(d *discovery.Document) {
	p.status = statusNames[p.Status]
	switch p.Reason {
	case "failedPrecondition":
		p.status = statusNames[http.StatusPreconditionFailed]
	case "rateLimitExceeded", "userRateLimitExceeded":
		p.details = []any{map[string]any{
			"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED", "domain": "googleapis.com",
			"metadata": map[string]any{"service": d.Name + ".googleapis.com"},
		}}
	}
}

// fromService takes a service's error over. Whatever is no *wire.Problem is a fault of the stand-in; its text stays
// here.
func fromService(err error) *problem {
	var p *wire.Problem
	if !errors.As(err, &p) {
		return fail(http.StatusInternalServerError, "backendError", "Backend Error")
	}
	return &problem{Problem: *p}
}

// body is Google's envelope.
func (p *problem) body() map[string]any {
	item := map[string]any{"domain": p.Domain, "reason": p.Reason, "message": p.Message}
	if p.Location != "" {
		item["locationType"], item["location"] = p.LocationType, p.Location
	}
	envelope := map[string]any{"code": p.Status, "message": p.Message, "errors": []any{item}}
	if p.headline != "" {
		envelope["message"] = p.headline
	}
	if p.status != "" {
		envelope["status"] = p.status
	}
	if len(p.details) > 0 {
		envelope["details"] = p.details
	}
	return map[string]any{"error": envelope}
}

func (w *seen) problem(p *problem) {
	if p.challenge != "" {
		w.Header().Set("WWW-Authenticate", `Bearer realm="https://accounts.google.com/"`+strings.TrimSpace(p.challenge))
	}
	if p.RetryAfter > 0 {
		w.Header().Set("Retry-After", seconds(p.RetryAfter))
	}
	w.json(p.Status, p.body())
}

// writePage answers in HTML, as Google's front ends do.
func writePage(w *seen, status int, text string) {
	title := fmt.Sprintf("Error %d (%s)", status, http.StatusText(status))
	page := fmt.Sprintf("<!DOCTYPE html>\n<html lang=en>\n<meta charset=utf-8>\n<title>%s</title>\n<p><b>%d.</b> %s</p>\n",
		html.EscapeString(title), status, html.EscapeString(text))
	head := w.Header()
	head.Set("Content-Type", "text/html; charset=UTF-8")
	head.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Referrer-Policy", "no-referrer")
	w.send(status, []byte(page))
}

// seconds is a duration for Retry-After: whole seconds, upwards (RFC 9110, 10.2.3).
func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

func decimal(n int) string { return strconv.Itoa(n) }

// clip keeps a quoted text short.
func clip(text string) string {
	const most = 200
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
