//go:build bench

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"
)

const (
	// liveChanges is how many changes are made for one figure, one after the other.
	liveChanges = 60
	// liveSettles is how long a server is left alone before its memory is read.
	liveSettles = 5 * time.Second
	// liveGOGC holds the heap close to what is live, so that memory is not mostly garbage.
	liveGOGC = "GOGC=10"

	liveDocument = `subscription { taskChanged { id operation cursor task { id text category dueDate completed ` +
		`itemContext { isReminder isTask isRecurring isOverdue isToday hasDueDate } } } }`
)

// live is what sockets of one user cost.
type live struct {
	sockets int
	// idle is the memory of a socket with one subscription that hears nothing, in bytes.
	idle float64
	// processor is the server's processor time for a message, median over the changes, without that of the write.
	processor time.Duration
	// statements are the transactions that the database counts for a change beyond those of the write; negative where
	// it does not count.
	statements float64
	// last is when the last socket had heard after the write was answered, for each change.
	last []time.Duration
}

// measureLive measures subscriptions on sockets of one user.
func measureLive(ctx context.Context, o options, d database, program string, out, progress io.Writer) error {
	p, err := newPerson(time.Now(), "listener")
	if err != nil {
		return err
	}
	found := live{sockets: o.sockets}
	fmt.Fprintf(progress, "opening %d sockets for their memory, load average %s\n", o.sockets, loadAverage())
	if err := found.measureIdle(ctx, d, program, p); err != nil {
		return fmt.Errorf("idle sockets: %w", err)
	}
	fmt.Fprintf(progress, "making %d changes for %d sockets, load average %s\n", liveChanges, o.sockets, loadAverage())
	if err := found.measureChanges(ctx, d, program, p); err != nil {
		return fmt.Errorf("changes: %w", err)
	}
	found.write(out)
	return nil
}

func (l *live) measureIdle(ctx context.Context, d database, program string, p *person) (err error) {
	s, err := start(ctx, program, almanacArgs("warn"), almanacEnvironment(d, liveGOGC))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	few, err := openListeners(ctx, s.address, p, 10)
	if err != nil {
		return err
	}
	defer few.close()
	time.Sleep(liveSettles)
	before := memory(s.pid()).private
	many, err := openListeners(ctx, s.address, p, l.sockets)
	if err != nil {
		return err
	}
	defer many.close()
	if _, err := createTask(ctx, s.address, p, 0); err != nil { // wakes everybody once
		return err
	}
	if err := many.wait(ctx, 1); err != nil {
		return err
	}
	time.Sleep(liveSettles)
	l.idle = float64(memory(s.pid()).private-before) / float64(l.sockets)
	return nil
}

func (l *live) measureChanges(ctx context.Context, d database, program string, p *person) (err error) {
	s, err := start(ctx, program, almanacArgs("warn"), almanacEnvironment(d))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	alone, aloneCommits, _, err := l.change(ctx, s, d, p, nil)
	if err != nil {
		return err
	}
	all, err := openListeners(ctx, s.address, p, l.sockets)
	if err != nil {
		return err
	}
	defer all.close()
	heard, commits, last, err := l.change(ctx, s, d, p, all)
	if err != nil {
		return err
	}
	l.last = last
	l.processor = (heard - alone) / time.Duration(l.sockets*liveChanges)
	l.statements = -1
	if d.url != "" {
		l.statements = float64(commits-aloneCommits) / liveChanges
	}
	return nil
}

// change makes the changes and returns the processor time of the server, the commits that its database has counted, and
// when the last listener had heard each.
func (l *live) change(ctx context.Context, s *process, d database, p *person, all *listeners) (used time.Duration,
	commits int64, last []time.Duration, err error) {
	if _, err := createTask(ctx, s.address, p, 0); err != nil { // makes the user, and the server's caches
		return 0, 0, nil, err
	}
	if err := all.wait(ctx, 1); err != nil {
		return 0, 0, nil, err
	}
	commitsBefore, err := d.commits(ctx)
	if err != nil {
		return 0, 0, nil, err
	}
	before := processCPU(s.pid())
	for i := range liveChanges {
		answered, err := createTask(ctx, s.address, p, i)
		if err != nil {
			return 0, 0, nil, err
		}
		if err := all.wait(ctx, int64(i)+2); err != nil {
			return 0, 0, nil, err
		}
		if all != nil {
			last = append(last, time.Unix(0, all.latest.Load()).Sub(answered))
		}
	}
	used = processCPU(s.pid()) - before
	time.Sleep(1500 * time.Millisecond) // a session of PostgreSQL reports what it counts once a second
	commitsAfter, err := d.commits(ctx)
	return used, commitsAfter - commitsBefore, last, err
}

