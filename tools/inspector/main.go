// Command inspector looks at /mcp with the official inspector, as a stranger's client would, and holds it to the
// official conformance suite.
//
// It promises that it starts a server of its own, on a free port, with a database that is gone afterwards, and that it
// fails when either finds anything else than it should.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// patience bounds the whole run.
const patience = 3 * time.Minute

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	program := flag.String("program", "", "the almanac to look at; without it, one is built")
	flag.Parse()
	if err := inspect(ctx, *program); err != nil {
		fmt.Fprintln(os.Stderr, "inspector:", err)
		os.Exit(1) //nolint:gocritic // nothing is left that the deferred call would end
	}
}

// folder is where the inspector is installed.
var folder = filepath.Join("tools", "inspector")

// inspect runs every check.
func inspect(ctx context.Context, program string) error {
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("the official inspector needs Node.js 20 or newer with npm: %w", err)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "node_modules", ".bin", "conformance")); err != nil {
		install := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
		install.Dir = folder
		if out, err := install.CombinedOutput(); err != nil {
			return fmt.Errorf("npm ci in %s: %w\n%s", folder, err, out)
		}
	}
	home, err := os.MkdirTemp("", "inspector")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home) //nolint:errcheck // it is the system's own place for what nobody needs any more
	address, stop, err := serve(ctx, program, home)
	if err != nil {
		return err
	}
	c := client{address: address, home: home}
	return errors.Join(checks(ctx, c), conformance(ctx, c), stop())
}

var listening = regexp.MustCompile(`models\s+(http://\S+/mcp)`)

// serve starts the server and waits until it listens.
func serve(ctx context.Context, program, home string) (address string, stop func() error, err error) {
	if program == "" {
		program = filepath.Join(home, "almanac")
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			return "", nil, fmt.Errorf("build the server: %w\n%s", err, out)
		}
	}
	server := exec.CommandContext(ctx, program, "serve", "--demo", "--addr=127.0.0.1:0",
		"--data-dir="+filepath.Join(home, "data"))
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := server.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error {
		err := server.Process.Signal(os.Interrupt)
		return errors.Join(err, server.Wait())
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if found := listening.FindStringSubmatch(lines.Text()); found != nil {
			return found[1], stop, nil
		}
	}
	return "", nil, errors.Join(errors.New("the server did not listen"), stop())
}

// client is the inspector's command line.
type client struct{ address, home string }

// ask runs the inspector once and reads its answer.
func (c client) ask(ctx context.Context, into any, arguments ...string) error {
	command := exec.CommandContext(ctx, "node", append([]string{
		filepath.Join("node_modules", ".bin", "mcp-inspector"), "--cli", c.address, "--transport", "http",
	}, arguments...)...)
	command.Dir = folder
	command.Env = append(os.Environ(), "HOME="+c.home)
	var out, problems bytes.Buffer
	command.Stdout, command.Stderr = &out, &problems
	if err := command.Run(); err != nil {
		return fmt.Errorf("inspector %s: %w\n%s%s", strings.Join(arguments, " "), err, out.String(), problems.String())
	}
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		return fmt.Errorf("inspector %s answered %q: %w", strings.Join(arguments, " "), out.String(), err)
	}
	fmt.Println("ok:", strings.Join(arguments, " "))
	return nil
}

// result is what a call gives.
type result struct {
	Content []struct {
		Text string `json:"text"`
	} `json:"content"`
	IsError           bool `json:"isError"`
	StructuredContent struct {
		IDs          []string `json:"ids"`
		Confirmation *struct {
			Token string `json:"token"`
		} `json:"confirmation"`
	} `json:"structuredContent"`
}

// call calls a tool; arguments are "name=value", where values that are JSON are read as such.
func (c client) call(ctx context.Context, tool string, arguments ...string) (out result, err error) {
	all := []string{"--method", "tools/call", "--tool-name", tool}
	for _, one := range arguments {
		all = append(all, "--tool-arg", one)
	}
	err = c.ask(ctx, &out, all...)
	if err == nil && (out.IsError || len(out.Content) == 0 || out.Content[0].Text == "") {
		err = fmt.Errorf("%s failed: %+v", tool, out)
	}
	return out, err
}

// checks are what the inspector has to find.
func checks(ctx context.Context, c client) error {
	var list struct {
		Tools []struct {
			Name string `json:"name"`
		} `json:"tools"`
	}
	if err := c.ask(ctx, &list, "--method", "tools/list", "--strict"); err != nil {
		return err
	}
	if len(list.Tools) != 8 {
		return fmt.Errorf("%d tools instead of 8: %+v", len(list.Tools), list)
	}
	var resources struct {
		Resources []struct {
			URI string `json:"uri"`
		} `json:"resources"`
	}
	if err := c.ask(ctx, &resources, "--method", "resources/list"); err != nil {
		return err
	}
	if len(resources.Resources) != 1 {
		return fmt.Errorf("resources: %+v", resources)
	}
	var read struct {
		Contents []struct {
			Text string `json:"text"`
		} `json:"contents"`
	}
	if err := c.ask(ctx, &read, "--method", "resources/read", "--uri", resources.Resources[0].URI); err != nil {
		return err
	}
	if len(read.Contents) != 1 || read.Contents[0].Text == "" {
		return fmt.Errorf("the agenda is empty: %+v", read)
	}
	return changes(ctx, c)
}

// changes makes a task, deletes it, and is asked before.
func changes(ctx context.Context, c client) error {
	if _, err := c.call(ctx, "agenda"); err != nil {
		return err
	}
	made, err := c.call(ctx, "change_tasks", "action=create", "text=Inspect the inspector")
	if err != nil {
		return err
	}
	if len(made.StructuredContent.IDs) != 1 {
		return fmt.Errorf("no task was made: %+v", made)
	}
	id := made.StructuredContent.IDs[0]
	asked, err := c.call(ctx, "change_tasks", "action=delete", `ids=["`+id+`"]`)
	if err != nil {
		return err
	}
	if asked.StructuredContent.Confirmation == nil {
		return fmt.Errorf("nothing was asked: %+v", asked)
	}
	_, err = c.call(ctx, "confirm", "token="+asked.StructuredContent.Confirmation.Token)
	return err
}
