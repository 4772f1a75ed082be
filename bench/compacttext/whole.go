//go:build bench

package compacttext

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
)

// Whole returns an answer of the corpus with whole rows: every scalar and context field that the API's type has, as a
// program selects them that passes rows on; of objects within a row those fields only that the text says. The answers
// of tools are whole as they are.
func Whole(operation string, data []byte) ([]byte, error) {
	kind, ours := Types()[operation]
	if !ours {
		return data, nil
	}
	var answer map[string]any
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("%s: %w", operation, err)
	}
	g := generator{random: rand.New(rand.NewPCG(6, 16)), vocabulary: english} //nolint:gosec // it is to repeat
	if strings.Contains(string(data), "\u05d0") {
		g.vocabulary = hebrew
	}
	for _, rows := range answer {
		list, _ := rows.([]any)
		for _, row := range list {
			fields, isRow := row.(map[string]any)
			if !isRow {
				continue
			}
			if node, found := fields["node"].(map[string]any); found {
				maps.Copy(fields, map[string]any{"cursor": g.cursor(), "matchedBy": []string{"VECTOR", "KEYWORD"}})
				fields = node
			}
			g.complete(kind, fields)
		}
	}
	return plainJSON(answer)
}

// Types are the API's types of each operation's rows.
func Types() map[string]string {
	return map[string]string{
		"tasks": "Task", "taskBoard": "Task", "lists": "List", "events": "Event", "emails": "Email", "emailThread": "Email",
		"memories": "Memory", "searchMemories": "Memory",
		"entities": "Entity", "facts": "Fact", "episodes": "Episode", "changes": "Change",
	}
}

// cursor is a cursor's usual length.
func (g *generator) cursor() string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	out := make([]byte, 64)
	for i := range out {
		out[i] = letters[g.random.IntN(len(letters))]
	}
	return string(out)
}

// flags are a context's, of which some hold.
func (g *generator) flags(names string) map[string]any {
	out := map[string]any{}
	for name := range strings.FieldsSeq(names) {
		out[name] = g.chance(30)
	}
	return out
}

const (
	writtenAt = "2026-11-03T09:41:27+02:00"
	shownAt   = "Tuesday, November 3 at 9:41"
)

// complete adds to a row what its type has beside what the text says. What most rows do not have is null.
func (g *generator) complete(kind string, row map[string]any) {
	switch kind { // in the words of the schema
	case "Change":
		row["nodeId"], row["id"] = row["id"], "change_"+g.cursor()
	case "Episode":
		row["extraction"], row["sourceType"] = row["state"], row["source"]
		delete(row, "state")
		delete(row, "source")
	}
	for name, value := range g.beside(kind) {
		said, _ := row[name].(map[string]any)
		if flags, context := value.(map[string]any); context && name == "itemContext" {
			maps.Copy(flags, said)
		} else if _, said := row[name]; said {
			continue
		}
		row[name] = value
	}
}

func (g *generator) beside(kind string) map[string]any {
	switch kind {
	case "Task":
		return map[string]any{
			"dueDateFormatted": shownAt, "nextReminderAt": nil, "nudgeCount": 0, "completedAt": nil, "createdAt": writtenAt,
			"updatedAt":   writtenAt,
			"version":     fmt.Sprintf("%013X", g.random.Uint64()>>12),
			"itemContext": g.flags("isReminder isTask isRecurring isNudge isOverdue isToday isTomorrowOrLater hasDueDate"),
		}
	case "List":
		return map[string]any{"createdAt": writtenAt, "updatedAt": writtenAt}
	case "Event":
		id := g.googleID()
		return map[string]any{
			"sourceId": id, "account": "me@example.com", "calendarId": "primary", "description": g.maybe(30, g.sentences),
			"whenFormatted": shownAt, "allDay": false, "duration": "PT1H", "attendeesOmitted": false,
			"response": nil, "recurrenceFormatted": nil, "htmlLink": "https://www.google.com/calendar/event?eid=" + id + id,
			"meetingUrl": nil, "transparent": false, "visibility": "DEFAULT", "colorId": nil,
			"eventType": "DEFAULT", "iCalUID": id + "@google.com", "version": `"3541234567890000"`, "created": writtenAt,
			"updated":     writtenAt,
			"asOf":        writtenAt,
			"itemContext": g.flags("isRecurring isRecurringSeries isToday isTomorrowOrLater isPast isNow isAllDay"),
		}
	case "Email":
		hex := fmt.Sprintf("%016x", g.random.Uint64()>>4)
		return map[string]any{
			"sourceId": hex, "threadId": "thread_07zk0c1s74r3crsq60wpae9nccr3c", "account": "me@example.com",
			"dateFormatted": shownAt, "labels": []string{"INBOX", "CATEGORY_PERSONAL"}, "starred": false,
			"messageId": "<" + hex + "@mail.example.com>", "sizeEstimate": 12_000 + g.random.IntN(50_000),
			"itemContext": g.flags("isPreview"),
		}
	case "Memory":
		return map[string]any{"createdAt": writtenAt, "version": 1, "itemContext": map[string]any{"isNew": false,
			"isOverride": false, "memoryType": "NOTE", "hasMetadata": g.chance(30)}}
	case "Entity":
		return map[string]any{"sourceId": nil, "aliases": []string{}, "attributes": nil, "createdAt": writtenAt,
			"updatedAt": writtenAt, "version": 1, "itemContext": g.flags("isNew hasSummary")}
	case "Fact":
		return map[string]any{
			"sourceId": nil, "createdAt": writtenAt, "expiredAt": nil, "attributes": nil,
			"episodeIds": []string{"episode_2dwbg83gvgqkm9yg7y08ghf6nr"}, "replacedBy": nil,
			"itemContext": g.flags("isCurrent isInvalidated isUpcoming isNew"),
		}
	case "Episode":
		return map[string]any{"sourceId": nil, "createdAt": writtenAt, "problem": nil}
	case "Change":
		return map[string]any{"cursor": g.cursor()}
	default:
		return nil
	}
}
