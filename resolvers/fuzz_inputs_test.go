package resolvers_test

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// words are what texts are made of: two languages, signs that search and SQL care about, and letters that fold
// together.
var words = strings.Fields(`buy call pay Milk milk mom rent report Report% meeting_notes vitamins café Cafe straße
	לקנות חלב להתקשר לאמא שכר דירה פגישה תזכורת הפגישה שָׁלוֹם שלום צה״ל ג׳ירפה 100% a\b 'quoted' 👩‍👧 ＡＢＣ`)

func (s *story) text() string {
	var out []string
	for range 1 + s.random.IntN(3) {
		out = append(out, pick(s.random, words))
	}
	text := strings.Join(out, pick(s.random, []string{" ", " ", "  ", "\n"}))
	switch {
	case s.chance(20):
		return " \u200f" + strings.ToUpper(text) + "\u0000 "
	case s.chance(40):
		return " \u200f "
	case s.chance(40):
		return strings.Repeat(text+" ", 300)
	}
	return text
}

func (s *story) category() string {
	return pick(s.random, []string{"home", "Home", "עבודה", "work", "", "WÖRK", "%"})
}

// dateTime is near now, at midnight, at a change of clocks, or far away; with an offset or without.
func (s *story) dateTime() string {
	zone, err := time.LoadLocation(s.header["X-Time-Zone"])
	if err != nil {
		s.t.Fatal(err)
	}
	at := s.now().In(zone)
	switch s.random.IntN(8) {
	case 0:
		at = at.Add(time.Duration(s.random.IntN(120)-60) * time.Minute)
	case 1:
		at = time.Date(at.Year(), at.Month(), at.Day()+s.random.IntN(4)-1, 0, 0, 0, s.random.IntN(2)*1000, zone)
	case 2:
		at = time.Date(at.Year(), at.Month(), at.Day()+s.random.IntN(4)-1, 0, 0, 0, 0, zone).Add(-time.Microsecond)
	case 3:
		_, end := at.ZoneBounds()
		if !end.IsZero() {
			at = end.Add(time.Duration(s.random.IntN(5)-2) * 30 * time.Minute)
		}
	case 4:
		return pick(s.random, []string{"1900-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z",
			"9998-12-31T23:59:59Z", "9999-01-01T00:00:00Z", "2000-02-29T12:00"})
	case 5:
		at = s.now() // exactly now
	default:
		at = at.Add(time.Duration(s.random.IntN(20*24)-5*24) * time.Hour)
	}
	return at.Format(pick(s.random,
		[]string{"2006-01-02T15:04:05.999999Z07:00", "2006-01-02T15:04", "2006-01-02 15:04:05.999999"}))
}

func (s *story) duration() any {
	return pick(s.random, []any{1, 30, "PT30M", "P1D", "2 שעות", "15 minutes", "P10Y", "PT0S", "P3650D"})
}

func (s *story) recurrence() map[string]any {
	out := map[string]any{"type": pick(s.random, []string{"DAILY", "WEEKLY", "MONTHLY", "NUDGE"})}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
	}
	fits := map[string]bool{"DAILY": true, "WEEKLY": true, "MONTHLY": true}
	if fits[out["type"].(string)] {
		add(2, "time", pick(s.random, []string{"00:00", "02:30", "23:59", "12:00", "7:30"}))
	}
	if out["type"] == "WEEKLY" || s.chance(20) {
		add(2, "days", []any{"FRIDAY", "SUNDAY", "FRIDAY"})
	}
	if out["type"] == "MONTHLY" || s.chance(20) {
		add(2, "dayOfMonth", pick(s.random, []any{1, 29, 31, 0, 32}))
	}
	if out["type"] == "NUDGE" || s.chance(20) {
		add(2, "interval", s.duration())
	}
	add(4, "until", s.dateTime())
	add(6, "timeZone", pick(s.random, []string{"Asia/Tokyo", "America/St_Johns", "Mars/Olympus", "UTC"}))
	return out
}

