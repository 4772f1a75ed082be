package demo

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/graphtext"
	"almanac/projections/memo"
	"almanac/projections/ngram"
	"almanac/projections/when"
)

// Knowledge is the sample graph: entities, facts between them, and the episodes that some were read from.
type Knowledge struct {
	Entities []model.Entity
	Facts    []model.Fact
	Episodes []model.Episode
	// Mentions are the entities that each episode speaks of.
	Mentions map[model.UUID][]model.UUID
}

// known is an entity of the sample.
type known struct {
	name, kind, summary string
	aliases             []string
	attributes          string
	// age is how many days ago it was first kept.
	age int
}

// related is a fact of the sample; its ends are named as entities are.
type related struct {
	source, relation, target string
	sentence                 string
	// from and to are days of the calendar between which it held, empty for unbounded; ahead counts from today instead.
	from, to string
	ahead    int
	sure     float64
	// episode is the place of the episode that it was read from, counted from 1.
	episode int
	// after is the place of the fact that closed it, counted from 1.
	after int
}

// said is an episode of the sample.
type said struct {
	name, content, origin string
	source                model.EpisodeSource
	// age is how many days ago it happened, and mentions are the names that it speaks of.
	age      int
	mentions []string
}

// people, places and works of the sample, those that its tasks, calendar and mail speak of.
func entities() []known {
	return []known{
		{name: "Dana Levi", kind: "Person", age: 40, summary: "Head of product at Bluebird Labs; runs the team meeting.",
			aliases: []string{"Dana", "דנה לוי"}, attributes: `{"email":"dana@example.com","phone":"+972 50 555 0101"}`},
		{name: "Noa Bar", kind: "Person", age: 40, summary: "Keeps the budget, prefers window seats.",
			aliases: []string{"Noa", "נועה"}, attributes: `{"email":"noa@example.com"}`},
		{name: "רועי כהן", kind: "Person", age: 38, summary: "רואה החשבון; צריך את טופס 106 לפני כל פגישה.",
			aliases: []string{"Roi Cohen"}, attributes: `{"email":"roi@cohen-accounting.example"}`},
		{name: "סבתא רחל", kind: "Person", age: 38, summary: "אוהבת סחלבים לבנים ועוגת גזר בלי אגוזים.",
			aliases: []string{"Grandma Rachel", "סבתא"}},
		{name: "Itai", kind: "Person", age: 36, aliases: []string{"איתי"}},
		{name: "Ruth", kind: "Person", age: 30, summary: "Itai's teacher; best reached by mail.",
			attributes: `{"email":"ruth@school.example"}`},
		{name: "Amit", kind: "Person", age: 22, aliases: []string{"עמית"}},
		{name: "Jones", kind: "Person", age: 38, summary: "The landlord.", attributes: `{"phone":"050-555-0143"}`},
		{name: "Bluebird Labs", kind: "Organization", age: 40, summary: "Makes software for libraries.",
			aliases: []string{"Bluebird"}},
		{name: "Northwind", kind: "Organization", age: 40, summary: "A shipping company."},
		{name: "כהן רואי חשבון", kind: "Organization", age: 38, aliases: []string{"Cohen Accounting"}},
		{name: "Yarkon School", kind: "School", age: 30, aliases: []string{"בית ספר ירקון"}},
		{name: "Tel Aviv", kind: "City", age: 40, aliases: []string{"תל אביב"}},
		{name: "חיפה", kind: "City", age: 38, aliases: []string{"Haifa"}},
		{name: "רמת גן", kind: "City", age: 38, aliases: []string{"Ramat Gan"}},
		{name: "Berlin", kind: "City", age: 22, aliases: []string{"ברלין"}},
		{name: "The quarter's plan", kind: "Project", age: 20, aliases: []string{"Q plan"},
			attributes: `{"sheet":"row 14 holds the budget"}`},
		{name: "Peanuts", kind: "Food", age: 36, aliases: []string{"בוטנים"}},
	}
}

