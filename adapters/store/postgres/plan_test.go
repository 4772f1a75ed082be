package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/pgtest"
)

// node is one step of a plan, as EXPLAIN shows it.
type node struct {
	Type string `json:"Node Type"`
	// Relation and Index are what it reads, if it does.
	Relation string `json:"Relation Name"`
	Index    string `json:"Index Name"`

	Hit   int     `json:"Shared Hit Blocks"`
	Read  int     `json:"Shared Read Blocks"`
	Rows  float64 `json:"Actual Rows"`
	Loops float64 `json:"Actual Loops"`
	// Filtered is how many rows were read and left out, in each loop.
	Filtered float64 `json:"Rows Removed by Filter"`
	Plans    []node  `json:"Plans"`
}

func (n node) walk(visit func(node)) {
	visit(n)
	for _, inner := range n.Plans {
		inner.walk(visit)
	}
}

// migratedStore opens a database of the test's own, with the schema in it.
func migratedStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{URL: pgtest.URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// explainGeneric runs a batch of one statement by the plan that serves all values, and returns that plan.
func explainGeneric(t *testing.T, s *Store, b *batch) node {
	t.Helper()
	conn, err := s.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	// Their types are known from a statement's description otherwise.
	conn.Conn().TypeMap().RegisterDefaultPgType(arrayOf[pgtype.UUID](nil), "_uuid")
	conn.Conn().TypeMap().RegisterDefaultPgType(arrayOf[pgtype.Timestamptz](nil), "_timestamptz")
	conn.Conn().TypeMap().RegisterDefaultPgType(arrayOf[pgtype.Text](nil), "_text")
	conn.Conn().TypeMap().RegisterDefaultPgType(arrayOf[plainText](nil), "_text")
	one := b.statements[0]
	params := make([]string, len(one.args))
	for i := range params {
		params[i] = "$" + strconv.Itoa(i+1)
	}
	var text []byte
	_, err = conn.Exec(t.Context(), "PREPARE page AS "+one.sql)
	if err == nil {
		// Simply, because EXECUTE takes no parameters of the protocol.
		err = conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE page ("+
			strings.Join(params, ", ")+")",
			append([]any{pgx.QueryExecModeSimpleProtocol}, one.args...)...).Scan(&text)
	}
	if err == nil {
		_, err = conn.Exec(t.Context(), "DEALLOCATE page")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, one.sql)
	}
	if strings.Contains(string(text), "uuid") && !strings.Contains(string(text), "$1") {
		t.Fatalf("not a plan for all values: %s", text)
	}
	var plans []struct{ Plan node }
	if err := json.Unmarshal(text, &plans); err != nil {
		t.Fatal(err)
	}
	return plans[0].Plan
}

// owners are 200 users of 20 tasks each, and one of many.
func owners(user model.UserID, many int) map[model.UserID]int {
	all := map[model.UserID]int{user: many}
	for i := range 200 {
		all[model.UserIDOf(strconv.Itoa(i))] = 20
	}
	return all
}

