package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/teststore"
)

// patience is how long a test waits for what must come; only a failing test waits so long.
const patience = 20 * time.Second

func awaits(t *testing.T, what string, signals <-chan struct{}) {
	t.Helper()
	select {
	case <-signals:
	case <-time.After(patience):
		t.Fatalf("no signal: %s", what)
	}
}

// listening says how a store hears of the commits of another process.
var listening = map[string]func(url string) postgres.Options{
	"by listening": func(url string) postgres.Options { return postgres.Options{URL: url} },
	"behind a pooler, by asking": func(url string) postgres.Options {
		return postgres.Options{URL: url, Pooler: true, PollInterval: 5 * time.Millisecond}
	},
	"behind a pooler, listening past it": func(url string) postgres.Options {
		return postgres.Options{URL: url, Pooler: true, ListenURL: url}
	},
}

// TestEveryCommitIsHeardAcrossProcesses follows one process's commits in another by signals alone, while what carries
// the signals is cut again and again.
func TestEveryCommitIsHeardAcrossProcesses(t *testing.T) {
	for name, options := range listening {
		t.Run(name, func(t *testing.T) {
			url := teststore.NewPostgres(t)
			own := options(url)
			if own.PollInterval == 0 { // only what is heard counts
				own.PollInterval = time.Hour
			}
			writer, reader := open(t, postgres.Options{URL: url}), open(t, own)
			signals, stop := reader.Watch(dana)
			defer stop()
			for range 5 { // one by one: no other commit can stand in for the signal of this one
				if err := insert(t.Context(), writer, dana, newTask("x")); err != nil {
					t.Fatal(err)
				}
				awaits(t, "of one commit", signals)
				drain(reader, signals)
			}
			const commits = 150
			var writing sync.WaitGroup
			writing.Go(func() {
				for i := range commits {
					if err := insert(t.Context(), writer, dana, newTask("x")); err != nil {
						t.Error(err)
					}
					if i%25 == 10 {
						execute(t, writer,
							"SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE datname = current_database() AND "+
								"query LIKE 'LISTEN%'")
					}
				}
			})
			for after := int64(5); after < 5+commits; {
				awaits(t, "more commits are to come", signals)
				changes, err := reader.Changes(t.Context(), dana, after, nil, 1000)
				if err != nil {
					t.Fatal(err)
				}
				after += int64(len(changes))
			}
			writing.Wait()
		})
	}
}

// drain takes the signals that a commit may have left beside the first: those of a connection that came to stand
// meanwhile.
func drain(s *postgres.Store, signals <-chan struct{}) {
	s.Quiet()
	select {
	case <-signals:
	default:
	}
}

// TestTheListeningConnectionComesBack cuts it and keeps it away while something is committed: that signal comes as soon
// as it stands again.
func TestTheListeningConnectionComesBack(t *testing.T) {
	url := teststore.NewPostgres(t)
	p, through := newProxy(t, url)
	writer, reader := open(t, postgres.Options{URL: url}),
		open(t, postgres.Options{URL: url, ListenURL: through, PollInterval: time.Hour})
	signals, stop := reader.Watch(dana)
	defer stop()
	awaits(t, "the connection stands", signals)
	p.stop()
	if err := insert(t.Context(), writer, dana, newTask("unheard")); err != nil {
		t.Fatal(err)
	}
	p.start()
	awaits(t, "of what was committed meanwhile", signals)
	head, err := reader.ChangeHead(t.Context(), dana)
	if err != nil || head != 1 {
		t.Errorf("head %d, %v", head, err)
	}
	if err := insert(t.Context(), writer, dana, newTask("heard")); err != nil {
		t.Fatal(err)
	}
	awaits(t, "it hears again", signals)
}

func TestARolledBackWriteIsNotHeard(t *testing.T) {
	url := teststore.NewPostgres(t)
	s := open(t, postgres.Options{URL: url, PollInterval: time.Hour})
	signals, stop := s.Watch(dana)
	defer stop()
	other, stopOther := s.Watch(model.UserIDOf("other"))
	defer stopOther()
	awaits(t, "the connection stands", signals)
	awaits(t, "the connection stands", other)
	failed := context.Canceled
	err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		if err := tx.InsertTasks(ctx, []model.Task{newTask("x")}); err != nil {
			t.Error(err)
		}
		return failed
	})
	if err == nil {
		t.Fatal("no error")
	}
	// Signals come in the order of the commits: when the other's is here, this one's would be.
	if err := insert(t.Context(), s, model.UserIDOf("other"), newTask("x")); err != nil {
		t.Fatal(err)
	}
	awaits(t, "the other's commit", other)
	select {
	case <-signals:
		t.Error("a signal of a write that was rolled back")
	default:
	}
}

