// Command gotest runs `go test` with the arguments it gets and prints what `go test` prints: one line per package and
// the whole output of what failed, or of everything with -v. It adds which tests took half a minute or more, which were
// skipped, and a last line with the number of tests that passed, failed and were skipped, counted from the events of
// `go test -json`, and exits as `go test` did.
//
// Subtests count as tests. A package that fails without a failing test (it does not build, its TestMain fails) counts
// as one failure, and so does each test that had begun and did not end, so nothing that went wrong is missing from the
// sum.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
)

func main() {
	code, err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "gotest:", err)
		code = 1
	}
	os.Exit(code)
}

// run starts go test and returns its exit code.
func run(args []string, stdout, stderr io.Writer) (int, error) {
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
	report := newReport(stdout, slices.Contains(args, "-v"))
	readErr := report.read(events)
	if readErr != nil {
		// go test must not wait for a reader that has given up.
		_, _ = io.Copy(io.Discard, events)
	}
	waitErr := cmd.Wait()
	report.finish()
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return 0, fmt.Errorf("wait for go test: %w", waitErr)
	}
	if readErr != nil {
		return 0, readErr
	}
	code := cmd.ProcessState.ExitCode()
	if code < 0 { // ended by a signal
		code = 1
	}
	if code == 0 && report.failed > 0 {
		return 0, fmt.Errorf("go test exits with 0 though %d tests failed", report.failed)
	}
	return code, nil
}
