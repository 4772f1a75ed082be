package resolvers

import (
	"almanac/graph/model"
)

var kindNames = map[model.Kind]string{
	model.KindUser:     "user",
	model.KindTask:     "task",
	model.KindSubtask:  "subtask",
	model.KindList:     "list",
	model.KindListItem: "list item",
	model.KindMemory:   "memory",

	model.KindEntity:  "entity",
	model.KindFact:    "fact",
	model.KindEpisode: "episode",

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

// ownID reads an id of one kind. BAD_USER_INPUT when the text is no id, or one of another kind.
func ownID(field, text string, kind model.Kind) (model.UUID, error) {
	id, err := model.ParseID(text)
	if err != nil {
		return model.UUID{}, model.BadInput(field, "%q is not an id; the id of %s looks like %s_01h455vb4pex5vsknk084sn02q",
			model.Clip(text), withArticle(kind), kind)
	}
	if id.Kind != kind {
		return model.UUID{}, model.BadInput(field, "%s is the id of %s; the id of %s is needed", model.Clip(text),
			withArticle(id.Kind), withArticle(kind))
	}
	return id.UUID, nil
}
