package exa

import (
	"net/http"
	"net/url"
	"strings"
)

const websetsPrefix = "/websets/"

// route is one method at one path.
type route struct {
	method string
	// name is the path, with the names of its parts in braces.
	name string
	// websets says that errors have the form of Websets.
	websets bool
	serve   func(*call) (reply, *problem)
}

// routes are all that there are.
func routes() []route {
	const get, post, patch, remove = http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete
	const v0 = "/websets/v0"
	return []route{
		{post, v0 + "/websets", true, (*call).createWebset},
		{get, v0 + "/websets", true, (*call).listWebsets},
		{post, v0 + "/websets/preview", true, (*call).preview},
		{get, v0 + "/websets/{webset}", true, (*call).getWebset},
		{post, v0 + "/websets/{webset}", true, (*call).updateWebset},
		{remove, v0 + "/websets/{webset}", true, (*call).deleteWebset},
		{post, v0 + "/websets/{webset}/cancel", true, (*call).cancelWebset},
		{get, v0 + "/websets/{webset}/items", true, (*call).listItems},
		{get, v0 + "/websets/{webset}/items/{id}", true, (*call).getItem},
		{remove, v0 + "/websets/{webset}/items/{id}", true, (*call).deleteItem},
		{post, v0 + "/websets/{webset}/searches", true, (*call).createSearch},
		{get, v0 + "/websets/{webset}/searches/{id}", true, (*call).getSearch},
		{post, v0 + "/websets/{webset}/searches/{id}/cancel", true, (*call).cancelSearch},
		{post, v0 + "/websets/{webset}/enrichments", true, (*call).createEnrichment},
		{get, v0 + "/websets/{webset}/enrichments/{id}", true, (*call).getEnrichment},
		{patch, v0 + "/websets/{webset}/enrichments/{id}", true, (*call).updateEnrichment},
		{remove, v0 + "/websets/{webset}/enrichments/{id}", true, (*call).deleteEnrichment},
		{post, v0 + "/websets/{webset}/enrichments/{id}/cancel", true, (*call).cancelEnrichment},
		{post, v0 + "/monitors", true, (*call).createMonitor},
		{get, v0 + "/monitors", true, (*call).listMonitors},
		{get, v0 + "/monitors/{id}", true, (*call).getMonitor},
		{patch, v0 + "/monitors/{id}", true, (*call).updateMonitor},
		{remove, v0 + "/monitors/{id}", true, (*call).deleteMonitor},
		{get, v0 + "/monitors/{id}/runs", true, (*call).listRuns},
		{get, v0 + "/monitors/{id}/runs/{run}", true, (*call).getRun},
		{post, v0 + "/webhooks", true, (*call).createWebhook},
		{get, v0 + "/webhooks", true, (*call).listWebhooks},
		{get, v0 + "/webhooks/{id}", true, (*call).getWebhook},
		{patch, v0 + "/webhooks/{id}", true, (*call).updateWebhook},
		{remove, v0 + "/webhooks/{id}", true, (*call).deleteWebhook},
		{get, v0 + "/webhooks/{id}/attempts", true, (*call).listAttempts},
		{get, v0 + "/events", true, (*call).listEvents},
		{get, v0 + "/events/{id}", true, (*call).getEvent},
		{post, v0 + "/imports", true, (*call).createImport},
		{get, v0 + "/imports", true, (*call).listImports},
		{get, v0 + "/imports/{id}", true, (*call).getImport},
		{patch, v0 + "/imports/{id}", true, (*call).updateImport},
		{remove, v0 + "/imports/{id}", true, (*call).deleteImport},
		{post, "/research/v1", false, (*call).createResearch},
		{get, "/research/v1", false, (*call).listResearch},
		{get, "/research/v1/{id}", false, (*call).getResearch},
		{post, "/search", false, (*call).find},
		{post, "/findSimilar", false, (*call).findSimilar},
		{post, "/contents", false, (*call).contents},
		{post, "/answer", false, (*call).answer},
	}
}

// match finds the route of a request, and the parts of its path, each unescaped by itself: an external id may have a
// slash.
func match(method, escaped string) (route, map[string]string, bool) {
	parts := strings.Split(strings.TrimSuffix(escaped, "/"), "/")
	for _, r := range routes() {
		names := strings.Split(r.name, "/")
		if r.method != method || len(names) != len(parts) {
			continue
		}
		if path, fits := matchParts(names, parts); fits {
			return r, path, true
		}
	}
	return route{}, nil, false
}

func matchParts(names, parts []string) (map[string]string, bool) {
	path := map[string]string{}
	for i, name := range names {
		part, err := url.PathUnescape(parts[i])
		if err != nil {
			return nil, false
		}
		if strings.HasPrefix(name, "{") && part != "" {
			path[strings.Trim(name, "{}")] = part
		} else if name != part {
			return nil, false
		}
	}
	return path, true
}
