package exa

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"almanac/adapters/remote"
	"almanac/internal/dryrun"
)

// What Exa would answer to a change, for a dry run, which changes nothing there: what is there with the change in it,
// or what would be made, as far as the request says it. Exa alone chooses the entity, the criteria and the formats that
// a request leaves open, ids, secrets and addresses for uploads.

// reads reports whether an ask changes nothing.
func (a ask) reads() bool { return a.method == http.MethodGet || a.budget == budgetWeb || a.finds }

// would answers a change in a dry run.
func (c *Client) would(ctx context.Context, key string, a ask, payload []byte) *failure {
	sent := entries(payload)
	path := a.path
	var answer map[string]any
	var lost *failure
	switch last := path[len(path)-1]; {
	case a.method == http.MethodDelete:
		answer, lost = c.there(ctx, key, path)
	case last == "cancel":
		if answer, lost = c.there(ctx, key, path[:len(path)-1]); lost == nil {
			cancel(answer)
		}
	case a.method == http.MethodPatch, slices.Equal(path[:len(path)-1], websets(pathWebsets)):
		if answer, lost = c.there(ctx, key, path); lost == nil {
			for name, value := range sent {
				answer[name] = value
			}
		}
	default:
		answer, lost = c.wouldMake(ctx, key, a, sent)
	}
	if lost != nil || a.read == nil {
		return lost
	}
	text, err := remote.JSON(answer)
	if err != nil || a.read(text) != nil {
		return unreadable()
	}
	return nil
}

// there reads what would be changed.
func (c *Client) there(ctx context.Context, key string, path []string) (map[string]any, *failure) {
	var found map[string]any
	lost := c.do(ctx, key, ask{operation: "dryrun.get", method: http.MethodGet, path: path, again: true,
		read: func(body []byte) error {
			found = entries(body)
			return nil
		}})
	if lost == nil && found == nil {
		lost = unreadable()
	}
	return found, lost
}

// invented is the n-th id in place of those that Exa would give, as long as they are.
func invented(n int) string { return fmt.Sprintf("%s%020d", dryrun.Invented, n) }

// errTaken is the cause when the name of something to be made is taken.
var errTaken = errors.New("exa: the externalId of a dry run is taken")

// wouldMake is what would be made. Something is read in any case, so that a key that is refused is found out.
func (c *Client) wouldMake(ctx context.Context, key string, a ask, sent map[string]any) (map[string]any, *failure) {
	made := map[string]any{"id": invented(0), "metadata": sent["metadata"]}
	for _, name := range []string{"externalId", "query", "entity", "criteria", "count", "behavior", "description",
		"format", "title", "url", "events", "websetId", "cadence", "model"} {
		if value, given := sent[name]; given {
			made[name] = value
		}
	}
	collection, within := a.path[len(a.path)-1], ""
	if len(a.path) > len(websets(pathWebsets))+1 {
		within = a.path[len(a.path)-2]
	}
	switch collection {
	case pathWebsets:
		if name, _ := sent["externalId"].(string); name != "" {
			switch _, lost := c.there(ctx, key, append(slices.Clone(a.path), name)); {
			case lost == nil:
				return nil, &failure{Remote: remoteName, Kind: remote.KindConflict, Status: http.StatusConflict, Unsent: true,
					Err: errTaken}
			case lost.Kind != remote.KindMissing:
				return nil, lost
			}
		}
		wouldHold(made, sent)
	case "searches":
		made["status"] = "created"
	case "enrichments":
		made["status"] = "pending"
	case "monitors":
		made["status"] = "enabled"
		within, _ = sent["websetId"].(string)
	case "webhooks":
		made["status"] = "active"
	case "imports", "v1": // and research
		made["status"] = "pending"
	}
	if within != "" {
		made["websetId"] = within
		_, lost := c.there(ctx, key, websets(pathWebsets, within))
		return made, lost
	}
	lost := c.do(ctx, key, ask{operation: "dryrun.list", method: http.MethodGet, path: a.path,
		query: url.Values{"limit": {"1"}}, again: true})
	return made, lost
}

// wouldHold fills a webset that would be made.
func wouldHold(webset, sent map[string]any) {
	webset["status"] = "idle"
	if search, given := sent["search"].(map[string]any); given {
		search["id"], search["websetId"], search["status"] = invented(1), webset["id"], "created"
		webset["searches"], webset["status"], webset["title"] = []any{search}, "pending", search["query"]
	}
	enrichments, _ := sent["enrichments"].([]any)
	for i, one := range enrichments {
		if e, ok := one.(map[string]any); ok {
			e["id"], e["websetId"], e["status"] = invented(2+i), webset["id"], "pending"
		}
	}
	if len(enrichments) > 0 {
		webset["enrichments"] = enrichments
	}
}

// cancel ends what goes on in an object: a search, an enrichment, or a webset with those in it.
func cancel(of map[string]any) {
	if _, isWebset := of["searches"]; isWebset {
		of["status"] = "idle"
		for _, within := range []string{"searches", "enrichments"} {
			list, _ := of[within].([]any)
			for _, one := range list {
				if part, ok := one.(map[string]any); ok {
					cancel(part)
				}
			}
		}
		return
	}
	if status, _ := of["status"].(string); slices.Contains([]string{"created", "pending", "running"}, status) {
		of["status"] = "canceled"
	}
}

// patched is an object with a change of a dry run in it, where it is read after the change.
func patched(ctx context.Context, raw []byte, change sentPatch) []byte {
	if !dryrun.Is(ctx) {
		return raw
	}
	of := entries(json.RawMessage(raw))
	for name, value := range change {
		of[name] = value
	}
	text, err := remote.JSON(of)
	if err != nil {
		return raw
	}
	return text
}
