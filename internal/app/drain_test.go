package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"almanac/internal/httpapi"
	"almanac/internal/pgtest"
)

// heldUp makes every write of a database's users wait until release is called.
func heldUp(t *testing.T, url string) (waiting func() int, release func()) {
	t.Helper()
	holder, watcher := dialPostgres(t, url), dialPostgres(t, url)
	tx, err := holder.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), `SELECT 1 FROM users FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	waiting = func() int {
		var n int
		if err := watcher.QueryRow(t.Context(),
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(
			&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	return waiting, sync.OnceFunc(func() {
		if err := tx.Rollback(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A server that is told to stop while requests run answers each of them, tells its sockets and streams at once, lets
// nobody else in, and ends without an error.
func TestDrainFinishesWhatRuns(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	p := start(t, "--database-url="+url, "--database-max-conns=12")
	changeHead(p) // makes the user
	idle, stream := p.mustDial(""), p.mustListen(watchTasks, nil, "")
	if err := idle.subscribe("1", watchTasks, nil); err != nil {
		t.Fatal(err)
	}
	busy := p.mustDial("")
	waiting, release := heldUp(t, url)
	defer release()

	if err := busy.subscribe("m", `mutation { createTask(input: { text: "slow, on a socket" }) { task { id } } }`,
		nil); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the write to wait", func() bool { return waiting() > 0 })
	const requests = 3
	var group sync.WaitGroup
	for i := range requests {
		group.Go(func() {
			got, err := p.ask(context.WithoutCancel(t.Context()),
				`mutation ($text: String!) { createTask(input: { text: $text }) { task { id } } }`,
				map[string]any{"text": fmt.Sprint("slow ", i)}, nil)
			if err != nil || len(got.Errors) > 0 {
				t.Errorf("a request in flight failed: %v %v", err, got.Errors)
			}
		})
	}
	// and two sockets, a stream, and this one
	eventually(t, "the requests to arrive", func() bool { return p.metric("almanac_http_in_flight") == "7" })

	told := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code := idle.closed(); code != websocket.StatusGoingAway {
		t.Errorf("the idle socket was closed with %d", code)
	}
	for {
		if h, err := stream.read(); err != nil {
			break
		} else if h.kind == "complete" {
			t.Error("the stream says that the operation is complete, so its client would not come back")
		}
	}
	_, err := p.send(http.MethodGet, "/healthz", nil)
	if !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("a new connection while draining: %v", err)
	}
	if waiting() == 0 {
		t.Error("no write waits any more, so nothing was tested")
	}
	release()
	group.Wait()
	var data struct {
		CreateTask struct{ Task *struct{ ID string } }
	}
	if err := busy.next(&data); err != nil || data.CreateTask.Task == nil {
		t.Errorf("the mutation on the socket: %v %v", data, err)
	}
	if code := busy.closed(); code != websocket.StatusGoingAway {
		t.Errorf("the busy socket was closed with %d", code)
	}
	if err := p.ended(); err != nil {
		t.Errorf("it ended with %v\n%s", err, p.log)
	}
	t.Logf("ended %v after it was told", time.Since(told).Round(time.Millisecond))
	if n := len(countTasks(start(t, "--database-url="+url))); n != requests+1 {
		t.Errorf("%d tasks after the restart, want %d", n, requests+1)
	}
}

// A request that does not end is cut off when the published time is over, and the end says so.
func TestDrainIsBounded(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	p := start(t, "--database-url="+url)
	changeHead(p)
	waiting, release := heldUp(t, url)
	defer release()
	answered := make(chan error, 1)
	go func() {
		got, err := p.ask(context.WithoutCancel(t.Context()),
			`mutation { createTask(input: { text: "never" }) { task { id } } }`, nil, nil)
		if err == nil && got.code() != "" {
			err = errors.New(got.code())
		}
		answered <- err
	}()
	eventually(t, "the write to wait", func() bool { return waiting() == 1 })
	told := time.Now()
	if err := p.term(); err == nil {
		t.Error("it ended as if nothing had been cut off")
	}
	if took := time.Since(told); took < httpapi.DrainTimeout {
		t.Errorf("it gave the request %v only", took)
	}
	if err := <-answered; err == nil {
		t.Error("the request was answered as if all were well")
	} else {
		t.Log("the client saw:", err)
	}
	if s := p.log.String(); !strings.Contains(s, "requests cut off: 1") {
		t.Errorf("it does not say what was cut off: %s", s)
	}
	release()
	if n := len(countTasks(start(t, "--database-url="+url))); n > 1 {
		t.Errorf("%d tasks for one write", n)
	}
}

// New connections that come all the while are answered or refused when the server is told to stop, and none is reset:
// what the system has taken for the server, the server answers.
func TestTermResetsNoNewConnection(t *testing.T) {
	t.Parallel()
	const clients, before = 8, 100
	for range 5 {
		p := start(t, "--data-dir="+t.TempDir())
		var group sync.WaitGroup
		var answered atomic.Int64
		var told atomic.Bool
		for range clients {
			group.Go(func() {
				for !told.Load() || p.command.Process.Signal(syscall.Signal(0)) == nil {
					client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
					response, err := client.Get(p.address + "/healthz")
					if err != nil {
						if refused := new(net.OpError); !errors.As(err, &refused) || refused.Op != "dial" {
							t.Errorf("a new connection: %v", err)
						}
						return
					}
					if _, err := io.Copy(io.Discard, response.Body); err != nil {
						t.Errorf("an answer: %v", err)
					}
					_ = response.Body.Close()
					if answered.Add(1) == before {
						told.Store(true)
						if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		group.Wait()
		if err := p.ended(); err != nil {
			t.Errorf("it ended with %v\n%s", err, p.log)
		}
	}
}

// Clients that write as fast as they can when the server is told to stop see every request answered or refused on
// connecting, never lost: what is there after a restart is exactly what was acknowledged.
func TestTermAmidTrafficFailsNoRequest(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const writers, before = 16, 200
			p := start(t, flags...)
			var (
				mu           sync.Mutex
				acknowledged = map[string]bool{}
				done         atomic.Int64
				group        sync.WaitGroup
			)
			for w := range writers {
				group.Go(func() {
					// One connection each, which is kept: the request of a fresh one could still wait in the kernel, unread, when the
					// listener closes.
					client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}, Timeout: patience}
					defer client.CloseIdleConnections()
					for i := 0; ; i++ {
						id, err := p.createWith(client, fmt.Sprintf("writer-%d-task-%d", w, i))
						if refused := new(net.OpError); errors.As(err, &refused) && refused.Op == "dial" &&
							errors.Is(err, syscall.ECONNREFUSED) {
							return // the listener is closed
						}
						if err != nil {
							t.Errorf("writer %d, task %d: %v", w, i, err)
							return
						}
						mu.Lock()
						acknowledged[id] = true
						mu.Unlock()
						if done.Add(1) == before {
							if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
								t.Error(err)
							}
						}
					}
				})
			}
			group.Wait()
			if t.Failed() {
				return
			}
			if err := p.ended(); err != nil {
				t.Errorf("it ended with %v\n%s", err, p.log)
			}
			if len(acknowledged) < before {
				t.Fatalf("%d writes were acknowledged, too few to have been amid traffic", len(acknowledged))
			}
			there := countTasks(start(t, flags...))
			for id := range acknowledged {
				if there[id] != 1 {
					t.Errorf("%s was acknowledged and is there %d times", id, there[id])
				}
			}
			if len(there) != len(acknowledged) {
				t.Errorf("%d tasks are there, %d were acknowledged", len(there), len(acknowledged))
			}
		})
	}
}

// createWith adds a task by a client of its own, under a key of its own, so that the client may send again what the
// server closed an idle connection on.
func (p *process) createWith(client *http.Client, text string) (id string, err error) {
	body, err := json.Marshal(
		map[string]any{"query": `mutation ($text: String!) { createTask(input: { text: $text }) { task { id } } }`,
			"variables": map[string]any{"text": text}})
	if err != nil {
		return "", err
	}
	r, err := http.NewRequestWithContext(context.WithoutCancel(p.t.Context()), http.MethodPost, p.address+"/graphql",
		bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", text)
	response, err := client.Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close() //nolint:errcheck // read to its end
	answered, err := io.ReadAll(response.Body)
	if err != nil {
		return "", err
	}
	var got struct {
		Data struct {
			CreateTask struct{ Task *struct{ ID string } }
		}
	}
	if err := json.Unmarshal(answered, &got); err != nil {
		return "", fmt.Errorf("status %d: %s: %w", response.StatusCode, answered, err)
	}
	if got.Data.CreateTask.Task == nil {
		return "", fmt.Errorf("status %d: %s", response.StatusCode, answered)
	}
	return got.Data.CreateTask.Task.ID, nil
}
