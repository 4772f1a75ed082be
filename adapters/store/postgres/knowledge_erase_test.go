package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/graph/model"
	"almanac/internal/teststore"
)

var knowledgeNow = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func newEntity(name string, entries ...string) store.EntityRowOf {
	return store.EntityRowOf{
		Entity: model.Entity{ID: model.ID{Kind: model.KindEntity, UUID: ids.New()}, Name: name, CreatedAt: knowledgeNow,
			UpdatedAt: knowledgeNow, Version: 1},
		Indexed: store.Indexed{Entries: entries},
	}
}

func newFact(source, target store.EntityRowOf, entries ...string) store.FactRowOf {
	return store.FactRowOf{
		Fact: model.Fact{
			ID: model.ID{Kind: model.KindFact, UUID: ids.New()}, Relation: "KNOWS", Sentence: "one knows the other",
			Source: source.Entity, Target: target.Entity, CreatedAt: knowledgeNow, Version: 1,
		},
		Indexed: store.Indexed{Entries: entries},
	}
}

func newEpisode(content string) model.Episode {
	return model.Episode{ID: model.ID{Kind: model.KindEpisode, UUID: ids.New()}, Content: content,
		Source: model.EpisodeText, State: model.EpisodeVerbatim, ReferenceTime: knowledgeNow, CreatedAt: knowledgeNow}
}

// TestWhatToldOfErasedKnowledgeIsErased: an answer goes with any record of the graph that it tells of, also with one
// that went along with another, and with an entity that the one it tells of has become part of.
func TestWhatToldOfErasedKnowledgeIsErased(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		erase func(ctx context.Context, tx store.Tx, of map[string]model.UUID) error
		// stay are those whose answers stay.
		stay []string
	}{
		{"an entity", func(ctx context.Context, tx store.Tx, of map[string]model.UUID) error {
			_, _, err := tx.DeleteEntities(ctx, []model.UUID{of["dana"]})
			return err
		}, []string{"noa", "other fact", "episode", "memory", "moved"}},
		{"an entity that took another in", func(ctx context.Context, tx store.Tx, of map[string]model.UUID) error {
			_, _, err := tx.DeleteEntities(ctx, []model.UUID{of["noa"]})
			return err
		}, []string{"dana", "episode", "memory"}},
		{"a fact", func(ctx context.Context, tx store.Tx, of map[string]model.UUID) error {
			_, err := tx.DeleteFacts(ctx, []model.UUID{of["fact"]})
			return err
		}, []string{"dana", "noa", "other fact", "episode", "memory", "moved"}},
		{"an episode", func(ctx context.Context, tx store.Tx, of map[string]model.UUID) error {
			_, _, err := tx.DeleteEpisode(ctx, of["episode"])
			return err
		}, []string{"noa", "other fact", "memory", "moved"}},
		{"all", func(ctx context.Context, tx store.Tx, _ map[string]model.UUID) error {
			_, err := tx.ClearKnowledge(ctx)
			return err
		}, []string{"memory"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t, postgres.Options{URL: teststore.NewPostgres(t)})
			one, noa, moved := newEntity("Dana"), newEntity("Noa"), newEntity("N.")
			episode, fact, other, memory := newEpisode("Dana met Noa"), newFact(one, noa), newFact(noa, noa), newMemory("kept")
			fact.Fact.Episodes = []model.ID{episode.ID}
			of := map[string]model.UUID{
				"dana": one.Entity.ID.UUID, "noa": noa.Entity.ID.UUID, "fact": fact.Fact.ID.UUID, "other fact": other.Fact.ID.UUID,
				"episode": episode.ID.UUID, "memory": memory.ID, "moved": moved.Entity.ID.UUID,
			}
			public := map[string]string{
				"dana": one.Entity.ID.String(), "noa": noa.Entity.ID.String(), "fact": fact.Fact.ID.String(),
				"other fact": other.Fact.ID.String(), "episode": episode.ID.String(), "memory": publicID(memory),
				"moved": moved.Entity.ID.String(),
			}
			write(t, s, func(ctx context.Context, tx store.Tx) error {
				for _, err := range []error{
					tx.InsertMemories(ctx, []model.Memory{memory}), tx.SaveEntities(ctx, []store.EntityRowOf{one, noa, moved}),
					tx.SaveEpisodes(ctx, []model.Episode{episode}),
					tx.SaveFacts(ctx, []store.FactRowOf{fact, other}), tx.MoveEntity(ctx, moved.Entity.ID.UUID, noa.Entity.ID.UUID),
				} {
					if err != nil {
						return err
					}
				}
				return nil
			})
			once := func(key string) (string, error) {
				got, _, err := s.Once(t.Context(), dana, model.IdempotentCall{Key: key},
					func(context.Context) ([]byte, error) { return []byte("told of " + public[key] + "."), nil })
				return string(got), err
			}
			for key := range public {
				if _, err := once(key); err != nil {
					t.Fatal(err)
				}
			}
			write(t, s, func(ctx context.Context, tx store.Tx) error { return c.erase(ctx, tx, of) })
			for key := range public {
				got, err := once(key)
				stays := strings.Contains("|"+strings.Join(c.stay, "|")+"|", "|"+key+"|")
				if stays && (err != nil || got == "") || !stays && model.CodeOf(err) != model.CodeConflict {
					t.Errorf("what told of %s: %q, %v", key, got, err)
				}
			}
		})
	}
}

