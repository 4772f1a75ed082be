package telemetry

import "regexp"

// A form is what the value of an allowed attribute looks like. A value of another form is redacted, so that a key which
// is allowed for a code cannot carry a sentence. Numbers, booleans, times and durations are allowed under every key of
// the table.
type form int

const (
	_ form = iota
	// measure allows numbers, booleans, times and durations only.
	measure
	// word allows a name of the program or of a protocol: no spaces, no address, at most 256 bytes.
	word
	// recordID allows ids of records that the server keeps itself. Ids of events, calendars, e-mails and threads contain
	// references of the remote system, e-mail addresses among them, and are no such ids.
	recordID
	// text allows texts of the program, of its operator and of errors. They are scrubbed.
	text
)

// allowed is the table of attributes that are written, by key, for log records and spans alike. Attributes that are not
// in it are redacted; so is everything inside a group, since no group is in it.
var allowed = map[string]form{
	// The request and its connection.
	"requestId":   word,
	"traceId":     word,
	"method":      word,
	"route":       word,
	"status":      measure,
	"bytes":       measure,
	"restored":    measure, // when the database was, of a backup
	"mediaType":   word,
	"kind":        word, // of an operation: query, mutation, subscription
	"name":        word, // of an operation
	"operation":   word,
	"operationId": word, // the client's, of a WebSocket operation
	"operations":  measure,
	"answers":     measure,
	"outcome":     word,
	"field":       word, // a coordinate of the schema: Query.tasks
	"tool":        word,
	"origin":      word, // of a page
	"setting":     word,

	// Whose, and which record.
	"user":       recordID,
	"id":         recordID,
	"task":       recordID,
	"episode":    recordID,
	"connection": measure,

	// Results and failures.
	"code":     word,
	"result":   word,
	"reason":   word,
	"failure":  word,
	"cause":    text,
	"error":    text,
	"panic":    text,
	"stack":    text,
	"warning":  text,
	"attempt":  measure,
	"failures": measure,

	// Times.
	"durationMs": measure,
	"latency":    measure,
	"pause":      measure,
	"took":       measure,
	"wait":       measure,

	// Remote systems, workers and the store. Texts here are constants or settings.
	"background": measure,
	"count":      measure,
	"dimensions": measure,
	"doing":      text,
	"file":       text,
	"host":       word,
	"issuer":     text,
	"kept":       text,
	"model":      text,
	"notGranted": measure,
	"of":         text,
	"revoked":    measure,
	"series":     measure,
	"spans":      measure,
	"standIn":    measure,
	"vectors":    measure,
	"what":       text,

	// Spans, by OpenTelemetry's semantic conventions.
	"exception.message":         text,
	"exception.type":            word,
	"graphql.operation.name":    word,
	"graphql.operation.type":    word,
	"http.request.method":       word,
	"http.response.status_code": measure,
	"http.route":                word,
}

var (
	wordForm     = regexp.MustCompile(`^[A-Za-z0-9_.,:;+/=*()-]{0,256}$`)
	recordIDForm = regexp.MustCompile(
		`^(?:user|task|subtask|list|item|memory|connection|preview|entity|fact|episode)_[0-9a-hjkmnp-tv-z]{26,80}$`)
)

// admit returns what of a text may be written under a key: the text, scrubbed where it is free text, or Redacted.
func admit(key, value string) string {
	switch form := allowed[key]; {
	case form == text, form == word && wordForm.MatchString(value), form == recordID && recordIDForm.MatchString(value):
		return scrub(value)
	default:
		return Redacted
	}
}
