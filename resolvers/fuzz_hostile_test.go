package resolvers_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
)

var (
	thorough = flag.Bool("thorough", false, "fuzz with everything there is, which takes minutes")
	seed     = flag.Uint64("seed", 1, "what the fuzzers draw from")
)

// errorCodes are the codes of the schema that a client may be given for what it sends; INTERNAL, TIMEOUT and those of
// other servers are not among them.
var errorCodes = []string{"BAD_USER_INPUT", "NOT_FOUND", "CONFLICT", "CONFIRMATION_INVALID", "IDEMPOTENCY_CONFLICT",
	"QUERY_TOO_EXPENSIVE"}

// raw is a JSON value that is sent letter by letter, such as a number that no int holds.
func raw(text string) json.RawMessage { return json.RawMessage(text) }

// nasty are values for a place of a type, whether they fit it or not.
func (s describedSchema) nasty(kind typeRef) []any {
	named := kind.named()
	values := []any{nil, raw("[]"), raw("{}"), raw("[null]"), raw("[[]]"), raw(`""`), raw("true"), raw("1e400"),
		raw(`{"id": null}`), raw(`{"nonsense": 1}`)}
	described := s.types[named.Name]
	switch {
	case described.Kind == "ENUM":
		for _, one := range described.EnumValues {
			values = append(values, one.Name)
		}
		values = append(values, strings.ToLower(described.EnumValues[0].Name), "NONSENSE", 0)
	case described.Kind == "INPUT_OBJECT":
		all, none := map[string]any{}, map[string]any{}
		for _, field := range described.InputFields {
			all[field.Name], none[field.Name] = s.some(field.Type), nil
		}
		values = append(values, all, none)
	default:
		values = append(values, nastyScalars(named.Name)...)
	}
	if kind.isList() {
		for _, one := range slices.Clone(values) {
			values = append(values, []any{one}, []any{one, one})
		}
		values = append(values, slices.Repeat([]any{s.some(named)}, 201))
	}
	return values
}

func nastyScalars(name string) []any {
	switch name {
	case "Int", "Float":
		return []any{0, -1, 1, 100, 101, raw("2147483647"), raw("-2147483648"), raw("2147483648"), raw("9223372036854775808"),
			raw("1.5"), raw("1.0"), raw("1e2"), raw("-0"), "5"}
	case "Boolean":
		return []any{"true", 0, 1, "false"}
	case "ID":
		return []any{
			0, 1.5, "task_", "_", "task_00000000000000000000000000", "task_7zzzzzzzzzzzzzzzzzzzzzzzzz",
			"task_80000000000000000000000000", "TASK_00000000000000000000000000",
			"task_0000000000000000000000000\x00", "subtask_00000000000000000000000000", "item_00000000000000000000000000",
			"user_00000000000000000000000000", "event_00000000000000000000000000",
			strings.Repeat("task_", 2000), "task_אאאאאאאאאאאאא", raw(`"\ud83d"`),
		}
	case "Date":
		return []any{"0001-01-01", "0002-01-01", "1900-02-29", "9999-12-31", "2026-02-30", "2026-11-22T10:00", "22.11.2026",
			raw("20261122"), "２０２６-11-22", "2026-11-22\x00"}
	case "DateTime":
		return []any{
			"0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "0000-01-01T00:00:00Z", "1899-12-31T23:59:59Z",
			"1900-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9998-12-31T23:59:59Z", "9999-12-31T23:59:59.999999Z",
			"9999-12-31T23:59:59-12:00", "9999-12-31T23:59", "2026-02-30T10:00", "2024-02-29T10:00", "2026-11-22T24:00",
			"2016-12-31T23:59:60Z", "2026-03-27T02:30", "2026-10-25T01:30",
			"2026-11-22T10:00:00.123456789Z", "2026-11-22T10:00:00+24:00", "2026-11-22T10:00:00+00:60",
			"2026-11-22T10:00:00-23:59", "2026-11-22", "tomorrow", "+12026-11-22T10:00:00Z", "-0001-11-22T10:00:00Z",
			raw("1763805600"), "2026-11-22T10:00:00Z\x00", strings.Repeat("2", 10_000), "٢٠٢٦-11-22T10:00",
		}
	case "Duration":
		return []any{
			0, 1, -1, "PT0S", "PT59S", "PT1M", "PT60S", "P10Y", "P3650D", "P3651D", "P999999Y", "PT999999999S", "P", "PT", "P1",
			"-PT5M", "1 month", "3 שעות", "٣ דקות", "9999999999 years", "1.5 hours",
			raw("9223372036854775807"), strings.Repeat("9", 10_000), "30\x00", "30 minutes\n",
		}
	}
	return []any{
		" ", "\u00a0\u3000", "\x00", "a\x00b", "\u200f\u202e\u2066", "\u202eevil\u202c", strings.Repeat("a", 10_000),
		strings.Repeat("א", 10_000), strings.Repeat("\u0301", 3_000), "e" + strings.Repeat("\u0301", 1_999),
		strings.Repeat("\ufdfa", 2_000), strings.Repeat("\ufdfa", 200), strings.Repeat("\ufdfa", 50),
		strings.Repeat("👨\u200d👩\u200d👧\u200d👦", 71), strings.Repeat("👍🏿", 25), raw(`"\ud83d"`), raw(`"\ude00\ud83d"`),
		raw(`"a\ud800b"`), "\ufeff", "\ufffe\uffff", "\U0010ffff",
		"%", "_", "\\", "%_\\'\"`;--", "' OR 1=1 --", "$1", "?1", "{{.}}", "<script>", "\r\n\t", "\u2028\u2029", "\u0085",
		"\x7f\x1b[31m", "שָׁלוֹם", "İstanbul", "ǅ", "ß", "NULL", "nil", "-1", "Asia/Jerusalem", "Local", "../../etc/passwd",
		"UTC", "Asia/Kathmandu", "Antarctica/Troll",
		"he", "he-IL", "xx", "HE", "24:00", "23:59", "8:00", 7, 1.5,
	}
}

