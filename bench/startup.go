package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// idleAfter is how long a server is left alone before it counts as idle.
const idleAfter = 2 * time.Second

// startup measures how soon the embedded product answers after it was started, and what it holds when it has nothing to do.
type startup struct {
	// first is from the start of the process to the whole of its first answer to a query, when the data folder was empty; later is
	// the same on a folder that has data. In milliseconds.
	first, later []float64
	// resident and private are memory, in bytes.
	resident, private []float64
}

// measureStartup starts the product so many times.
func measureStartup(ctx context.Context, almanac, dir string, times int) (startup, error) {
	var s startup
	for i := range times {
		data := filepath.Join(dir, fmt.Sprintf("start-%d", i))
		took, _, err := startOnce(ctx, almanac, data, 0)
		if err != nil {
			return s, err
		}
		s.first = append(s.first, took)
		took, idle, err := startOnce(ctx, almanac, data, idleAfter)
		if err != nil {
			return s, err
		}
		s.later = append(s.later, took)
		s.resident, s.private = append(s.resident, float64(idle.resident)), append(s.private, float64(idle.private))
	}
	return s, nil
}

// startOnce starts the product with sample data, asks it as soon as it can be asked, and leaves it alone for a while.
func startOnce(ctx context.Context, almanac, data string, alone time.Duration) (millis float64, idle usage, err error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return 0, usage{}, err
	}
	command := exec.CommandContext(ctx, almanac, "serve", "--demo", "--addr="+address, "--data-dir="+data, "--log-level=warn")
	command.Env = plainEnvironment()
	command.Stderr = os.Stderr
	began := time.Now()
	if err := command.Start(); err != nil {
		return 0, usage{}, err
	}
	err = firstAnswer(ctx, "http://"+address+"/graphql")
	took := time.Since(began)
	if err == nil {
		time.Sleep(alone)
		idle = memory(command.Process.Pid)
	}
	_ = command.Process.Signal(syscall.SIGTERM)
	if ended := command.Wait(); err == nil && ended != nil {
		err = fmt.Errorf("stop: %w", ended)
	}
	return float64(took.Microseconds()) / 1000, idle, err
}

// freeAddress gives an address that nobody listens on now.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// firstAnswer asks until there is an answer. The client's own cost is part of it.
func firstAnswer(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(`{"query":"{ tasks(first: 10) { nodes { id text } } }"}`))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		response, err := client.Do(request)
		if err == nil {
			body, err := io.ReadAll(response.Body)
			_ = response.Body.Close() // it was read
			if err != nil {
				return err
			}
			if response.StatusCode == http.StatusOK && strings.Contains(string(body), `"nodes":[{`) {
				return nil
			}
			return fmt.Errorf("the first answer: status %d: %.300s", response.StatusCode, body)
		}
		if ctx.Err() != nil {
			return fmt.Errorf("no answer: %w", err)
		}
		time.Sleep(200 * time.Microsecond)
	}
}

// write writes it as Markdown.
func (s startup) write(w io.Writer, program string) {
	size := int64(0)
	if info, err := os.Stat(program); err == nil {
		size = info.Size()
	}
	fmt.Fprintf(w, "\n### Start, embedded store\n\n| what | median | lowest–highest of %d |\n|---|--:|--:|\n", len(s.first))
	low, high := bounds(s.first)
	fmt.Fprintf(w, "| start to first answer, empty folder (makes the database and the sample data), ms | %.1f | %.1f–%.1f |\n", median(s.first), low, high)
	low, high = bounds(s.later)
	fmt.Fprintf(w, "| start to first answer, folder with data, ms | %.1f | %.1f–%.1f |\n", median(s.later), low, high)
	low, high = bounds(s.resident)
	fmt.Fprintf(w, "| resident when idle, %v after the first answer, MiB | %.1f | %.1f–%.1f |\n", idleAfter, median(s.resident)/(1<<20), low/(1<<20), high/(1<<20))
	low, high = bounds(s.private)
	fmt.Fprintf(w, "| of it private (heap, stacks, the database's cache), MiB | %.1f | %.1f–%.1f |\n", median(s.private)/(1<<20), low/(1<<20), high/(1<<20))
	fmt.Fprintf(w, "| size of the program, MiB | %s | |\n", mebibytes(size))
}

func bounds(values []float64) (low, high float64) {
	for i, v := range values {
		if i == 0 {
			low, high = v, v
		}
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
