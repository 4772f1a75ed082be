package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// scenarios are those of the official conformance suite for servers that any server can be held to. The others call
// tools, prompts and resources that a server would have to have for the suite alone (test_simple_text,
// test://static-text and the like).
var scenarios = []string{
	"server-initialize", "ping", "logging-set-level", "tools-list", "resources-list", "prompts-list",
	"dns-rebinding-protection",
}

// conformance runs the official conformance suite. A scenario whose checks did not run is a failure too.
func conformance(ctx context.Context, c client) error {
	var problems []error
	for _, scenario := range scenarios {
		command := exec.CommandContext(ctx, "node", filepath.Join("node_modules", ".bin", "conformance"), "server",
			"--url", c.address, "--scenario", scenario)
		command.Dir = folder
		command.Env = append(os.Environ(), "HOME="+c.home)
		out, err := command.CombinedOutput()
		switch passed := strings.Contains(string(out), "0 failed") && !strings.Contains(string(out), "Passed: 0/"); {
		case err != nil:
			problems = append(problems, fmt.Errorf("conformance %s: %w\n%s", scenario, err, out))
		case !passed:
			problems = append(problems, fmt.Errorf("conformance %s checked nothing or failed:\n%s", scenario, out))
		default:
			fmt.Println("ok: conformance", scenario)
		}
	}
	return errors.Join(problems...)
}