// TestKnowledgeIsIndexedExactly: whatever writers of several processes do at the same time, the indexes, the names and
// the counts of vectors are those of the rows.
func TestKnowledgeIsIndexedExactly(t *testing.T) {
	t.Parallel()
	url := teststore.NewPostgres(t)
	var wait sync.WaitGroup
	for worker := range 3 {
		s := open(t, postgres.Options{URL: url, MaxConns: 3})
		wait.Go(func() {
			for round := range 8 {
				one, other := newEntity("One", "wone", "wshared"), newEntity("Other", "wother", "wshared")
				one.Entity.Aliases = []string{"Uno", "ONE"}
				one.Entity.Embedding = model.Embedding{Model: "a", Vector: []float32{1, 0}}
				fact, lone := newFact(one, other, "wfact", "wshared"), newFact(other, other, "wlone")
				fact.Fact.Embedding = model.Embedding{Model: []string{"a", "b"}[(worker+round)%2], Vector: []float32{0, 1}}
				episode := newEpisode("said")
				fact.Fact.Episodes = []model.ID{episode.ID}
				err := s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
					return errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{one, other}),
						tx.SaveEpisodes(ctx, []model.Episode{episode}), tx.SaveFacts(ctx, []store.FactRowOf{fact, lone}))
				})
				if err == nil {
					_, err = s.SaveKnowledgeVectors(t.Context(), dana, []store.KnowledgeVectorOf{
						{Kind: model.KindEntity, ID: one.Entity.ID.UUID, Version: 1,
							Embedding: model.Embedding{Model: "b", Vector: []float32{1, 1}}},
						{Kind: model.KindFact, ID: lone.Fact.ID.UUID, Version: 1,
							Embedding: model.Embedding{Model: "b", Vector: []float32{0, 0, 1}}},
					})
				}
				if err == nil {
					err = s.Write(t.Context(), dana, func(ctx context.Context, tx store.Tx) error {
						one.Entity.Name, one.Entity.Aliases, one.Entity.Embedding, one.Entity.Version, one.Entries = "Uno",
							[]string{"Eins"}, model.Embedding{}, 2, []string{"wuno", "wshared"}
						fact.Entries, fact.Fact.ValidAt, lone.Fact.InvalidAt = []string{"wfact", "wnew"}, knowledgeNow, knowledgeNow
						// Twice in one call, the second time as it was.
						err := errors.Join(tx.SaveEntities(ctx, []store.EntityRowOf{one, other, one}),
							tx.SaveFacts(ctx, []store.FactRowOf{fact, lone, fact}))
						if err == nil && round%2 == 0 {
							_, _, err = tx.DeleteEpisode(ctx, episode.ID.UUID)
						}
						if err == nil && round%4 == 1 {
							_, _, err = tx.DeleteEntities(ctx, []model.UUID{other.Entity.ID.UUID})
						}
						return err
					})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	s := open(t, postgres.Options{URL: url})
	for _, in := range [][2]string{{"entities", "entity"}, {"facts", "fact"}} {
		execute(t, s, strings.NewReplacer("ROWS", in[0], "ONE", in[1]).Replace(`DO $$ BEGIN
	IF EXISTS (SELECT FROM ONE_models AS m WHERE m.rows <> (SELECT count(*) FROM ONE_vectors AS v
	WHERE v.user_id = m.user_id AND v.model = m.number)) THEN
		RAISE 'a count of vectors is wrong';
	END IF;
	IF (SELECT count(*) FROM ROWS) = 0 OR (SELECT count(*) FROM ONE_vectors) <> (SELECT count(*) FROM ROWS)
	OR (SELECT count(DISTINCT n) FROM ROWS) <> (SELECT count(*) FROM ROWS)
		OR EXISTS (SELECT FROM ONE_vectors AS v WHERE NOT EXISTS (SELECT FROM ROWS AS t WHERE t.user_id = v.user_id
		AND t.n = v.n AND t.id = v.ONE_id)) THEN
		RAISE 'the vectors are not those of the rows';
	END IF;
	IF EXISTS (SELECT FROM ONE_terms AS k WHERE NOT EXISTS (SELECT FROM ROWS AS t WHERE t.user_id = k.user_id AND t.n = k.n
	AND k.term = ANY(t.entries)))
		OR (SELECT count(*) FROM ONE_terms) <> (SELECT sum(cardinality(entries)) FROM ROWS) THEN
		RAISE 'the index of words is not that of the rows';
	END IF;
END $$`))
	}
	execute(t, s, `DO $$ BEGIN
	IF EXISTS (SELECT FROM entity_names AS k WHERE NOT EXISTS (SELECT FROM entities AS t WHERE t.user_id = k.user_id
	AND t.id = k.entity_id AND k.name_key IN ('uno', 'eins', 'other')))
		OR EXISTS (SELECT FROM entities AS t WHERE NOT EXISTS (SELECT FROM entity_names AS k WHERE k.user_id = t.user_id
		AND k.entity_id = t.id AND k.name_key = t.name_key)) THEN
		RAISE 'the names are not those of the entities';
	END IF;
	IF EXISTS (SELECT FROM fact_episodes AS x WHERE NOT EXISTS (SELECT FROM facts AS t WHERE t.user_id = x.user_id
	AND t.id = x.fact_id)) THEN
		RAISE 'an episode supports a fact that is not there';
	END IF;
	IF EXISTS (SELECT FROM fact_vectors AS v JOIN facts AS t ON t.user_id = v.user_id AND t.n = v.n
	WHERE v.valid_at <> t.valid_at OR v.invalid_at <> t.invalid_at)
		OR NOT EXISTS (SELECT FROM fact_vectors WHERE valid_at > '-infinity')
		OR NOT EXISTS (SELECT FROM fact_vectors WHERE invalid_at < 'infinity') THEN
		RAISE 'the times beside the vectors are not those of the facts';
	END IF;
END $$`)
}