// Whatever stands wherever it can stand, the server keeps its countenance: the answer is well-formed, its errors are
// about the request, both harnesses say the same to the letter, and what the request is not about is as it was.
func TestHostileInputs(t *testing.T) {
	both := buildBoth(t, start)
	alice := settle(t, both.harnesses[0], "alice", "okapi")
	if twin := settle(t, both.harnesses[1], "alice", "okapi"); twin.task != alice.task {
		t.Fatalf("the harnesses give different ids: %s, %s", alice.task, twin.task)
	}
	both.sayAll(t, "witness", nil,
		`mutation { createTask(input: { text: "Wμega witness", dueDate: "2026-11-23T10:00" }) { task { id } } createList(input: { name: "Wμega list", items: ["Wμega item"] }) { list { id } } }`, nil)
	witness := everything(t, both.harnesses[0], "witness")
	schema := describe(t, both.harnesses[0])
	cases := asBob(alice)
	sent, random := 0, rand.New(rand.NewPCG(*seed, 1))
	for _, o := range schema.operations() {
		if o.root == "subscription" {
			continue // what they take, a cursor, is taken by changes too
		}
		base, known := cases[o.String()]
		if !known {
			t.Errorf("%s is new: say in asBob how it is called", o)
			continue
		}
		depth := 3
		if o.within != "" {
			depth = 2 // with the neighbours of many entities a document is too expensive
		}
		document := schema.document(o, depth)
		for _, place := range schema.leaves(o) {
			for _, value := range schema.nasty(place.kind) {
				if !*thorough && random.IntN(32) > 0 {
					continue
				}
				variables := schema.withValue(o, base, place.path, value)
				if input, ok := variables["input"].(map[string]any); ok && len(place.path) > 1 && place.path[1] == "target" {
					for _, short := range []string{"id", "taskId", "emailId", "websetId", "ids"} {
						delete(input, short)
					}
				}
				sent++
				user := "alice"
				if o.Name == "disconnect" {
					user = "stranger" // what one has unlinked, one cannot go on with
				}
				answer := both.sayAll(t, user, nil, document, variables)
				if problem := isCivil(answer); problem != "" {
					t.Errorf("%s %s = %s: %s", o, place, brief(value), problem)
				}
				if strings.Contains(answer, `"deleted":1`) ||
					strings.Contains(answer, `"completedAt":"`) { // that was the one thing of its kind
					alice = both.renewed(t, alice)
					base = asBob(alice)[o.String()]
				}
			}
		}
	}
	if now := everything(t, both.harnesses[0], "witness"); now != witness {
		t.Errorf("the witness lost something\n was: %s\n is: %s", witness, now)
	}
	t.Logf("%d requests", sent)
}

