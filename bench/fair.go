//go:build bench

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	// fairOthers is how many users are measured, fairRate how many requests they make a second, all together, at times
	// that do not depend on the answers.
	fairOthers = 8
	fairRate   = 60
	// fairTasks is how many tasks each user has.
	fairTasks = 600
	// fairConnections is how many connections the flooding user has.
	fairConnections = 500
	// fairSettles is left out at the beginning of each phase.
	fairSettles = time.Second
)

// What the flooding user sends.
const (
	floodTrivial = `{ viewer { id } }`
	floodDear    = `{ tasks(first: 100) { totalCount nodes { id text category dueDate dueDateFormatted
		itemContext { isOverdue isToday } subtasks { id text } } categorized { counts { overdue today upcoming recurring
		noDueDate } overdue(first: 50) { id text } today(first: 50) { id text } upcoming(first: 50) { id text } } } }`
	floodWrites = `mutation { createTask(input: { text: "flood", allowDuplicate: true }) { task { id } } }`
)

// floodVariable holds what a flooding process is told, in JSON.
const floodVariable = "ALMANAC_BENCH_FLOOD"

const childFlood = "flood"

// flood is what a flooding process does, and what it met: answers that were given and refused.
type flood struct {
	Address, Token, Document string
	Answered, Refused        int
}

// fairness is what the others met in one kind of phase.
type fairness struct {
	name              string
	latencies         []time.Duration
	failed            int
	answered, refused int
}

// measureFair prints how long other users wait while one of them sends as much as 500 connections can, beside how long
// they wait when nobody does. The server has the limits that it comes with. The flood comes from a process of its own,
// from another address and with the lowest priority, since what its client needs of the processors is not the server's
// doing.
func measureFair(ctx context.Context, o options, d database, program string, out, progress io.Writer) (err error) {
	environment := append(plainEnvironment(), "ALMANAC_JWT_SECRET="+secret)
	if d.url != "" {
		environment = append(environment, "ALMANAC_DATABASE_URL="+d.url)
	} else {
		environment = append(environment, "ALMANAC_DATA_DIR="+d.dir)
	}
	s, err := start(ctx, program, almanacArgs("error"), environment)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	w, err := newWorld(time.Now(), fairOthers, 0)
	if err != nil {
		return err
	}
	fmt.Fprintln(progress, "laying tasks of each user")
	for _, p := range w.everybody() {
		if err := layFair(ctx, s.address, p); err != nil {
			return err
		}
	}
	phases := []*fairness{{name: "nobody"}, {name: "trivial queries"}, {name: "dear queries"}, {name: "writes"}}
	documents := []string{"", floodTrivial, floodDear, floodWrites}
	for round := range o.rounds {
		for i, phase := range phases {
			fmt.Fprintf(progress, "round %d, flood of %s, load average %s\n", round+1, phase.name, loadAverage())
			if err := phase.play(ctx, o, s.address, w, documents[i]); err != nil {
				return err
			}
		}
	}
	writeFair(out, o, phases)
	return nil
}

// layFair makes the tasks of a user.
func layFair(ctx context.Context, address string, p *person) error {
	const most = 200
	now := time.Now().Truncate(time.Hour)
	for first := 0; first < fairTasks; first += most {
		var tasks []any
		for i := range most {
			tasks = append(tasks, map[string]any{"text": fmt.Sprintf("Task %d about the contract", first+i),
				"allowDuplicate": true, "dueDate": now.Add(time.Duration(first+i-fairTasks/3) * time.Hour).Format(time.RFC3339)})
		}
		ok, err := askFair(ctx, http.DefaultClient, address, p.token,
			`mutation ($tasks: [CreateTaskInput!]!) { createTasks(input: { tasks: $tasks }) { created } }`,
			map[string]any{"tasks": tasks})
		if err != nil || !ok {
			return fmt.Errorf("lay the tasks of %s: %v %w", p.subject, ok, err)
		}
	}
	return nil
}

// askFair sends a request and reports whether it was answered without an error.
func askFair(ctx context.Context, client *http.Client, address, token, document string, variables any) (bool, error) {
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		return false, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/graphql", bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(r)
	if err != nil {
		return false, err
	}
	text, err := io.ReadAll(response.Body)
	err = errors.Join(err, response.Body.Close())
	return err == nil && response.StatusCode == http.StatusOK && !bytes.Contains(text, []byte(`"errors":[`)), err
}

