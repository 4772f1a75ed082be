package compact_test

import (
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"almanac/projections/compact"
)

// watch is a watch of the bubble's clock.
func watch(limit time.Duration) *compact.Watch {
	return &compact.Watch{Clock: time.Now, Limit: limit, After: func(d time.Duration) (<-chan time.Time, func()) {
		timer := time.NewTimer(d)
		return timer.C, func() { timer.Stop() }
	}}
}

func TestOperations(t *testing.T) {
	t.Parallel()
	r := compact.NewRegistry()
	all := r.Operations()
	for _, name := range strings.Fields(
		"search_nodes search_memory_nodes search_facts search_memory_facts get_episodes get_status add_memory add_episode " +
			"delete_episode delete_entity_edge clear_graph tasks events emails") {
		if !slices.Contains(all, name) {
			t.Errorf("no %s among %v", name, all)
		}
	}
	if !slices.IsSorted(all) {
		t.Errorf("not in order: %v", all)
	}
	r.Register("custom_operation",
		func(context.Context, json.RawMessage, compact.Options) (string, error) { return "", nil })
	if !slices.Contains(r.Operations(), "custom_operation") ||
		slices.Contains(compact.NewRegistry().Operations(), "custom_operation") {
		t.Error("a registration is not in its registry alone")
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		formatter compact.Formatter
		lines     int
		want, err string
	}{
		{"the example of the contract", func(_ context.Context, data json.RawMessage, _ compact.Options) (string, error) {
			var in struct{ Name string }
			err := json.Unmarshal(data, &in)
			return "Custom: " + in.Name, err
		}, 0, "Custom: Ada", ""},
		{"too many lines", func(context.Context, json.RawMessage, compact.Options) (string, error) {
			return "Title\n  one\ntwo\nthree\n", nil
		}, 2, "Title\n  one\ntwo\n... and 1 more", ""},
		{"unseen characters", func(context.Context, json.RawMessage, compact.Options) (string, error) {
			return "a\u202eb\tc", nil
		}, 0, "ab c", ""},
		{"another shape", func(context.Context, json.RawMessage, compact.Options) (string, error) {
			return "", compact.ErrInvalidData
		}, 0, "", "Invalid data format for mine"},
		{"an error that tells nothing", func(context.Context, json.RawMessage, compact.Options) (string, error) {
			return "", errors.New("password 123")
		}, 0, "", "Formatter for mine failed"},
		{"a panic", func(context.Context, json.RawMessage, compact.Options) (string, error) { panic("password 123") }, 0, "",
			"Formatter for mine failed"},
		{"an end of its goroutine", func(context.Context, json.RawMessage, compact.Options) (string, error) {
			runtime.Goexit()
			return "", nil
		}, 0, "", "Formatter for mine failed"},
	} {
		r := compact.NewRegistry()
		r.Register("mine", c.formatter)
		heard := ""
		r.Failed = func(_ context.Context, operation string, why compact.Failure) { heard += operation + " " + string(why) }
		o := setting{MaxLines: c.lines}.options(t)
		got := r.FormatOutput(t.Context(), "mine", []byte(`{"name":"Ada"}`), o)
		hold(t, o, got)
		told := ""
		if c.err != "" {
			told = "mine error"
		}
		if c.name == "another shape" {
			told = "mine shape"
		}
		if heard != told {
			t.Errorf("%s: %q was heard, not %q", c.name, heard, told)
		}
		if c.err != "" {
			c.want = "{\n  \"name\": \"Ada\"\n}"
		}
		if got.Output != c.want || got.Error != c.err || got.UsedFallback != (c.err != "") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// A formatter that does not look at the time is given up in time, and a formatter that never returns takes no more than
// its places.
func TestFormatterHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := compact.NewRegistry()
		release := make(chan struct{})
		var running atomic.Int64
		r.Register("slow", func(ctx context.Context, _ json.RawMessage, _ compact.Options) (string, error) {
			running.Add(1)
			<-release
			if ctx.Err() == nil {
				t.Error("nobody has told the formatter that it was given up")
			}
			return "too late", nil
		})
		const calls = 40
		busy := 0
		for range calls {
			begun := time.Now()
			o := setting{}.options(t)
			o.Watch = watch(100 * time.Millisecond)
			got := r.FormatOutput(t.Context(), "slow", []byte(`[1]`), o)
			if !got.UsedFallback || got.Output != "[\n  1\n]" || time.Since(begun) > 100*time.Millisecond {
				t.Fatalf("after %v: %+v", time.Since(begun), got)
			}
			switch got.Error {
			case "Formatter for slow timed out after 100 ms":
			case "Formatter for slow is busy with earlier answers":
				busy++
			default:
				t.Errorf("error %q", got.Error)
			}
		}
		if n := int(running.Load()); n+busy != calls || n > 16 {
			t.Errorf("%d are running, %d were refused", n, busy)
		}
		close(release)
		synctest.Wait()
		o := setting{}.options(t)
		o.Watch = watch(100 * time.Millisecond)
		if got := r.FormatOutput(t.Context(), "tasks", []byte(`[]`), o); got.UsedFallback {
			t.Errorf("others suffer: %+v", got)
		}
	})
}

