//go:build bench

package compacttext

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/projections/compact"
)

// Rows is how many rows each file of the corpus has.
const Rows = 100

// Now is the moment at which the corpus is looked at.
func Now() time.Time { return time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC) }

// generator makes rows of one language.
type generator struct {
	random *rand.Rand
	zone   *time.Location
	vocabulary
}

// Generate makes the corpus: the answers of operations by their names and languages, "tasks.en", as compact JSON, the
// same in every run. Rows have the fields that a client would select to say what the text says; answers of a Graphiti
// server have all that it returns.
func Generate() (map[string][]byte, error) {
	zone, err := time.LoadLocation("Asia/Jerusalem")
	if err != nil {
		return nil, err
	}
	corpus := map[string][]byte{}
	for language, words := range map[string]vocabulary{"en": english, "he": hebrew} {
		g := generator{random: rand.New(rand.NewPCG(5, 16)), zone: zone, vocabulary: words} //nolint:gosec // it is to repeat
		for _, part := range []struct {
			operation string
			make      func() any
		}{
			{"tasks", func() any { return nodes(rows(g.task)) }},
			{"taskBoard", g.board},
			{"lists", func() any { return nodes(rows(g.list)) }},
			{"events", func() any { return nodes(rows(g.event)) }},
			{"emails", func() any { return nodes(rows(g.email)) }},
			{"emailThread", func() any { return map[string]any{"emails": rows(g.letter)} }},
			{"memories", func() any { return nodes(rows(g.memory)) }},
			{"searchMemories", func() any { return edges(rows(g.foundMemory)) }},
			{"entities", func() any { return nodes(rows(g.entity)) }},
			{"facts", func() any { return nodes(rows(g.fact)) }},
			{"episodes", func() any { return nodes(rows(g.episode)) }},
			{"changes", func() any { return nodes(rows(g.change)) }},
			{"knowledgeStatus", g.status},
			{"search_nodes", func() any {
				return map[string]any{"message": "Nodes retrieved successfully", "nodes": rows(g.toolNode)}
			}},
			{"search_memory_facts", func() any {
				return map[string]any{"message": "Facts retrieved successfully", "facts": rows(g.toolFact)}
			}},
			{"get_episodes", func() any {
				return map[string]any{"message": "Episodes retrieved successfully", "episodes": rows(g.toolEpisode)}
			}},
		} {
			data, err := plainJSON(part.make())
			if err != nil {
				return nil, fmt.Errorf("%s: %w", part.operation, err)
			}
			corpus[part.operation+"."+language] = data
		}
	}
	return corpus, nil
}

