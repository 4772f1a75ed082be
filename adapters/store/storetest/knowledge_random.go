package storetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/projections/vector"
	terms "almanac/projections/words"
)

// people are the names of random entities: some are the same but for case, niqqud, final letters or width, some begin
// alike, and Hebrew stands beside English.
var people = []string{
	"Dana", "DANA", "dana levi", "Dana Lévi", "דנה", "דָּנָה", "כהן", "כהנ", "שלום", "Acme", "Ａｃｍｅ", "Acme Inc.", "acme 2",
	"100%", "a_b", "צה״ל", "Zoë", "Ω", "éclair", "בית", "ב", "Noa",
}

var kinds = []string{"", "", "Person", "person", "PERSON", "Company", "אדם", "ארגון"}

var relations = []string{"WORKS_AT", "KNOWS", "LIVES_IN", "עובד_ב", "KNOWS_OF"}

// storyTimes are few, so that bounds often fall exactly on them.
func storyTime(random *rand.Rand, now time.Time) time.Time {
	return now.Truncate(time.Hour).Add(time.Duration(random.IntN(13)-8) * time.Hour)
}

func someNames(random *rand.Rand, most int) []string {
	var out []string
	for range random.IntN(most + 1) {
		if name := pick(random, people...); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

func randomEntity(random *rand.Rand, h *fixture) model.Entity {
	now := h.clock.Now()
	e := model.Entity{
		ID: entityID(h.ids.next()), Name: pick(random, people...), Type: pick(random, kinds...),
		Summary: pick(random, "", randomContent(random)), Aliases: someNames(random, 3),
		Attributes: pick(random, "", "", `{"city":"חיפה"}`, `{"n":1.10,"phone":"050-9999999"}`),
		CreatedAt:  storyTime(random, now), UpdatedAt: storyTime(random, now), Version: 1 + random.IntN(2),
	}
	if random.IntN(5) == 0 {
		e.ID.UUID = h.ids.earlier(random)
	}
	if random.IntN(3) > 0 {
		e.Embedding = randomEmbedding(random)
	}
	return e
}

func randomFact(random *rand.Rand, h *fixture, w *web) model.Fact {
	now := h.clock.Now()
	f := model.Fact{
		ID: factID(h.ids.next()), Relation: pick(random, relations...), Sentence: randomContent(random),
		Source: w.someEntity(random), Target: w.someEntity(random), CreatedAt: storyTime(random, now),
		Attributes: pick(random, "", "", `{"since":"spring"}`), Version: 1 + random.IntN(3),
	}
	if random.IntN(5) == 0 {
		f.ID.UUID = h.ids.earlier(random)
	}
	if random.IntN(2) == 0 {
		f.ValidAt = storyTime(random, now)
	}
	if random.IntN(2) == 0 {
		f.InvalidAt, f.ExpiredAt = storyTime(random, now), storyTime(random, now)
		if !f.ValidAt.IsZero() && !f.InvalidAt.After(f.ValidAt) {
			f.InvalidAt = f.ValidAt.Add(time.Hour)
		}
	}
	if random.IntN(2) == 0 {
		f.Confidence = new(pick(random, 0, 0.1, 0.5, 1))
	}
	if random.IntN(4) == 0 {
		f.ReplacedBy = w.someFact(random).ID
	}
	for range random.IntN(3) {
		if e, ok := some(random, w.episodes); ok {
			f.Episodes = append(f.Episodes, e.ID)
		}
	}
	if random.IntN(3) > 0 {
		f.Embedding = randomEmbedding(random)
	}
	return f
}

func randomEpisode(random *rand.Rand, h *fixture) model.Episode {
	now := h.clock.Now()
	e := model.Episode{
		ID: episodeID(h.ids.next()), Name: pick(random, people...), Content: randomContent(random), Source: pick(random,
			model.EpisodeText, model.EpisodeMessage, model.EpisodeJSON), SourceDescription: pick(random, "", "chat"),
		ReferenceTime: storyTime(random, now), CreatedAt: storyTime(random, now),
		State: pick(random, model.EpisodeVerbatim, model.EpisodeQueued, model.EpisodeExtracted, model.EpisodeFailed),
	}
	switch e.State {
	case model.EpisodeQueued:
		e.Attempts, e.NextAt = random.IntN(3), storyTime(random, now)
	case model.EpisodeFailed:
		e.Attempts, e.Problem = 5, "The model could not be reached."
	}
	if random.IntN(5) == 0 {
		e.ID.UUID = h.ids.earlier(random)
	}
	return e
}

// some picks one of what is there.
func some[N any](random *rand.Rand, all map[model.UUID]N) (n N, ok bool) {
	if len(all) == 0 {
		return n, false
	}
	keys := slices.SortedFunc(maps.Keys(all), compareIDs)
	return all[keys[random.IntN(len(keys))]], true
}

// someEntity returns an entity that is there; the zero one when there is none.
func (w *web) someEntity(random *rand.Rand) model.Entity {
	e, _ := some(random, w.entities)
	return e.Entity
}

func (w *web) someFact(random *rand.Rand) model.Fact {
	f, _ := some(random, w.facts)
	return f.Fact
}

// someIDs returns ids that are there, that became part of another, and that never were, each once.
func someIDs[N any](random *rand.Rand, h *fixture, all map[model.UUID]N, idOf func(N) model.UUID,
	more ...model.UUID) []model.UUID {
	out := append([]model.UUID{h.ids.next()}, more...)
	for range random.IntN(6) {
		if n, ok := some(random, all); ok && !slices.Contains(out, idOf(n)) {
			out = append(out, idOf(n))
		}
	}
	random.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func entityUUID(e knownEntity) model.UUID    { return e.ID.UUID }
func factUUID(f knownFact) model.UUID        { return f.ID.UUID }
func episodeUUID(e model.Episode) model.UUID { return e.ID.UUID }

func randomEntityWhere(random *rand.Rand, w *web) (where store.EntityWhere) {
	one := w.someEntity(random)
	switch random.IntN(5) {
	case 0:
		where.Types = []string{graphtext.Name(pick(random, kinds...)), "nobody's"}
	case 1:
		where.Name = graphtext.Name(pick(random, people...))
	case 2:
		where.CreatedFrom = one.CreatedAt
	case 3:
		where.CreatedTo, where.Types = one.CreatedAt, []string{graphtext.Name(pick(random, "Person", "אדם", ""))}
	}
	return where
}

func randomFactWhere(random *rand.Rand, h *fixture, w *web) (where store.FactWhere) {
	one, other := w.someFact(random), w.someFact(random)
	where.Time, where.At = pick(random, store.FactsAny, store.FactsAny, store.FactsHolding, store.FactsNotHolding),
		storyTime(random, h.clock.Now())
	if at := pick(random, one.ValidAt, one.InvalidAt); !at.IsZero() && random.IntN(2) == 0 {
		where.At = at.Add(time.Duration(random.IntN(3)-1) * time.Microsecond) // the very border, and a moment beside it
	}
	switch random.IntN(9) {
	case 0:
		where.Entity = one.Source.ID.UUID
	case 1:
		where.Entity = one.Target.ID.UUID
	case 2:
		where.Between = &[2]model.UUID{one.Target.ID.UUID, one.Source.ID.UUID}
	case 3:
		where.Relations = []string{pick(random, relations...), "KNOW_", "%"}
	case 4:
		if e, ok := some(random, w.episodes); ok {
			where.Episode = e.ID.UUID
		}
	case 5:
		where.ValidFrom, where.ValidTo = one.ValidAt, other.ValidAt
	case 6:
		where.CreatedFrom, where.CreatedTo = one.CreatedAt, other.CreatedAt
	case 7:
		where.Relations, where.Entity = relations[:2], other.Source.ID.UUID
	}
	return where
}

func randomEpisodeWhere(random *rand.Rand, w *web) (where store.EpisodeWhere) {
	one, _ := some(random, w.episodes)
	switch random.IntN(5) {
	case 0:
		where.Sources = []model.EpisodeSource{model.EpisodeText, model.EpisodeJSON}
	case 1:
		where.States = []model.EpisodeState{model.EpisodeQueued, model.EpisodeFailed}
	case 2:
		where.From = one.ReferenceTime
	case 3:
		where.To, where.Sources, where.States = one.ReferenceTime, []model.EpisodeSource{model.EpisodeMessage},
			[]model.EpisodeState{model.EpisodeExtracted}
	}
	return where
}

// windowOn makes a window between places of the set.
func windowOn[N, P any](random *rand.Rand, all []N, place func(N) P) *store.Window[P] {
	window := &store.Window[P]{Limit: pick(random, 0, 1, 3, 1000), Backward: random.IntN(2) == 0}
	at := func() *P {
		if len(all) == 0 || random.IntN(2) == 0 {
			return nil
		}
		return new(place(all[random.IntN(len(all))]))
	}
	window.After, window.Before = at(), at()
	return window
}

func randomEntityColumns(random *rand.Rand) store.EntityColumns {
	return pick(random, 0, store.EntityRow, store.EntityColumns(random.Uint32())&store.EntityRow)
}

func randomWant(random *rand.Rand) store.FactWant {
	fact := pick(random, 0, wholeFact.Fact, store.FactRow, store.FactColumns(random.Uint32())&wholeFact.Fact)
	return store.FactWant{Fact: fact, Ends: randomEntityColumns(random)}
}

func randomEpisodeColumns(random *rand.Rand) store.EpisodeColumns {
	return pick(random, 0, store.EpisodeRow, store.EpisodeColumns(random.Uint32())&store.EpisodeRow)
}

// randomLooking makes a search for what some of the rows have.
func randomLooking(random *rand.Rand, rows []sought) store.Looking {
	looking := store.Looking{MinSimilarity: pick(random, -1, 0, 0.25, 0.9, 1), Offset: pick(random, 0, 0, 0, 1, 7,
		len(rows)), Limit: pick(random, 1, 2, 5, 100), SimilarityWeight: 0.7, KeywordWeight: 0.3}
	if random.IntN(2) == 0 {
		looking.SimilarityWeight, looking.KeywordWeight = pick(random, 0, 1, 0.5), pick(random, 0, 1, 0.01)
	}
	switch random.IntN(4) {
	case 0, 1:
		looking.Words = terms.Query(pick(random, randomContent(random), pick(random, people...),
			strings.ToLower(strings.ReplaceAll(pick(random, relations...), "_", " "))))
	case 2:
		looking.Words = wordsOf(random, rows)
	}
	for _, name := range slices.Sorted(maps.Keys(models)) {
		if random.IntN(2) == 0 {
			looking.Vectors = append(looking.Vectors, store.QueryVector{Model: name, Vector: randomVector(random, models[name])})
		}
	}
	// A bound that a row meets exactly.
	if len(looking.Vectors) > 0 && len(rows) > 0 && random.IntN(3) == 0 {
		if row := rows[random.IntN(len(rows))]; row.embedding.Model == looking.Vectors[0].Model {
			looking.MinSimilarity = vector.Cosine(looking.Vectors[0].Vector, row.embedding.Vector)
		}
	}
	return looking
}

// wordsOf makes a query of entries that are there and beginnings of them.
func wordsOf(random *rand.Rand, rows []sought) (query model.SearchWords) {
	for range 1 + random.IntN(3) {
		var term model.SearchTerm
		for _, weight := range []float64{1, 0.8, 0.3}[:1+random.IntN(3)] {
			if len(rows) == 0 {
				continue
			}
			entries := rows[random.IntN(len(rows))].entries
			if len(entries) == 0 {
				continue
			}
			entry, prefix := entries[random.IntN(len(entries))], random.IntN(2) == 0
			for cut := random.IntN(4); prefix && cut > 0 && utf8.RuneCountInString(entry) > 2; cut-- {
				_, size := utf8.DecodeLastRuneInString(entry)
				entry = entry[:len(entry)-size]
			}
			term.Forms = append(term.Forms, model.TermForm{Term: entry, Prefix: prefix, Weight: weight})
		}
		if len(term.Forms) > 0 {
			query.Terms = append(query.Terms, term)
		}
	}
	return query
}

// entityRow and factRow are what is written, with the words of graphtext.
func entityRow(e model.Entity) store.EntityRowOf {
	return store.EntityRowOf{Entity: e, Indexed: store.Indexed{Entries: graphtext.EntityEntries(e)}}
}

func factRow(f model.Fact) store.FactRowOf {
	return store.FactRowOf{Fact: f, Indexed: store.Indexed{Entries: graphtext.FactEntries(f)}}
}

// many makes n different ones.
func many[N any](n int, of func(i int) N) []N {
	out := make([]N, n)
	for i := range out {
		out[i] = of(i)
	}
	return out
}

func numbered(what string, i int) string { return fmt.Sprintf("%s%d", what, i) }
