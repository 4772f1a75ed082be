//go:build bench

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is one Almanac on an address of its own, whose process comes and goes.
type server struct {
	program     string
	address     string
	environment []string
	// log holds what all its processes wrote to their standard error.
	log *os.File
	// clock is the file that says by how much its clock is off; empty for one that stays right.
	clock string
	// off is by how much the clock is off.
	off time.Duration

	mu      sync.Mutex
	command *exec.Cmd
	// exited is closed when the process is gone; outcome is then how it ended.
	exited  chan struct{}
	outcome error
	// done says that this run has ended the process; surprises are ends that nobody here asked for.
	done      bool
	surprises []string
}

// startPatience bounds a start. It is met only when the server never listens.
const startPatience = 60 * time.Second

// buildServer returns the program of a server, which is this one: see serveInstead. With race it is built with the race
// detector.
func buildServer(ctx context.Context, dir string, race bool) (string, error) {
	if !race {
		return os.Executable()
	}
	program := filepath.Join(dir, "server-under-test")
	command := exec.CommandContext(ctx, "go", "build", "-race", "-tags", "bench", "-o", program, "almanac/bench/ledger")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build almanac: %w\n%s", err, out)
	}
	return program, nil
}

// freeAddress finds a port of loopback that nobody has at the moment.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// newServer names a server that is not started yet. Settings are pairs ALMANAC_NAME=value.
func newServer(ctx context.Context, program, dir string, settings ...string) (*server, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	log, err := os.CreateTemp(dir, "server-*.log")
	if err != nil {
		return nil, err
	}
	s := &server{program: program, address: address, log: log}
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "ALMANAC_") && !strings.HasPrefix(pair, "OTEL_") {
			s.environment = append(s.environment, pair)
		}
	}
	s.environment = append(s.environment, asServer+"=1", "ALMANAC_ADDR="+address, "ALMANAC_JWT_SECRET="+secret,
		"ALMANAC_USER_IN_FLIGHT=256",
		"ALMANAC_USER_COST=off", "ALMANAC_USER_PAID=off", "ALMANAC_LOG_LEVEL=warn",
		"ALMANAC_TIME_ZONE=Asia/Jerusalem")
	s.environment = append(s.environment, settings...)
	return s, nil
}

// launch starts a process and does not wait until it listens; ready is closed when it does, or has ended.
func (s *server) launch() (ready <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	command := exec.Command(s.program, "serve") //nolint:noctx // it outlives the caller, and is ended by signals
	command.Env, command.Stderr = s.environment, s.log
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	exited, listening := make(chan struct{}), make(chan struct{})
	s.command, s.exited, s.done = command, exited, false
	go func() {
		reader := bufio.NewReader(out)
		for {
			line, err := reader.ReadString('\n')
			if err != nil || strings.Contains(line, "endpoint") {
				break
			}
		}
		close(listening)
		_, _ = io.Copy(io.Discard, reader)
		s.outcome = command.Wait()
		close(exited)
	}()
	return listening, nil
}

// start starts a process and waits until it listens.
func (s *server) start() error {
	ready, err := s.launch()
	if err != nil {
		return err
	}
	select {
	case <-ready:
	case <-time.After(startPatience):
		return errors.New("the server does not come up")
	}
	select {
	case <-s.exited:
		return fmt.Errorf("the server ended at its start: %w\n%s", s.outcome, s.said())
	default:
		return nil
	}
}

func (s *server) signal(what syscall.Signal) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.command == nil {
		return errors.New("no process")
	}
	return s.command.Process.Signal(what)
}

// kill ends the process without a warning and waits until it is gone.
func (s *server) kill() {
	if s.command == nil {
		return
	}
	s.expectAlive()
	_ = s.signal(syscall.SIGKILL) // it may be gone already
	<-s.exited
}

// expectAlive notes an end that nobody here asked for. A process that this run has ended is not asked for again, except
// at the very end.
func (s *server) expectAlive() {
	select {
	case <-s.exited:
		if !s.done {
			s.surprises = append(s.surprises,
				fmt.Sprintf("%s: %v", time.Now().UTC().Format(time.TimeOnly), s.command.ProcessState))
		}
	default:
	}
	s.done = true
}

// errCutOff says that a server had to be killed since it did not end by itself.
var errCutOff = errors.New("the server did not end by itself")

// term asks the process to end and returns how it did, and how long it took.
func (s *server) term() (time.Duration, error) {
	began := time.Now()
	s.expectAlive()
	if err := s.signal(syscall.SIGTERM); err != nil {
		return 0, err
	}
	select {
	case <-s.exited:
		return time.Since(began), s.outcome
	case <-time.After(30 * time.Second):
		s.kill()
		return time.Since(began), errCutOff
	}
}

func (s *server) pid() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.command.Process.Pid
}

// said returns the end of the log.
func (s *server) said() []byte {
	const most = 4 << 10
	size, err := s.log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	text := make([]byte, min(size, most))
	n, _ := s.log.ReadAt(text, max(size-most, 0))
	return text[:n]
}