// renewed gives alice another task and another list.
func (w twins) renewed(t *testing.T, e estate) estate {
	t.Helper()
	answer := w.sayAll(t, "alice", nil, `mutation {
		createTask(input: { text: "okapi again", allowDuplicate: true, subtasks: ["step"] }) { task { id subtasks { id } } }
		deleteList(input: { target: { match: { name: "okapi" } } }) { deleted }
		createList(input: { name: "okapi", items: ["okapi"] }) { list { id items { id } } } }`, nil)
	var made struct {
		Data struct {
			CreateTask struct {
				Task struct {
					ID       string
					Subtasks []struct{ ID string }
				}
			}
			CreateList struct {
				List struct {
					ID    string
					Items []struct{ ID string }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &made); err != nil || len(made.Data.CreateTask.Task.Subtasks) == 0 ||
		len(made.Data.CreateList.List.Items) == 0 {
		t.Fatalf("renew: %v %s", err, answer)
	}
	e.task, e.subtask = made.Data.CreateTask.Task.ID, made.Data.CreateTask.Task.Subtasks[0].ID
	e.list, e.item = made.Data.CreateList.List.ID, made.Data.CreateList.List.Items[0].ID
	e.planted++
	for _, h := range w.harnesses {
		e.plant(t, h)
	}
	return e
}

// isCivil says what is wrong with an answer, the empty text when nothing is.
func isCivil(answer string) string {
	var got struct {
		Data   json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct{ Code string }
		}
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		return fmt.Sprintf("is no JSON: %v: %s", err, clipped(answer))
	}
	if got.Data == nil && len(got.Errors) == 0 {
		return "neither data nor errors: " + clipped(answer)
	}
	for _, e := range got.Errors {
		if !slices.Contains(errorCodes, e.Extensions.Code) || e.Message == "" {
			return "code " + e.Extensions.Code + ": " + clipped(answer)
		}
	}
	if strings.Contains(answer, `"code":"INTERNAL"`) || strings.Contains(answer, `"nextReminderAt":"0001`) {
		return clipped(answer)
	}
	return ""
}

func clipped(text string) string {
	if len(text) > 600 {
		return text[:600] + "…"
	}
	return text
}

func brief(value any) string {
	text, _ := json.Marshal(value)
	if len(text) > 80 {
		return fmt.Sprintf("%s… (%d bytes)", text[:80], len(text))
	}
	return string(text)
}

// Headers are inputs too.
func TestHostileHeaders(t *testing.T) {
	both := buildBoth(t, start)
	const query = `{"query": "{ viewer { settings { timeZone locale } now } }"}`
	headers := map[string][]string{
		"X-Time-Zone": {"", " ", "Mars/Olympus", "Asia/Jerusalem", "asia/jerusalem", "+02:00", "Local", "\x80\xff",
			strings.Repeat("A", 5000), "Asia/Kathmandu", "../UTC", "UTC\t"},
		"Accept-Language": {"", "*", "he", "he;q=2", "en;q=0, he;q=0.1", strings.Repeat("he,", 4000), ";;;,,,", "\xff\xfe",
			"iw-IL", "fr", "he;q=NaN"},
		"Idempotency-Key": {"", " ", "k k", strings.Repeat("k", 255), strings.Repeat("k", 256), "\x80", "k"},
		"Traceparent": {"", "00-zz", strings.Repeat("0", 9000),
			"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"},
		"X-Request-Id":  {"", "\x80", strings.Repeat("r", 9000), "a b"},
		"Last-Event-ID": {"", "nonsense", strings.Repeat("e", 2000)},
		"Accept":        {"", "*/*", "text/html", "application/json;q=x", strings.Repeat("a/b,", 3000)},
	}
	for _, name := range slices.Sorted(maps.Keys(headers)) {
		for _, value := range headers[name] {
			for _, body := range []string{query, `{"query": "mutation { updateSettings(input: {}) { settings { locale } } }"}`} {
				var first string
				for i, h := range both.harnesses {
					status, answer := h.sayAnything(t, "alice", map[string]string{name: value}, body)
					if status >= http.StatusInternalServerError {
						t.Errorf("%s: %s: %d %s", name, brief(value), status, clipped(answer))
					}
					if i == 0 {
						first = answer
					} else if answer != first {
						t.Errorf("%s: %s: %s and %s", name, brief(value), clipped(first), clipped(answer))
					}
				}
			}
		}
	}
}