// TestAKilledProcessNotice: a process that dies between a commit and its notice is noticed all the same.
func TestAKilledProcessNotice(t *testing.T) {
	url := teststore.NewPostgres(t)
	writer, reader := open(t, postgres.Options{URL: url}),
		open(t, postgres.Options{URL: url, PollInterval: 10 * time.Millisecond})
	if err := insert(t.Context(), writer, dana, newTask("x")); err != nil {
		t.Fatal(err)
	}
	signals, stop := reader.Watch(dana)
	defer stop()
	for range 3 {
		// As the transaction of that process would, and no more.
		execute(t, writer, "UPDATE users SET change_seq = change_seq + 1")
		awaits(t, "without a notice", signals)
	}
}

// TestTheLastNoticeIsSent: a process that writes and ends at once tells the others before it goes.
func TestTheLastNoticeIsSent(t *testing.T) {
	url := teststore.NewPostgres(t)
	reader := open(t, postgres.Options{URL: url, PollInterval: time.Hour})
	signals, stop := reader.Watch(dana)
	defer stop()
	awaits(t, "the connection stands", signals)
	for range 10 {
		writer := open(t, postgres.Options{URL: url})
		if err := insert(t.Context(), writer, dana, newTask("x")); err != nil {
			t.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		awaits(t, "of a process that has ended", signals)
	}
}

// TestCloseWaits: a transaction that runs is finished, and one that comes later, even inside of it, is refused rather
// than waited for.
func TestCloseWaits(t *testing.T) {
	url := teststore.NewPostgres(t)
	s, other := open(t, postgres.Options{URL: url}), open(t, postgres.Options{URL: url})
	task := newTask("finished")
	inside, closed := make(chan struct{}), make(chan error, 1)
	go func() {
		<-inside
		closed <- s.Close()
	}()
	err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
		close(inside)
		for {
			// A context that knows nothing of this transaction.
			if err := insert(t.Context(), s, model.UserIDOf("other"), newTask("x")); err != nil {
				return tx.InsertTasks(ctx, []model.Task{task})
			}
		}
	})
	if err != nil {
		t.Errorf("the write: %v", err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close: %v", err)
	}
	if !isThere(t, other, dana, task) {
		t.Error("the task is not there")
	}
}

// TestWatchAfterClose: a watcher that comes too late waits for ever, and starts nothing.
func TestWatchAfterClose(t *testing.T) {
	s := open(t, postgres.Options{URL: teststore.NewPostgres(t)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	signals, stop := s.Watch(dana)
	stop()
	stop()
	select {
	case <-signals:
		t.Error("a signal of a closed store")
	default:
	}
	if err := insert(t.Context(), s, dana, newTask("x")); err == nil {
		t.Error("a closed store wrote")
	}
}

// TestOtherChangesLeaveTheSettingsAlone: whoever remembers settings is not signalled for what did not change them, in
// this process or another.
func TestOtherChangesLeaveTheSettingsAlone(t *testing.T) {
	url := teststore.NewPostgres(t)
	own := open(t, postgres.Options{URL: url, PollInterval: time.Hour}) // only what is heard counts
	settings, stop := own.WatchSettings(dana)
	defer stop()
	all, stopAll := own.Watch(dana)
	defer stopAll()
	awaits(t, "the connection stands", settings)
	drain(own, all)
	for name, writer := range map[string]*postgres.Store{"this process": own,
		"another": open(t, postgres.Options{URL: url})} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				if err := insert(t.Context(), writer, dana, newTask("x")); err != nil {
					t.Fatal(err)
				}
				awaits(t, "of a task", all)
			}
			own.Quiet()
			if len(settings) > 0 {
				t.Error("a signal of tasks")
			}
			if err := writer.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
				return tx.SaveSettings(ctx, model.Settings{TimeZone: "UTC", Locale: "en", WeekStart: model.Monday})
			}); err != nil {
				t.Fatal(err)
			}
			awaits(t, "of settings", settings)
			awaits(t, "of settings", all)
		})
	}
	// Of a program that does not know the mark, nobody knows.
	execute(t, own, "SELECT pg_notify('almanac_changes', 'OLDER "+dana.String()+"')")
	awaits(t, "of a notice without a mark", settings)
}

// TestAKilledProcessNoticeOfSettings: nobody has said what was changed.
func TestAKilledProcessNoticeOfSettings(t *testing.T) {
	url := teststore.NewPostgres(t)
	writer, reader := open(t, postgres.Options{URL: url}),
		open(t, postgres.Options{URL: url, PollInterval: 10 * time.Millisecond})
	if err := insert(t.Context(), writer, dana, newTask("x")); err != nil {
		t.Fatal(err)
	}
	settings, stop := reader.WatchSettings(dana)
	defer stop()
	for range 3 {
		execute(t, writer, "UPDATE users SET change_seq = change_seq + 1")
		awaits(t, "without a notice", settings)
	}
}
