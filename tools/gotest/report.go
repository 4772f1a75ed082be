package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// event is one line of `go test -json`; see `go doc test2json`, and `go help buildjson` for the lines of the build.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
	// Elapsed is how long a test or a package took, in seconds, at its end.
	Elapsed float64
}

// report counts events and prints what a person wants to read of them.
type report struct {
	out io.Writer
	// verbose prints what passes as well.
	verbose  bool
	packages map[string]*packageState

	passed, failed int
	// skipped are the names of the tests that were, and slow those that took slowFrom.
	skipped []string
	slow    []ended
}

// ended is a test that has ended. What waits for subtests takes as long as they.
type ended struct {
	name    string
	seconds float64
}

// slowFrom is how long a test takes, in seconds, that is told of at the end, and mostSlow how many are.
const (
	slowFrom = 30
	mostSlow = 20
)

// packageState is what is kept of a package until it ends.
type packageState struct {
	// tests holds the output of tests that may still fail; "" is the package's own.
	tests map[string]*output
	// order is the order in which they first printed.
	order []string
	// running are the tests that have begun and not ended.
	running map[string]bool
	// failed is the number of this package's tests that failed.
	failed int
}

// output is what one test has printed.
type output struct {
	text []byte
	cut  bool
}

// maxOutput is how much output of one test is kept, in bytes: a test that prints without end must not take the
// machine's memory with it.
const maxOutput = 1 << 20

func newReport(out io.Writer, verbose bool) *report {
	return &report{out: out, verbose: verbose, packages: map[string]*packageState{}}
}

// read consumes events until the stream ends. A line that is no event is printed as it is.
func (r *report) read(stream io.Reader) error {
	lines := bufio.NewReader(stream)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				r.print(line)
			} else {
				r.add(e)
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read go test's events: %w", err)
		}
	}
}

func (r *report) add(e event) {
	switch {
	case e.Action == "build-output":
		r.print([]byte(e.Output))
		return
	case e.Package == "": // build-fail; a fail event of each package that needed it follows
		return
	}
	p := r.state(e.Package)
	switch e.Action {
	case "run":
		p.running[e.Test] = true
	case "output":
		if r.verbose || !noise(e.Output) {
			p.keep(e.Test, e.Output)
		}
	case "pass", "fail", "skip":
		if e.Test == "" {
			r.endPackage(e)
		} else {
			r.endTest(p, e)
		}
	}
}

func (r *report) endTest(p *packageState, e event) {
	delete(p.running, e.Test)
	if e.Elapsed >= slowFrom {
		r.slow = append(r.slow, ended{nameOf(e), e.Elapsed})
	}
	switch e.Action {
	case "pass":
		r.passed++
	case "skip":
		r.skipped = append(r.skipped, nameOf(e))
	case "fail":
		r.failed++
		p.failed++
		return
	}
	if !r.verbose {
		delete(p.tests, e.Test)
	}
}

// endPackage prints the output of what failed, then the package's own lines; of a package that passed, its one line.
// The output has waited so long because parallel tests would mix it.
func (r *report) endPackage(e event) {
	p := r.packages[e.Package]
	delete(r.packages, e.Package)
	own := p.tests[""]
	if own == nil {
		own = &output{}
	}
	if e.Action != "fail" && !r.verbose {
		for line := range strings.Lines(string(own.text)) {
			if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") {
				r.print([]byte(line))
			}
		}
		return
	}
	if e.Action == "fail" {
		r.failed += len(p.running)
		if p.failed+len(p.running) == 0 {
			r.failed++
		}
	}
	for _, test := range p.order {
		if o := p.tests[test]; o != nil && test != "" {
			r.print(o.text)
		}
	}
	r.print(own.text)
}

// nameOf is a test with its package.
func nameOf(e event) string { return e.Package + " " + e.Test }

// finish counts what never ended, because go test itself was ended, and prints what took long, what was skipped, and
// the last line.
func (r *report) finish() {
	for _, p := range r.packages {
		r.failed += max(1, len(p.running))
	}
	clear(r.packages)
	slices.SortStableFunc(r.slow, func(a, b ended) int { return cmp.Compare(b.seconds, a.seconds) })
	for _, one := range r.slow[:min(len(r.slow), mostSlow)] {
		r.print(fmt.Appendf(nil, "%4.0f s\t%s\n", one.seconds, one.name))
	}
	for _, name := range r.skipped {
		r.print([]byte("skipped\t" + name + "\n"))
	}
	sum := fmt.Sprintf("%d passed, %d failed", r.passed, r.failed)
	if len(r.skipped) > 0 {
		sum += fmt.Sprintf(", %d skipped", len(r.skipped))
	}
	r.print([]byte(sum + "\n"))
}

// print drops the error of a writer that is gone: the exit code still tells how the tests went.
func (r *report) print(text []byte) { _, _ = r.out.Write(text) }

func (r *report) state(name string) *packageState {
	p := r.packages[name]
	if p == nil {
		p = &packageState{tests: map[string]*output{}, running: map[string]bool{}}
		r.packages[name] = p
	}
	return p
}

// noise reports whether a line is one that only -v prints.
func noise(line string) bool {
	return slices.ContainsFunc([]string{"=== RUN ", "=== PAUSE ", "=== CONT ", "=== NAME "},
		func(start string) bool { return strings.HasPrefix(line, start) })
}

// keep appends to a test's output.
func (p *packageState) keep(test, text string) {
	o := p.tests[test]
	if o == nil {
		o = &output{}
		p.tests[test] = o
		p.order = append(p.order, test)
	}
	switch {
	case o.cut:
	case len(o.text)+len(text) > maxOutput:
		o.cut = true
		o.text = append(o.text, "… more than 1 MiB of output; the rest is left out\n"...)
	default:
		o.text = append(o.text, text...)
	}
}
