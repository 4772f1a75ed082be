package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/plan"
	"almanac/projections/when"
	"almanac/resolvers/agent"
)

// plans are sentences with their plans, for tests of what becomes of a plan; any other sentence is refused.
type plans map[string]plan.Plan

// Plan implements agent.Planner.
func (p plans) Plan(_ context.Context, text string, _ when.Moment) (agent.Planned, error) {
	if made, ok := p[text]; ok {
		return agent.Planned{Plan: made}, nil
	}
	return agent.Planned{}, &plan.Refusal{Kind: plan.NotAnInstruction, Message: "not understood"}
}

// refusals are sentences with why they are no plan.
type refusals map[string]plan.Refusal

// Plan implements agent.Planner.
func (p refusals) Plan(_ context.Context, text string, _ when.Moment) (agent.Planned, error) {
	refusal, ok := p[text]
	if !ok {
		return agent.Planned{}, fmt.Errorf("no refusal for %q", text)
	}
	return agent.Planned{}, &refusal
}

// sunday is the day before the week of the contract's examples.
var sunday = time.Date(2024, time.January, 14, 9, 0, 0, 0, time.UTC)

// agentHarness is a harness in the week of the examples, with alice's calendar linked.
func agentHarness(t *testing.T, planner agent.Planner) *harness {
	t.Helper()
	h := harnesses()[0].build(t, sunday)
	h.resolver.SetPlanner(planner)
	h.google1(t, "link alice alice@example.com UTC")
	return h
}

// google1 lets something happen at Google.
func (h *harness) google1(t *testing.T, line string) {
	t.Helper()
	if err := h.google.do(t.Context(), line); err != nil {
		t.Fatal(err)
	}
}

// week adds the five events of the contract's examples.
func (h *harness) week(t *testing.T, ids ...string) {
	t.Helper()
	events := map[string][3]string{
		"event1": {"Team Meeting", "2024-01-15T14:00:00Z", "2024-01-15T15:00:00Z"},
		"event2": {"Lunch with Alice", "2024-01-16T12:00:00Z", "2024-01-16T13:00:00Z"},
		"event3": {"Project Review", "2024-01-17T10:00:00Z", "2024-01-17T11:00:00Z"},
		"event4": {"Client Meeting", "2024-01-18T15:00:00Z", "2024-01-18T16:00:00Z"},
		"event5": {"Weekly Sync", "2024-01-19T09:00:00Z", "2024-01-19T10:00:00Z"},
	}
	for _, id := range ids {
		e := events[id]
		h.google1(t,
			fmt.Sprintf(`event alice@example.com {"id": %q, "summary": %q, "start": {"dateTime": %q}, "end": {"dateTime": %q}}`,
				id, e[0], e[1], e[2]))
	}
}

// chat sends a body to /agent/chat as a user.
func (h *harness) chat(t *testing.T, user string, header map[string]string, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/agent/chat", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if user != "" {
		r.Header.Set("Authorization", "Bearer "+user)
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w
}

// says sends a sentence to /agent/chat as alice and gives the answer.
func (h *harness) says(t *testing.T, text string) chatAnswer {
	t.Helper()
	body, err := json.Marshal(map[string]string{"text": text})
	if err != nil {
		t.Fatal(err)
	}
	return chatAnswerOf(t, h.chat(t, "alice", nil, string(body)))
}

// undoLine is how every effect says that it can be undone.
const undoLine = "Say “undo that” to take it back."

// chatAnswer is an answer of /agent/chat.
type chatAnswer struct {
	Tool    string          `json:"tool"`
	Summary string          `json:"summary"`
	Result  json.RawMessage `json:"result"`
	Success bool            `json:"success"`
	Action  *struct {
		ID, Summary string
		Undoable    bool
		UndoUntil   *string
	} `json:"action"`
}

func chatAnswerOf(t *testing.T, w *httptest.ResponseRecorder) chatAnswer {
	t.Helper()
	var got chatAnswer
	decoder := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&got); err != nil || w.Code != http.StatusOK {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	return got
}

func at(text string) model.EventTime {
	instant, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return model.EventTime{At: instant}
}

func windowOf(from, to string) *plan.Window {
	return &plan.Window{From: at(from).At, To: at(to).At}
}