func (s *story) newTask() map[string]any {
	out := map[string]any{"text": s.text()}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
	}
	add(3, "category", s.category())
	add(2, "dueDate", s.dateTime())
	add(5, "reminder", s.duration())
	add(4, "recurrence", s.recurrence())
	add(4, "subtasks", []any{s.text(), s.text()})
	add(3, "allowDuplicate", true)
	return out
}

func (s *story) patch() map[string]any {
	out := map[string]any{}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
		if s.chance(12) {
			out[name] = nil
		}
	}
	add(4, "text", s.text())
	add(4, "category", s.category())
	add(3, "dueDate", s.dateTime())
	add(6, "reminder", s.duration())
	add(4, "recurrence", s.recurrence())
	add(3, "completed", s.chance(2))
	return out
}

// target says which thing is meant, by id or by text.
func (s *story) target(input map[string]any, kind, name string) map[string]any {
	switch s.random.IntN(5) {
	case 0:
		input["target"] = map[string]any{"id": s.one(kind)}
	case 1, 2:
		input["target"] = map[string]any{"match": map[string]any{name: s.text()}}
	default:
		input["id"] = s.one(kind)
	}
	if s.chance(30) {
		input["id"] = s.one(kind)
	}
	return input
}

func (s *story) texts(most int) []any {
	out := []any{}
	for range s.random.IntN(most + 1) {
		out = append(out, s.text())
	}
	return out
}

func (s *story) item() map[string]any {
	if s.chance(2) {
		return map[string]any{"id": s.one("item")}
	}
	return map[string]any{"text": pick(s.random, words)}
}

func (s *story) items(most int) []any {
	out := []any{}
	for range s.random.IntN(most + 1) {
		out = append(out, s.item())
	}
	return out
}

// input is a random input of a mutation.
func (s *story) input(mutation string) map[string]any {
	bulk := func() map[string]any {
		return map[string]any{"ids": anySlice(s.some("task", s.random.IntN(4))), "texts": s.texts(2), "atomic": s.chance(3)}
	}
	switch mutation {
	case "createTask":
		return s.newTask()
	case "createTasks":
		tasks := []any{}
		for range s.random.IntN(6) {
			tasks = append(tasks, s.newTask())
		}
		return map[string]any{"tasks": tasks, "atomic": s.chance(4)}
	case "updateTask":
		return s.target(map[string]any{"set": s.patch()}, "task", "text")
	case "updateTasks":
		out := bulk()
		out["set"] = s.patch()
		return out
	case "completeTask", "deleteTask":
		return s.target(map[string]any{}, "task", "text")
	case "deleteTasks":
		return bulk()
	case "addSubtask":
		return map[string]any{"taskId": s.one("task"), "text": s.text()}
	case "updateSubtask":
		return map[string]any{"id": s.one("subtask"), "text": pick(s.random, []any{nil, s.text()}),
			"completed": pick(s.random, []any{nil, true, false})}
	case "undoAction":
		return map[string]any{"id": s.one("action")}
	case "deleteSubtask":
		return map[string]any{"id": s.one("subtask")}
	case "createList":
		return map[string]any{"name": s.text(), "items": s.texts(4), "isChecklist": s.chance(2)}
	case "updateList":
		return s.target(map[string]any{"set": map[string]any{"name": pick(s.random, []any{nil, s.text()}),
			"isChecklist": pick(s.random, []any{nil, true})}}, "list", "name")
	case "deleteList":
		return s.target(map[string]any{}, "list", "name")
	case "updateListItems":
		out := s.target(map[string]any{"check": s.items(2), "uncheck": s.items(1), "remove": s.items(1)}, "list", "name")
		var add, move []any
		for range s.random.IntN(4) {
			add = append(add, map[string]any{"text": s.text(), "checked": s.chance(3),
				"position": pick(s.random, []any{nil, 0, 1, 2, -1, 99})})
		}
		for range s.random.IntN(3) {
			move = append(move, map[string]any{"item": s.item(), "to": s.random.IntN(6) - 1})
		}
		out["add"], out["move"] = add, move
		return out
	case "storeMemory":
		out := s.newMemory()
		out["onConflict"] = pick(s.random, []string{"ASK", "ASK", "OVERRIDE", "KEEP_BOTH"})
		return out
	case "storeMemories":
		memories := []any{}
		for range s.random.IntN(5) {
			memories = append(memories, s.newMemory())
		}
		return map[string]any{"memories": memories, "atomic": s.chance(4),
			"onConflict": pick(s.random, []string{"REPORT", "OVERRIDE", "KEEP_BOTH"})}
	case "updateMemory":
		out := map[string]any{"id": s.one("memory"), "set": s.memoryPatch()}
		if s.chance(4) {
			out["ifVersion"] = strconv.Itoa(1 + s.random.IntN(3))
		}
		return out
	case "restoreMemory":
		return map[string]any{"id": s.one("memory"), "version": strconv.Itoa(1 + s.random.IntN(4))}
	case "deleteMemories":
		if s.chance(2) {
			return map[string]any{"filter": s.memoryFilter(1)}
		}
		return map[string]any{"ids": anySlice(s.some("memory", s.random.IntN(3)))}
	case "addFacts", "addEpisode", "extractEpisode", "invalidateFacts", "updateEntity", "mergeEntities", "deleteEntity",
		"deleteFact", "deleteEpisode", "clearKnowledge":
		return s.knowledgeInput(mutation)
	case "updateSettings":
		return map[string]any{"timeZone": pick(s.random, []any{nil, "Asia/Jerusalem", "Nowhere"}), "locale": pick(s.random,
			[]any{nil, "he", "en", "fr"}), "weekStart": pick(s.random, []any{nil, "MONDAY", "SUNDAY"})}
	}
	panic(fmt.Sprintf("no input for %s", mutation))
}