// commits are the transactions that PostgreSQL has counted for the database; 0 for SQLite.
func (d database) commits(ctx context.Context) (count int64, err error) {
	if d.url == "" {
		return 0, nil
	}
	conn, err := pgx.Connect(ctx, d.url)
	if err != nil {
		return 0, err
	}
	err = conn.QueryRow(ctx, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()").Scan(&count)
	return count, errors.Join(err, conn.Close(ctx))
}

// createTask adds a task and returns when that was answered.
func createTask(ctx context.Context, address string, p *person, number int) (time.Time, error) {
	return createTaskOf(ctx, address, p, fmt.Sprintf("%s (%d)", textOf(number), time.Now().UnixNano()))
}

func createTaskOf(ctx context.Context, address string, p *person, text string) (time.Time, error) {
	body, err := json.Marshal(map[string]any{
		"query": `mutation ($text: String!) {
			createTask(input: { text: $text, dueDate: "2030-01-02T10:00:00Z" }) { task { id } } }`,
		"variables": map[string]any{"text": text},
	})
	if err != nil {
		return time.Time{}, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/graphql", bytes.NewReader(body))
	if err != nil {
		return time.Time{}, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+p.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return time.Time{}, err
	}
	answered := time.Now()
	told, err := io.ReadAll(response.Body)
	_ = response.Body.Close() // it was read
	if err != nil {
		return time.Time{}, err
	}
	if !strings.Contains(string(told), `"id":"task_`) {
		return time.Time{}, fmt.Errorf("createTask: status %d: %.300s", response.StatusCode, told)
	}
	return answered, nil
}

// listeners are sockets with one subscription each.
type listeners struct {
	conns []net.Conn
	group errgroup.Group
	// acknowledged counts the connection_acks, heard the messages of subscriptions; latest is when the last came.
	acknowledged, heard, latest atomic.Int64
}

// openListeners opens so many sockets, and returns when the server has taken all subscriptions.
func openListeners(ctx context.Context, address string, p *person, count int) (*listeners, error) {
	l := &listeners{}
	for range count {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
		if err != nil {
			return nil, err
		}
		l.conns = append(l.conns, conn)
		_, err = io.WriteString(conn, "GET /graphql HTTP/1.1\r\nHost: "+address+"\r\nConnection: Upgrade\r\n"+
			"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"+
			"Sec-WebSocket-Protocol: graphql-transport-ws\r\nAuthorization: Bearer "+p.token+"\r\n\r\n")
		if err != nil {
			return nil, err
		}
		reader := bufio.NewReaderSize(conn, 1<<10)
		for line := ""; line != "\r\n"; { // the answer's head
			if line, err = reader.ReadString('\n'); err != nil {
				return nil, err
			}
		}
		if err := sendFrame(conn, `{"type":"connection_init"}`); err != nil {
			return nil, err
		}
		if err := sendFrame(conn, `{"id":"1","type":"subscribe","payload":{"query":"`+liveDocument+`"}}`); err != nil {
			return nil, err
		}
		if err := sendFrame(conn, `{"id":"2","type":"subscribe","payload":{"query":"{ viewer { id } }"}}`); err != nil {
			return nil, err
		}
		l.group.Go(func() error { return l.listen(reader) })
	}
	for l.acknowledged.Load() < int64(count) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Second) // the subscriptions were sent before what was answered, and start beside it
	return l, nil
}

// listen reads until the connection ends.
func (l *listeners) listen(from *bufio.Reader) error {
	var head [10]byte
	text := make([]byte, 0, 1<<10)
	for {
		if _, err := io.ReadFull(from, head[:2]); err != nil {
			return nil //nolint:nilerr // it was closed
		}
		length := int(head[1])
		if length == 126 {
			if _, err := io.ReadFull(from, head[2:4]); err != nil {
				return err
			}
			length = int(binary.BigEndian.Uint16(head[2:4]))
		} else if length == 127 {
			return errors.New("a message that is longer than any here")
		}
		text = slices.Grow(text[:0], length)[:length]
		if _, err := io.ReadFull(from, text); err != nil {
			return nil //nolint:nilerr // it was closed
		}
		switch {
		case bytes.HasPrefix(text, []byte(`{"id":"2","type":"next"`)):
			l.acknowledged.Add(1)
		case bytes.HasPrefix(text, []byte(`{"id":"1","type":"next"`)):
			l.latest.Store(time.Now().UnixNano())
			l.heard.Add(1)
		case bytes.Contains(text, []byte(`"type":"error"`)):
			return fmt.Errorf("a socket was answered %.300s", text)
		}
	}
}

// wait returns when every listener has heard so many messages.
func (l *listeners) wait(ctx context.Context, messages int64) error {
	if l == nil {
		return nil
	}
	want, deadline := messages*int64(len(l.conns)), time.Now().Add(time.Minute)
	for l.heard.Load() < want {
		if ctx.Err() != nil || time.Now().After(deadline) {
			return fmt.Errorf("%d messages of %d were heard: %w", l.heard.Load(), want, ctx.Err())
		}
		time.Sleep(200 * time.Microsecond)
	}
	return nil
}

func (l *listeners) close() {
	for _, conn := range l.conns {
		_ = conn.Close()
	}
	_ = l.group.Wait()
}

// sendFrame writes a text frame of a client, whose mask is zero.
func sendFrame(conn net.Conn, text string) error {
	frame := []byte{0x81, 0xfe, 0, 0, 0, 0, 0, 0}
	binary.BigEndian.PutUint16(frame[2:], uint16(len(text)))
	_, err := conn.Write(append(frame, text...))
	return err
}

// write writes them as Markdown.
func (l *live) write(w io.Writer) {
	fmt.Fprintf(w, "\n### Subscriptions\n\n%d sockets of one user, each with `%s`; %d changes, one after the other. "+
		"Memory is private memory under %s, read %v after the last change; processor time is that of the server beyond the "+
		"write's. Heard counts from the answer to the write, in milliseconds.\n\n",
		l.sockets, liveDocument, liveChanges, liveGOGC, liveSettles)
	fmt.Fprintln(w, "| KiB a socket idle | CPU µs a message | commits a change | last has heard: median | worst |")
	fmt.Fprintln(w, "|--:|--:|--:|--:|--:|")
	statements := "not counted"
	if l.statements >= 0 {
		statements = fmt.Sprintf("%.1f", l.statements)
	}
	millis := each(l.last, func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) })
	_, worst := bounds(millis)
	fmt.Fprintf(w, "| %.1f | %.1f | %s | %.1f | %.1f |\n", l.idle/1024, float64(l.processor)/float64(time.Microsecond),
		statements, median(millis), worst)
}