// TestAgentContract holds every example of a response in the endpoint's contract to the letter, through /agent/chat and
// through GraphQL. Where the contract's examples of success have no result, the structure of its last chapter is given.
func TestAgentContract(t *testing.T) {
	t.Parallel()
	workdays := windowOf("2024-01-15T00:00:00Z", "2024-01-20T00:00:00Z")
	team := plan.Target{Title: "Team Meeting"}
	hour := &plan.Clock{Hour: 15}
	five := []string{"event1", "event2", "event3", "event4", "event5"}
	event := func(id, title, start, end string) string {
		return fmt.Sprintf(`{"event_id":%q,"summary":%q,"start":%q,"end":%q,"description":""}`, id, title, start, end)
	}
	first := event("event1", "Team Meeting", "2024-01-15T14:00:00", "2024-01-15T15:00:00")
	second := event("event2", "Lunch with Alice", "2024-01-16T12:00:00", "2024-01-16T13:00:00")
	third := event("event3", "Project Review", "2024-01-17T10:00:00", "2024-01-17T11:00:00")
	fourth := event("event4", "Client Meeting", "2024-01-18T15:00:00", "2024-01-18T16:00:00")
	fifth := event("event5", "Weekly Sync", "2024-01-19T09:00:00", "2024-01-19T10:00:00")
	none := `{"status":"success","count":0,"events":[]}`
	for _, c := range []struct {
		name   string
		events []string
		google string
		plan   plan.Plan
		refuse *plan.Refusal
		text   string
		want   string
	}{
		{
			name: "create",
			plan: plan.Plan{Tool: plan.ToolCreate, Create: &plan.Create{Title: "Team Meeting", Start: at("2024-01-15T14:00:00Z"),
				End: at("2024-01-15T15:00:00Z")}},
			want: `{"tool":"create","summary":"Created event: Team Meeting at 2024-01-15T14:00:00\nMon 15 Jan 14:00–15:00\nSay “undo that” to take it back.","result":{"status":"success","event_id":"NEW","summary":"Team Meeting",` +
				`"start":"2024-01-15T14:00:00","end":"2024-01-15T15:00:00","link":"LINK"},"success":true}`,
		},
		{
			name: "create without times", refuse: &plan.Refusal{Kind: plan.Missing, Slot: plan.SlotStart, Message: "When?"},
			want: `{"tool":"create","summary":"Failed to create event: start_time and end_time are required. Parsed: start_time=None, end_time=None",` +
				`"result":{"status":"error","error":"start_time and end_time are required"},"success":false}`,
		},
		{
			name: "read", events: five[:3], plan: plan.Plan{Tool: plan.ToolRead, Read: workdays},
			want: `{"tool":"read","summary":"Found 3 events:\n- Team Meeting at 2024-01-15T14:00:00\n- Lunch with Alice at 2024-01-16T12:00:00\n- Project Review at 2024-01-17T10:00:00",` +
				`"result":{"status":"success","count":3,"events":[` + first + "," + second + "," + third + `]},"success":true}`,
		},
		{
			name: "read nothing", plan: plan.Plan{Tool: plan.ToolRead, Read: workdays},
			want: `{"tool":"read","summary":"No events found.","result":` + none + `,"success":true}`,
		},
		{
			name: "read refused", plan: plan.Plan{Tool: plan.ToolRead, Read: workdays},
			google: `fault {"Method": "events.list", "Status": 400, "Reason": "invalid", "Message": "Invalid calendar ID", "Times": 9}`,
			want:   `{"tool":"read","summary":"Failed to read events: Invalid calendar ID","result":null,"success":false}`,
		},
		{
			name: "search", events: five[:4:4],
			plan: plan.Plan{Tool: plan.ToolSearch, Search: &plan.Search{Query: "meeting", Window: workdays}},
			want: `{"tool":"search","summary":"Found 2 events matching 'meeting':\n- Team Meeting at 2024-01-15T14:00:00\n- Client Meeting at 2024-01-18T15:00:00",` +
				`"result":{"status":"success","count":2,"events":[` + first + "," + fourth + `]},"success":true}`,
		},
		{
			name: "search nothing", events: five,
			plan: plan.Plan{Tool: plan.ToolSearch, Search: &plan.Search{Query: "conference"}},
			want: `{"tool":"search","summary":"No events found matching 'conference'","result":` + none + `,"success":true}`,
		},
		{
			name: "search without words", refuse: &plan.Refusal{Kind: plan.Missing, Slot: plan.SlotQuery, Message: "What?"},
			want: `{"tool":"search","summary":"Error: query is required for search","result":null,"success":false}`,
		},
		{
			name: "update", events: five, plan: plan.Plan{Tool: plan.ToolUpdate,
				Update: &plan.Update{Target: team, Change: plan.Change{Start: hour}}},
			want: `{"tool":"update","summary":"Updated event: Team Meeting\nMon 15 Jan 14:00–15:00 → Mon 15 Jan 15:00–16:00\nSay “undo that” to take it back.","result":{"status":"success","event_id":"event1","summary":"Team Meeting",` +
				`"start":"2024-01-15T15:00:00","end":"2024-01-15T16:00:00","link":"LINK"},"success":true}`,
		},
		{
			name: "update what", text: "move it",
			refuse: &plan.Refusal{Kind: plan.Missing, Slot: plan.SlotTarget, Message: "Which?"},
			want:   `{"tool":"update","summary":"Error: event_id is required for update","result":null,"success":false}`,
		},
		{
			name: "update nothing", plan: plan.Plan{Tool: plan.ToolUpdate,
				Update: &plan.Update{Target: team, Change: plan.Change{Start: hour}}},
			want: `{"tool":"update","summary":"Failed to update event: Event not found","result":null,"success":false}`,
		},
		{
			name: "delete", events: five, plan: plan.Plan{Tool: plan.ToolDelete, Delete: &plan.Delete{Target: team}},
			want: `{"tool":"delete","summary":"Deleted event: Team Meeting\nMon 15 Jan 14:00–15:00\nSay “undo that” to take it back.","result":{"status":"success","event_id":"event1","summary":"Team Meeting",` +
				`"message":"Deleted event: Team Meeting"},"success":true}`,
		},
		{
			name: "delete what", text: "delete it",
			refuse: &plan.Refusal{Kind: plan.Missing, Slot: plan.SlotTarget, Message: "Which?"},
			want:   `{"tool":"delete","summary":"Error: event_id is required for delete","result":null,"success":false}`,
		},
		{
			name: "delete nothing", plan: plan.Plan{Tool: plan.ToolDelete, Delete: &plan.Delete{Target: team}},
			want: `{"tool":"delete","summary":"Failed to delete event: Event not found","result":null,"success":false}`,
		},
		{
			name: "schedule", events: five, plan: plan.Plan{Tool: plan.ToolSchedule, Schedule: workdays},
			want: `{"tool":"schedule","summary":"Schedule from 2024-01-15T00:00:00 to 2024-01-19T23:59:59:\nFound 5 events:` +
				`\n- Team Meeting at 2024-01-15T14:00:00 (until 2024-01-15T15:00:00)\n- Lunch with Alice at 2024-01-16T12:00:00 (until 2024-01-16T13:00:00)` +
				`\n- Project Review at 2024-01-17T10:00:00 (until 2024-01-17T11:00:00)\n- Client Meeting at 2024-01-18T15:00:00 (until 2024-01-18T16:00:00)` +
				`\n- Weekly Sync at 2024-01-19T09:00:00 (until 2024-01-19T10:00:00)",` +
				`"result":{"status":"success","count":5,"events":[` +
				strings.Join([]string{first, second, third, fourth, fifth}, ",") + `]},"success":true}`,
		},
		{
			name: "schedule of nothing", plan: plan.Plan{Tool: plan.ToolSchedule, Schedule: workdays},
			want: `{"tool":"schedule","summary":"No events found in the date range from 2024-01-15T00:00:00 to 2024-01-19T23:59:59.","result":` + none + `,"success":true}`,
		},
		{
			name: "schedule without times", refuse: &plan.Refusal{Kind: plan.Missing, Slot: plan.SlotWindow, Message: "When?"},
			want: `{"tool":"schedule","summary":"Error: start_time and end_time are required for schedule retrieval","result":null,"success":false}`,
		},
		{
			name: "one event", events: five[:1], plan: plan.Plan{Tool: plan.ToolRead, Read: workdays},
			want: `{"tool":"read","summary":"Found 1 events:\n- Team Meeting at 2024-01-15T14:00:00","result":{"status":"success","count":1,"events":[` + first + `]},"success":true}`,
		},
	} {
		for _, door := range []string{"chat", "graphql"} {
			t.Run(c.name+"/"+door, func(t *testing.T) {
				t.Parallel()
				text := c.text
				if text == "" {
					text = "do it"
				}
				var planner agent.Planner = plans{text: c.plan}
				if c.refuse != nil {
					planner = refusals{text: *c.refuse}
				}
				h := agentHarness(t, planner)
				h.week(t, c.events...)
				if c.google != "" {
					h.google1(t, c.google)
				}
				got := h.contractOf(t, door, text)
				if got != c.want {
					t.Errorf("\n got %s\nwant %s", got, c.want)
				}
			})
		}
	}
}

