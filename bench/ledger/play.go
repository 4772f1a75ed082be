//go:build bench

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/graph/model"
)

// runner is what a scenario does. An error says that it could not be done; breaches of promises are in the result.
type runner interface {
	run(ctx context.Context, sc scenario) (*result, error)
}

// play writes while things break, and audits at the end.
type play struct {
	harness *harness
	stage   *stage
	people  []*person
	// writers and listeners of all people.
	writers   []*writer
	listeners []*listener
	reader    *reader
	// unaffected are the users who must notice nothing of the faults, if any.
	unaffected map[model.UserID]bool
}

// catchUp bounds how long listeners may lag behind after the last fault. It is met only when one misses something.
const catchUp = 30 * time.Second

func (p *play) run(ctx context.Context, sc scenario) (*result, error) {
	var err error
	if p.stage, err = p.harness.newStage(ctx, sc); err != nil {
		return nil, err
	}
	if p.people, err = newPeople(time.Now(), p.harness.options.users); err != nil {
		return nil, err
	}
	if err := p.cast(ctx, sc); err != nil {
		return nil, err
	}
	if sc.isolates {
		if p.unaffected, err = p.stage.unaffected(ctx, p.people); err != nil {
			return nil, err
		}
	}
	r := newResult(sc)
	var stopped atomic.Bool
	var writing, listening sync.WaitGroup
	hearing, deafen := context.WithCancel(ctx)
	defer deafen()
	for _, one := range p.listeners {
		listening.Go(func() { one.run(hearing) })
	}
	listening.Go(func() { p.reader.run(hearing) })
	began := time.Now()
	for _, one := range p.writers {
		writing.Go(func() { one.run(ctx, &stopped) })
	}
	broke := p.stage.breakThings(ctx, sc, p.harness.options.scale)
	r.lasted = time.Since(began)
	stopped.Store(true)
	writing.Wait()
	if err := errors.Join(broke, ctx.Err()); err != nil {
		return nil, errors.Join(err, p.stage.close())
	}
	logs, err := p.readLogs(ctx)
	if err == nil {
		p.waitForListeners(ctx, logs)
	}
	deafen()
	listening.Wait()
	if err := errors.Join(err, p.stage.close()); err != nil {
		return nil, err
	}
	p.collect(r)
	if err := p.audit(r, logs); err != nil {
		return nil, err
	}
	return r, nil
}

// cast makes writers and listeners, and finds where the listeners begin.
func (p *play) cast(ctx context.Context, sc scenario) error {
	random := func(n int) *rand.Rand {
		return rand.New(rand.NewPCG(p.harness.options.seed, uint64(p.harness.stages*1000+n))) //nolint:gosec // no secret
	}
	p.reader = &reader{person: p.people[0], where: p.stage.where(random(500)), patience: sc.patience, tally: newTally()}
	for _, person := range p.people {
		for i := range p.harness.options.perUser {
			n := len(p.writers)
			w := &writer{
				person: person, where: p.stage.where(random(n)), patience: sc.patience, rough: !sc.orderly,
				recovery: p.stage.recovery,
				random:   random(100 + n), tally: newTally(),
				script: &script{book: newBook(person.number), name: fmt.Sprintf("u%d-w%d", person.number, i),
					random: random(200 + n)},
			}
			p.writers = append(p.writers, w)
		}
		begin, err := p.head(ctx, person)
		if err != nil {
			return err
		}
		for i, kind := range []string{kindTask, kindList} {
			n := len(p.listeners)
			p.listeners = append(p.listeners, &listener{
				person: person, kind: kind, byEvents: (person.number+i)%2 == 1, where: p.stage.where(random(300 + n)),
				dropsAfter: 2000, random: random(400 + n), begin: begin, ends: map[string]int{},
			})
		}
	}
	return nil
}

// ask asks a server that has to answer, within a few attempts: the last fault may be just over.
func (p *play) ask(ctx context.Context, person *person, query string, variables, into any) error {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return err
	}
	var w wire
	defer w.close()
	address := p.stage.servers[0].address
	for attempt := 1; ; attempt++ {
		r, err := w.do(ctx, address, requestBytes(address, person.token, "", body), 10*time.Second, 0)
		data, outcome := judge(r, err)
		if outcome == outcomeDone {
			return json.Unmarshal(data, into)
		}
		if attempt == 20 {
			return fmt.Errorf("no answer to %s: %s %s", query, classOf(r, err), clip(r.body))
		}
		pause(ctx, 100*time.Millisecond)
	}
}

func (p *play) head(ctx context.Context, person *person) (string, error) {
	var got struct{ Changes struct{ LatestCursor string } }
	err := p.ask(ctx, person, `{ changes(first: 1) { latestCursor } }`, nil, &got)
	return got.Changes.LatestCursor, err
}

// logKey names a log: that of one user and one kind.
type logKey struct {
	user int
	kind string
}

