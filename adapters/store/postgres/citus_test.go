//go:build citus

package postgres

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/pgtest"
)

// These need a coordinator and two workers: tools/engines.sh citus makes them. They are told nothing by the code under
// test: where a user's rows are is asked of Citus.

func TestCitusDistributesTheTablesOfLaterSteps(t *testing.T) {
	t.Parallel()
	s := migratedStore(t)
	if !s.citus {
		t.Fatal("the database is not Citus")
	}
	undistributed := func() (names []string) {
		b := newBatch()
		b.query(`SELECT table_name::text FROM information_schema.columns WHERE column_name = 'user_id'
AND table_schema = 'public' AND to_regclass(table_name) NOT IN (SELECT logicalrelid FROM pg_dist_partition
	WHERE partmethod = 'h' AND colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'users'::regclass))`,
			func(r *row) { names = append(names, r.text()) })
		if err := s.run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		return names
	}
	if names := undistributed(); len(names) > 0 {
		t.Errorf("not distributed with users: %v", names)
	}
	if err := s.Execute(t.Context(), "CREATE TABLE later (user_id uuid PRIMARY KEY)"); err != nil {
		t.Fatal(err)
	}
	if names := undistributed(); !slices.Equal(names, []string{"later"}) {
		t.Fatalf("a new table: %v", names)
	}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if names := undistributed(); len(names) > 0 {
		t.Errorf("after the next migration: %v", names)
	}
}

// TestCitusGoesOnForOthersWhileAWorkerIsDown: what looks for work over all users finds that of those whose server
// answers.
func TestCitusGoesOnForOthersWhileAWorkerIsDown(t *testing.T) {
	t.Parallel()
	s := migratedStore(t)
	ctx := t.Context()
	line := interpose(t, s)
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	var users, alive []model.UserID
	for i := range 16 {
		user := model.UserID{byte(i), 1}
		task := model.Task{ID: model.UUID{byte(i), 2}, Text: "t", NextReminderAt: now, CreatedAt: now, UpdatedAt: now}
		if err := s.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
			return tx.InsertTasks(ctx, []model.Task{task})
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.Execute(ctx, fmt.Sprintf(`INSERT INTO webset_feeds (user_id, seen_at, next_at, failures) VALUES ('%x',
'%[2]s', '%[2]s', 0)`, user[:], now.Format(time.RFC3339))); err != nil {
			t.Fatal(err)
		}
		users = append(users, user)
		if onWorker(t, s, user) != line.port {
			alive = append(alive, user)
		}
	}
	if len(alive) == 0 || len(alive) == len(users) {
		t.Fatalf("%d of %d users are on the other worker", len(alive), len(users))
	}
	reminded := func() []model.UserID {
		t.Helper()
		due, err := s.DueReminders(ctx, now, 100)
		if err != nil {
			t.Errorf("DueReminders: %v", err)
		}
		return sorted(due, func(one store.DueReminder) model.UserID { return one.User })
	}
	fed := func(until time.Time) []model.UserID {
		t.Helper()
		due, err := s.DueWebsetFeeds(ctx, until.Add(-time.Minute), until, 100)
		if err != nil {
			t.Errorf("DueWebsetFeeds: %v", err)
		}
		return sorted(due, func(one store.WebsetFeed) model.UserID { return one.User })
	}
	heads := func() []model.UserID {
		t.Helper()
		var watched []model.UUID
		for _, user := range users {
			watched = append(watched, model.UUID(user))
		}
		found := map[model.UserID]int64{}
		if err := s.headsOnShards(ctx, watched, found); err != nil {
			t.Errorf("heads: %v", err)
		}
		var of []model.UserID
		for user, head := range found {
			if head != 1 {
				t.Errorf("the head of %v is %d", user, head)
			}
			of = append(of, user)
		}
		return sorted(of, func(user model.UserID) model.UserID { return user })
	}
	expect := func(when, what string, got, want []model.UserID) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s: %d users, want %d", when, what, len(got), len(want))
		}
	}
	expect("all up", "reminders", reminded(), users)
	expect("all up", "feeds", fed(now.Add(time.Minute)), users)
	expect("all up", "feeds that are claimed", fed(now.Add(time.Minute)), nil)
	expect("all up", "heads", heads(), users)
	line.cut()
	expect("one down", "reminders", reminded(), alive)
	expect("one down", "feeds", fed(now.Add(3*time.Minute)), alive)
	expect("one down", "heads", heads(), alive)
	if err := s.Ready(ctx); err != nil {
		t.Errorf("one down, Ready: %v", err)
	}
	line.mend()
	expect("up again", "reminders", reminded(), users)
}

func sorted[T any](all []T, user func(T) model.UserID) []model.UserID {
	var users []model.UserID
	for _, one := range all {
		users = append(users, user(one))
	}
	slices.SortFunc(users, func(a, b model.UserID) int { return slices.Compare(a[:], b[:]) })
	return users
}

// onWorker returns the port of the server that has the user's rows.
func onWorker(t *testing.T, s *Store, user model.UserID) (port int32) {
	t.Helper()
	b := newBatch()
	b.query(fmt.Sprintf(`SELECT nodeport::integer FROM pg_dist_shard_placement
WHERE shardid = get_shard_id_for_distribution_column('users', '%x'::uuid)`, user[:]), func(r *row) { port = r.int32() })
	if err := s.run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	return port
}

// line is a way to a worker that can be cut.
type line struct {
	t        *testing.T
	to       string
	port     int32
	mu       sync.Mutex
	listener net.Listener
	open     []net.Conn
}

// interpose has Citus reach its last worker through a line.
func interpose(t *testing.T, s *Store) *line {
	t.Helper()
	all := strings.Split(os.Getenv(pgtest.CitusVariable), ",")
	l := &line{t: t, to: all[len(all)-1]}
	l.mend()
	_, port, _ := net.SplitHostPort(l.to)
	const move = "SELECT citus_update_node(nodeid, '127.0.0.1', %s) FROM pg_dist_node WHERE nodeport = %s"
	mine := fmt.Sprint(l.port)
	t.Cleanup(func() { // the database is dropped afterwards
		l.mend()
		if err := s.Execute(context.Background(), fmt.Sprintf(move, port, mine)); err != nil {
			t.Error(err)
		}
		l.cut()
	})
	if err := s.Execute(t.Context(), fmt.Sprintf(move, mine, port)); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.listener.Close()
	for _, conn := range l.open {
		_ = conn.Close()
	}
	l.listener, l.open = nil, nil
}

func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.listener != nil {
		return
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", l.port))
	if err != nil {
		l.t.Error(err)
		return
	}
	l.listener, l.port = listener, int32(listener.Addr().(*net.TCPAddr).Port)
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", l.to)
			if err != nil {
				_ = from.Close()
				continue
			}
			l.mu.Lock()
			l.open = append(l.open, from, to)
			l.mu.Unlock()
			go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
			go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
		}
	}()
}
