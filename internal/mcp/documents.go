package mcp

import (
	"embed"
	"maps"
	"path"
	"strings"

	"almanac/graph/model"
)

//go:embed documents/*.graphql
var files embed.FS

// The documents of the tools that read; those of mutations are made by mutation.document.
func documents() map[string]document {
	entries, err := files.ReadDir("documents")
	if err != nil {
		panic(err) // they are part of the program
	}
	out := make(map[string]document, len(entries))
	for _, entry := range entries {
		text, err := files.ReadFile(path.Join("documents", entry.Name()))
		if err != nil {
			panic(err)
		}
		base := strings.TrimSuffix(entry.Name(), ".graphql")
		if base == "open" {
			maps.Copy(out, openings(string(text)))
			continue
		}
		out[base] = document{name: strings.ToUpper(base[:1]) + base[1:], text: string(text)}
	}
	return out
}

// openings returns a document for each fragment of a file: types have fields of one name and several shapes, which one
// document cannot hold.
func openings(text string) map[string]document {
	out := map[string]document{}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "fragment ")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, " ")
		out["open"+name] = document{name: "Open" + name,
			text: "query Open" + name + "($id: ID!) {\n  node(id: $id) { ..." + name + " }\n}\n\n" + line}
	}
	return out
}

// opening is the type of what an id names, by what it begins with; "" for what cannot be opened.
func opening(id string) string {
	kind, _, _ := strings.Cut(id, "_")
	return map[model.Kind]string{
		model.KindTask: "Task", model.KindSubtask: "Subtask", model.KindList: "List", model.KindListItem: "ListItem",
		model.KindEvent: "Event", model.KindCalendar: "Calendar",
		model.KindEmail: "Email", model.KindThread: "EmailThread", model.KindPreview: "EmailPreview",
		model.KindMemory: "Memory", model.KindAction: "Action", model.KindEntity: "Entity", model.KindFact: "Fact",
		model.KindEpisode: "Episode", model.KindWebset: "Webset", model.KindWebsetItem: "WebsetItem",
		model.KindWebsetSearch: "WebsetSearch", model.KindEnrichment: "WebsetEnrichment",
		model.KindMonitor: "WebsetMonitor", model.KindMonitorRun: "WebsetMonitorRun", model.KindWebsetImport: "WebsetImport",
		model.KindWebsetEvent: "WebsetEvent", model.KindResearch: "Research",
	}[model.Kind(kind)]
}

// mutation is a mutation that tools may run.
type mutation struct {
	name string
	// asks tells that its payload has a confirmation.
	asks bool
	// changed selects the ids of what was changed.
	changed string
}

// action selects what was done, with the way to undo it.
const action = " action { id summary undoable undoUntil }"

// mutations are all that the built-in tools can cause.
func mutations() map[string]mutation {
	all := []mutation{
		{"createTask", false, "task { id } existingTask { id }" + action},
		{"updateTask", true, "task { id }" + action},
		{"updateTasks", true, "tasks { id }" + action},
		{"completeTask", true, "task { id }" + action},
		{"deleteTasks", true, "tasks { id }" + action},
		{"createList", false, "list { id } existingList { id }" + action},
		{"deleteList", true, "list { id }" + action},
		{"updateListItems", true, "list { id }" + action},
		{"createEvent", false, "event { id } duplicates { id }" + action},
		{"updateEvent", true, "event { id }" + action},
		{"deleteEvent", true, "event { id }" + action},
		{"previewEmail", false, "preview { id hash }"},
		{"previewReply", false, "preview { id hash }"},
		{"sendEmail", false, "email { id }" + action},
		{"discardPreview", false, "discarded" + action},
		{"markEmails", false, "ids" + action},
		{"labelEmails", false, "ids" + action},
		{"storeMemory", true, "memory { id }" + action},
		{"deleteMemories", true, "deleted" + action},
		{"addFacts", false, "facts { id }" + action},
		{"addEpisode", false, "episode { id }" + action},
		{"deleteEntity", false, "deletedId" + action},
		{"deleteFact", false, "deletedId" + action},
		{"deleteEpisode", false, "deletedId" + action},
		{"undoAction", true, "undone { id }" + action},
	}
	out := make(map[string]mutation, len(all))
	for _, m := range all {
		out[m.name] = m
	}
	return out
}

// document is the mutation with everything that a tool tells of it.
func (m mutation) document() document {
	title := strings.ToUpper(m.name[:1]) + m.name[1:]
	confirmation := ""
	if m.asks {
		confirmation = " confirmation { kind question allowMultiple expiresAt token candidates { key label } }"
	}
	return document{name: title, text: "mutation " + title + "($input: " + title +
		"Input!, $compact: CompactOptions, $dryRun: Boolean! = false) @dryRun(if: $dryRun) {\n  done: " + m.name +
		"(input: $input) { " + m.changed +
		" userErrors { code message field }" + confirmation + " compact(options: $compact) { output } }\n}\n"}
}