// readLogs reads the change log through the API, page by page.
func (p *play) readLogs(ctx context.Context) (map[logKey][]heard, error) {
	logs := map[logKey][]heard{}
	for _, person := range p.people {
		for _, kind := range []string{kindTask, kindList} {
			log, err := p.readLog(ctx, person, kind)
			if err != nil {
				return nil, fmt.Errorf("read the change log: %w", err)
			}
			logs[logKey{person.number, kind}] = log
		}
	}
	return logs, nil
}

func (p *play) readLog(ctx context.Context, person *person, kind string) ([]heard, error) {
	const query = `query ($after: String, $types: [ChangeType!]) { changes(after: $after, first: 100, types: $types) {
		nodes { cursor operation id: nodeId } pageInfo { hasNextPage endCursor } } }`
	var log []heard
	var after *string
	for {
		var got struct {
			Changes struct {
				Nodes    []heard
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		if err := p.ask(ctx, person, query, map[string]any{"after": after, "types": []string{kind}}, &got); err != nil {
			return nil, err
		}
		log = append(log, got.Changes.Nodes...)
		if !got.Changes.PageInfo.HasNextPage {
			return log, nil
		}
		after = got.Changes.PageInfo.EndCursor
	}
}

// waitForListeners waits until all have heard as much as there is, and a moment longer for what may come twice.
func (p *play) waitForListeners(ctx context.Context, logs map[logKey][]heard) {
	deadline := time.Now().Add(catchUp)
	for time.Now().Before(deadline) && ctx.Err() == nil {
		behind := false
		for _, one := range p.listeners {
			behind = behind || one.count() < len(logs[logKey{one.person.number, one.kind}])
		}
		if !behind {
			break
		}
		pause(ctx, 20*time.Millisecond)
	}
	pause(ctx, 500*time.Millisecond)
}

// audit reads the database past the server and compares everything with it.
func (p *play) audit(r *result, logs map[logKey][]heard) error {
	from, err := p.stage.open()
	if err != nil {
		return err
	}
	for _, person := range p.people {
		t, err := readTruth(from, person.id)
		if err != nil {
			return errors.Join(err, from.close())
		}
		var books []*book
		for _, one := range p.writers {
			if one.person == person {
				books = append(books, one.script.book)
			}
		}
		r.breaches.audit(books, t)
		r.rows += len(t.changes)
		for _, kind := range []string{kindTask, kindList} {
			r.breaches.auditLog(person.number, kind, logs[logKey{person.number, kind}], t)
		}
	}
	for _, one := range p.listeners {
		r.breaches.auditListener(one.name(), one.all, logs[logKey{one.person.number, one.kind}])
		r.heard += len(one.all)
	}
	if err := from.close(); err != nil {
		return err
	}
	if p.stage.file != "" {
		return checkSQLite(p.stage.file)
	}
	return nil
}

// collect sums up what everybody saw.
func (p *play) collect(r *result) {
	for _, one := range p.writers {
		r.tally.add(one.tally)
	}
	r.reads, r.readClasses = p.reader.tally.acks, p.reader.tally.classes
	maps.Copy(r.tally.messages, p.reader.tally.messages)
	for _, fault := range append(r.tally.faults, p.reader.tally.faults...) {
		r.breaches.note(&r.breaches.other, "%s", fault)
	}
	for _, classes := range []map[string]int{r.tally.classes, r.readClasses} {
		for class, n := range classes {
			if strings.HasPrefix(class, "500") || strings.HasSuffix(class, "INTERNAL") {
				r.breaches.note(&r.breaches.other, "%d answers say %s, which blames the program for what was broken around it", n,
					class)
			}
		}
	}
	for _, one := range p.listeners {
		r.connections += one.connections
		for how, n := range one.ends {
			r.ends[how] += n
		}
	}
	r.marks, r.faults, r.recovery, r.terms = p.stage.marks, p.stage.faults, p.stage.recovery, p.stage.terms
	for _, one := range r.terms {
		if one.err != nil {
			r.breaches.note(&r.breaches.other, "a server that was asked to end ended with %v after %v", one.err, one.took)
		}
	}
	p.stage.collectLogs(r)
	if r.scenario.orderly {
		p.collectOrderly(r)
	}
	if p.unaffected != nil {
		r.marks["acknowledged writes of the users of the other worker"] = r.breaches.auditUnaffected(p.writers, p.unaffected)
	}
}

// collectOrderly holds an orderly end to its promise: whoever was let in is answered.
func (p *play) collectOrderly(r *result) {
	if r.tally.cutOff > 0 {
		r.breaches.note(&r.breaches.other,
			"%d writes were done and their answers cut off, though the server was only asked to end", r.tally.cutOff)
	}
	for class, n := range r.tally.classes {
		switch class {
		// at the door; none of them was done, or cutOff would count it
		case brokenRefused, brokenBefore, brokenKept, brokenSend:
		default:
			r.breaches.note(&r.breaches.other, "%d requests failed with %q, though the server was only asked to end", n, class)
		}
	}
	for how, n := range r.ends {
		if how == "socket: cut without a close code" {
			r.breaches.note(&r.breaches.other, "%d sockets were not told that the server ends", n)
		}
	}
}
