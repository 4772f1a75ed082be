package graphiti_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/internal/standin/graphiti"
)

func TestQueue(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	for _, content := range []string{"Dana works at Acme.", "Dana works at Globex."} {
		h.want("message", h.field("add_memory", "message", object{"name": "N", "episode_body": content, "group_id": "g_1",
			"source": "odd"}), "Episode 'N' queued for processing in group 'g_1'")
	}
	asked := object{"group_ids": "g_1"}
	h.want("before", h.rows("get_episodes", "episodes", "name", asked), "")
	h.want("waiting", h.server.Waiting("g_1"), 2)
	h.want("another group", h.server.Step("main"), false)
	h.want("step", h.server.Step("g_1"), true)
	h.want("after one", h.rows("get_episodes", "episodes", "content", asked), "Dana works at Acme.")
	h.want("source", h.rows("get_episodes", "episodes", "source", asked), "text")
	h.want("the rest", h.server.Drain(), 1)
	if got := fmt.Sprint(h.field("add_memory", "error",
		object{"name": "N", "episode_body": "x", "group_id": "a b"})); !strings.Contains(got, "alphanumeric") {
		t.Error(got)
	}
	h.tell("Noam knows Tal.")
	h.want("default group", h.rows("get_episodes", "episodes", "group_id", nil), graphiti.DefaultGroup)

	eager := open(t, graphiti.Options{Eager: true})
	eager.call("add_memory", object{"name": "N", "episode_body": "x"})
	eager.want("eager", eager.rows("get_episodes", "episodes", "name", nil), "N")

	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	h.call("add_memory", object{"name": "N", "episode_body": "Tal likes Tea.", "group_id": "self"})
	cancel() // so that Run reads what waits, and ends
	go func() { h.server.Run(ctx); close(done) }()
	<-done
	h.want("by itself", h.rows("get_episodes", "episodes", "name", object{"group_ids": []string{"self"}}), "N")
}

func TestReferenceTime(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	for given, want := range map[string]string{"2025-01-02T03:04:05": "2025-01-02T03:04:05+00:00",
		"2025-01-02T03:04:05+02:00": "2025-01-02T01:04:05+00:00", "": "2026-11-21T12:00:00+00:00"} {
		h.call("clear_graph", nil)
		h.tell("Dana works at Acme.", object{"reference_time": given})
		h.want(given, h.rows("search_memory_facts", "facts", "valid_at", object{"query": "Dana"}), want)
	}
	if got := fmt.Sprint(h.field("add_memory", "error", object{"name": "N", "episode_body": "x",
		"reference_time": "soon"})); !strings.HasPrefix(got, "Invalid reference_time") {
		t.Error(got)
	}
	h.want("nothing queued", h.server.Waiting("main"), 0)
}

func TestExtraction(t *testing.T) {
	t.Parallel()
	for content, c := range map[string]struct{ source, want string }{
		"Dana works at Acme. Noam moved to Rome!\nTal likes green tea": {"text",
			"KNOWN: Dana works at Acme; Noam moved to Rome; Tal likes green tea"},
		"dana: Noam works for Acme\nnoam: well":                        {"message", "KNOWN: Noam works for Acme"},
		`{"b": ["Noam knows Tal."], "a": {"x": "Dana lives in Rome"}}`: {"json", "KNOWN: Dana lives in Rome; Noam knows Tal"},
		"דנה עובדת באלפא. נועם גר בחיפה. טל מכיר את דנה": {"text",
			"KNOWN: דנה עובדת באלפא; טל מכיר את דנה; נועם גר בחיפה"},
		"Nothing is said here.": {"text", "KNOWN: "},
	} {
		h := open(t, graphiti.Options{})
		h.tell(content, object{"source": c.source})
		uuid := h.rows("get_episodes", "episodes", "uuid", nil)
		parts := strings.Split(h.rows("get_episode_entities", "edges", "fact", object{"episode_uuids": []string{uuid}}), "; ")
		slices.Sort(parts)
		h.want(content, "KNOWN: "+strings.Join(parts, "; "), c.want)
	}
	h := open(t, graphiti.Options{})
	h.tell("Dana works at Acme.")
	h.tell("dana WORKS at Acme. DANA works at acme. Dána knows Tal.")
	h.want("entities", len(strings.Split(h.rows("search_nodes", "nodes", "name", object{"query": "dana acme tal"}), "; ")),
		3)
	h.want("facts", h.rows("search_memory_facts", "facts", "name", object{"query": "works"}), "WORKS_AT")
	h.want("episodes", strings.Count(h.rows("search_memory_facts", "facts", "episodes", object{"query": "works"}), ","), 1)
	h.want("labels", h.rows("search_nodes", "nodes", "labels",
		object{"query": "Acme", "entity_types": []string{"Organization"}}), `["Entity","Organization"]`)
}