func (s *story) memoryMetadata() any {
	return pick(s.random, []any{
		nil, map[string]any{}, map[string]any{"name": pick(s.random, words), "phone": "050-555-01" +
			fmt.Sprint(10+s.random.IntN(5))}, map[string]any{"subject": pick(s.random, words), "value": s.random.IntN(3)},
		map[string]any{"source": "text", "entities": []any{pick(s.random, words)}}, map[string]any{"n": raw("1.0"),
			"deep": map[string]any{"list": []any{1, nil, "x"}}}, map[string]any{"phone": 5}, []any{1},
	})
}

func (s *story) tags() any {
	tags := []any{}
	for range s.random.IntN(3) {
		tags = append(tags, pick(s.random, words))
	}
	return tags
}

func (s *story) newMemory() map[string]any {
	out := map[string]any{"content": s.text(), "type": pick(s.random, []string{"NOTE", "CONTACT", "KV"})}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
	}
	add(4, "summary", s.text())
	add(2, "tags", s.tags())
	add(2, "metadata", s.memoryMetadata())
	// what expires in the story is not in the log
	add(8, "expiresAt", pick(s.random,
		[]string{"2090-01-01T00:00", "2026-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z"}))
	return out
}

func (s *story) memoryPatch() map[string]any {
	out := map[string]any{}
	for name, value := range s.newMemory() {
		if s.chance(2) {
			out[name] = value
		}
	}
	if s.chance(6) {
		out[pick(s.random, []string{"summary", "tags", "metadata", "expiresAt", "content"})] = nil
	}
	return out
}

// memoryFilter nests so deep.
func (s *story) memoryFilter(depth int) map[string]any {
	out := map[string]any{}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
	}
	add(4, "type", []any{pick(s.random, []string{"NOTE", "CONTACT", "KV"})})
	add(6, "tags", s.tags())
	add(6, "tagsAny", s.tags())
	add(6, "tagsNone", s.tags())
	add(6, "metadata", s.memoryMetadata())
	add(8, "hasMetadata", s.chance(2))
	add(8, "createdAfter", s.dateTime())
	add(8, "updatedBefore", s.dateTime())
	if depth > 0 {
		add(5, "or", []any{s.memoryFilter(depth - 1), s.memoryFilter(depth - 1)})
		add(5, "and", []any{s.memoryFilter(depth - 1)})
		add(5, "not", s.memoryFilter(depth-1))
	}
	return out
}