// A formatter of ours looks at the time between rows.
func TestTimeIsUp(t *testing.T) {
	t.Parallel()
	now, asked := time.Unix(0, 0), 0
	o := setting{}.options(t)
	o.CollectMetrics = true
	o.Watch = &compact.Watch{Limit: 5 * time.Millisecond, Clock: func() time.Time {
		asked++
		return now.Add(time.Duration(asked) * time.Millisecond)
	}}
	got := compact.NewRegistry().FormatOutput(t.Context(), "tasks",
		[]byte(`[`+strings.Repeat(`{"id":"task_1","text":"x"},`, 18)+`{"id":"task_2"}]`), o)
	if !got.UsedFallback || got.Error != "Formatter for tasks timed out after 5 ms" || !strings.HasPrefix(got.Output,
		"[\n  {\n    \"id\": \"task_1\",") || got.Elapsed == 0 || got.SavingsPercent() != 0 {
		t.Errorf("%+v", got)
	}
	o.Watch = &compact.Watch{Limit: 3 * time.Millisecond, Clock: o.Watch.Clock}
	page := compact.Page{Kind: compact.KindEmails,
		Rows: letters(3, "x")}.Write(compact.Options{Watch: o.Watch.Start(), CollectMetrics: true})
	var rows []compact.Email
	if err := json.Unmarshal([]byte(page.Output), &rows); err != nil || len(rows) != 3 || !page.UsedFallback ||
		page.Error != compact.ErrorTimeUp || page.Shown != 3 {
		t.Errorf("%v: %+v", err, page)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	o := setting{}.options(t)
	o.CollectMetrics = true
	data := `{"nodes":[{"entity_type":"Framework","name":"Graphiti","summary":"Knowledge graph framework"}]}`
	got := compact.NewRegistry().FormatOutput(t.Context(), "search_nodes", []byte(data), o)
	var pretty strings.Builder
	encoder := json.NewEncoder(&pretty)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(json.RawMessage(data)); err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSpace(pretty.String())
	if got.RawBytes != len(want) || got.RawTokens != compact.Tokens(want) {
		t.Errorf("%d bytes and %d tokens of %d", got.RawBytes, got.RawTokens, len(want))
	}
	if saved := got.SavingsPercent(); saved < 40 || saved > 60 {
		t.Errorf("%.1f %% saved", saved)
	}
	o.MaxLines = 1
	few := compact.Page{Kind: compact.KindTasks,
		Rows: []compact.Row{compact.Task{ID: "task_1"}, compact.Task{ID: "task_2"}}}.Write(o)
	if one, err := json.Marshal([]compact.Task{{ID: "task_1"}}); err != nil || few.RawBytes != len(one) || few.Shown != 1 {
		t.Errorf("rows that are not shown save nothing: %d bytes for %d (%v)", few.RawBytes, len(one), err)
	}
}

// Deep nesting makes indentation larger than any memory; then the JSON stays as it is.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000)
	data := "[" + strings.Repeat(deep+",", 50) + deep + "]"
	o := setting{}.options(t)
	o.CollectMetrics = true
	got := compact.NewRegistry().FormatOutput(t.Context(), "none", []byte(data), o)
	if got.Output != data || !got.UsedFallback || got.RawBytes < 1<<30 {
		t.Errorf("%d bytes, raw %d", len(got.Output), got.RawBytes)
	}
}