func TestContradictions(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	h.tell("Dana works at Acme. Dana knows Tal.", object{"reference_time": "2025-01-01T00:00:00Z"})
	h.pass(time.Hour)
	h.tell("Dana works at Globex. Dana knows Noam.", object{"reference_time": "2026-01-01T00:00:00Z"})
	all := object{"query": "Acme"}
	h.want("invalid", h.rows("search_memory_facts", "facts", "invalid_at", all), "2026-01-01T00:00:00+00:00")
	h.want("expired", h.rows("search_memory_facts", "facts", "expired_at", all), "2026-11-21T13:00:00+00:00")
	h.want("known", h.rows("search_memory_facts", "facts", "invalid_at", object{"query": "knows"}), "null; null")
}

func TestTriplets(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	add := func(source, target string, more object) object {
		arguments := object{"source_node_name": source, "edge_name": "WORKS_AT", "fact": source + " works at " + target,
			"target_node_name": target}
		for key, value := range more {
			arguments[key] = value
		}
		return arguments
	}
	h.want("entities", h.rows("add_triplet", "nodes", "name", add("Dana", "Acme", nil)), "Dana; Acme")
	h.want("again", h.rows("add_triplet", "edges", "valid_at", add("Dana", "Acme", nil)), "null")
	h.pass(time.Minute)
	h.want("closed", h.rows("add_triplet", "edges", "invalid_at", add("dana", "Globex", nil)),
		"null; 2026-11-21T12:01:00+00:00")
	uuid := strings.Split(h.rows("search_nodes", "nodes", "uuid", object{"query": "Globex"}), "; ")[0]
	h.want("foreign", strings.Contains(h.rows("add_triplet", "nodes", "group_id",
		add("Tal", "x", object{"group_id": "other", "target_node_uuid": uuid})), "main"), true)
	h.want("nameless", h.field("add_triplet", "error", add("", "x", nil)), "Error adding triplet: a node must have a name")
}

func TestSearch(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	for i := range 15 {
		h.tell(fmt.Sprintf("Person%d likes Tea.", i))
		h.pass(time.Second)
	}
	h.want("most entities", strings.Count(h.rows("search_nodes", "nodes", "name",
		object{"query": "likes", "max_nodes": 100}), ";"), graphiti.MostNodes-1)
	h.want("facts", strings.Count(h.rows("search_memory_facts", "facts", "name", object{"query": "Tea", "max_facts": 12}),
		";"), 11)
	h.want("usual", strings.Count(h.rows("search_memory_facts", "facts", "name", object{"query": "Tea"}), ";"), 9)
	h.want("newest first", strings.HasPrefix(h.rows("search_memory_facts", "facts", "fact", object{"query": "Tea"}),
		"Person14 likes Tea; Person13"), true)
	h.want("best first", strings.HasPrefix(h.rows("search_memory_facts", "facts", "fact",
		object{"query": "what Tea does Person3 like"}), "Person3 likes Tea"), true)
	uuid := h.rows("search_nodes", "nodes", "uuid", object{"query": "Person7", "max_nodes": 1})
	h.want("around", strings.HasPrefix(h.rows("search_memory_facts", "facts", "fact",
		object{"query": "Tea", "center_node_uuid": uuid}), "Person7"), true)
	h.want("empty", h.rows("search_memory_facts", "facts", "fact", object{"query": ""}), "")
	h.want("none asked for", h.field("search_memory_facts", "error", object{"query": "Tea", "max_facts": 0}),
		"max_facts must be a positive integer")
	h.want("one group", h.rows("search_nodes", "nodes", "name", object{"query": "Tea", "group_ids": "other"}), "")
	h.want("two groups", strings.Count(h.rows("search_nodes", "nodes", "name",
		object{"query": "Tea", "group_ids": []string{"other", "main"}}), ";"), graphiti.MostNodes-1)
	old := open(t, graphiti.Options{Old: true})
	old.tell("Dana works at Acme.")
	old.want("by type", old.rows("search_memory_nodes", "nodes", "name",
		object{"query": "Dana works", "entity": "Person"}), "Dana")
}

