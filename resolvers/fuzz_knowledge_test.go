package resolvers_test

import (
	"strconv"
	"strings"
)

var (
	relations   = []string{"knows", "works at", "WORKS_AT", "livesIn", "גר ב", "?!", "likes"}
	entityTypes = []any{nil, nil, nil, "Person", "PERSON", "City", "Entity", ""}
)

// knowledgeInput is a random input of a mutation of the graph.
func (s *story) knowledgeInput(mutation string) map[string]any {
	switch mutation {
	case "addFacts":
		facts := []any{}
		for range s.random.IntN(5) {
			facts = append(facts, s.newFact())
		}
		out := map[string]any{"facts": facts, "atomic": s.chance(5)}
		if s.chance(3) {
			out["episodeId"] = s.one("episode")
		}
		return out
	case "addEpisode":
		out := map[string]any{"content": s.text(), "source": pick(s.random, []string{"TEXT", "MESSAGE", "JSON"}),
			"extract": s.chance(2)}
		if s.chance(3) {
			out["referenceTime"] = s.dateTime()
		}
		if s.chance(4) {
			out["name"] = s.text()
		}
		return out
	case "invalidateFacts":
		out := map[string]any{"ids": anySlice(s.some("fact", s.random.IntN(4)))}
		if s.chance(2) {
			out["at"] = s.dateTime()
		}
		return out
	case "updateEntity":
		out := map[string]any{"id": s.one("entity"), "set": s.entityPatch()}
		if s.chance(4) {
			out["ifVersion"] = strconv.Itoa(s.random.IntN(4))
		}
		return out
	case "mergeEntities":
		return map[string]any{"into": s.one("entity"), "entities": anySlice(s.some("entity", s.random.IntN(3)))}
	case "extractEpisode", "deleteEpisode":
		return map[string]any{"id": s.one("episode")}
	case "deleteEntity":
		return map[string]any{"id": s.one("entity")}
	case "deleteFact":
		return map[string]any{"id": s.one("fact")}
	}
	return map[string]any{}
}

func (s *story) entityRef() map[string]any {
	out := map[string]any{}
	if s.chance(3) {
		out["id"] = s.one("entity")
	} else {
		out["name"] = pick(s.random, words[:12])
	}
	if s.chance(30) {
		out["name"] = s.text()
	}
	if kind := pick(s.random, entityTypes); kind != nil {
		out["type"] = kind
	}
	if s.chance(5) {
		out["aliases"] = s.texts(2)
	}
	if s.chance(5) {
		out["summary"] = s.text()
	}
	if s.chance(6) {
		out["attributes"] = s.memoryMetadata()
	}
	return out
}

func (s *story) newFact() map[string]any {
	out := map[string]any{"source": s.entityRef(), "relation": pick(s.random, relations), "target": s.entityRef(),
		"exclusive": s.chance(4)}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
	}
	add(4, "fact", s.text())
	add(3, "validAt", s.dateTime())
	add(5, "invalidAt", s.dateTime())
	add(5, "confidence", pick(s.random, []any{0, 0.5, 1, 1.5, raw("-0.0")}))
	add(6, "attributes", s.memoryMetadata())
	add(6, "closes", anySlice(s.some("fact", 2)))
	return out
}

func (s *story) entityPatch() map[string]any {
	out := map[string]any{}
	for _, one := range []struct {
		name  string
		value any
	}{
		{"name", pick(s.random, words)}, {"type", pick(s.random, entityTypes)}, {"summary", s.text()},
		{"aliases", s.texts(3)}, {"attributes", s.memoryMetadata()},
	} {
		if s.chance(3) {
			out[one.name] = one.value
		}
	}
	return out
}

