package demo

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/graphtext"
)

// The sample graph is whole, in both languages, right by the rules of what users add, and has a history and a future.
func TestTheGraphIsRight(t *testing.T) {
	const hebrew = "אבגדהוזחטיכלמנסעפצקרשת"
	for _, zone := range []string{"Asia/Jerusalem", "Pacific/Kiritimati", "America/New_York"} {
		data, moment := sample(t, time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), zone)
		graph := data.Knowledge
		names, there, inHebrew := map[string]bool{}, map[model.ID]bool{}, 0
		for i, entity := range graph.Entities {
			written := entities()[i]
			for _, name := range append([]string{entity.Name}, entity.Aliases...) {
				if key := graphtext.Name(name); names[key] {
					t.Errorf("%s names two entities", name)
				} else {
					names[key] = true
				}
			}
			if (written.attributes == "") != (entity.Attributes == "") || entity.Embedding.Model == "" || there[entity.ID] ||
				!entity.CreatedAt.Before(moment.Now) {
				t.Errorf("%+v", entity)
			}
			there[entity.ID] = true
			if strings.ContainsAny(entity.Name, hebrew) {
				inHebrew++
			}
		}
		episodes := map[model.ID]bool{}
		for _, episode := range graph.Episodes {
			episodes[episode.ID] = true
			for _, id := range graph.Mentions[episode.ID.UUID] {
				if !there[model.ID{Kind: model.KindEntity, UUID: id}] {
					t.Errorf("%s mentions nobody", episode.Name)
				}
			}
		}
		current, past, ahead := 0, 0, 0
		for i, fact := range graph.Facts {
			if relation, ok := graphtext.Relation(fact.Relation); !ok || relation != fact.Relation {
				t.Errorf("%s is written %s", fact.Relation, relation)
			}
			if !there[fact.Source.ID] || !there[fact.Target.ID] || there[fact.ID] || fact.Sentence == "" ||
				fact.Embedding.Model == "" || !fact.CreatedAt.Before(moment.Now) {
				t.Errorf("%+v", fact)
			}
			there[fact.ID] = true
			if written := relations()[i]; (written.from == "" && written.ahead == 0) != fact.ValidAt.IsZero() ||
				(written.to == "") != fact.InvalidAt.IsZero() {
				t.Errorf("%s holds from %v to %v", fact.Sentence, fact.ValidAt, fact.InvalidAt)
			}
			for _, id := range fact.Episodes {
				if !episodes[id] {
					t.Errorf("%s was read nowhere", fact.Sentence)
				}
			}
			switch {
			case fact.HoldsAt(moment.Now):
				current++
			case fact.ValidAt.After(moment.Now):
				ahead++
			default:
				past++
				if fact.ReplacedBy == (model.ID{}) || !fact.ExpiredAt.After(fact.CreatedAt) || fact.Version != 2 {
					t.Errorf("%s was not replaced: %+v", fact.Sentence, fact)
				}
			}
		}
		if inHebrew < 4 || current < 12 || past < 2 || ahead < 1 {
			t.Errorf("%d names in Hebrew, %d facts hold, %d did, %d will", inHebrew, current, past, ahead)
		}
	}
}
