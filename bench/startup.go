//go:build bench

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
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

// startKind is a way to start the embedded product.
type startKind struct {
	name, title string
	environment []string
	// query is the first question, proof what its answer has in it.
	query, proof string
}

// startKinds differ in what is at the other end of Google's calendar.
func startKinds() []startKind {
	const tasks, events = `{ tasks(first: 10) { nodes { id text } } }`,
		`{ tasks(first: 10) { nodes { id text } } events(first: 10) { nodes { id summary } } }`
	return []startKind{
		{name: "as it comes", title: "with the stand-in and its sample events; asks for tasks", query: tasks,
			proof: `"nodes":[{`},
		{name: "events", title: "the same; asks for tasks and events", query: events, proof: `"summary":`},
		{
			name: "Google", title: "set up for Google itself, which nobody asks for anything; asks for tasks", query: tasks,
			proof: `"nodes":[{`,
			environment: []string{
				"ALMANAC_GOOGLE_CLIENT_ID=123456789012-bench.apps.googleusercontent.com",
				"ALMANAC_GOOGLE_CLIENT_SECRET=never-used-anywhere",
				"ALMANAC_TOKEN_KEY=bench: a key that guards nothing at all",
			},
		},
	}
}

// startup measures how soon the embedded product answers after it was started, and what it holds when it has nothing to
// do.
type startup struct {
	// first is of starts on an empty folder, later of those on a folder that has data.
	first, later []started
}

// started is one start: from that of the process to the whole of its first answer to a query, in milliseconds, and the
// memory when idle.
type started struct {
	millis            float64
	resident, private float64
}

// startups are by kind.
type startups map[string]*startup

// measureStartup starts the product so many times in each way.
func measureStartup(ctx context.Context, almanac, dir string, times int, progress io.Writer) (startups, error) {
	all := startups{}
	for i := range times {
		fmt.Fprintf(progress, "start %d of %d, load average %s\n", i+1, times, loadAverage())
		for _, at := range rand.Perm(len(startKinds())) { //nolint:gosec // an order of measuring
			kind := startKinds()[at]
			s := all[kind.name]
			if s == nil {
				s = &startup{}
				all[kind.name] = s
			}
			data := filepath.Join(dir, fmt.Sprintf("start-%d-%d", i, at))
			for _, into := range []*[]started{&s.first, &s.later} {
				one, err := startOnce(ctx, almanac, data, kind)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", kind.name, err)
				}
				*into = append(*into, one)
			}
		}
	}
	return all, nil
}

// startOnce starts the product with sample data, asks it as soon as it can be asked, and leaves it alone for a while.
func startOnce(ctx context.Context, almanac, data string, kind startKind) (started, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return started{}, err
	}
	command := exec.CommandContext(ctx, almanac, "serve", "--demo", "--addr="+address, "--data-dir="+data,
		"--log-level=warn")
	command.Env = append(plainEnvironment(), kind.environment...)
	command.Stderr = os.Stderr
	began := time.Now()
	if err := command.Start(); err != nil {
		return started{}, err
	}
	err = firstAnswer(ctx, "http://"+address+"/graphql", kind)
	out := started{millis: float64(time.Since(began).Microseconds()) / 1000}
	if err == nil {
		time.Sleep(idleAfter)
		idle := memory(command.Process.Pid)
		out.resident, out.private = float64(idle.resident)/(1<<20), float64(idle.private)/(1<<20)
	}
	_ = command.Process.Signal(syscall.SIGTERM)
	if ended := command.Wait(); err == nil && ended != nil {
		err = fmt.Errorf("stop: %w", ended)
	}
	return out, err
}

// freeAddress returns an address that nobody listens on now.
func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// firstAnswer asks until there is an answer. The client's own cost is part of it.
func firstAnswer(ctx context.Context, address string, kind startKind) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	question, err := question{query: kind.query}.graphqlBody()
	if err != nil {
		return err
	}
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(question))
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
			if response.StatusCode == http.StatusOK && strings.Contains(string(body), kind.proof) {
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

// write writes them as Markdown.
func (all startups) write(w io.Writer, program string) {
	size := int64(0)
	if info, err := os.Stat(program); err == nil {
		size = info.Size()
	}
	fmt.Fprintf(w,
		"\n### Start, embedded store\n\nStart to first answer, and memory %v after it; private is heap, stacks and the "+
			"database's cache, the rest pages of the program, whose file has %s MiB. "+
			"Median (lowest–highest). Kinds:\n\n", idleAfter, mebibytes(size))
	for _, kind := range startKinds() {
		fmt.Fprintf(w, "- %s: %s\n", kind.name, kind.title)
	}
	fmt.Fprintln(w, "\n| kind | folder | starts | ms | idle MiB | private MiB |\n|---|---|--:|--:|--:|--:|")
	for _, kind := range startKinds() {
		writeStarts(w, kind.name, "empty: makes the database and the sample", all[kind.name].first)
		writeStarts(w, kind.name, "with data", all[kind.name].later)
	}
}

func writeStarts(w io.Writer, kind, folder string, all []started) {
	fmt.Fprintf(w, "| %s | %s | %d |", kind, folder, len(all))
	for _, figure := range []func(started) float64{
		func(s started) float64 { return s.millis }, func(s started) float64 { return s.resident },
		func(s started) float64 { return s.private },
	} {
		values := each(all, figure)
		low, high := bounds(values)
		fmt.Fprintf(w, " %.1f (%.1f–%.1f) |", median(values), low, high)
	}
	fmt.Fprintln(w)
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
