package exa

import (
	"encoding/json"
	"errors"
	"strings"

	"almanac/graph/model"
)

type wireEvent struct {
	ID        string          `json:"id"`
	Type      string          `json:"type"`
	CreatedAt wireTime        `json:"createdAt"`
	Data      json.RawMessage `json:"data"`
}

// wireSubject is what the data of every kind of event have in common.
type wireSubject struct {
	ID        string          `json:"id"`
	Object    string          `json:"object"`
	WebsetID  string          `json:"websetId"`
	MonitorID string          `json:"monitorId"`
	Metadata  json.RawMessage `json:"metadata"`
}

// ReadEvent reads an event as a webhook is told it, with what it is about. The body is what a stranger sent until
// Verify has said otherwise. An error when it is no event: not JSON, or without an id or a type; its text quotes
// nothing of it. A type or a subject that nobody knows yet is no error.
func ReadEvent(body []byte) (model.WebsetEvent, error) {
	event, err := read[wireEvent](body)
	if err != nil {
		return model.WebsetEvent{}, errors.New("exa: the body is not JSON")
	}
	if sound(event.ID) == "" || event.Type == "" {
		return model.WebsetEvent{}, errors.New("exa: the body is no event")
	}
	return event.event(string(body)), nil
}

func (w wireEvent) event(raw string) model.WebsetEvent {
	e := model.WebsetEvent{Ref: plain(model.KindWebsetEvent, w.ID), Type: w.Type, CreatedAt: w.CreatedAt.Time, Raw: raw}
	about, err := read[wireSubject](w.Data)
	if err != nil {
		return e
	}
	kind := about.kind(w.Type)
	switch kind {
	case model.KindWebset:
		e.Subject = plain(kind, about.ID)
		e.Webset = e.Subject.ID
	case model.KindWebsetSearch, model.KindWebsetItem, model.KindEnrichment:
		e.Subject = nested(kind, about.WebsetID, "", about.ID)
		e.Webset = sound(about.WebsetID)
	case model.KindMonitorRun:
		e.Subject = nested(kind, about.MonitorID, "", about.ID)
		e.Webset = sound(about.WebsetID)
	case model.KindMonitor, model.KindWebsetImport:
		e.Subject = plain(kind, about.ID)
		e.Webset = sound(about.WebsetID)
	default:
		e.Webset = sound(about.WebsetID)
	}
	return e
}

// kind is what kind of record an event's data are: by their own word, or else by the event's type.
func (w wireSubject) kind(eventType string) model.Kind {
	switch w.Object {
	case "webset":
		return model.KindWebset
	case "webset_search":
		return model.KindWebsetSearch
	case "webset_item":
		return model.KindWebsetItem
	case "webset_enrichment":
		return model.KindEnrichment
	case "monitor":
		return model.KindMonitor
	case "monitor_run":
		return model.KindMonitorRun
	case "import":
		return model.KindWebsetImport
	case "":
	default:
		return ""
	}
	for _, rule := range []struct {
		prefix string
		kind   model.Kind
	}{
		{"webset.search.", model.KindWebsetSearch},
		{"webset.item.", model.KindWebsetItem},
		{"webset.export.", ""},
		{"webset.", model.KindWebset},
		{"monitor.run.", model.KindMonitorRun},
		{"monitor.", model.KindMonitor},
		{"import.", model.KindWebsetImport},
	} {
		if strings.HasPrefix(eventType, rule.prefix) {
			return rule.kind
		}
	}
	return ""
}