// relations are the facts of the sample, among them some that hold no more, and one that does not hold yet.
func relations() []related {
	return []related{
		{source: "Dana Levi", relation: "WORKS_AT", target: "Northwind", sentence: "Dana Levi plans routes at Northwind.",
			from: "2019-03-01", to: "2023-09-01", after: 2},
		{source: "Dana Levi", relation: "WORKS_AT", target: "Bluebird Labs",
			sentence: "Dana Levi is head of product at Bluebird Labs.", from: "2023-09-01", sure: 1, episode: 1},
		{source: "Noa Bar", relation: "WORKS_AT", target: "Bluebird Labs", from: "2022-01-16", sure: 1},
		{source: "Noa Bar", relation: "LIVES_IN", target: "חיפה", sentence: "Noa Bar lives in Haifa, by the sea.",
			from: "2018-08-01", to: "2025-02-01", after: 5},
		{source: "Noa Bar", relation: "LIVES_IN", target: "Tel Aviv",
			sentence: "Noa Bar lives in Tel Aviv and cycles to work.", from: "2025-02-01", episode: 1},
		{source: "Noa Bar", relation: "ALLERGIC_TO", target: "Peanuts", sure: 1},
		{source: "Noa Bar", relation: "WORKS_ON", target: "The quarter's plan",
			sentence: "Noa Bar keeps the budget of the quarter's plan.", sure: 0.9, episode: 2},
		{source: "Dana Levi", relation: "LEADS", target: "The quarter's plan", sure: 0.9, episode: 2},
		{source: "Bluebird Labs", relation: "LOCATED_IN", target: "Tel Aviv", from: "2020-05-10"},
		{source: "רועי כהן", relation: "עובד_ב", target: "כהן רואי חשבון", sentence: "רועי כהן עובד במשרד כהן רואי חשבון."},
		{source: "כהן רואי חשבון", relation: "נמצא_ב", target: "רמת גן",
			sentence: "המשרד של כהן רואי חשבון נמצא ברחוב הרצל 12, רמת גן."},
		{source: "סבתא רחל", relation: "גרה_ב", target: "חיפה", sentence: "סבתא רחל גרה בחיפה.", episode: 3},
		{source: "סבתא רחל", relation: "סבתא_של", target: "Itai", sentence: "סבתא רחל היא סבתא של איתי.", sure: 1,
			episode: 3},
		{source: "Itai", relation: "STUDIES_AT", target: "Yarkon School", from: "2024-09-01"},
		{source: "Ruth", relation: "TEACHES_AT", target: "Yarkon School"},
		{source: "Ruth", relation: "TEACHES", target: "Itai", from: "2025-09-01", sure: 0.8},
		{source: "Yarkon School", relation: "LOCATED_IN", target: "Tel Aviv"},
		{source: "Amit", relation: "KNOWS", target: "Dana Levi", sentence: "Amit studied with Dana Levi."},
		{source: "Amit", relation: "LIVES_IN", target: "Tel Aviv", sentence: "Amit lives in Tel Aviv, near the port."},
		{source: "Amit", relation: "MOVES_TO", target: "Berlin", sentence: "Amit moves to Berlin.", ahead: 60, sure: 0.6},
	}
}

// episodes are those of the sample.
func episodes() []said {
	return []said{
		{
			name: "Lunch with Dana and Noa", age: 26, source: model.EpisodeText, origin: "told by me",
			mentions: []string{"Dana Levi", "Noa Bar", "Bluebird Labs", "Tel Aviv"},
			content: "Had lunch with Dana and Noa. Dana has been head of product at Bluebird Labs for a while now; Northwind " +
				"is history. Noa has left Haifa for Tel Aviv and cycles to work.",
		},
		{
			name: "Team meeting", age: 15, source: model.EpisodeMessage, origin: "chat",
			mentions: []string{"Dana Levi", "Noa Bar", "The quarter's plan"},
			content: "Dana: I will present the quarter's plan.\nNoa: The budget is mine, it is in row 14.\nDana: Good. Bring " +
				"numbers.",
		},
		{
			name: "שיחה עם סבתא", age: 8, source: model.EpisodeText, origin: "שיחת טלפון",
			mentions: []string{"סבתא רחל", "Itai", "חיפה"},
			content:  "דיברתי עם סבתא רחל. היא מחכה לנו בחיפה ביום שישי, ואיתי יבוא איתנו.",
		},
	}
}

