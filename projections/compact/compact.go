// Package compact writes things as text for language models: pages of this API's own rows, what its mutations did, and
// the answers of a knowledge graph's tools.
//
// It promises that no line, no number of rows and no number of tokens is exceeded; that what others wrote stands
// between fences that nothing inside of them can forge; that no control or direction character passes; and that
// something always comes out in time, as indented JSON if need be.
package compact

import (
	"time"
	"unicode/utf8"

	"almanac/projections/when"
)

// Options say how long a text may be, and for whom it is. The zero value of a bound that has a default stands for the
// default.
type Options struct {
	// MaxLines is how many lines the rows may have together, DefaultLines for 0. The title, the fences and the line that
	// counts what is left out come on top. It does not hold for JSON.
	MaxLines int
	// MaxLineLength is how many characters (code points) a line may have, DefaultLineLength for 0; less than minLineLength
	// counts as that. It does not hold for JSON.
	MaxLineLength int
	// MaxTokens is how many tokens the whole text may have by the estimate of Tokens, JSON too; 0 for no bound.
	MaxTokens int
	// CollectMetrics asks for the result's RawBytes and RawTokens.
	CollectMetrics bool
	// Query is what was asked for, to be named in the text; empty for nothing.
	Query string
	// At is the request's now, in the zone and language of the reader. English when the locale is not "he". The answers of
	// a knowledge graph's tools are always in English, as their contract has them.
	At when.Moment
	// Watch says when time is up; nil: never.
	Watch *Watch
}

// What holds when nothing is said.
const (
	DefaultLines      = 20
	DefaultLineLength = 120
	DefaultTimeout    = 100 * time.Millisecond
)

// minLineLength is the least that a line may be bounded to: a fence must fit into it.
const minLineLength = 20

// bounds returns the options with their defaults.
func (o Options) bounds() Options {
	if o.MaxLines == 0 {
		o.MaxLines = DefaultLines
	}
	if o.MaxLineLength == 0 {
		o.MaxLineLength = DefaultLineLength
	}
	o.MaxLines, o.MaxLineLength = max(o.MaxLines, 1), max(o.MaxLineLength, minLineLength)
	return o
}

// Result is a text and how it came about.
type Result struct {
	Output string
	// UsedFallback says that the output is JSON, in which what others wrote is data within its strings: indented by two,
	// but compact where indentation would make it larger than maxIndented.
	UsedFallback bool
	// Error is fit for the caller; empty when nothing went wrong.
	Error string
	// Shown is how many of the rows given the text shows; of JSON all, unless it was cut: then none.
	Shown int
	// RawBytes and RawTokens are the size of the rows shown as compact JSON (of FormatOutput: of all that was given,
	// indented by two); 0 unless metrics were asked for.
	RawBytes, RawTokens int
	// Elapsed is how long it took by the options' watch; 0 without one.
	Elapsed time.Duration
	failure Failure
}

// Tokens estimates how many tokens a text has, without any model's tokenizer: a quarter of its ASCII characters and
// half of all others, rounded up.
func Tokens(text string) int { return (quarters(text) + 3) / 4 }

// quarters is the estimate in quarters of a token.
func quarters(text string) int {
	n := 0
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			n, i = n+1, i+1
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		n, i = n+2, i+size
	}
	return n
}

// SavingsPercent is how much smaller the text is than its rows as JSON; below 0 when it is larger, 0 for JSON itself.
func (r Result) SavingsPercent() float64 {
	if r.RawBytes == 0 || r.UsedFallback {
		return 0
	}
	return 100 * float64(r.RawBytes-len(r.Output)) / float64(r.RawBytes)
}

// Watch measures how long a text takes, and says when its time is up.
type Watch struct {
	// Clock is the machine's.
	Clock func() time.Time
	// Limit is how long it may take; 0 for no limit.
	Limit time.Duration
	// After returns a channel that hears once that a time has passed, and what to call when nobody listens any more.
	// Without it a registered formatter is waited for, however long it takes.
	After func(time.Duration) (passed <-chan time.Time, stop func())

	begun time.Time
}

// Start begins to measure. A second call changes nothing. Nil is a watch that stands still.
func (w *Watch) Start() *Watch {
	if w != nil && w.begun.IsZero() && w.Clock != nil {
		w.begun = w.Clock()
	}
	return w
}

// Elapsed is how much time has passed since the start.
func (w *Watch) Elapsed() time.Duration {
	if w == nil || w.Clock == nil || w.begun.IsZero() {
		return 0
	}
	return w.Clock().Sub(w.begun)
}

// Over reports whether the time is up.
func (w *Watch) Over() bool { return w != nil && w.Limit > 0 && w.Elapsed() >= w.Limit }
