package respond_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/respond"
)

func hour(n int) time.Duration { return time.Duration(n) * time.Hour }

var (
	someKeys = []string{
		"id", "text", "summary", "messageId", "events", "tasks", "lists", "created", "emails", "messages", "results",
		"memories", "success", "data", "error", "errors", "notFound", "deleted",
		"due_date", "dueDate", "start", "end", "created_at", "due_date_formatted", "_itemContext", "_metadata",
		"_categorized", "_isEmpty", "start_formatted", "reminder_recurrence", "recurrence", "days",
		"preview", "type", "metadata", "overridden", "is_checklist", "conflicts", "דבר", "a\\u0062", "x~/y", "", "start",
		"tasks",
	}
	someScalars = []string{
		"null", "true", "false", "0", "-0", "1e400", "-1E-400", "9223372036854775808", "18446744073709551616",
		"3.0000000000000000000001", "1.10", `""`, `"2026-01-20T10:00:00+02:00"`, `"2026-01-20"`,
		`"2026-01-20T10:00"`, `"nudge"`, `"note"`, `"\ud800"`, `"\"\\\u0000"`, `"שלום\u200f"`, `"</script>"`, "\"\xff\"",
		`"2026-13-01"`, `"0001-01-01T00:00:00Z"`, `"9999-12-31"`, `"0002-01-01"`,
	}
	someSpaces = []string{"", "", "", " ", "\n\t", "\r\n  "}
)

// made returns JSON of some depth, with keys that matter, keys twice, spaces and numbers that no program holds.
func made(r *rand.Rand, depth int) string {
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	kind := r.IntN(10)
	switch {
	case depth == 0 || kind < 3:
		return pick(someScalars)
	case kind < 5:
		parts := make([]string, r.IntN(4))
		for i := range parts {
			parts[i] = pick(someSpaces) + made(r, depth-1) + pick(someSpaces)
		}
		return "[" + pick(someSpaces) + strings.Join(parts, ",") + "]"
	}
	parts := make([]string, r.IntN(6))
	for i := range parts {
		parts[i] = pick(someSpaces) + `"` + pick(someKeys) + `"` + pick(someSpaces) + ":" + pick(someSpaces) +
			made(r, depth-1) + pick(someSpaces)
	}
	return "{" + pick(someSpaces) + strings.Join(parts, ",") + "}"
}

var someOperations = []string{"list tasks", "getAll", "create", "delete list", "list events", "delete event", "get",
	"send email", "reply", "list emails", "store memory", "search memory", "", "🎈"}

// holds says what does not hold of an answer that must.
func holds(in string, r *respond.Response) string {
	if why := lost(in, r); why != "" {
		return why
	}
	for i, item := range r.Items {
		if !strings.Contains(in, string(item.Raw)) || !json.Valid([]byte(item.Raw)) || !json.Valid([]byte(item.JSON())) {
			return fmt.Sprintf("item %d is %s, with what was put in %s", i, item.Raw, item.JSON())
		}
		_, _ = item.ID(), item.Label()
		if why := within(parse(string(item.Raw)), parse(string(item.JSON())), ""); why != "" {
			return fmt.Sprintf("item %d: %s", i, why)
		}
	}
	if c := r.Categorized; c != nil {
		if n := len(c.Overdue) + len(c.Today) + len(c.Upcoming) + len(c.Recurring) + len(c.NoDueDate); n != len(r.Items) {
			return fmt.Sprintf("%d items stand in groups, of %d", n, len(r.Items))
		}
	}
	if r.IsEmpty != (len(r.Items) == 0) {
		return "isEmpty does not tell"
	}
	set := 0
	for _, there := range []bool{r.Context.Database != nil, r.Context.Calendar != nil, r.Context.Gmail != nil,
		r.Context.SecondBrain != nil} {
		if there {
			set++
		}
	}
	if set != 1 {
		return fmt.Sprintf("%d contexts", set)
	}
	return ""
}

func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 20))
	moment := at(t, halfPastNine, "he")
	for range 400 {
		data := made(random, 5)
		capability := respond.Capabilities()[random.IntN(4)]
		operation := someOperations[random.IntN(len(someOperations))]
		r := format(t, string(capability), operation, data, moment)
		if why := holds(data, r); why != "" {
			t.Fatalf("%s %q %s: %s\n%s", capability, operation, data, why, r.JSON())
		}
	}
}

func FuzzFormat(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 40 {
		f.Add(string(respond.Capabilities()[i%4]), someOperations[i%len(someOperations)], made(random, 4), i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, capability, operation, data string, hebrew bool) {
		locale := "en"
		if hebrew {
			locale = "he"
		}
		r, err := respond.Format(capability, operation, model.JSON(data), at(t, halfPastNine, locale))
		if err != nil {
			if model.CodeOf(err) != model.CodeBadUserInput {
				t.Fatal(err)
			}
			return
		}
		if data == "" || strings.Count(data, "[")+strings.Count(data, "{") > 200 {
			return // the reference reads each level again
		}
		if why := holds(data, r); why != "" {
			t.Fatalf("%s\n%s", why, r.JSON())
		}
	})
}
