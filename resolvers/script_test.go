package resolvers_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false,
	"write the answers given into the scripts; read the difference before you commit it")

// A script is a txtar archive. Its comment says what it is for and may set `now:`, `zone:`, `locale:`, `reads:` (the
// model that reads episodes) and `base:` (graphiti or graphiti-old, where the graph is), `exa:` (shared or off, how it
// serves) on lines of their own. Then come, in any order and number:
//
//	-- ask --        a GraphQL document, sent as the user alice ("-- ask bob --" as another, "-- ask bob READ --" with one scope)
//	-- variables --  the variables of the document before it
//	-- header --     "Name: value" lines for the document before it
//	-- clock --      moves the clock: a duration (2h) or an instant
//	-- work --       runs the reminder worker once
//	-- embedder --   what happens to the model of memories: away, back, embed (what has no vector of it), model name [lost models]
//	-- graphiti --   what happens at the Graphiti server, a command a line: drain (its queue), fault {…} (see standin.Fault), clear, forget (its sessions)
//	-- exa --        what happens at Exa, a command a line: seed user, fill user count query (a webset that is done), fault {…} (see standin.Fault), clear
//	-- answer --     the answer expected to the last document, as JSON
//	-- google --     what happens at Google meanwhile, a command a line, see googleHarness.do:
//	                   link alice alice@example.com [zone]      links an account, which is made if need be
//	                   account dana@example.com [zone]          makes an account that nobody has linked
//	                   calendar alice@example.com {"ID": "family@group.calendar.google.com", "AccessRole": "reader"}
//	                   share dana@example.com alice@example.com reader   opens a calendar to somebody
//	                   event alice@example.com [calendar] {…}   adds an event as Google's API takes it, with an "id"
//	                   patch alice@example.com primary id {…}   changes it, as somebody else would
//	                   delete alice@example.com primary id      deletes it
//	                   fault {"Method": "events.insert", "Status": 503, "Times": 1}  see standin.Fault; RetryAfterSeconds too
//	                   clear                                    ends all faults
//	                   letter alice@example.com {…}             delivers a letter (mailbox.Letter; At, Labels, Times too)
//	                   label alice@example.com Name             makes a label
//	                   linkonly alice alice@example.com         links an account for calendars alone
//	                   forget alice@example.com                 makes Gmail forget its history; settle lets the outbox's worker look once
//	                   revoke alice@example.com                 takes back what was granted; expire ends access tokens only
//	-- wire --       what was asked of Google for the last document, a request a line, in order ("-- wire sorted --" where the
//	                 order is open, "-- wire count --" for the number of requests of each method)
//	-- mailbox alice@example.com --  what the mailbox truly holds, a message a line, the newest first
//	-- outgoing --                   what has left any mailbox
//	-- calendar alice@example.com [calendar] --  what the calendar truly holds, an event a line
//
// In answers, ids and cursors stand as task#1, list#2, cursor#3 in order of first appearance; documents and variables
// may use the same words. The id of an event that the script itself added is event@id, of an occurrence
// event@id_20261124T080000Z, in another calendar than the primary one event@calendar/id, of another account than the
// first event@2:id, of an own calendar calendar@0:1; so documents can name them before any answer has. The n-th letter
// that was delivered is mail@n, as an e-mail's id email@n, in the account with the second number email@2:n.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/api/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	// Plans and gqlgen's executor answer with the same bytes.
	executor := harnessKind{name: "executor", executor: true, open: openSQLite}
	for _, open := range append(harnesses(), executor) {
		t.Run(open.name, func(t *testing.T) {
			for _, file := range files {
				t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
					t.Parallel()
					runScript(t, file, open)
				})
			}
		})
	}
}

func runScript(t *testing.T, file string, open harnessKind) {
	runScriptWith(t, file, open, nil)
}