// contractOf gives an answer with the remote's ids for ours, and words for what nobody knows beforehand.
func (h *harness) contractOf(t *testing.T, door, text string) string {
	t.Helper()
	var body []byte
	if door == "chat" {
		w := h.chat(t, "alice", nil, fmt.Sprintf(`{"text":%q}`, text))
		if w.Code != http.StatusOK {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		body = w.Body.Bytes()
		if i := bytes.LastIndex(body, []byte(`,"action":{`)); i >= 0 { // beside what the contract has
			said := chatAnswerOf(t, w)
			if said.Action.Summary == "" || !said.Action.Undoable || said.Action.UndoUntil == nil {
				t.Errorf("an action that cannot be undone: %s", body)
			}
			body = append(body[:i:i], '}')
		} else if bytes.Contains(body, []byte(`"event_id":`)) && !bytes.Contains(body, []byte(`"events":`)) {
			t.Errorf("no action: %s", body)
		}
	} else {
		query := fmt.Sprintf(
			`{"query":"mutation($text:String!){agentChat(input:{text:$text}){tool summary result success}}","variables":{"text":%q}}`, text)
		var answer struct {
			Data struct {
				AgentChat json.RawMessage `json:"agentChat"`
			} `json:"data"`
		}
		if err := json.Unmarshal(h.post(t, "alice", nil, nil, []byte(query)), &answer); err != nil {
			t.Fatal(err)
		}
		body = answer.Data.AgentChat
	}
	var said struct {
		Result struct {
			Link    string `json:"link"`
			EventID string `json:"event_id"`
			Events  []struct {
				EventID string `json:"event_id"`
			} `json:"events"`
		} `json:"result"`
	}
	if err := json.Unmarshal(body, &said); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	out := string(body)
	if said.Result.Link != "" {
		out = strings.ReplaceAll(out, said.Result.Link, "LINK")
	}
	for _, id := range append([]string{said.Result.EventID}, eventIDs(said.Result.Events)...) {
		if id != "" {
			out = strings.ReplaceAll(out, id, remoteOf(t, id))
		}
	}
	return out
}

func eventIDs(events []struct {
	EventID string `json:"event_id"`
}) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.EventID
	}
	return out
}

