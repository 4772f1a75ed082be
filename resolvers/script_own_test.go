package resolvers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"almanac/adapters/gcal"
	"almanac/adapters/owncal"
	"almanac/graph/model"
	"almanac/projections/occur"
)

// onlyGoogle are the scripts of events that say what only a linked account can do, each for its reason.
var onlyGoogle = map[string]string{
	"events_accounts":       "several linked accounts, and one that has expired",
	"events_copies":         "one event in a linked calendar and in own ones",
	"events_default":        "own calendars beside a linked account",
	"events_faults":         "faults of Google",
	"events_faults_bulk":    "faults of Google",
	"events_repeated":       "answers of Google that were lost",
	"events_send":           "guests who are told by mail",
	"actions_invited":       "invitations that are answered, and taken back",
	"dryrun_events_account": "meetings, guests who are told by mail, calendars of others",
	"agenda":                "mail beside events",
	"agenda_faults":         "faults of Google",
}

// onlyGoogleAnswers are answers of other scripts that only a linked account gives, by their numbers from 1, with the
// reason.
var onlyGoogleAnswers = map[string]map[int]string{
	"actions_events": {21: "guests are told by mail", 22: "the same", 23: "the same", 24: "an account is unlinked",
		25: "the same"},
	"events_create":         {3: "a video meeting is opened", 4: "and its event is in the log"},
	"events_create_many":    {1: "a calendar that is only read", 3: "Google refuses, and an account is named"},
	"events_create_refused": {1: "an account is named", 3: "a calendar of the account that is not there"},
	"events_delete": {1: "guests are told by mail", 2: "an invitation is answered",
		3: "the changes that answers 1 and 2 have made"},
	"events_left_out": {2: "what is left out of a series by itself stands in rows and not in EXDATE lines",
		4: "the same", 6: "the same"},
	"events_read":     {8: "Google names the calendar's zone with each time", 13: "an account is named"},
	"events_series":   {7: "own exceptions are changed with their series, so the log has more and in another order"},
	"events_truncate": {4: "the log has exceptions that are dropped before their series"},
	"events_update": {4: "ifVersion has the version that Google gave",
		5: "an invitation is answered, and a type of event that only Google has",
		6: "the changes that answers 4 and 5 have made"},
	"events_window": {3: "a calendar of the account that is not there"},
}

// onlyAccounts are the fields of answers that an own calendar has otherwise: it has no account, and its ids, versions
// and links are its own.
var onlyAccounts = []string{"account", "calendarId", "sourceId", "htmlLink", "link", "version", "iCalUID", "creator",
	"organizer", "meetingUrl", "primary", "locations"}

// TestScriptsOnOwnCalendars runs the scripts of events, their undo and dry runs, agendas, sentences, times in words and
// compact text once more, with what they add to a calendar of Google in an own calendar instead, and nothing linked.
// The answers are the same, but for onlyAccounts.
func TestScriptsOnOwnCalendars(t *testing.T) {
	var files []string
	for _, pattern := range []string{"events_*", "agenda*", "agent_*", "compact_events",
		"actions_events", "actions_invited", "dryrun_events*", "times_in_words"} {
		found, err := filepath.Glob("testdata/api/" + pattern + ".txtar")
		if err != nil || len(found) == 0 {
			t.Fatalf("no scripts: %v", err)
		}
		files = append(files, found...)
	}
	for _, open := range harnesses() {
		t.Run(open.name, func(t *testing.T) {
			for _, file := range files {
				name := strings.TrimSuffix(filepath.Base(file), ".txtar")
				if onlyGoogle[name] != "" {
					continue
				}
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					runOwnScript(t, file, open)
				})
			}
		})
	}
	for name := range onlyGoogle {
		if !slices.Contains(files, "testdata/api/"+name+".txtar") {
			t.Errorf("there is no script %s", name)
		}
	}
}

