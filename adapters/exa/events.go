package exa

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Events lists what has happened, in the order of the remote, which keeps it for 60 days. Both times are inclusive. Of
// an account that several share, events of a webset that is gone are shown as far as it is known still, or told by the
// events themselves, whose it was.
func (a *Account) Events(ctx context.Context, filter EventFilter, page Page) (List[model.WebsetEvent], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.WebsetEvent]{}, err
	}
	query := url.Values{}
	for _, kind := range filter.Types {
		query.Add("types", kind)
	}
	if !filter.CreatedAfter.IsZero() {
		query.Set("createdAfter", stamp(filter.CreatedAfter))
	}
	if !filter.CreatedBefore.IsZero() {
		query.Set("createdBefore", stamp(filter.CreatedBefore))
	}
	list := listing{operation: "events.list", path: websets("events"), query: query, most: mostOthers}
	return owned(ctx, a, list, page, a.ownsEvent, func(raw json.RawMessage) (model.WebsetEvent, bool) {
		event, err := read[wireEvent](raw)
		return event.event(string(raw)), err == nil && sound(event.ID) != ""
	})
}

// stamp writes a time as the remote does: UTC, milliseconds.
func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// Event reads one.
func (a *Account) Event(ctx context.Context, event string) (model.WebsetEvent, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetEvent{}, err
	}
	raw, lost := a.mine(ctx, "events.get", "events", event, a.ownsEvent)
	if lost != nil {
		return model.WebsetEvent{}, a.shown(lost)
	}
	told, err := read[wireEvent](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetEvent{}, shown(unreadable())
	}
	return told.event(string(raw)), nil
}

// ownsEvent reports whether an event is about something of the user's: by the mark of its subject, or else by the
// webset that it belongs to. What cannot be found out is not.
func (a *Account) ownsEvent(ctx context.Context, raw json.RawMessage) (bool, *failure) {
	if !a.Owner.shares() {
		return true, nil
	}
	event, about, ok := subjectOf(raw)
	if !ok {
		return false, nil
	}
	kind := about.kind(event.Type)
	if mark, _ := marksOf(about.Metadata); mark != "" {
		if kind == model.KindWebset && sound(about.ID) != "" {
			a.learnOwner(about.ID, mark)
		}
		return a.Owner.owns(mark), nil
	}
	switch kind {
	case model.KindWebset:
		return a.ownsWebset(ctx, about.ID)
	case model.KindMonitorRun:
		return a.ownsRun(ctx, about)
	default:
		return a.ownsWebset(ctx, about.WebsetID)
	}
}

// subjectOf reads an event and what it is about; false when one of them cannot be read.
func subjectOf(raw json.RawMessage) (wireEvent, wireSubject, bool) {
	event, err := read[wireEvent](raw)
	if err != nil {
		return wireEvent{}, wireSubject{}, false
	}
	about, err := read[wireSubject](event.Data)
	return event, about, err == nil
}

// ownsRun reports whether a monitor's run is the user's: by its webset where it names one, or else by its monitor.
func (a *Account) ownsRun(ctx context.Context, about wireSubject) (bool, *failure) {
	if about.WebsetID != "" {
		return a.ownsWebset(ctx, about.WebsetID)
	}
	if sound(about.MonitorID) == "" {
		return false, nil
	}
	k, ref := a.Client.key(a.Key), "monitor\x00"+about.MonitorID // which no webset is called
	if w, ok := k.owners.Get(ref); ok && (w.mark != "" || a.isFresh(w.at)) {
		return !w.gone && a.Owner.owns(w.mark), nil
	}
	if !mayLook(ctx) {
		return false, &failure{Remote: remoteName, Kind: remote.KindLimited, Unsent: true, Err: errEnough}
	}
	raw, lost := a.fetch(ctx, "monitors.get", websets("monitors", about.MonitorID)...)
	if lost != nil && lost.Kind != remote.KindMissing {
		return false, lost
	}
	w := whose{id: ref, gone: lost != nil, at: a.Client.Now()}
	monitor, _ := named(raw)
	if w.mark, _ = marksOf(monitor.Metadata); w.mark == "" && !w.gone {
		return a.ownsWebset(ctx, monitor.WebsetID)
	}
	k.keepOwner(ref, w)
	return !w.gone && a.Owner.owns(w.mark), nil
}

// learnOwner keeps whose a webset is, as an event of it tells: when it is deleted, its other events do not.
func (a *Account) learnOwner(id, mark string) {
	k := a.Client.key(a.Key)
	if w, ok := k.owners.Get(id); !ok || w.mark == "" {
		k.keepOwner(id, whose{id: id, mark: mark})
	}
}