// TestPage1000CostsWhatPage1Costs counts the blocks and rows that a page touches at both ends of long lists, in every
// order. Times are not looked at: they say more about the machine.
func TestPage1000CostsWhatPage1Costs(t *testing.T) {
	s := migratedStore(t)
	const many, size = 10_000, 10
	user, now := model.UserIDOf("many"), time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	// Nearly all users have little, and the plan must serve the one who has much too.
	for owner, count := range owners(user, many) {
		tasks := make([]model.Task, count)
		for i := range tasks {
			at := now.Add(time.Duration(i*7919%many) * time.Minute)
			tasks[i] = model.Task{ID: model.UUID{1, byte(i >> 8), byte(i)}, Text: fmt.Sprintf("task %d", i*7919%many), DueAt: at,
				CreatedAt: now, UpdatedAt: at}
			if i%10 == 0 {
				tasks[i].CompletedAt = now
			}
		}
		if err := s.Write(t.Context(), owner,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Execute(t.Context(), "VACUUM ANALYZE tasks"); err != nil {
		t.Fatal(err)
	}
	for _, field := range []model.TaskOrderField{model.TaskOrderCreatedAt, model.TaskOrderDueDate,
		model.TaskOrderUpdatedAt, model.TaskOrderText, model.TaskOrderPosition} {
		for _, direction := range []model.Direction{model.Ascending, model.Descending} {
			for _, completed := range []*bool{nil, new(false)} {
				order := model.TaskOrder{Field: field, Direction: direction}
				where := store.TaskWhere{Completed: completed}
				all, err := s.Tasks(t.Context(), user,
					store.TaskQuery{Where: where, Order: order, Page: &store.Window[store.TaskPlace]{Limit: many}})
				if err != nil {
					t.Fatal(err)
				}
				cost := func(window store.Window[store.TaskPlace]) (blocks int) {
					b := newBatch()
					s.queuePage(b, user, where, taskOrder(order), store.TaskQuery{Columns: store.TaskRow, Page: &window}, false)
					explainGeneric(t, s, b) // once more for what is not in memory yet
					plan := explainGeneric(t, s, b)
					plan.walk(func(n node) {
						if n.Type == "Seq Scan" || n.Type == "Bitmap Heap Scan" || n.Rows*n.Loops > 20*size {
							t.Errorf("%v completed=%v: %s over %v rows", order, completed != nil, n.Type, n.Rows*n.Loops)
						}
					})
					return plan.Hit + plan.Read
				}
				first := cost(store.Window[store.TaskPlace]{Limit: size})
				deep := all.Places[len(all.Places)*9/10]
				for what, window := range map[string]store.Window[store.TaskPlace]{
					"forward": {Limit: size, After: &deep}, "backward": {Limit: size, Before: &deep, Backward: true},
				} {
					// The blocks of an index's height, and of a page's rows that lie apart in the table, vary by a few.
					if got := cost(window); got > first+first/5+8 {
						t.Errorf("%v completed=%v: page 900 %s touches %d blocks, page 1 %d", order, completed != nil, what, got, first)
					}
				}
			}
		}
	}
}

// TestRemoteNounsHaveAnIndexOfTheirOwn: writes of own records leave the index of remote ones alone, and the last change
// of a remote record is found in it, however long the log.
func TestRemoteNounsHaveAnIndexOfTheirOwn(t *testing.T) {
	s := migratedStore(t)
	size := func() (pages int64) {
		b := newBatch()
		b.query(`SELECT pg_relation_size('changes_remote') / current_setting('block_size')::bigint`,
			func(r *row) { pages = r.int64() })
		if err := s.run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		return pages
	}
	const users, each = 20, 300
	for i := range users {
		tasks := make([]model.Task, each)
		for n := range tasks {
			tasks[n] = model.Task{ID: model.UUID{byte(n >> 8), byte(n)}, Text: "own"}
		}
		if err := s.Write(t.Context(), model.UserIDOf(strconv.Itoa(i)),
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			t.Fatal(err)
		}
	}
	if pages := size(); pages > 1 { // the first one says what the index is
		t.Errorf("changes of own records made the index %d pages long", pages)
	}
	ids := make([]model.UUID, 20)
	for i := range users {
		changes := make([]model.Change, each)
		for n := range changes {
			id := model.RemoteID(model.KindEvent, strconv.Itoa(n%(each/2)))
			changes[n] = model.Change{Type: model.ChangeEvent, ID: id.UUID, Operation: model.OperationUpdated, Remote: id.Remote,
				Version: strconv.Itoa(n)}
			ids[n%len(ids)] = id.UUID
		}
		if err := s.Write(t.Context(), model.UserIDOf(strconv.Itoa(i)),
			func(ctx context.Context, tx store.Tx) error { return tx.LogRemote(ctx, changes) }); err != nil {
			t.Fatal(err)
		}
	}
	b := newBatch()
	b.query(sqlLastRemote, nil, userArg(model.UserIDOf("0")), uuidArgs(ids))
	for _, known := range []string{"nothing", "the table"} { // by the server's statistics
		explainGeneric(t, s, b).walk(func(n node) {
			if n.Type == "Seq Scan" || n.Rows*n.Loops > float64(len(ids)) {
				t.Errorf("when %s is known: %s over %v rows for %d records", known, n.Type, n.Rows*n.Loops, len(ids))
			}
			if n.Filtered > 0 {
				t.Errorf("when %s is known: %s reads %v rows in vain", known, n.Type, n.Filtered)
			}
		})
		if err := s.Execute(t.Context(), "VACUUM ANALYZE changes"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestTextsAreLookedForByTheIndex: however many tasks there are, and however many of them are done or begin alike,
// those of the texts asked for are found by the index of the open ones, and each task that begins like one of them is
// read once. At worst each of the user's tasks is.
func TestTextsAreLookedForByTheIndex(t *testing.T) {
	s := migratedStore(t)
	const many, alike = 5_000, 40
	user := model.UserIDOf("many")
	same := strings.Repeat("the same beginning ", 4)
	for owner, count := range owners(user, many) {
		tasks := make([]model.Task, count)
		for i := range tasks {
			tasks[i] = model.Task{ID: model.UUID{1, byte(i >> 8), byte(i)}, Text: fmt.Sprintf("task %d", i),
				CreatedAt: time.Unix(1e9, 0), UpdatedAt: time.Unix(1e9, 0)}
			if i < alike {
				tasks[i].Text = same + strconv.Itoa(i)
			}
			if i%10 == 0 {
				tasks[i].CompletedAt = time.Unix(1e9, 0)
			}
		}
		if err := s.Write(t.Context(), owner,
			func(ctx context.Context, tx store.Tx) error { return tx.InsertTasks(ctx, tasks) }); err != nil {
			t.Fatal(err)
		}
	}
	texts := make([]string, 0, model.MaxBulk)
	for i := range cap(texts) / 2 {
		texts = append(texts, same+strconv.Itoa(i), fmt.Sprintf("task %d", i*many/100+1))
	}
	// A table that is new to the server has no statistics, and any index of the user's looks as good as another.
	for _, known := range []struct {
		what string
		most float64 // rows read, those left out among them
		vain float64 // those left out
	}{
		{what: "nothing", most: many, vain: many},
		{what: "the table", most: float64(len(texts)/2 + alike), vain: alike},
	} {
		b, found := newBatch(), map[string]model.Task{}
		queueByText(b, user, texts, store.TaskRow, found)
		explainGeneric(t, s, b).walk(func(n node) {
			vain := n.Filtered * n.Loops
			if n.Type == "Seq Scan" || strings.Contains(n.Type, "Index") && n.Rows*n.Loops+vain > known.most ||
				vain > known.vain {
				t.Errorf("when %s is known: %s over %v rows and %v more in vain, for %d texts", known.what, n.Type, n.Rows*n.Loops,
					vain, len(texts))
			}
		})
		if err := s.run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if want := alike - alike/10 + len(texts)/2 - 1; len(found) != want { // the second task is one of those alike
			t.Errorf("found %d tasks, want %d", len(found), want)
		}
		if err := s.Execute(t.Context(), "VACUUM ANALYZE tasks"); err != nil {
			t.Fatal(err)
		}
	}
}
