//go:build bench

// Command sentences measures how well the assistant understands: it says sentences to agentChat, each to a user who has
// the world of the set, and judges by what has changed and by what was answered.
//
// README.md says how to read the report, testdata/README.md who wrote the sentences and what is expected of them.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "sentences:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has been called
	}
}

type options struct {
	dir, files, failures string
	worlds, frames       string
	limit, parallel      int
	verbose, all, floors bool
}

func run(ctx context.Context, args []string, out, diagnostics io.Writer) error {
	var o options
	flags := flag.NewFlagSet("sentences", flag.ContinueOnError)
	flags.SetOutput(diagnostics)
	flags.StringVar(&o.dir, "set", "bench/sentences/testdata", "the folder with the sentences and the worlds")
	flags.StringVar(&o.files, "files", "*.jsonl", "which files of it")
	flags.StringVar(&o.worlds, "worlds", "bench/sentences/testdata", "the folder with the worlds, where the set has none")
	flags.StringVar(&o.frames, "frames", "", "a file of frames to make questions of, instead of files of the set")
	flags.IntVar(&o.limit, "limit", 0, "at most so many sentences of each file, or of each frame; 0: all")
	flags.IntVar(&o.parallel, "parallel", 2, "how many sentences at a time")
	flags.BoolVar(&o.verbose, "v", false, "also print every sentence that was not judged right")
	flags.StringVar(&o.failures, "failures", "", "a file for these sentences, as JSON, one a line")
	flags.BoolVar(&o.all, "all", false, "the file of -failures has every sentence")
	flags.BoolVar(&o.floors, "floors", false, "end with an error below the floors")
	if err := flags.Parse(args); err != nil {
		return err
	}
	began := time.Now()
	set, err := o.sentences()
	if err != nil {
		return err
	}
	worlds := map[string]*world{}
	for _, one := range set {
		if worlds[one.Lang] == nil {
			if worlds[one.Lang], err = readWorld(o.dir, one.Lang); errors.Is(err, fs.ErrNotExist) {
				worlds[one.Lang], err = readWorld(o.worlds, one.Lang)
			}
			if err != nil {
				return err
			}
		}
	}
	all, err := runAll(ctx, set, worlds, o.parallel, func(ctx context.Context, c *client) (assistant, error) {
		return newAgent(ctx, c)
	})
	if err != nil {
		return err
	}
	report(out, all)
	fmt.Fprintf(out, "%d sentences in %v\n", len(all), elapsed(began))
	if o.verbose {
		failures(out, all)
	}
	if o.failures != "" {
		if err := writeFailures(o.failures, all, o.all); err != nil {
			return err
		}
	}
	if o.floors {
		return belowFloors(all)
	}
	return nil
}

// sentences are those that are to be said.
func (o *options) sentences() ([]sentence, error) {
	if o.frames == "" {
		return readSets(o.dir, o.files, o.limit)
	}
	most := o.limit
	if most == 0 {
		most = 14
	}
	return readFrames(o.frames, most)
}

// failure is a sentence that was not judged right, for a file.
type failure struct {
	ID       string          `json:"id"`
	File     string          `json:"file"`
	Verdict  string          `json:"verdict"`
	Accepted bool            `json:"accepted,omitempty"`
	Wrote    bool            `json:"wrote,omitempty"`
	Text     string          `json:"text"`
	Why      string          `json:"why"`
	Expect   json.RawMessage `json:"expect"`
	Got      string          `json:"got"`
}

func writeFailures(path string, all []result, everything bool) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	for _, one := range all {
		if one.verdict == right && !everything {
			continue
		}
		err := encoder.Encode(failure{ID: one.ID, File: one.file, Verdict: one.verdict.String(), Accepted: one.accepted,
			Wrote: one.wrote, Text: one.Text, Why: one.why, Expect: one.Expect.text, Got: one.got})
		if err != nil {
			return err
		}
	}
	return nil
}