// Graph is the sample graph at a moment. idAt makes an id whose time is given.
func Graph(moment when.Moment, idAt func(time.Time) model.UUID) Knowledge {
	ago := func(days int) time.Time { return onDay(moment, day(-days), 12, 0) }
	out := Knowledge{Mentions: make(map[model.UUID][]model.UUID)}
	byName := make(map[string]model.Entity)
	for _, one := range entities() {
		entity := one.entity(ago(one.age), idAt)
		byName[one.name] = entity
		out.Entities = append(out.Entities, entity)
	}
	for _, one := range episodes() {
		at := ago(one.age)
		episode := model.Episode{
			ID: model.ID{Kind: model.KindEpisode, UUID: idAt(at)}, Name: one.name, Content: one.content, Source: one.source,
			SourceDescription: one.origin,
			ReferenceTime:     at, CreatedAt: at, State: model.EpisodeVerbatim,
		}
		out.Episodes = append(out.Episodes, episode)
		for _, name := range one.mentions {
			out.Mentions[episode.ID.UUID] = append(out.Mentions[episode.ID.UUID], byName[name].ID.UUID)
		}
	}
	for _, one := range relations() {
		source, target := byName[one.source], byName[one.target]
		kept := latest(source.CreatedAt, target.CreatedAt)
		var read []model.ID
		if one.episode > 0 {
			episode := out.Episodes[one.episode-1]
			kept, read = episode.CreatedAt, []model.ID{episode.ID}
		}
		fact := one.fact(source, target, kept, moment, idAt)
		fact.Episodes = read
		out.Facts = append(out.Facts, fact)
	}
	for i, one := range relations() {
		if one.after > 0 {
			by := out.Facts[one.after-1]
			out.Facts[i].ReplacedBy, out.Facts[i].ExpiredAt, out.Facts[i].Version = by.ID, by.CreatedAt, 2
		}
	}
	return out
}

func (k known) entity(kept time.Time, idAt func(time.Time) model.UUID) model.Entity {
	entity := model.Entity{
		ID: model.ID{Kind: model.KindEntity, UUID: idAt(kept)}, Name: k.name, Type: k.kind, Summary: k.summary,
		Aliases:   k.aliases,
		CreatedAt: kept, UpdatedAt: kept, Version: 1,
	}
	if attributes, err := memo.Metadata("", model.JSON(k.attributes)); err == nil { // the sample's own, tested
		entity.Attributes = attributes
	}
	entity.Embedding = vectorOf(graphtext.Entity(entity))
	return entity
}

func (r related) fact(source, target model.Entity, kept time.Time, moment when.Moment,
	idAt func(time.Time) model.UUID) model.Fact {
	fact := model.Fact{
		ID: model.ID{Kind: model.KindFact, UUID: idAt(kept)}, Relation: r.relation, Sentence: r.sentence, Source: source,
		Target:  target,
		ValidAt: r.day(r.from, moment), InvalidAt: r.day(r.to, moment), CreatedAt: kept, Version: 1,
	}
	if r.ahead > 0 {
		fact.ValidAt = onDay(moment, day(r.ahead), 0, 0)
	}
	if fact.Sentence == "" {
		fact.Sentence = graphtext.Sentence(source.Name, r.relation, target.Name)
	}
	if r.sure > 0 {
		fact.Confidence = number(r.sure)
	}
	fact.Embedding = vectorOf(graphtext.Fact(fact))
	return fact
}

// day reads a day of the calendar; none is the zero time.
func (related) day(text string, moment when.Moment) time.Time {
	date, err := time.ParseInLocation(time.DateOnly, text, moment.Zone)
	if err != nil {
		return time.Time{}
	}
	return date.UTC()
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// vectorOf makes a text findable by meaning at once; a model that is configured takes over.
func vectorOf(text string) model.Embedding {
	vector := ngram.Embed(text)
	if vector == nil {
		return model.Embedding{}
	}
	return model.Embedding{Model: ngram.Model().Name, Dimensions: len(vector), Vector: vector}
}

// learn writes the graph.
func learn(ctx context.Context, tx store.Tx, graph Knowledge) error {
	entities := make([]store.EntityRowOf, len(graph.Entities))
	for i, entity := range graph.Entities {
		entities[i] = store.EntityRowOf{Entity: entity, Indexed: store.Indexed{Entries: graphtext.EntityEntries(entity)}}
	}
	facts := make([]store.FactRowOf, len(graph.Facts))
	for i, fact := range graph.Facts {
		facts[i] = store.FactRowOf{Fact: fact, Indexed: store.Indexed{Entries: graphtext.FactEntries(fact)}}
	}
	if err := tx.SaveEpisodes(ctx, graph.Episodes); err != nil {
		return err
	}
	if err := tx.SaveEntities(ctx, entities); err != nil {
		return err
	}
	if err := tx.SaveFacts(ctx, facts); err != nil {
		return err
	}
	for _, episode := range graph.Episodes {
		if err := tx.NoteMentions(ctx, episode.ID.UUID, graph.Mentions[episode.ID.UUID]); err != nil {
			return err
		}
	}
	return nil
}