// askTheGraph asks something of the graph at random, with cursors from earlier answers.
func (s *story) askTheGraph() {
	time := map[string]any{"asOf": nil, "all": s.chance(3)}
	if s.chance(3) {
		time = map[string]any{"asOf": s.dateTime(), "all": false}
	}
	with := func(more map[string]any) map[string]any {
		for name, value := range time {
			more[name] = value
		}
		return more
	}
	switch s.random.IntN(6) {
	case 0:
		s.page("knowledge nodes",
			`query($filter: EntityFilter, $first: Int, $after: String) { knowledge { nodes(filter: $filter, first: $first, after: $after) { totalCount isEmpty context { isEmpty } legs
			pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor score node { `+entityFields+` facts(first: 3) { fact target { name facts(first: 1) { id } } } itemContext { hasSummary } } } } } }`,
			map[string]any{"filter": map[string]any{"types": pick(s.random, []any{nil, []any{"person"},
				[]any{"Entity", "city"}}), "name": pick(s.random, []any{nil, nil, pick(s.random, words)})}})
	case 1:
		s.page("knowledge facts",
			`query($filter: FactFilter, $asOf: DateTime, $all: Boolean!, $first: Int, $after: String) { knowledge { facts(filter: $filter, asOf: $asOf, includeInvalidated: $all, first: $first, after: $after) { totalCount suppressed isEmpty
			pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { `+factFields+` episodeIds episodes(first: 2) { id name } itemContext { isCurrent isInvalidated isUpcoming } } } } } }`,
			with(map[string]any{"filter": s.factFilter()}))
	case 2:
		s.page("knowledge episodes",
			`query($filter: EpisodeFilter, $first: Int, $after: String) { knowledge { episodes(filter: $filter, first: $first, after: $after) { totalCount isEmpty
			pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { `+episodeFields+` extracted(first: 2) { entities { name } facts { fact } } } } } status { entityCount factCount currentFactCount episodeCount lastUpdated queued failed embedding { ready stale pending } } } }`,
			map[string]any{"filter": map[string]any{"states": pick(s.random, []any{nil, []any{"QUEUED"}, []any{"VERBATIM"}}),
				"sources": pick(s.random, []any{nil, []any{"TEXT"}})}})
	case 3:
		s.ask(nil,
			`query($query: String!, $asOf: DateTime, $all: Boolean!, $min: Float, $weights: SearchWeights) { knowledge { nodes(query: $query, first: 20, minSimilarity: $min, weights: $weights) { legs isEmpty pageInfo { hasNextPage } edges { similarity keywordScore score matchedBy node { id name } } }
			facts(query: $query, asOf: $asOf, includeInvalidated: $all, first: 3, minSimilarity: $min, weights: $weights) { suppressed edges { similarity keywordScore score matchedBy node { id fact } } } } }`,
			with(map[string]any{"query": s.text(), "min": pick(s.random, []any{nil, nil, -1, 0.9}),
				"weights": pick(s.random, []any{nil, map[string]any{"similarity": 1, "keyword": 0}})}))
	case 4:
		s.ask(nil,
			`query($from: ID!, $to: ID!, $asOf: DateTime, $all: Boolean!) { knowledge { path(from: $from, to: $to, asOf: $asOf, includeInvalidated: $all) { length entities { id name } facts { id } }
			entity(id: $from) { neighbours(depth: 2, first: 5, asOf: $asOf, includeInvalidated: $all) { truncated neighbours { distance entity { id name } via { id } } } } } }`,
			with(map[string]any{"from": s.one("entity"), "to": s.one("entity")}))
	default:
		ids := append(append(s.some("entity", 2), s.some("fact", 2)...), s.some("episode", 1)...)
		s.ask(nil, `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Entity { `+entityFields+` } ... on Fact { `+factFields+
			` } ... on Episode { `+episodeFields+` } } }`, map[string]any{"ids": ids})
	}
}

func (s *story) factFilter() map[string]any {
	out := map[string]any{}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
	}
	add(4, "entity", s.one("entity"))
	add(5, "between", anySlice(s.some("entity", 2)))
	add(4, "relations", []any{pick(s.random, relations)})
	add(6, "episode", s.one("episode"))
	add(6, "validAfter", s.dateTime())
	add(6, "validBefore", s.dateTime())
	add(8, "createdAfter", s.dateTime())
	return out
}

// ofTheGraph tells whether an id is that of a thing that clearing the graph erases.
func ofTheGraph(id string) bool {
	kind, _, _ := strings.Cut(id, "_")
	return kind == "entity" || kind == "fact" || kind == "episode"
}
