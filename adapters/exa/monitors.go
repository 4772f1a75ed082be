package exa

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"almanac/graph/model"
)

func monitorsList(webset string) listing {
	list := listing{operation: "monitors.list", path: websets("monitors"), most: mostOthers}
	if webset != "" {
		list.query = url.Values{"websetId": {webset}}
	}
	return list
}

// CreateMonitor makes one. A lost answer is found again.
func (a *Account) CreateMonitor(ctx context.Context, monitor Monitor) (model.WebsetMonitor, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetMonitor{}, err
	}
	id, lost := a.resolve(ctx, monitor.Webset)
	if lost != nil {
		return model.WebsetMonitor{}, a.shown(lost)
	}
	raw, err := a.create(ctx, creation{
		operation: "monitors.create", path: websets("monitors"),
		body: func(request string) (any, error) {
			metadata, err := sentMetadata(monitor.Metadata, a.Owner.mark(), request)
			return sentMonitor{
				WebsetID: id, Cadence: &sentCadence{Cron: monitor.Cron, Timezone: monitor.TimeZone},
				Behavior: behaviorOf(monitor.Search), Metadata: metadata,
			}, err
		},
		find: func(ctx context.Context, request string) ([]byte, *failure) {
			return a.findListed(ctx, monitorsList(id), request)
		},
	})
	if err != nil {
		return model.WebsetMonitor{}, err
	}
	return readMonitor(raw)
}

// Monitors lists those of a webset, or all when webset is empty.
func (a *Account) Monitors(ctx context.Context, webset string, page Page) (List[model.WebsetMonitor], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.WebsetMonitor]{}, err
	}
	if webset != "" {
		id, lost := a.resolve(ctx, webset)
		if lost != nil {
			return List[model.WebsetMonitor]{}, a.shown(lost)
		}
		webset = id
	}
	return owned(ctx, a, monitorsList(webset), page, a.ownsWithin, func(raw json.RawMessage) (model.WebsetMonitor, bool) {
		monitor, err := read[wireMonitor](raw)
		return monitor.monitor("", string(raw)), err == nil && sound(monitor.ID) != ""
	})
}

// Monitor reads one.
func (a *Account) Monitor(ctx context.Context, monitor string) (model.WebsetMonitor, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetMonitor{}, err
	}
	raw, lost := a.mine(ctx, "monitors.get", "monitors", monitor, a.ownsWithin)
	if lost != nil {
		return model.WebsetMonitor{}, a.shown(lost)
	}
	return readMonitor(raw)
}

// UpdateMonitor changes one.
func (a *Account) UpdateMonitor(ctx context.Context, monitor string, patch MonitorPatch) (model.WebsetMonitor, error) {
	body := sentPatch{}
	for name, value := range patch.Back {
		body[name] = value
	}
	if patch.Status != nil {
		body["status"] = *patch.Status
	}
	if patch.Cron != nil {
		cadence := sentCadence{Cron: *patch.Cron}
		if patch.TimeZone != nil {
			cadence.Timezone = *patch.TimeZone
		}
		body["cadence"] = cadence
	}
	if patch.Search != nil {
		body["behavior"] = behaviorOf(patch.Search)
	}
	if err := body.setMetadata(a.Owner, patch.Metadata); err != nil {
		return model.WebsetMonitor{}, err
	}
	return a.onMonitor(ctx, monitor, ask{operation: "monitors.update", method: http.MethodPatch, body: body})
}

// DeleteMonitor deletes one, and returns it as it was; see DeleteWebset.
func (a *Account) DeleteMonitor(ctx context.Context, monitor string) (model.WebsetMonitor, error) {
	return a.onMonitor(ctx, monitor, ask{operation: "monitors.delete", method: http.MethodDelete})
}

func (a *Account) onMonitor(ctx context.Context, monitor string, one ask) (model.WebsetMonitor, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetMonitor{}, err
	}
	raw, lost := a.change(ctx, "monitors", monitor, a.ownsWithin, one)
	if isGone(one, lost) {
		return model.WebsetMonitor{Ref: plain(model.KindMonitor, monitor)}, nil
	}
	if lost != nil {
		return model.WebsetMonitor{}, a.shown(lost)
	}
	return readMonitor(raw)
}

// change does something that may be done twice to a thing that stands by itself, when it is the user's.
func (a *Account) change(ctx context.Context, collection, id string,
	owns func(context.Context, json.RawMessage) (bool, *failure), one ask) ([]byte, *failure) {
	if lost := a.check(ctx, collection+".get", collection, id, owns); lost != nil {
		return nil, lost
	}
	if lost := a.keepMark(ctx, collection+".get", one.body, websets(collection, id)...); lost != nil {
		return nil, lost
	}
	one.path, one.again = websets(collection, id), true
	return a.send(ctx, one)
}

func readMonitor(raw []byte) (model.WebsetMonitor, error) {
	told, err := read[wireMonitor](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetMonitor{}, shown(unreadable())
	}
	return told.monitor("", string(raw)), nil
}

// Runs lists a monitor's runs, in the remote's order.
func (a *Account) Runs(ctx context.Context, monitor string, page Page) (List[model.WebsetMonitorRun], error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return List[model.WebsetMonitorRun]{}, err
	}
	if lost := a.check(ctx, "monitors.get", "monitors", monitor, a.ownsWithin); lost != nil {
		return List[model.WebsetMonitorRun]{}, a.shown(lost)
	}
	list := listing{operation: "runs.list", path: websets("monitors", monitor, "runs"), most: mostOthers}
	return all(ctx, a, list, page, func(raw json.RawMessage) (model.WebsetMonitorRun, bool) {
		run, err := read[wireRun](raw)
		return run.run(monitor, string(raw)), err == nil && sound(run.ID) != ""
	})
}

// Run reads one.
func (a *Account) Run(ctx context.Context, monitor, run string) (model.WebsetMonitorRun, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return model.WebsetMonitorRun{}, err
	}
	lost := a.check(ctx, "monitors.get", "monitors", monitor, a.ownsWithin)
	var raw []byte
	switch {
	case lost != nil:
	case !model.SoundWebsetID(run):
		lost = notThere()
	default:
		raw, lost = a.fetch(ctx, "runs.get", websets("monitors", monitor, "runs", run)...)
	}
	if lost != nil {
		return model.WebsetMonitorRun{}, a.shown(lost)
	}
	told, err := read[wireRun](raw)
	if err != nil || sound(told.ID) == "" {
		return model.WebsetMonitorRun{}, shown(unreadable())
	}
	if a.Owner.shares() && told.MonitorID != "" && told.MonitorID != monitor {
		return model.WebsetMonitorRun{}, shown(notThere())
	}
	return told.run(monitor, string(raw)), nil
}