// remoteOf is the remote's id of an event that the examples name, NEW of any other.
func remoteOf(t *testing.T, text string) string {
	t.Helper()
	id, err := model.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	ref, err := model.EventRefOf(id)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(ref.Event, "event") && len(ref.Event) == len("event1") {
		return ref.Event
	}
	return "NEW"
}

// TestAgentStatuses holds the errors of HTTP in the contract, and those that any endpoint of this server has.
func TestAgentStatuses(t *testing.T) {
	h := agentHarness(t, plans{"what is up": {Tool: plan.ToolRead,
		Read: windowOf("2024-01-15T00:00:00Z", "2024-01-20T00:00:00Z")}})
	for _, c := range []struct {
		name, user string
		header     map[string]string
		body       string
		status     int
		want       string
	}{
		// Where the contract refuses, there is a calendar of one's own: decision 41.
		{name: "no account", user: "bob", body: `{"text":"what is up"}`, status: 200,
			want: `{"tool":"read","summary":"No events found.","result":{"status":"success","count":0,"events":[]},"success":true}`},
		{name: "no token", body: `{"text":"what is up"}`, status: 401, want: `{"detail":"Invalid or expired token"}`},
		{name: "no zone", user: "alice", header: map[string]string{"X-Time-Zone": "Mars/Olympus"},
			body: `{"text":"what is up"}`, status: 400, want: `{"detail":"Failed to load user context: `},
		{name: "may not write", user: "alice.READ", body: `{"text":"what is up"}`, status: 403, want: `{"detail":`},
		{name: "no body", user: "alice", status: 422,
			want: `{"detail":[{"loc":["body"],"msg":"Field required","type":"missing"}]}`},
		{name: "no JSON", user: "alice", body: `{"text":`, status: 422,
			want: `{"detail":[{"loc":["body"],"msg":"JSON decode error: `},
		{name: "no object", user: "alice", body: `["text"]`, status: 422,
			want: `{"detail":[{"loc":["body"],"msg":"Input should be an object","type":"model_attributes_type"}]}`},
		{name: "no text", user: "alice", body: `{}`, status: 422,
			want: `{"detail":[{"loc":["body","text"],"msg":"Field required","type":"missing"}]}`},
		{name: "text is a number", user: "alice", body: `{"text":1}`, status: 422,
			want: `{"detail":[{"loc":["body","text"],"msg":"Input should be a valid string","type":"string_type"}]}`},
		{name: "another key", user: "alice", body: `{"text":"a","txet":"b"}`, status: 422,
			want: `{"detail":[{"loc":["body","txet"],"msg":"Extra inputs are not permitted","type":"extra_forbidden"}]}`},
		{name: "confirm is a text", user: "alice", body: `{"text":"a","confirm":"yes"}`, status: 422,
			want: `{"detail":[{"loc":["body","confirm"],`},
		{name: "confirm without token", user: "alice", body: `{"text":"a","confirm":{"all":"x","choose":[1],"b":1}}`,
			status: 422,
			want:   `{"detail":[{"loc":["body","confirm","token"],"msg":"Field required","type":"missing"},{"loc":["body","confirm","all"]`},
		{name: "another media type", user: "alice", header: map[string]string{"Content-Type": "text/plain"},
			body: `{"text":"a"}`, status: 415, want: `{"detail":"The media type must be application/json."}`},
		{name: "compressed", user: "alice", header: map[string]string{"Content-Encoding": "gzip"}, body: `{"text":"a"}`,
			status: 415, want: `{"detail":"Compressed bodies are not served."}`},
		{name: "too large", user: "alice", body: `{"text":"` + strings.Repeat("a", 1<<20) + `"}`, status: 413,
			want: `{"detail":"The request's body is larger than 1048576 bytes."}`},
		{name: "from another site", user: "alice", header: map[string]string{"Origin": "https://evil.example"},
			body: `{"text":"what is up"}`, status: 403,
			want: `{"detail":"A page of https://evil.example has caused this request, and such pages are not let in. ` +
				`Whoever runs this server can let them in with ALMANAC_ALLOWED_ORIGINS=https://evil.example."}`},
		{name: "a wrong key", user: "alice", header: map[string]string{"Idempotency-Key": "two words"},
			body: `{"text":"what is up"}`, status: 400, want: `{"detail":"An Idempotency-Key is`},
		{name: "empty", user: "alice", body: `{"text":" \u200f\u0007 "}`, status: 200,
			want: `{"tool":"read","summary":"Error: text is required","result":null,"success":false}`},
		{name: "too long", user: "alice", body: `{"text":"` + strings.Repeat("א", 10_001) + `"}`, status: 200,
			want: `{"tool":"read","summary":"Error: the text has 10001 characters; at most 10000 are allowed","result":null,"success":false}`},
		{name: "control characters", user: "alice", body: `{"text":"\u202ewhat\u0000 is\u0007 up\u2066"}`, status: 200,
			want: `{"tool":"read","summary":"No events found."`},
		{name: "not understood", user: "alice", body: `{"text":"<script>"}`, status: 200,
			want: `{"tool":"read","summary":"Error: not understood","result":null,"success":false}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := h.chat(t, c.user, c.header, c.body)
			if w.Code != c.status || !strings.HasPrefix(w.Body.String(), c.want) {
				t.Errorf("%d %s\nwant %d %s", w.Code, w.Body, c.status, c.want)
			}
			if strings.HasSuffix(c.want, "}") && w.Body.String() != c.want {
				t.Errorf("more than wanted: %s", w.Body)
			}
			if (w.Code == http.StatusUnauthorized || w.Code == http.StatusForbidden &&
				c.name == "may not write") != (w.Header().Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate: %q", w.Header().Get("WWW-Authenticate"))
			}
			if got := w.Header().Get("Content-Type"); got != "application/json; charset=utf-8" {
				t.Errorf("Content-Type %q", got)
			}
		})
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/agent/chat", nil)
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "POST" ||
		w.Body.String() != `{"detail":"Method Not Allowed"}` {
		t.Errorf("GET: %d %v %s", w.Code, w.Header(), w.Body)
	}
}

// broken is a planner that a mistake of ours has got into.
type broken struct{ panics bool }

// Plan implements agent.Planner.
func (b broken) Plan(context.Context, string, when.Moment) (agent.Planned, error) {
	if b.panics {
		panic("secret")
	}
	return agent.Planned{}, fmt.Errorf("the secret cause")
}

// TestAgentHidesCauses: what went wrong on our side is a 500 with a trace id and never its cause.
func TestAgentHidesCauses(t *testing.T) {
	for _, planner := range []broken{{false}, {true}} {
		w := agentHarness(t, planner).chat(t, "alice", nil, `{"text":"what is up"}`)
		const want = `{"detail":"Agent invocation failed: Something went wrong on the server. The trace id names the failure in its log. Trace id: `
		if w.Code != http.StatusInternalServerError || !strings.HasPrefix(w.Body.String(), want) ||
			strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%v: %d %s", planner, w.Code, w.Body)
		}
	}
}

// TestAgentAgain: under an Idempotency-Key a sentence is understood once and done once, whatever is answered the second
// time.
func TestAgentAgain(t *testing.T) {
	counted := &counting{plans: plans{"do it": {
		Tool: plan.ToolCreate, Create: &plan.Create{Start: at("2024-01-15T14:00:00Z"), End: at("2024-01-15T15:00:00Z")},
	}}}
	h := agentHarness(t, counted)
	header := map[string]string{"Idempotency-Key": "k1"}
	h.google1(t, `fault {"Method": "events.insert", "LoseAnswer": true, "Times": 1}`)
	var answers []chatAnswer
	for range 3 {
		answers = append(answers, chatAnswerOf(t, h.chat(t, "alice", header, `{"text":"do it"}`)))
	}
	for _, got := range answers[1:] {
		if !reflect.DeepEqual(got, answers[2]) || !got.Success ||
			got.Summary != "Created event: New Event at 2024-01-15T14:00:00\nMon 15 Jan 14:00–15:00\n"+undoLine {
			t.Errorf("%+v", got)
		}
	}
	list := h.says(t, "list")
	if want := "Found 1 events:\n- New Event at 2024-01-15T14:00:00"; list.Summary != want || counted.of["do it"] != 1 {
		t.Errorf("%s; planned %v", list.Summary, counted.of)
	}
	conflict := h.chat(t, "alice", header, `{"text":"do something else"}`)
	if conflict.Code != http.StatusUnprocessableEntity ||
		!strings.HasPrefix(conflict.Body.String(), `{"detail":"`) {
		t.Errorf("%d %s", conflict.Code, conflict.Body)
	}
}

// counting counts how often each sentence was planned.
type counting struct {
	plans
	of map[string]int
}

// Plan implements agent.Planner.
func (c *counting) Plan(ctx context.Context, text string, now when.Moment) (agent.Planned, error) {
	if c.of == nil {
		c.of = map[string]int{}
	}
	c.of[text]++
	if text == "list" {
		return agent.Planned{Plan: plan.Plan{Tool: plan.ToolRead,
			Read: windowOf("2024-01-15T00:00:00Z", "2024-01-20T00:00:00Z")}}, nil
	}
	return c.plans.Plan(ctx, text, now)
}
