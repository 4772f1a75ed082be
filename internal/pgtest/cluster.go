package pgtest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Cluster is a PostgreSQL server of one test's own, which the test may stop.
type Cluster struct {
	// URL is an empty database of it, which goes with the server.
	URL string

	t   testing.TB
	pid int // of the server's first process
}

// Private starts a server that nobody else uses, for as long as the test runs. It needs the programs of PostgreSQL on
// this machine, or downloads them, whatever Variable says.
func Private(t testing.TB) *Cluster {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	// The script ends the server when its command has ended, and that ends with its input.
	cmd := exec.Command("sh", filepath.Join(root, "tools", "postgres.sh"), "run", "sh", "-c",
		`printf '%s\n' "$`+Variable+`"; cat >/dev/null`)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, Variable+"=") })
	cmd.Stderr = os.Stderr
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &Cluster{t: t}
	t.Cleanup(func() {
		c.Continue()
		_ = input.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("pgtest: end a server of one's own: %v", err)
		}
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil {
		t.Fatalf("pgtest: start a server of one's own: %v; %s", err, remedy)
	}
	c.URL = strings.TrimSpace(line)
	if c.pid, err = parentOfBackend(c.URL); err != nil {
		t.Fatalf("pgtest: find the server's process: %v", err)
	}
	return c
}

// parentOfBackend returns the process that has started the one behind a connection.
func parentOfBackend(url string) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return 0, fmt.Errorf("connect: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	var backend int
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&backend); err != nil {
		return 0, fmt.Errorf("ask for the process: %w", err)
	}
	return parentOf(backend)
}

// parentOf reads the fourth field of /proc/PID/stat; the second may hold anything between parentheses (proc(5)).
func parentOf(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 2 {
		return 0, fmt.Errorf("/proc/%d/stat is %q", pid, text)
	}
	return strconv.Atoi(fields[1])
}

// Stop stops every process of the server (SIGSTOP): it answers nothing and no connection breaks.
func (c *Cluster) Stop() {
	c.t.Helper()
	c.signal(syscall.SIGSTOP)
}

// Continue lets a stopped server go on.
func (c *Cluster) Continue() {
	c.t.Helper()
	c.signal(syscall.SIGCONT)
}

// signal tells the first process first, so that it starts no other meanwhile.
func (c *Cluster) signal(signal syscall.Signal) {
	c.t.Helper()
	if c.pid == 0 {
		return
	}
	if err := syscall.Kill(c.pid, signal); err != nil {
		c.t.Errorf("pgtest: %v of the server: %v", signal, err)
	}
	all, err := os.ReadDir("/proc")
	if err != nil {
		c.t.Fatal(err)
	}
	for _, entry := range all {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if parent, err := parentOf(pid); err == nil && parent == c.pid {
			_ = syscall.Kill(pid, signal) // it may have ended
		}
	}
}
