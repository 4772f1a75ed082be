package compact

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Formatter writes the answer of an operation as text. Data is one JSON value. The text is cut to the options
// afterwards: it may have a title and MaxLines lines. An error, or a panic, makes the answer fall back to JSON; what
// the error says is not shown. ErrInvalidData says that the data has another shape. When time is up the context ends
// and the formatter's answer is thrown away; it should then return soon.
type Formatter func(ctx context.Context, data json.RawMessage, options Options) (string, error)

// ErrInvalidData is what a formatter answers to data of another shape than its operation's.
var ErrInvalidData = errors.New("invalid data format")

// builtIn makes the document of an operation's answer.
type builtIn func(data json.RawMessage, o Options) (writer, error)

// writer is what can be written.
type writer interface{ Write(o Options) Result }

// entry is one operation's formatter; exactly one of both is set.
type entry struct {
	builtIn builtIn
	custom  Formatter
	// running holds a place for each run of a custom one that has not returned, given up or not.
	running chan struct{}
}

// maxRunning is how many runs of one registered formatter may be under way at a time. Go cannot end a formatter that
// does not return, so one that hangs takes its places for good, but no more than these.
const maxRunning = 16

// Registry holds the formatters by operation. It is safe for use by several goroutines.
type Registry struct {
	mu      sync.RWMutex
	entries map[string]entry
	// Failed, when set, hears of each answer that became JSON: the operation, empty when it has no formatter, since then
	// its name is the caller's own text, and why. It is set before the registry is used.
	Failed func(ctx context.Context, operation string, why Failure)
}

// Failure is why a formatter's answer became JSON.
type Failure string

// The failures.
const (
	FailureUnknown Failure = "unknown" // no formatter for the operation
	FailureShape   Failure = "shape"   // data of another shape
	FailureError   Failure = "error"   // an error or a panic
	FailureTime    Failure = "time"    // it took too long, or its caller has gone
	FailureBusy    Failure = "busy"    // too many earlier runs have not returned
)

// NewRegistry returns a registry with the formatters for the tools of a knowledge graph and for this API's own pages.
func NewRegistry() *Registry {
	r := &Registry{entries: make(map[string]entry)}
	for names, f := range builtIns() {
		for name := range strings.FieldsSeq(names) {
			r.entries[name] = entry{builtIn: f}
		}
	}
	return r
}

// Register makes a formatter the one of an operation, in place of the one it has.
func (r *Registry) Register(operation string, formatter Formatter) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries[operation] = entry{custom: formatter, running: make(chan struct{}, maxRunning)}
}

// Operations are the names that there is a formatter for, in alphabetical order.
func (r *Registry) Operations() []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.Sorted(maps.Keys(r.entries))
}

// FormatOutput returns an operation's answer, one JSON value, as text; as JSON when there is no formatter for the
// operation, when the data has another shape, when the formatter fails, or when time is up.
func (r *Registry) FormatOutput(ctx context.Context, operation string, data []byte, o Options) Result {
	o.Watch.Start()
	r.mu.RLock()
	e, known := r.entries[operation]
	r.mu.RUnlock()
	result := Result{UsedFallback: true}
	name := Line(operation, maxOperation)
	switch {
	case !known:
		result.Error, result.failure = "No formatter registered for operation: "+name, FailureUnknown
		operation = ""
	case e.custom != nil:
		result = r.runCustom(ctx, e, name, data, o)
	default:
		result = runBuiltIn(e.builtIn, name, data, o)
	}
	if result.UsedFallback {
		if r.Failed != nil {
			r.Failed(ctx, operation, result.failure)
		}
		result = fallback(data, o, result.Error)
	}
	result.RawBytes, result.RawTokens = 0, 0
	if o.CollectMetrics && json.Valid(data) {
		if text, ok := indented(data); ok {
			result.RawBytes, result.RawTokens = len(text), Tokens(text)
		} else {
			result.RawBytes = indentedSize(data)
			result.RawTokens = (result.RawBytes + 3) / 4 // what makes it that large is spaces
		}
	}
	result.Elapsed = o.Watch.Elapsed()
	return result
}

// maxOperation is how much of an operation's name an error repeats.
const maxOperation = 100

func runBuiltIn(f builtIn, name string, data []byte, o Options) Result {
	document, err := f(data, o)
	if err != nil {
		return failedBy(FailureShape, "Invalid data format for "+name)
	}
	o.CollectMetrics = false
	result := document.Write(o)
	if result.UsedFallback {
		result.Error, result.failure = timedOut(name, o), FailureTime
	}
	return result
}

func failedBy(why Failure, sentence string) Result {
	return Result{UsedFallback: true, Error: sentence, failure: why}
}

func timedOut(name string, o Options) string {
	return fmt.Sprintf("Formatter for %s timed out after %d ms", name, o.Watch.Limit.Milliseconds())
}

// runCustom runs a registered formatter until it returns or time is up.
func (r *Registry) runCustom(ctx context.Context, e entry, name string, data []byte, o Options) Result {
	select {
	case e.running <- struct{}{}:
	default:
		return failedBy(FailureBusy, "Formatter for "+name+" is busy with earlier answers")
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var passed <-chan time.Time
	if w := o.Watch; w != nil && w.Limit > 0 && w.After != nil {
		timer, stop := w.After(w.Limit - w.Elapsed())
		defer stop()
		passed = timer
	}
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		defer func() { <-e.running }()
		a := answer{err: errFailed}
		defer func() {
			if recover() != nil {
				a = answer{err: errFailed}
			}
			answered <- a
		}()
		if !json.Valid(data) {
			a.err = ErrInvalidData
			return
		}
		a.text, a.err = e.custom(ctx, slices.Clone(data), o)
	}()
	select {
	case a := <-answered:
		switch {
		case errors.Is(a.err, ErrInvalidData):
			return failedBy(FailureShape, "Invalid data format for "+name)
		case a.err != nil:
			return failedBy(FailureError, "Formatter for "+name+" failed")
		case o.Watch.Over():
			return failedBy(FailureTime, timedOut(name, o))
		}
		return linesDocument(a.text, o).write(o)
	case <-passed:
		return failedBy(FailureTime, timedOut(name, o))
	case <-ctx.Done():
		return failedBy(FailureTime, "Formatter for "+name+" was given up")
	}
}

var errFailed = errors.New("the formatter failed")

// linesDocument bounds a text that somebody else has written: its first line stands for the title, the others for rows.
func linesDocument(text string, o Options) *document {
	o = o.bounds()
	first, rest, _ := strings.Cut(strings.TrimRight(text, "\n"), "\n")
	var lines []string
	if rest != "" {
		lines = strings.Split(rest, "\n")
	}
	d := &document{
		title: func(string) string { return whole(first, o.MaxLineLength) },
		n:     len(lines), say: &english,
		row: func(i, _ int) []string { return []string{whole(lines[i], o.MaxLineLength)} },
		raw: func(int) any { return nil },
	}
	return d
}

// whole cleans a line but for the spaces it begins with.
func whole(line string, width int) string {
	spaces := len(line) - len(strings.TrimLeft(line, " "))
	return strings.Repeat(" ", min(spaces, width)) + guarded(Line(line, width))
}