func TestFilters(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	h.tell("Dana works at Acme.", object{"reference_time": "2025-01-01T00:00:00Z"})
	h.tell("Dana works at Globex.", object{"reference_time": "2026-01-01T00:00:00Z"})
	h.call("add_triplet", object{"source_node_name": "Dana", "edge_name": "Works", "fact": "Dana works somewhere",
		"target_node_name": "Somewhere"})
	for name, c := range map[string]struct {
		filter object
		want   string
	}{
		"valid after":    {object{"valid_at_after": "2026-01-01T00:00:00Z"}, "Dana works at Globex"},
		"valid before":   {object{"valid_at_before": "2025-01-01T00:00:00"}, "Dana works at Acme"},
		"invalid after":  {object{"invalid_at_after": "2025-06-01"}, "Dana works at Acme"},
		"invalid before": {object{"invalid_at_before": "2025-06-01"}, ""},
		"name":           {object{"edge_types": []string{"Works"}}, "Dana works somewhere"},
		"other name":     {object{"edge_types": []string{"WORKS"}}, ""},
	} {
		c.filter["query"] = "Dana works"
		h.want(name, h.rows("search_memory_facts", "facts", "fact", c.filter), c.want)
	}
	if got := fmt.Sprint(h.field("search_memory_facts", "error",
		object{"query": "x", "valid_at_after": "soon"})); !strings.HasPrefix(got, "Invalid date filter") {
		t.Error(got)
	}
	h.want("other type", h.rows("search_nodes", "nodes", "name",
		object{"query": "Dana", "entity_types": []string{"person"}}), "")
}

func TestEpisodes(t *testing.T) {
	t.Parallel()
	h, old := open(t, graphiti.Options{}), open(t, graphiti.Options{Old: true})
	if _, ok := old.call("get_episodes", nil).(map[string]any); !ok {
		t.Error("no object where there is none")
	}
	for i := range 5 {
		h.tell(fmt.Sprint("Text ", i))
		old.tell(fmt.Sprint("Text ", i))
		old.pass(time.Minute)
	}
	uuids := strings.Split(h.rows("get_episodes", "episodes", "uuid", object{"max_episodes": 4}), "; ")
	for i := range uuids[1:] {
		if uuids[i] < uuids[i+1] {
			t.Errorf("%q is not in order", uuids)
		}
	}
	h.want("most", len(uuids), 4)
	list, ok := old.call("get_episodes", object{"last_n": 2}).([]any)
	if !ok || len(list) != 2 || list[0].(map[string]any)["content"] != "Text 3" ||
		list[1].(map[string]any)["valid_at"] != "2026-11-21T12:04:00+00:00" {
		t.Errorf("%v", list)
	}
}

func TestByUUID(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	h.tell("Dana works at Acme.", object{"group_id": "theirs"})
	in := object{"query": "Dana", "group_ids": []string{"theirs"}}
	fact := h.rows("search_memory_facts", "facts", "uuid", in)
	h.want("a fact", h.field("get_entity_edge", "fact", object{"uuid": fact}), "Dana works at Acme")
	episode := h.rows("get_episodes", "episodes", "uuid", in)
	h.want("entities", h.rows("get_episode_entities", "nodes", "name", object{"episode_uuids": []string{episode, "x"}}),
		"Dana; Acme")
	h.want("facts without episodes", h.rows("get_episode_entities", "edges", "episodes",
		object{"episode_uuids": []string{episode}}), "null")
	h.want("none", h.field("get_episode_entities", "error", object{"episode_uuids": []string{}}),
		"episode_uuids must contain at least one UUID")
}

func TestErasing(t *testing.T) {
	t.Parallel()
	h := open(t, graphiti.Options{})
	h.tell("Dana works at Acme. Dana knows Tal.")
	first := h.rows("get_episodes", "episodes", "uuid", nil)
	h.tell("Dana works at Acme. Noam knows Dana.")
	h.call("delete_episode", object{"uuid": first})
	h.want("facts", h.rows("search_memory_facts", "facts", "fact", object{"query": "Dana"}), "Noam knows Dana")
	h.want("entities", strings.Contains(h.rows("search_nodes", "nodes", "name", object{"query": "Dana Tal Noam"}), "Tal"),
		false)
	h.want("again", h.field("delete_episode", "error", object{"uuid": first}),
		"Error deleting episode: node "+first+" not found")
	fact := h.rows("search_memory_facts", "facts", "uuid", object{"query": "Noam"})
	h.call("delete_entity_edge", object{"uuid": fact})
	h.want("the fact again", h.field("delete_entity_edge", "error", object{"uuid": fact}),
		"Error deleting entity edge: edge "+fact+" not found")
	h.tell("Tal likes Tea.", object{"group_id": "other"})
	h.call("add_memory", object{"name": "N", "episode_body": "x"})
	h.want("clear", h.field("clear_graph", "message", nil), "Graph data cleared successfully for group IDs: main")
	h.want("own", h.rows("get_episodes", "episodes", "uuid", nil), "")
	h.want("waiting", h.server.Waiting("main"), 1)
	h.want("others", h.rows("search_nodes", "nodes", "name", object{"query": "Tea", "group_ids": "other"}) != "", true)
	old := open(t, graphiti.Options{Old: true})
	old.tell("Tal likes Tea.", object{"group_id": "other"})
	old.call("clear_graph", nil)
	old.want("everything", old.rows("search_memory_nodes", "nodes", "name",
		object{"query": "Tea", "group_ids": []string{"other"}}), "")
}
