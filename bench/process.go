//go:build bench

package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

// process is a server that runs.
type process struct {
	command *exec.Cmd
	// address is where it listens, "127.0.0.1:1234".
	address string
	// log is what it writes to its standard error.
	log    *os.File
	exited chan error
}

var endpoint = regexp.MustCompile(`endpoint\s+(http://\S+)`)

// start starts a server and waits until it says where it listens.
func start(ctx context.Context, program string, args, environment []string) (*process, error) {
	// A file, as a log usually is; a pipe would make this process work for the server it measures.
	log, err := os.CreateTemp("", "almanac-bench-*.log")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(log.Name()); err != nil { // it goes with the last who has it open
		return nil, err
	}
	p := &process{command: exec.CommandContext(ctx, program, args...), log: log, exited: make(chan error, 1)}
	p.command.Env = environment
	p.command.Stderr = log
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	reader := bufio.NewReader(out)
	for p.address == "" {
		line, err := reader.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("%s did not start: %w\n%s", filepath.Base(program), p.command.Wait(), p.said())
		}
		if found := endpoint.FindStringSubmatch(line); found != nil {
			at, err := url.Parse(found[1])
			if err != nil {
				return nil, fmt.Errorf("the server's address: %w", err)
			}
			p.address = at.Host
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, reader)
		p.exited <- p.command.Wait()
	}()
	return p, nil
}

// said returns the end of the log.
func (p *process) said() []byte {
	const most = 4 << 10
	size, err := p.log.Seek(0, io.SeekEnd)
	if err != nil {
		return nil
	}
	text := make([]byte, min(size, most))
	n, _ := p.log.ReadAt(text, max(size-most, 0))
	return text[:n]
}

func (p *process) pid() int { return p.command.Process.Pid }

// stop ends the server as its owner would, and kills it when that takes too long.
func (p *process) stop() error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-p.exited:
		return err
	case <-time.After(20 * time.Second):
		_ = p.command.Process.Kill()
		return <-p.exited
	}
}

// buildAlmanac builds the product as `make build` does, and returns where it is.
func buildAlmanac(ctx context.Context, dir string) (string, error) {
	program := filepath.Join(dir, "almanac")
	command := exec.CommandContext(ctx, "go", "build", "-tags", "grpcnotrace", "-trimpath", "-ldflags",
		"-s -w -X main.built=bench", "-o", program, "almanac")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build almanac: %w\n%s", err, out)
	}
	return program, nil
}

// almanacArgs are the flags that the product is started with; everything else is as it comes.
func almanacArgs(level string) []string {
	return []string{"serve", "--addr=127.0.0.1:0", "--log-level=" + level, "--time-zone=" + zone}
}

// almanacEnvironment are the settings that hold secrets.
func almanacEnvironment(d database, more ...string) []string {
	// What is measured is what one can do, not what one may.
	environment := append(plainEnvironment(), "ALMANAC_JWT_SECRET="+secret, "ALMANAC_USER_IN_FLIGHT=256",
		"ALMANAC_USER_COST=off", "ALMANAC_USER_PAID=off")
	if d.url != "" {
		environment = append(environment, "ALMANAC_DATABASE_URL="+d.url)
	} else {
		environment = append(environment, "ALMANAC_DATA_DIR="+d.dir)
	}
	return append(environment, more...)
}
