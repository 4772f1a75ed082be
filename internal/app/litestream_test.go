//go:build litestream

package app_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"almanac/graph/model"
)

// behind is what a replica may be behind when the machine is lost: Litestream copies each second, and the rest is for a
// machine with other work.
const behind = 5 * time.Second

// replicate runs Litestream, whose program is named by LITESTREAM, until the function that is returned kills it.
func replicate(t *testing.T, database, replica string) (kill func()) {
	t.Helper()
	command := exec.Command(os.Getenv("LITESTREAM"), "replicate", database, replica) //nolint:gosec // our own choice
	var log output
	command.Stdout, command.Stderr = &log, &log
	if err := command.Start(); err != nil {
		t.Fatalf("LITESTREAM must name Litestream's program: %v", err)
	}
	kill = sync.OnceFunc(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if strings.Contains(log.String(), "level=ERROR") {
			t.Errorf("Litestream met an error:\n%s", log.String())
		}
	})
	t.Cleanup(kill)
	return kill
}

// acknowledged is a list that a server has made.
type acknowledged struct {
	id string
	at time.Time
}

// makeLists makes one list after another until it is told to stop, or the server is gone, and returns those that were
// acknowledged.
func makeLists(p *process, stop <-chan struct{}, made chan<- acknowledged) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		r, err := p.send("POST", "/graphql", fmt.Appendf(nil,
			`{"query":"mutation { createList(input: { name: \"%d\" }) { list { id } } }"}`, time.Now().UnixNano()),
			"Content-Type", "application/json")
		if err != nil {
			return
		}
		if _, rest, found := bytes.Cut(r.body, []byte(`"id":"`)); found {
			id, _, _ := bytes.Cut(rest, []byte(`"`))
			made <- acknowledged{string(id), time.Now()}
		}
	}
}

// A machine is lost with its database while it is written to; Litestream was killed and restarted, and so was the
// server. What is restored from the replica is the database as it was at one moment, at most a few seconds before
// Litestream ended: the lists that one client made one after another are there up to one of them, and none after it. It
// answers the same with the same ids and cursors; a cursor of the change log that was given out later is a conflict.
func TestAContinuousCopy(t *testing.T) {
	folder := t.TempDir()
	one, two := "--data-dir="+filepath.Join(folder, "one"), "--data-dir="+filepath.Join(folder, "two")
	database, replica := filepath.Join(folder, "one", "almanac.db"), "file://"+filepath.Join(folder, "replica")

	var made []acknowledged
	var count atomic.Int64
	lists := make(chan acknowledged)
	var collected sync.WaitGroup
	collected.Go(func() {
		for list := range lists {
			made = append(made, list)
			count.Add(1)
		}
	})
	// during lets a client write until f has returned.
	during := func(p *process, f func()) {
		stop, gone := make(chan struct{}), make(chan struct{})
		go func() { defer close(gone); makeLists(p, stop, lists) }()
		f()
		close(stop)
		<-gone
	}
	more := func() {
		before := count.Load()
		eventually(t, "the client goes on", func() bool { return count.Load() > before+200 })
	}
	copies := func() int {
		files, err := filepath.Glob(filepath.Join(folder, "replica", "ltx", "0", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	copied := func() {
		before := copies()
		eventually(t, "Litestream copies what is written", func() bool { return copies() > before+2 })
	}

	first := start(t, one, "--demo")
	const settled = `{ tasks(first: 5, orderBy: { field: CREATED_AT }) { edges { cursor node { id text version createdAt } } }
		memories(first: 3) { edges { cursor node { id content tags } } } }`
	before, _ := first.post(settled, nil)
	var log struct {
		Changes struct {
			Edges        []struct{ Cursor string }
			LatestCursor string
		}
	}
	kill := replicate(t, database, replica)
	during(first, copied)
	kill()
	during(first, more) // nobody copies meanwhile
	kill = replicate(t, database, replica)
	during(first, func() { copied(); first.kill() })
	again := start(t, one)
	var lost time.Time
	during(again, func() {
		begun := time.Now()
		eventually(t, "enough is written before the machine is lost", func() bool { return time.Since(begun) > 2*behind })
		kill()
		lost = time.Now()
		more() // what is made now is in no replica
		again.mustAsk(`{ changes(first: 2) { edges { cursor } latestCursor } }`, nil, &log)
		again.kill()
	})
	close(lists)
	collected.Wait()

	restored := filepath.Join(folder, "restored.db")
	restore := exec.Command(os.Getenv("LITESTREAM"), "restore", "-o", restored, replica) //nolint:gosec // our own choice
	if out, err := restore.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	mustRun(t, "restore", restored, two)
	second := start(t, two)
	if after, _ := second.post(settled, nil); !bytes.Equal(before.body, after.body) {
		t.Errorf("before\n%s\nafter\n%s", before.body, after.body)
	}
	there := 0
	for i, list := range made {
		r, _ := second.post(`query ($id: ID!) { node(id: $id) { id } }`, map[string]any{"id": list.id})
		switch found := bytes.Contains(r.body, []byte(`{"id":"`+list.id+`"}`)); {
		case found && there < i:
			t.Fatalf("list %d is there, and list %d before it is not", i, there)
		case found:
			there++
		case list.at.Before(lost.Add(-behind)):
			t.Errorf("list %d was acknowledged %v before the machine was lost, and is not there", i, lost.Sub(list.at))
		}
	}
	if there == 0 || there == len(made) {
		t.Fatalf("%d of %d acknowledged lists are there", there, len(made))
	}
	t.Logf("%d of %d acknowledged lists are there; the newest that is was acknowledged %v before the end", there,
		len(made), lost.Sub(made[there-1].at))
	for cursor, want := range map[string]model.ErrorCode{
		log.Changes.Edges[1].Cursor: "", log.Changes.LatestCursor: model.CodeConflict,
	} {
		if r, a := second.post(`query ($after: String) { changes(first: 3, after: $after) { edges { cursor } } }`,
			map[string]any{"after": cursor}); a.code() != string(want) {
			t.Errorf("a cursor gives %q, not %q: %s", a.code(), want, r.body)
		}
	}
}
