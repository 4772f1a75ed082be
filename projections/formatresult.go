package projections

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/compact"
)

// CompactOptions say how long compact text may be.
type CompactOptions struct {
	MaxLines      int
	MaxLineLength int
	// MaxTokens bounds the whole text; nil for no bound.
	MaxTokens      *int
	CollectMetrics bool
	TimeoutMs      int
	Query          *string
}

// FormatResult is compact text.
type FormatResult struct {
	Output       string
	UsedFallback bool
	Error        *string
	// Tokens is the estimate of the text's tokens, see compact.Tokens.
	Tokens int
	// Next is the cursor to go on after; nil when there is nothing more.
	Next    *string
	Metrics *FormatMetrics
}

// FormatResultOf is the view of a text. Measured says that metrics were asked for; next is the cursor to go on after,
// empty for none.
func FormatResultOf(made compact.Result, measured bool, next string) *FormatResult {
	out := &FormatResult{
		Output: made.Output, UsedFallback: made.UsedFallback, Error: optional(made.Error),
		Tokens: compact.Tokens(made.Output), Next: optional(next),
	}
	if measured {
		out.Metrics = &FormatMetrics{
			RawBytes: made.RawBytes, CompactBytes: len(made.Output), SavingsPercent: made.SavingsPercent(),
			RawTokens:        made.RawTokens,
			ProcessingTimeMs: float64(made.Elapsed) / float64(time.Millisecond),
		}
	}
	return out
}

// FormatMetrics is what compact text saves.
type FormatMetrics struct {
	RawBytes         int
	CompactBytes     int
	SavingsPercent   float64
	RawTokens        int
	ProcessingTimeMs float64
}

// Bounds of compact text.
const (
	mostLines                 = 1_000
	leastLine, mostLineLength = 20, 10_000
	leastTokens, mostTokens   = 50, 100_000
	mostTimeoutMs             = 1_000
)

// Checked returns the options with defaults, as the formatter takes them, for a reader at a moment; watch is set to the
// time that they allow. BAD_USER_INPUT for what is out of bounds.
func (o *CompactOptions) Checked(at *Moment, watch *compact.Watch) (compact.Options, error) {
	if o == nil {
		watch.Limit = compact.DefaultTimeout
		return compact.Options{At: at.Moment, Watch: watch}, nil
	}
	for _, bound := range [...]struct {
		name               string
		value, least, most int
	}{
		{"maxLines", o.MaxLines, 1, mostLines}, {"maxLineLength", o.MaxLineLength, leastLine, mostLineLength},
		{"timeoutMs", o.TimeoutMs, 1, mostTimeoutMs},
		{"maxTokens", tokensOr(o.MaxTokens, leastTokens), leastTokens, mostTokens},
	} {
		if bound.value < bound.least || bound.value > bound.most {
			return compact.Options{}, model.BadInput("options."+bound.name, "%s is %d; it must be from %d to %d", bound.name,
				bound.value, bound.least, bound.most)
		}
	}
	watch.Limit = time.Duration(o.TimeoutMs) * time.Millisecond
	out := compact.Options{
		MaxLines: o.MaxLines, MaxLineLength: o.MaxLineLength, MaxTokens: tokensOr(o.MaxTokens, 0),
		CollectMetrics: o.CollectMetrics, At: at.Moment, Watch: watch,
	}
	if o.Query != nil {
		out.Query = *o.Query
	}
	return out, nil
}

func tokensOr(given *int, otherwise int) int {
	if given == nil {
		return otherwise
	}
	return *given
}
