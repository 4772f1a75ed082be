//go:build bench

// Package compacttext measures what compact text saves: for each formatter, over a corpus of 100 rows in each of two
// languages, the bytes and the estimated tokens of the text against those of compact JSON with the same rows, once with
// the fields alone that the text says and once with whole rows, and how long a text takes.
//
// It promises that the corpus is the one in this folder, which a test makes anew and compares; that its JSON holds only
// fields that the text needs; and that whole rows have exactly the scalar and context fields beside those that the
// schema returns their types.
package compacttext

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"syscall"
	"time"

	"almanac/projections/compact"
	"almanac/projections/when"
)

//go:embed corpus/*.json
var corpus embed.FS

// Figure is what one formatter saves on one file of the corpus.
type Figure struct {
	Operation, Language string
	Rows                int
	// Raw is JSON with the fields alone that the text says, Whole that of whole rows, Text the text, and Uncut the text in
	// lines of any length.
	Raw, Whole, Text, Uncut Size
	// Time is the processor's time for a text, the reading of its JSON included: the least of three means; 0 when it was
	// not measured.
	Time time.Duration
}

// Size is how large something is; tokens are estimated.
type Size struct{ Bytes, Tokens int }

func sizeOf(text string) Size { return Size{Bytes: len(text), Tokens: compact.Tokens(text)} }

// saved is how much smaller the first is than the second, in percent of bytes and of tokens.
func saved(small, large Size) (bytes, tokens float64) {
	return percent(small.Bytes, large.Bytes), percent(small.Tokens, large.Tokens)
}

// Saved is how much smaller the text is than JSON with the fields that it says, in percent of bytes.
func (f Figure) Saved() float64 {
	bytes, _ := saved(f.Text, f.Raw)
	return bytes
}

// SavedWhole is how much smaller the text is than whole rows, in percent of bytes.
func (f Figure) SavedWhole() float64 {
	bytes, _ := saved(f.Text, f.Whole)
	return bytes
}

func percent(small, large int) float64 { return 100 * float64(large-small) / float64(large) }

// options show all rows of a file, in lines of the usual length.
func options(language string, zone *time.Location) compact.Options {
	return compact.Options{MaxLines: Rows, At: when.Moment{Now: Now(), Zone: zone, Locale: language}}
}

// Measure formats every file of the corpus, so many times when its time is measured, and 0 for not.
func Measure(ctx context.Context, repeats int) ([]Figure, error) {
	zone, err := time.LoadLocation("Asia/Jerusalem")
	if err != nil {
		return nil, err
	}
	files, err := corpus.ReadDir("corpus")
	if err != nil {
		return nil, err
	}
	registry := compact.NewRegistry()
	var out []Figure
	for _, file := range files {
		data, err := corpus.ReadFile("corpus/" + file.Name())
		if err != nil {
			return nil, err
		}
		data = bytes.TrimSpace(data)
		operation, rest, _ := strings.Cut(file.Name(), ".")
		language, _, _ := strings.Cut(rest, ".")
		o := options(language, zone)
		made := registry.FormatOutput(ctx, operation, data, o)
		if made.UsedFallback {
			return nil, fmt.Errorf("%s: %s", file.Name(), made.Error)
		}
		whole, err := Whole(operation, data)
		if err != nil {
			return nil, err
		}
		figure := Figure{
			Operation: operation, Language: language, Rows: made.Shown,
			Raw: sizeOf(string(data)), Whole: sizeOf(string(bytes.TrimSpace(whole))), Text: sizeOf(made.Output),
		}
		uncut := o
		uncut.MaxLineLength = 10_000
		figure.Uncut = sizeOf(registry.FormatOutput(ctx, operation, data, uncut).Output)
		figure.Time = least(repeats, func() { registry.FormatOutput(ctx, operation, data, o) })
		out = append(out, figure)
	}
	slices.SortFunc(out, func(a, b Figure) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Language, b.Language))
	})
	return out, nil
}

// least is how much of the processor's time something takes: the least of three means of so many.
func least(repeats int, work func()) time.Duration {
	if repeats == 0 {
		return 0
	}
	shortest := time.Duration(math.MaxInt64)
	for range 3 {
		begun := cpu()
		for range repeats {
			work()
		}
		shortest = min(shortest, (cpu()-begun)/time.Duration(repeats))
	}
	return shortest
}

// cpu is the processor's time that this process has had, its garbage collector included.
func cpu() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// Repeats is how many texts a mean is of.
const Repeats = 201

// Run measures, each time with means of so many, and writes a table in Markdown.
func Run(ctx context.Context, repeats int, out io.Writer) error {
	figures, err := Measure(ctx, repeats)
	if err != nil {
		return err
	}
	fmt.Fprintf(out,
		"\n### Compact text\n\n%d rows of each kind, in lines of %d characters, against compact JSON of the same rows: "+
			"*fields said* has only what the text says, as a client selects that knows what it wants; "+
			"*whole rows* have every scalar and context field of the type, as a program selects that passes rows on (objects "+
			"within a row with what the text says of them; answers of tools are whole as they are). "+
			"*Saved* is in bytes and in tokens, which are estimated (`compact.Tokens`); *uncut*: in bytes, against fields "+
			"said, when no line is cut. *ms* is the processor's time for one text, the garbage collector's and the reading "+
			"of the JSON included: the least of three means of %d.\n\n",
		Rows, compact.DefaultLineLength, repeats)
	fmt.Fprintln(out,
		"| formatter | language | rows | text: bytes, tokens | fields said: bytes, tokens | saved | whole rows: bytes, "+
			"tokens | saved | uncut | ms |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, f := range figures {
		said, saidTokens := saved(f.Text, f.Raw)
		whole, wholeTokens := saved(f.Text, f.Whole)
		uncut, _ := saved(f.Uncut, f.Raw)
		fmt.Fprintf(out, "| %s | %s | %d | %d, %d | %d, %d | %.0f, %.0f %% | %d, %d | %.0f, %.0f %% | %.0f %% | %.2f |\n",
			f.Operation, f.Language, f.Rows, f.Text.Bytes, f.Text.Tokens,
			f.Raw.Bytes, f.Raw.Tokens, said, saidTokens, f.Whole.Bytes, f.Whole.Tokens, whole, wholeTokens, uncut,
			float64(f.Time)/float64(time.Millisecond))
	}
	return nil
}