// ownScript is a script whose calendars of Google are own ones.
type ownScript struct {
	*script
	client *owncal.Client
	// calendars are the numbers of own calendars by the ids that the script calls them by, primary for the first.
	calendars map[string]int
}

func runOwnScript(t *testing.T, file string, open harnessKind) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(text)
	setting := readSetting(t, string(archive.Comment))
	h := open.build(t, setting.now)
	h.knowledge.Extraction.Model = setting.reads
	o := ownScript{script: &script{t: t, harness: h, setting: setting, names: newNames()}, calendars: map[string]int{},
		client: &owncal.Client{Store: h.store, Rules: occur.NewRules(occur.DefaultRules), Now: h.clock.Now}}
	o.names.calendars = o.calendars
	sections, answers := archive.Files, 0
	for i := 0; i < len(sections); i++ {
		words, data := strings.Fields(sections[i].Name), string(sections[i].Data)
		switch words[0] {
		case "ask":
			ask := request{query: o.addressed(data), user: "alice"}
			if len(words) > 1 {
				ask.user, ask.scopes = words[1], words[2:]
			}
			for ; i+1 < len(sections) && (sections[i+1].Name == "variables" || sections[i+1].Name == "header"); i++ {
				if sections[i+1].Name == "variables" {
					ask.variables = o.addressed(string(sections[i+1].Data))
				} else {
					ask.header = string(sections[i+1].Data)
				}
			}
			o.ask(ask)
		case "clock":
			o.moveClock(strings.TrimSpace(data))
		case "work":
			h.work(t)
		case "google":
			for line := range strings.Lines(data) {
				if line = strings.TrimSpace(line); line != "" {
					o.plant(line)
				}
			}
			if o.answer == nil { // what was planted first is no change
				if err := h.store.Sweep(t.Context(), h.clock.Now().Add(time.Hour), time.Minute); err != nil {
					t.Fatal(err)
				}
			}
		case "answer":
			answers++
			reason := onlyGoogleAnswers[strings.TrimSuffix(filepath.Base(file), ".txtar")][answers]
			switch is, want := o.compared(data); {
			case reason == "" && is != want:
				t.Errorf("answer %d\n got: %s\nwant: %s", answers, is, want)
			case reason != "" && is == want:
				t.Errorf("answer %d is that of an own calendar too; take it off onlyGoogleAnswers", answers)
			}
		}
	}
}

// addressed returns a document in which calendars are called by the ids of own ones.
func (o ownScript) addressed(text string) string {
	for id, number := range o.calendars {
		text = strings.ReplaceAll(text, strconv.Quote(id), strconv.Quote(model.OwnCalendar(number).ID().String()))
	}
	return text
}

// alice is the user of scripts, and nobody else has calendars in them.
func (o ownScript) alice() model.UserID { return model.UserIDOf("alice") }

