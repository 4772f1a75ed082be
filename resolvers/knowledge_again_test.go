package resolvers_test

import (
	"strings"
	"testing"
	"time"
)

// knowledgeWorld is what is there before.
const knowledgeWorld = `mutation { addFacts(input: { facts: [
	{ source: { name: "Dana" }, relation: "WORKS_AT", target: { name: "Northwind" }, validAt: "2020-01-01T00:00" },
	{ source: { name: "Noa" }, relation: "KNOWS", target: { name: "Dana" } } ] }) { facts { id source { id } target { id } } } addEpisode(input: { content: "It rained.", extract: false }) { episode { id } } }`

// remoteKnowledgeMutations are those of the graph that are claimed; FACT, ENTITY and EPISODE are the first of each that
// there is.
var remoteKnowledgeMutations = map[string]string{
	"facts": `addFacts(input: { facts: [{ source: { name: "Dana" }, relation: "WORKS_AT", target: { name: "Acme" }, exclusive: true }, { source: { name: "Noa" }, relation: "KNOWS", target: { name: "Dana" } }, { source: { name: "" }, relation: "R", target: { name: "x" } }] }) {
		created unchanged invalidated entitiesCreated facts { id fact validAt source { id itemContext { isNew } } target { id itemContext { isNew } } itemContext { isNew } } errors { index code message } context { isEmpty isNew } userErrors { code } }`,
	"an episode":         `addEpisode(input: { content: "Now it is dry.", extract: false }) { episode { id content referenceTime } state context { isNew } userErrors { code } }`,
	"a known episode":    `addEpisode(input: { content: "It rained.", referenceTime: "2026-11-22T08:00:00Z", extract: false }) { episode { id } context { isNew } userErrors { code } }`,
	"a fact goes":        `deleteFact(input: { id: "FACT" }) { deleted deletedId context { isEmpty } userErrors { code } }`,
	"an entity goes":     `deleteEntity(input: { id: "ENTITY" }) { deleted deletedId deletedFacts context { isEmpty } userErrors { code } }`,
	"an episode goes":    `deleteEpisode(input: { id: "EPISODE" }) { deleted deletedFacts deletedEntities userErrors { code } }`,
	"everything goes":    `clearKnowledge(input: { confirm: { token: "TOKEN", all: true } }) { cleared deletedEntities deletedFacts deletedEpisodes context { isEmpty } userErrors { code } }`,
	"two of one request": `addEpisode(input: { content: "First." }) { episode { id } } second: addEpisode(input: { content: "Second." }) { episode { id } userErrors { code } }`,
}

// knowledgeState is all that there is of the graph, with the log; ids have the names of their order.
func knowledgeState(t *testing.T, h *harness) string {
	t.Helper()
	return newNames().short(string(h.say(t, "alice", nil,
		`{ knowledge { nodes(first: 50) { nodes { id name version } } facts(first: 50, includeInvalidated: true) { nodes { id fact invalidAt expiredAt replacedBy } } episodes { nodes { id content state: extraction } } } changes { nodes { type operation id: nodeId } } }`, nil)))
}

// A mutation of the graph whose answer was lost, and that is sent again under its Idempotency-Key, answers as it did
// and changes nothing more, though time has passed.
func TestARepetitionOfTheGraphDoesNothingMore(t *testing.T) {
	t.Parallel()
	for name, mutation := range remoteKnowledgeMutations {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := harnesses()[0].build(t, start)
			made := string(h.say(t, "alice", nil, knowledgeWorld, nil))
			asked := string(h.say(t, "alice", nil, `mutation { clearKnowledge { confirmation { token } } }`, nil))
			_, token, _ := strings.Cut(asked, `"token":"`)
			token, _, _ = strings.Cut(token, `"`)
			fill := strings.NewReplacer("FACT", factID.FindString(made), "ENTITY", entityID.FindString(made), "EPISODE",
				episodeID.FindString(made), "TOKEN", token)
			document := "mutation { m: " + fill.Replace(mutation) + " }"
			notes := &heldNotes{held: map[string][]byte{}}
			h.notes = notes
			first := string(h.say(t, "alice", nil, document, nil))
			if strings.Contains(first, `"errors":[{"message`) || strings.Contains(first, `"userErrors":[{`) {
				t.Fatalf("the first try failed: %s", first)
			}
			before := knowledgeState(t, h)
			h.clock.Advance(30 * time.Minute)
			second := string(h.say(t, "alice", nil, document, nil))
			if a, b := changing.ReplaceAllString(first, ""), changing.ReplaceAllString(second, ""); a != b {
				t.Errorf("the repetition answers otherwise\n first %s\nsecond %s", a, b)
			}
			if now := knowledgeState(t, h); now != before {
				t.Errorf("the repetition changed something\n was %s\n is %s", before, now)
			}
			for name, note := range notes.held {
				if strings.Contains(string(note), "Acme") || strings.Contains(string(note), "rained") {
					t.Errorf("%s is noted with a text: %s", name, note)
				}
			}
		})
	}
}
