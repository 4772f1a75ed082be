// Command later runs tests in programs whose date lies some days ahead, so that a test or a deadline that holds only
// until a certain day is found before that day:
//
//	go run ./tools/later -days 400 ./...
//
// Every argument but -days is one of tools/gotest. The package time of the installed Go is compiled once more, with an
// overlay in which Now adds the days, and linked into every test in place of the other. Nothing else is compiled anew:
// the rest of the build is that of an ordinary go test. Bubbles of testing/synctest begin so much later too.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The first argument of a program that was started by this one.
const (
	asTool  = "tool"
	asClock = "clock"
)

func main() {
	// No deadline here: go test has its own, and an interrupt from the terminal reaches it without help.
	ctx := context.Background()
	var code int
	var err error
	switch args := os.Args[1:]; {
	case len(args) > 2 && args[0] == asTool:
		code, err = tool(ctx, args[1], args[2], args[3:])
	case len(args) == 1 && args[0] == asClock:
		fmt.Println(time.Now().Unix())
	default:
		code, err = run(ctx, args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "later:", err)
		code = 1
	}
	os.Exit(code)
}

// run runs the tests and returns the exit code.
func run(ctx context.Context, args []string) (int, error) {
	if len(args) < 2 || args[0] != "-days" {
		return 0, errors.New("usage: later -days N [arguments of go test]")
	}
	days, err := strconv.Atoi(args[1])
	if err != nil || days <= 0 {
		return 0, fmt.Errorf("-days %s is no positive number", args[1])
	}
	args = args[2:]
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp("", "later")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// What says how packages are compiled is said of package time too, else the linker refuses it.
	var flags []string
	for _, arg := range args {
		if arg == "-race" || arg == "-trimpath" || strings.HasPrefix(arg, "-gcflags=") {
			flags = append(flags, arg)
		}
	}
	archive, err := laterTime(ctx, dir, days, flags)
	if err != nil {
		return 0, err
	}
	through := fmt.Sprintf("-toolexec=%s %s %s", self, asTool, archive)
	if err := check(ctx, through, days, flags); err != nil {
		return 0, err
	}
	return status(exec.CommandContext(ctx, "go", slices.Concat([]string{"run", "./tools/gotest", through},
		args)...))
}

// laterTime compiles package time with a Now that is days ahead, and returns the file of the compiled package.
func laterTime(ctx context.Context, dir string, days int, flags []string) (string, error) {
	root, err := output(ctx, "go", "env", "GOROOT")
	if err != nil {
		return "", err
	}
	original := filepath.Join(root, "src", "time", "time.go")
	source, err := os.ReadFile(original)
	if err != nil {
		return "", err
	}
	moved, err := move(source, days)
	if err != nil {
		return "", err
	}
	replacement, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "overlay.json")
	table := fmt.Sprintf(`{"Replace": {%q: %q}}`, original, replacement)
	err = errors.Join(os.WriteFile(replacement, moved, 0o600), //nolint:gosec // in our own folder
		os.WriteFile(overlay, []byte(table), 0o600))
	if err != nil {
		return "", err
	}
	return output(ctx, "go", slices.Concat([]string{"list", "-export", "-overlay", overlay, "-f", "{{.Export}}"}, flags,
		[]string{"time"})...)
}

// check runs a program that was linked through this one, and wants its date to be ahead.
func check(ctx context.Context, through string, days int, flags []string) error {
	text, err := output(ctx, "go", slices.Concat([]string{"run", through}, flags, []string{"./tools/later", asClock})...)
	if err != nil {
		return err
	}
	there, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return err
	}
	ahead := time.Until(time.Unix(there, 0))
	if wanted := time.Duration(days) * 24 * time.Hour; (ahead - wanted).Abs() > time.Hour {
		return fmt.Errorf("programs are %v ahead, not %v", ahead, wanted)
	}
	return nil
}

// tool runs a tool of the Go toolchain (go help build, -toolexec). The linker gets the archive for package time; all
// others, and with them every compiled package in the build cache, are as they would be.
func tool(ctx context.Context, archive, path string, args []string) (int, error) {
	if strings.TrimSuffix(filepath.Base(path), ".exe") != "link" {
		return status(exec.CommandContext(ctx, path, args...))
	}
	if slices.Equal(args, []string{"-V=full"}) { // what is linked here must not be taken for an ordinary program
		version, err := output(ctx, path, args...)
		fmt.Println(version, "later", filepath.Base(archive))
		return 0, err
	}
	for i, arg := range args {
		if i == 0 || args[i-1] != "-importcfg" {
			continue
		}
		packages, err := os.ReadFile(arg) //nolint:gosec // what go has written
		if err != nil {
			return 0, err
		}
		if packages, err = relink(packages, archive); err != nil {
			return 0, err
		}
		if err := os.WriteFile(arg, packages, 0o600); err != nil { //nolint:gosec // in the folder of this build
			return 0, err
		}
	}
	return status(exec.CommandContext(ctx, path, args...))
}

// status runs a command with the streams of this program and returns its exit code.
func status(command *exec.Cmd) (int, error) {
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

// output runs a command and returns what it prints, without the end of the line.
func output(ctx context.Context, name string, args ...string) (string, error) {
	command := exec.CommandContext(ctx, name, args...)
	command.Stderr = os.Stderr
	text, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(text)), nil
}
