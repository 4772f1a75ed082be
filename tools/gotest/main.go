// Command gotest runs `go test` with the arguments it gets and prints what `go test` prints: one line per package and
// the whole output of what failed, or of everything with -v. It adds which tests took half a minute or more, which were
// skipped, and a last line with the number of tests that passed, failed and were skipped, counted from the events of
// `go test -json`, and exits as `go test` did.
//
// Subtests count as tests. A package that fails without a failing test (it does not build, its TestMain fails) counts
// as one failure, and so does each test that had begun and did not end, so nothing that went wrong is missing from the
// sum.
//
//	gotest -unwatched "./some/package ./another" -race …
//
// tests these packages, where they are among those that are given, without the race detector, and all others with it.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	code, err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		code = 1
	}
	os.Exit(code)
}

// unwatched is the first argument where some packages are tested without the race detector; the second has their
// patterns, with spaces between.
const unwatched = "-unwatched"

// run runs go test, twice where some of the packages are tested without the race detector, and returns its exit code:
// that of the first run that failed.
func run(args []string, stdout, stderr io.Writer) (int, error) {
	rounds := [][]string{args}
	if len(args) > 1 && args[0] == unwatched {
		var err error
		if rounds, err = split(args[2:], strings.Fields(args[1]), stderr); err != nil {
			return 0, err
		}
	}
	report := newReport(stdout, slices.Contains(args, "-v"))
	worst := 0
	for _, round := range rounds {
		code, err := test(round, report, stderr)
		if err != nil {
			return 0, err
		}
		worst = cmp.Or(worst, code)
	}
	report.finish()
	if worst == 0 && report.failed > 0 {
		return 0, fmt.Errorf("go test exits with 0 though %d tests failed", report.failed)
	}
	return worst, nil
}

// test runs go test once, reports what it prints, and returns its exit code.
func test(args []string, report *report, stderr io.Writer) (int, error) {
	// No deadline here: go test has its own, and an interrupt from the terminal reaches it without help.
	cmd := exec.CommandContext(context.Background(), "go", append([]string{"test", "-json"}, args...)...)
	cmd.Stderr = stderr
	events, err := cmd.StdoutPipe()
	if err != nil {
		return 0, fmt.Errorf("read go test: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start go test: %w", err)
	}
	readErr := report.read(events)
	if readErr != nil {
		// go test must not wait for a reader that has given up.
		_, _ = io.Copy(io.Discard, events)
	}
	waitErr := cmd.Wait()
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return 0, fmt.Errorf("wait for go test: %w", waitErr)
	}
	if readErr != nil {
		return 0, readErr
	}
	if code := cmd.ProcessState.ExitCode(); code >= 0 {
		return code, nil
	}
	return 1, nil // ended by a signal
}

// split divides the arguments of a run, whose packages begin with "./", into those of two: one without the race
// detector for the packages of the patterns, if any is among them, and one for all others.
func split(args, patterns []string, stderr io.Writer) ([][]string, error) {
	var flags, packages []string
	for _, arg := range args {
		if strings.HasPrefix(arg, "./") {
			packages = append(packages, arg)
		} else {
			flags = append(flags, arg)
		}
	}
	wanted, err := list(packages, stderr)
	if err != nil {
		return nil, err
	}
	plain, err := list(patterns, stderr)
	if err != nil {
		return nil, err
	}
	var watched, rest []string
	for _, name := range wanted {
		if slices.Contains(plain, name) {
			rest = append(rest, name)
		} else {
			watched = append(watched, name)
		}
	}
	var rounds [][]string
	if len(rest) > 0 {
		rounds = append(rounds, append(slices.DeleteFunc(slices.Clone(flags), ofRaces), rest...))
	}
	if len(watched) > 0 {
		rounds = append(rounds, append(flags, watched...))
	}
	return rounds, nil
}

// ofRaces reports whether a flag turns the race detector on, or off for some packages.
func ofRaces(flag string) bool { return flag == "-race" || strings.Contains(flag, "-race=false") }

// list returns the import paths of packages, in the order of the patterns.
func list(patterns []string, stderr io.Writer) ([]string, error) {
	// Packages that a tag leaves out have tests all the same.
	args := append([]string{"list", "-e", "-tags", "bench"}, patterns...)
	cmd := exec.CommandContext(context.Background(), "go", args...)
	cmd.Stderr = stderr
	names, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the packages: %w", err)
	}
	return strings.Fields(string(names)), nil
}