// plant does to own calendars what a line of a google section does to Google's. Events go through Google's stand-in,
// as somebody else's, so that they are read as Google's are.
func (o ownScript) plant(line string) {
	t := o.t
	t.Helper()
	args := append(strings.Fields(strings.SplitN(line, "{", 2)[0]), "", "", "")
	var given struct{ ID, Summary string }
	if at := strings.IndexByte(line, '{'); at >= 0 {
		if err := json.Unmarshal([]byte(line[at:]), &given); err != nil {
			t.Fatal(err)
		}
	}
	switch args[0] {
	case "link", "linkonly":
		o.make("primary", args[2], orElse(args[3], "Asia/Jerusalem"))
		if err := o.harness.google.link(t.Context(), model.UserIDOf("somebody"), args[2],
			orElse(args[3], "Asia/Jerusalem")); err != nil {
			t.Fatal(err)
		}
		return
	case "calendar":
		o.make(given.ID, given.Summary, "Asia/Jerusalem")
	}
	if err := o.harness.google.do(t.Context(), line); err != nil {
		t.Fatalf("google: %s: %v", line, err)
	}
	switch args[0] {
	case "event":
		o.names.planted(line)
		e := o.read(args[2], given.ID)
		_, _, err := o.client.Insert(t.Context(), owncal.Connection(o.alice()), o.number(args[2]),
			gcal.NewEvent{Event: e, SetReminders: true, SourceID: ownID(given.ID)})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	case "patch":
		e := o.read(args[2], args[3])
		_, err := o.client.Patch(t.Context(), owncal.Connection(o.alice()), o.ref(args[2], args[3]), gcal.Patch{
			Summary: &e.Summary, Description: &e.Description, Location: &e.Location, Start: &e.Start, End: &e.End,
			Attendees: &e.Attendees, Reminders: &e.Reminders}, gcal.ChangeOptions{})
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	case "delete":
		if _, err := o.client.Delete(t.Context(), owncal.Connection(o.alice()), o.ref(args[2], args[3]),
			gcal.ChangeOptions{}); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
}

// make makes an own calendar.
func (o ownScript) make(id, name, zone string) {
	o.t.Helper()
	o.harness.say(o.t, "alice", nil, "{ viewer { id } }", nil) // the first request of a user makes their row
	made, err := o.client.CreateCalendar(o.t.Context(), o.alice(), owncal.NewCalendar{Summary: name, TimeZone: zone,
		Reminders: []model.Reminder{{Method: model.RemindByPopup, Minutes: 10}}})
	if err != nil {
		o.t.Fatal(err)
	}
	o.calendars[id] = made.Number
}

func (o ownScript) number(calendar string) string {
	return model.OwnCalendar(o.calendars[orElse(calendar, "primary")]).Calendar
}

func (o ownScript) ref(calendar, event string) model.EventRef {
	return model.CalendarRef{Calendar: o.number(calendar)}.Event(ownID(event))
}

// read reads an event from Google's stand-in.
func (o ownScript) read(calendar, id string) model.Event {
	o.t.Helper()
	all, err := o.harness.store.Connections(o.t.Context(), model.UserIDOf("somebody"))
	if err != nil || len(all) == 0 {
		o.t.Fatalf("nobody is linked: %v", err)
	}
	if calendar == "primary" {
		calendar = ""
	}
	e, err := o.harness.google.wired().Events.Event(o.t.Context(), all[0],
		model.EventRef{Connection: all[0].Number, Calendar: calendar, Event: id}, ^gcal.Fields(0))
	if err != nil {
		o.t.Fatal(err)
	}
	return e
}

// ownID is the id that an own event has whose id in scripts is that; of an occurrence too.
func ownID(id string) string {
	series, occurrence, found := strings.Cut(id, "_")
	if len(series) < ownIDLength {
		series += strings.Repeat("v", ownIDLength-len(series))
	}
	if found {
		series += "_" + occurrence
	}
	return series
}

// ownIDLength is how long ids of own events are, those of occurrences aside.
const ownIDLength = 26

// compared returns the answer and that of the script, without what only accounts have.
func (o ownScript) compared(want string) (is, expected string) {
	o.t.Helper()
	plain := func(text []byte) string {
		var value any
		if err := json.Unmarshal(text, &value); err != nil {
			o.t.Fatal(err)
		}
		return string(written(o.t, plainErrors(without(value, onlyAccounts))))
	}
	return plain(o.answer), plain([]byte(want))
}

// plainErrors leaves the words out of errors that name what was not found and versions, which own calendars say in
// other words and count.
func plainErrors(value any) any {
	switch v := value.(type) {
	case map[string]any:
		code := v["code"]
		if extensions, ok := v["extensions"].(map[string]any); ok {
			code = extensions["code"]
		}
		if code == "NOT_FOUND" || code == "CONFLICT" {
			delete(v, "message")
		}
		for name := range v {
			v[name] = plainErrors(v[name])
		}
	case []any:
		for i := range v {
			v[i] = plainErrors(v[i])
		}
	}
	return value
}