// runScriptWith runs a script; with witnesses, only for what they say: nothing is compared.
func runScriptWith(t *testing.T, file string, open harnessKind, seen *witnesses) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(text)
	setting := readSetting(t, string(archive.Comment))
	h := open.build(t, setting.now)
	h.knowledge.Extraction.Model = setting.reads
	if setting.base != "" {
		h.moveToGraphiti(t, setting.base == "graphiti-old")
	}
	if setting.exa != "" {
		h.exa.move(setting.exa)
	}
	s := &script{t: t, harness: h, setting: setting, names: newNames(), seen: seen}
	for i := 0; i < len(archive.Files); i++ {
		section := archive.Files[i]
		words := strings.Fields(section.Name)
		if isCompared := []string{"wire", "calendar", "mailbox", "outgoing", "answer"}; seen != nil &&
			slices.Contains(isCompared, words[0]) {
			continue
		}
		switch words[0] {
		case "ask":
			ask := request{query: string(section.Data), user: "alice"}
			if len(words) > 1 {
				ask.user = words[1]
			}
			ask.scopes = words[min(2, len(words)):]
			for i+1 < len(archive.Files) && (archive.Files[i+1].Name == "variables" || archive.Files[i+1].Name == "header") {
				i++
				if archive.Files[i].Name == "variables" {
					ask.variables = string(archive.Files[i].Data)
				} else {
					ask.header = string(archive.Files[i].Data)
				}
			}
			s.ask(ask)
		case "clock":
			s.moveClock(strings.TrimSpace(string(section.Data)))
		case "work":
			s.harness.work(t)
		case "embedder":
			s.embed(strings.Fields(string(section.Data)))
		case "graphiti":
			for line := range strings.Lines(string(section.Data)) {
				if err := h.doGraphiti(strings.TrimSpace(line)); err != nil {
					t.Fatalf("%s: graphiti: %s: %v", file, line, err)
				}
			}
		case "google":
			for line := range strings.Lines(s.names.real(string(section.Data))) {
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				if err := h.google.do(t.Context(), line); err != nil {
					t.Fatalf("%s: google: %s: %v", file, line, err)
				}
				s.names.planted(line)
			}
			s.names.letters(h.google.delivered)
		case "exa":
			for line := range strings.Lines(string(section.Data)) {
				if err := h.exa.do(strings.TrimSpace(line)); err != nil {
					t.Fatalf("%s: exa: %s: %v", file, line, err)
				}
			}
		case "wire":
			asked := s.names.short(s.wire(words[1:]))
			if open.kept { // mutations look at the calendar once more, and queries ask nothing
				continue
			}
			compare(t, file, open, archive, i, asked)
		case "calendar":
			content, err := h.google.content(words[1], strings.Join(words[2:], ""))
			if err != nil {
				t.Fatalf("%s: %s: %v", file, section.Name, err)
			}
			compare(t, file, open, archive, i, s.names.short(content))
		case "mailbox":
			compare(t, file, open, archive, i, s.names.short(h.google.mails(words[1])))
		case "outgoing":
			compare(t, file, open, archive, i, s.names.short(h.google.outgoing()))
		case "answer":
			compare(t, file, open, archive, i, string(s.answer))
		default:
			t.Fatalf("%s: unknown section %q", file, section.Name)
		}
	}
	if open.kept {
		h.wantEachToldOnce(t)
	}
	if *update && open.first && seen == nil {
		if err := os.WriteFile(file, txtar.Format(archive), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// compare holds what came against a section of the script, or writes it there.
func compare(t *testing.T, file string, open harnessKind, archive *txtar.Archive, i int, got string) {
	t.Helper()
	section := archive.Files[i]
	if reason := onlyAsked[strings.TrimSuffix(filepath.Base(file), ".txtar")][i]; open.kept && reason != "" {
		if bytes.Equal(bytes.TrimSpace(section.Data), bytes.TrimSpace([]byte(got))) {
			t.Errorf("%s: section %d is the same; take it off onlyAsked", file, i)
		}
		return
	}
	if *update && open.first {
		archive.Files[i].Data = []byte(got)
	} else if !bytes.Equal(bytes.TrimSpace(section.Data), bytes.TrimSpace([]byte(got))) {
		t.Errorf("%s: section %d, %s\n got: %s\nwant: %s", file, i, section.Name, got, section.Data)
	}
}

// wire is what was asked of Google for the last document.
func (s *script) wire(how []string) string {
	lines := s.harness.google.asked()
	switch strings.Join(how, "") {
	case "sorted":
		slices.Sort(lines)
	case "count":
		counts := map[string]int{}
		for _, line := range lines {
			method, _, _ := strings.Cut(line, " ")
			counts[method]++
		}
		lines = nil
		for _, method := range slices.Sorted(maps.Keys(counts)) {
			lines = append(lines, fmt.Sprintf("%s %d\n", method, counts[method]))
		}
	}
	return strings.Join(lines, "")
}

type setting struct {
	now    time.Time
	zone   string
	locale string
	// reads is the model that reads episodes; nobody does when it is empty.
	reads string
	// base is where the graph is: graphiti, graphiti-old, or here when it is empty.
	base string
	// exa is how Exa serves: shared, by one key for all; off, by users' own keys alone; by an account for each when it is
	// empty.
	exa string
}

func readSetting(t *testing.T, comment string) setting {
	t.Helper()
	out := setting{now: time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC), zone: "Asia/Jerusalem", locale: "en"}
	for line := range strings.Lines(comment) {
		name, value, found := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		if !found {
			continue
		}
		switch name {
		case "now":
			now, err := time.Parse(time.RFC3339, value)
			if err != nil {
				t.Fatal(err)
			}
			out.now = now
		case "zone":
			out.zone = value
		case "locale":
			out.locale = value
		case "reads":
			out.reads = value
		case "base":
			out.base = value
		case "exa":
			out.exa = value
		}
	}
	return out
}

type request struct {
	query, variables, header, user string
	scopes                         []string
}

type script struct {
	t       *testing.T
	harness *harness
	setting setting
	names   *names
	answer  []byte
	seen    *witnesses // may be nil
}

func (s *script) ask(ask request) {
	sent := ask
	if s.seen != nil {
		sent = s.seen.before(s, ask)
	}
	raw := s.send(sent)
	if s.seen != nil {
		raw = s.seen.after(s, ask, raw)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, inOrder(s.t, raw), "", "  "); err != nil {
		s.t.Fatalf("answer is no JSON: %v\n%s", err, raw)
	}
	s.answer = append([]byte(s.names.short(pretty.String())), '\n')
}

// send sends a request and returns its answer.
func (s *script) send(ask request) []byte {
	body := map[string]any{"query": s.names.real(ask.query)}
	if ask.variables != "" {
		body["variables"] = json.RawMessage(s.names.real(ask.variables))
	}
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Fatal(err)
	}
	header := map[string]string{"X-Time-Zone": s.setting.zone, "Accept-Language": s.setting.locale}
	for line := range strings.Lines(ask.header) {
		if name, value, found := strings.Cut(strings.TrimSpace(line), ":"); found {
			header[name] = strings.TrimSpace(value)
		}
	}
	if err := s.harness.google.sync(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	s.harness.google.server.Reset()
	return s.harness.post(s.t, ask.user, ask.scopes, header, text)
}

// inOrder sorts an answer's errors by their paths: fields run side by side, so they come in any order.
func inOrder(t *testing.T, raw []byte) []byte {
	t.Helper()
	var parts struct {
		Errors     []json.RawMessage `json:"errors,omitempty"`
		Data       json.RawMessage   `json:"data,omitempty"`
		Extensions json.RawMessage   `json:"extensions,omitempty"`
	}
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatalf("answer is no JSON: %v\n%s", err, raw)
	}
	slices.SortStableFunc(parts.Errors, func(a, b json.RawMessage) int { return strings.Compare(pathOf(a), pathOf(b)) })
	sorted := &bytes.Buffer{}
	encoder := json.NewEncoder(sorted)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(parts); err != nil {
		t.Fatal(err)
	}
	return sorted.Bytes()
}

func pathOf(text json.RawMessage) string {
	var e struct{ Path json.RawMessage }
	if json.Unmarshal(text, &e) != nil {
		return ""
	}
	return string(e.Path)
}

func (s *script) moveClock(text string) {
	if by, err := time.ParseDuration(text); err == nil {
		s.harness.clock.Advance(by)
		return
	}
	to, err := time.Parse(time.RFC3339, text)
	if err != nil {
		s.t.Fatalf("clock: %v", err)
	}
	s.harness.clock.Set(to)
}

// embed does what an embedder section says.
func (s *script) embed(words []string) {
	s.t.Helper()
	e := s.harness.embedder
	switch words[0] {
	case "away", "back":
		e.away.Store(words[0] == "away")
	case "embed":
		if _, err := e.embedAll(s.t.Context(), s.harness); err != nil {
			s.t.Fatal(err)
		}
	case "model":
		e.rename(words[1], words[2:]...)
	default:
		s.t.Fatalf("unknown word for the embedder: %s", words[0])
	}
}
