// Command gen writes the descriptions of the APIs anew, from the discovery documents inside the client's module.
// It works offline, and always writes the same bytes for the same version in go.mod.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"almanac/internal/standin/discovery"
)

// sources are files of the client's module, by the file that is made of each.
var sources = map[string]string{
	"calendar.json": "calendar/v3/calendar-api.json",
	"gmail.json":    "gmail/v1/gmail-api.json",
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1) //nolint:forbidigo // a program that tells its caller that it failed
	}
}

func run(ctx context.Context) error {
	list := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/api")
	list.Stderr = os.Stderr
	dir, err := list.Output()
	if err != nil {
		return fmt.Errorf("find the client's module: %w", err)
	}
	for to, from := range sources {
		full, err := os.ReadFile(filepath.Join(string(bytes.TrimSpace(dir)), filepath.FromSlash(from)))
		if err != nil {
			return fmt.Errorf("read the client's module: %w", err)
		}
		trimmed, err := discovery.Trim(full)
		if err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
		if err := os.WriteFile(to, trimmed, 0o600); err != nil { //nolint:gosec // the names are the table's above
			return fmt.Errorf("write a description: %w", err)
		}
	}
	return nil
}
