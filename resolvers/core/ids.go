package core

import (
	"fmt"
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// RemoteID reads the id of a remote record of one kind.
func RemoteID(field, text string, kind model.Kind) (model.ID, error) {
	id, err := model.ParseID(text)
	if err != nil {
		return id, NotAnID(field, text, fmt.Sprintf("the id of %s, which begins with %s_", WithArticle(kind), kind))
	}
	if id.Kind != kind {
		return id, model.BadInput(field, "%s is the id of a %s; the id of %s is needed", model.Clip(text), KindNames[id.Kind],
			WithArticle(kind))
	}
	return id, nil
}

// NotAnID is BAD_USER_INPUT for a text that is not what is expected; of an id that a dry run has answered with, it says
// that nothing has it.
func NotAnID(field, text, expected string) error {
	if dryrun.IsID(text) {
		return model.BadInput(field,
			"%q is the id of what a dry run would make or change, so nothing has it; run the mutation without @dryRun",
			model.Clip(text))
	}
	return model.BadInput(field, "%q is not %s", model.Clip(text), expected)
}

// WithArticle returns the name of a kind with its indefinite article.
func WithArticle(kind model.Kind) string {
	name := KindNames[kind]
	if name != "" && strings.ContainsRune("aeio", rune(name[0])) { // "a user" is right
		return "an " + name
	}
	return "a " + name
}

// KindNames are the kinds of ids as messages call them.
var KindNames = map[model.Kind]string{
	model.KindUser:     "user",
	model.KindTask:     "task",
	model.KindSubtask:  "subtask",
	model.KindList:     "list",
	model.KindListItem: "list item",
	model.KindMemory:   "memory",
	model.KindAction:   "action",
	model.KindChange:   "change",

	model.KindEntity:  "entity",
	model.KindFact:    "fact",
	model.KindEpisode: "episode",

	model.KindHook: "webhook of this server",
	model.KindPush: "push subscription",

	model.KindConnection: "linked account",
	model.KindEvent:      "event",
	model.KindCalendar:   "calendar",
	model.KindEmail:      "e-mail",
	model.KindThread:     "conversation",
	model.KindPreview:    "preview",

	model.KindWebset:       "webset",
	model.KindWebsetSearch: "webset search",
	model.KindWebsetItem:   "webset item",
	model.KindEnrichment:   "enrichment",
	model.KindMonitor:      "monitor",
	model.KindMonitorRun:   "monitor run",
	model.KindWebhook:      "webhook",
	model.KindWebsetImport: "import",
	model.KindWebsetEvent:  "webset event",
	model.KindResearch:     "research",
}

// OwnID reads an id of one kind. BAD_USER_INPUT when the text is no id, or one of another kind.
func OwnID(field, text string, kind model.Kind) (model.UUID, error) {
	id, err := model.ParseID(text)
	if err != nil {
		return model.UUID{}, NotAnID(field, text,
			fmt.Sprintf("an id; the id of %s looks like %s_01h455vb4pex5vsknk084sn02q", WithArticle(kind), kind))
	}
	if id.Kind != kind {
		return model.UUID{}, model.BadInput(field, "%s is the id of %s; the id of %s is needed", model.Clip(text),
			WithArticle(id.Kind), WithArticle(kind))
	}
	return id.UUID, nil
}

// DeletedID is what a deletion returns of an own record that is gone.
func DeletedID(kind model.Kind, id model.UUID) *string {
	text := model.ID{Kind: kind, UUID: id}.String()
	return &text
}

// Version reads the number of a version, counted from 1; 0 when none is given.
func Version(field string, text *string) (int, error) {
	if text == nil {
		return 0, nil
	}
	n, err := strconv.Atoi(*text)
	if err != nil || n < 1 {
		return 0, model.BadInput(field, "%q is no version; pass the value of a `version` field", model.Clip(*text))
	}
	return n, nil
}

// Distinct returns each id once, in order.
func Distinct(ids []model.ID) []model.ID {
	seen := make(map[model.ID]bool, len(ids))
	out := make([]model.ID, 0, len(ids))
	for _, id := range ids {
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}