// play measures the others for a while, beside a flood unless there is no document for it.
func (f *fairness) play(ctx context.Context, o options, address string, w *world, document string) (err error) {
	if document != "" {
		end, err := startFlood(ctx, flood{Address: address, Token: w.deep.token, Document: document})
		if err != nil {
			return err
		}
		defer func() {
			met, ended := end()
			f.answered += met.Answered
			f.refused += met.Refused
			err = errors.Join(err, ended)
		}()
	}
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 200}}
	defer client.CloseIdleConnections()
	var (
		mu    sync.Mutex
		group sync.WaitGroup
	)
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // what is asked, no secret
	began := time.Now()
	for at := began; at.Sub(began) < fairSettles+o.length*2; at = at.Add(time.Second / fairRate) {
		time.Sleep(time.Until(at))
		p, ask := w.readers[random.IntN(fairOthers)], fairAsks[random.IntN(len(fairAsks))]
		counts := at.Sub(began) >= fairSettles
		group.Go(func() {
			ok, err := askFair(ctx, client, address, p.token, ask, nil)
			took := time.Since(at)
			if !counts {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			f.latencies = append(f.latencies, took)
			if !ok || err != nil {
				f.failed++
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// fairAsks are what the others ask.
var fairAsks = []string{
	`{ viewer { id } }`,
	`{ tasks(first: 20) { nodes { id text dueDate completed itemContext { isToday isOverdue } } } }`,
	`{ tasks(first: 5, filter: { window: TODAY }) { totalCount nodes { id text } } lists { nodes { id name } } }`,
	`mutation { createTask(input: { text: "theirs", allowDuplicate: true }) { task { id } } }`,
}

func (f *fairness) p(percent float64) time.Duration {
	sorted := slices.Sorted(slices.Values(f.latencies))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(float64(len(sorted))*percent/100), len(sorted)-1)]
}

func writeFair(out io.Writer, o options, phases []*fairness) {
	fmt.Fprintf(out, "\n## One flooding user beside others\n\n%d other users with %d requests a second together, %d "+
		"connections of one user, %s, load average at the end %s.\n\n| flood | others' p50, ms | p99, ms | ÷ quiet p99 | "+
		"failed | flood answered, refused a second |\n|---|--:|--:|--:|--:|--:|\n", fairOthers, fairRate, fairConnections,
		o.store, loadAverage())
	ms := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds()*1e3, 'f', 1, 64) }
	quiet := phases[0].p(99)
	for _, f := range phases {
		seconds := (fairSettles + o.length*2).Seconds() * float64(o.rounds)
		fmt.Fprintf(out, "| %s | %s | %s | %.2f | %d of %d | %.0f, %.0f |\n", f.name, ms(f.p(50)), ms(f.p(99)),
			f.p(99).Seconds()/max(quiet.Seconds(), 1e-9), f.failed, len(f.latencies), float64(f.answered)/seconds,
			float64(f.refused)/seconds)
	}
}

// startFlood starts a process that floods the server until end is called.
func startFlood(ctx context.Context, what flood) (end func() (flood, error), err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	told, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, self)
	command.Env = append(plainEnvironment(), childVariable+"="+childFlood, floodVariable+"="+string(told))
	var said strings.Builder
	command.Stdout, command.Stderr = &said, os.Stderr
	hold, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return func() (flood, error) {
		var met flood
		err := errors.Join(hold.Close(), command.Wait())
		err = errors.Join(err, json.Unmarshal([]byte(said.String()), &met))
		return met, err
	}, nil
}

// floodServer is the process that floods: each connection sends its request again as soon as it is answered, until the
// input ends. It says what it met.
func floodServer(ctx context.Context, in io.Reader, out io.Writer) error {
	var f flood
	if err := json.Unmarshal([]byte(os.Getenv(floodVariable)), &f); err != nil {
		return err
	}
	if err := syscall.Setpriority(syscall.PRIO_PROCESS, 0, 19); err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{"query": f.Document})
	if err != nil {
		return err
	}
	request := fmt.Appendf(nil, "POST /graphql HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", f.Address, f.Token, len(body), body)
	ctx, stop := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in)
		stop()
	}()
	var (
		mu    sync.Mutex
		group sync.WaitGroup
	)
	for range fairConnections {
		group.Go(func() {
			answered, refused := floodConnection(ctx, f.Address, request)
			mu.Lock()
			defer mu.Unlock()
			f.Answered += answered
			f.Refused += refused
		})
	}
	group.Wait()
	return json.NewEncoder(out).Encode(f)
}