func plainJSON(value any) ([]byte, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

func nodes[T any](rows []T) any { return map[string]any{"nodes": rows} }
func edges[T any](rows []T) any { return map[string]any{"edges": rows} }

func rows[T any](row func() T) []T {
	out := make([]T, Rows)
	for i := range out {
		out[i] = row()
	}
	return out
}

func (g *generator) pick(from []string) string { return from[g.random.IntN(len(from))] }

func (g *generator) chance(percent int) bool { return g.random.IntN(100) < percent }

// maybe is a text, or none.
func (g *generator) maybe(percent int, from []string) *string {
	text := g.pick(from)
	if !g.chance(percent) {
		return nil
	}
	return &text
}

func (g *generator) uuid() (id model.UUID) {
	for i := range id {
		id[i] = byte(g.random.UintN(256))
	}
	return id
}

func (g *generator) id(kind model.Kind) string { return model.ID{Kind: kind, UUID: g.uuid()}.String() }

// when is a moment within so many days before and after now, at a quarter of an hour.
func (g *generator) when(before, after int) compact.Time {
	quarters := g.random.IntN((before+after)*96) - before*96
	return compact.Time{Time: Now().In(g.zone).Add(time.Duration(quarters) * 15 * time.Minute)}
}

func (g *generator) task() compact.Task {
	task := compact.Task{ID: g.id(model.KindTask), Text: g.pick(g.todos), Category: g.maybe(60, g.categories),
		Completed: g.chance(10), Subtasks: []compact.Subtask{}}
	if g.chance(70) {
		task.DueDate = g.when(10, 40)
		task.ItemContext.IsOverdue = task.DueDate.Before(Now()) && !task.Completed
		if g.chance(30) {
			half := "PT30M"
			task.Reminder = &half
		}
	}
	if g.chance(20) {
		clock := "08:00"
		task.Recurrence = &compact.Recurrence{Type: model.Weekly, Time: &clock,
			Days: []model.Weekday{model.Sunday, model.Wednesday}}
	}
	for range g.random.IntN(4) {
		task.Subtasks = append(task.Subtasks, compact.Subtask{Completed: g.chance(40)})
	}
	return task
}

func (g *generator) board() any {
	var b compact.Board
	for _, group := range []*[]compact.Task{&b.Overdue, &b.Today, &b.Upcoming, &b.Recurring, &b.NoDueDate} {
		*group = rows(g.task)[:Rows/5]
	}
	b.Counts = compact.Counts{Overdue: Rows / 5, Today: Rows / 5, Upcoming: Rows / 5, Recurring: Rows / 5,
		NoDueDate: Rows / 5}
	return b
}

func (g *generator) list() compact.List {
	list := compact.List{ID: g.id(model.KindList), Name: g.pick(g.lists), IsChecklist: g.chance(70),
		Items: []compact.ListItem{}}
	for range 3 + g.random.IntN(10) {
		list.Items = append(list.Items, compact.ListItem{ID: g.id(model.KindListItem), Text: g.pick(g.items),
			Checked: list.IsChecklist && g.chance(30)})
	}
	return list
}

// googleID is an id as Google's calendar makes them.
func (g *generator) googleID() string {
	const letters = "0123456789abcdefghijklmnopqrstuv"
	id := make([]byte, 26)
	for i := range id {
		id[i] = letters[g.random.IntN(len(letters))]
	}
	return string(id)
}

func (g *generator) event() compact.Event {
	start := g.when(2, 28)
	end := compact.Time{Time: start.Add(time.Duration(1+g.random.IntN(4)) * 30 * time.Minute)}
	zone := "Asia/Jerusalem"
	ref := model.EventRef{Connection: 1, Event: g.googleID()}
	event := compact.Event{
		ID: ref.ID().String(), Summary: g.pick(g.meetings), Location: g.maybe(50, g.rooms), Status: model.EventConfirmed,
		Recurrence: []string{}, Attendees: []compact.Attendee{},
		Start: &compact.EventTime{DateTime: start, TimeZone: &zone}, End: &compact.EventTime{DateTime: end, TimeZone: &zone},
	}
	if g.chance(30) {
		series := model.EventRef{Connection: 1, Event: g.googleID()}.ID().String()
		event.RecurringEventID = &series
	}
	for i := range g.random.IntN(5) {
		name := g.people[i]
		event.Attendees = append(event.Attendees,
			compact.Attendee{Email: g.mails[i], DisplayName: &name, ResponseStatus: model.Accepted})
	}
	if len(event.Attendees) > 0 {
		event.Attendees = append(event.Attendees, compact.Attendee{Email: "me@example.com",
			ResponseStatus: []model.ResponseStatus{model.Accepted, model.NeedsAction}[g.random.IntN(2)], Self: true})
	}
	return event
}

// said is several sentences.
func (g *generator) said(least, most int, separator string) string {
	out := make([]string, least+g.random.IntN(most-least+1))
	for i := range out {
		out[i] = g.pick(g.sentences)
	}
	return strings.Join(out, separator)
}

func (g *generator) email() compact.Email {
	i := g.random.IntN(len(g.people))
	hex := fmt.Sprintf("%016x", g.random.Uint64()>>4)
	email := compact.Email{
		ID: model.EmailRef{Connection: 1, Message: hex}.ID().String(), From: &compact.Address{Name: &g.people[i],
			Email: g.mails[i]}, Subject: g.pick(g.subjects), Date: g.when(14, 0), Unread: g.chance(40),
		Snippet: g.said(2, 3, " "), Attachments: []compact.Attachment{},
	}
	if g.chance(20) {
		email.Attachments = append(email.Attachments, compact.Attachment{Filename: "invoice-2026-11.pdf"})
	}
	return email
}

// letter is an e-mail of a conversation, with what it says.
func (g *generator) letter() compact.Email {
	email := g.email()
	email.Body = &compact.Body{Text: g.said(4, 10, "\n\n")}
	return email
}

func (g *generator) memory() compact.Memory {
	memory := compact.Memory{ID: g.id(model.KindMemory), Type: model.MemoryNote, Content: g.pick(g.notes),
		Tags: []string{}, Metadata: json.RawMessage("null"), UpdatedAt: g.when(300, 0)}
	for range g.random.IntN(3) {
		memory.Tags = append(memory.Tags, g.pick(g.tags))
	}
	if g.chance(30) {
		i := g.random.IntN(len(g.people))
		memory.Type, memory.Content = model.MemoryContact, g.people[i]
		memory.Metadata = json.RawMessage(`{"email":"` + g.mails[i] + `","name":"` + g.people[i] +
			`","phone":"+972541234567"}`)
	}
	return memory
}

func (g *generator) foundMemory() compact.FoundMemory {
	similarity, keyword := g.random.Float64(), g.random.Float64()
	score := 0.7*similarity + 0.3*keyword
	return compact.FoundMemory{Similarity: &similarity, KeywordScore: &keyword, Score: &score, Node: g.memory()}
}

// thing names an entity.
func (g *generator) thing() string {
	return g.pick([][]string{g.people, g.companies, g.places}[g.random.IntN(3)])
}

func (g *generator) entity() compact.Entity {
	return compact.Entity{ID: g.id(model.KindEntity), Name: g.thing(), Type: g.pick(g.entityTypes),
		Summary: g.maybe(80, g.summaries)}
}

func (g *generator) fact() compact.Fact {
	r := g.relations[g.random.IntN(len(g.relations))]
	source, target := g.pick(g.people), g.thing()
	sure := float64(50+g.random.IntN(50)) / 100
	fact := compact.Fact{
		ID: g.id(model.KindFact), Relation: r.name, Fact: r.before + source + r.between + target + r.after,
		Source: compact.Named{Name: source}, Target: compact.Named{Name: target}, ValidAt: g.when(900, 0),
	}
	if g.chance(50) {
		fact.Confidence = &sure
	}
	if g.chance(15) {
		fact.InvalidAt = g.when(100, 100)
	}
	return fact
}

func (g *generator) episode() compact.Episode {
	content := g.pick(g.events)
	name, _, _ := strings.Cut(content, ",")
	return compact.Episode{
		ID: g.id(model.KindEpisode), Name: name, Content: content, Source: model.EpisodeText,
		SourceDescription: g.maybe(40, g.subjects), ReferenceTime: g.when(200, 0), State: model.EpisodeExtracted,
	}
}

func (g *generator) change() compact.Change {
	kinds := []model.Kind{model.KindTask, model.KindList, model.KindMemory}
	types := []model.ChangeType{model.ChangeTask, model.ChangeList, model.ChangeMemory}
	operations := []model.Operation{model.OperationCreated, model.OperationUpdated, model.OperationDeleted}
	i := g.random.IntN(len(kinds))
	return compact.Change{Type: types[i], Operation: operations[g.random.IntN(len(operations))], ID: g.id(kinds[i]),
		At: g.when(7, 0)}
}

func (g *generator) status() any {
	entities, facts, current, episodes, queued, failed := 412, 1_873, 1_640, 96, 2, 0
	model := "gpt-5-mini"
	return compact.Status{
		Backend: "OWN", Status: "HEALTHY", EntityCount: &entities, FactCount: &facts, CurrentFactCount: &current,
		EpisodeCount: &episodes, LastUpdated: g.when(1, 0), ExtractionModel: &model, Queued: &queued, Failed: &failed,
	}
}

// remoteID is a UUID in its usual form.
func (g *generator) remoteID() string {
	id := g.uuid()
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func (g *generator) toolNode() map[string]any {
	e := g.entity()
	return map[string]any{
		"uuid": g.remoteID(), "name": e.Name, "labels": []string{"Entity", e.Type}, "created_at": g.when(300, 0),
		"summary": g.pick(g.summaries), "group_id": "main", "attributes": map[string]any{},
	}
}

func (g *generator) toolFact() map[string]any {
	f := g.fact()
	return map[string]any{
		"uuid": g.remoteID(), "group_id": "main", "source_node_uuid": g.remoteID(), "target_node_uuid": g.remoteID(),
		"created_at": g.when(300, 0), "name": f.Relation, "fact": f.Fact,
		"episodes": []string{g.remoteID()}, "expired_at": nil, "valid_at": f.ValidAt, "invalid_at": f.InvalidAt,
		"reference_time": f.ValidAt, "attributes": map[string]any{},
	}
}

func (g *generator) toolEpisode() map[string]any {
	e := g.episode()
	return map[string]any{
		"uuid": g.remoteID(), "name": e.Name, "content": e.Content, "created_at": e.ReferenceTime, "source": "text",
		"source_description": "", "group_id": "main",
	}
}
