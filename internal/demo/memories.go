package demo

import (
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/ngram"
	"almanac/projections/when"
)

// thought is one memory of the sample, written as a person would say it.
type thought struct {
	kind     model.MemoryType
	content  string
	summary  string
	tags     []string
	metadata string
	// age is how many days ago it was kept.
	age int
	// before and metadataBefore are what it said until some days ago; empty when it never changed.
	before, metadataBefore string
	changed                int
	// overruled: storeMemory has changed it, rather than updateMemory.
	overruled bool
}

// thoughts are the memories of the sample.
func thoughts() []thought {
	all := []thought{
		{kind: model.MemoryNote, age: 40, content: "Noa prefers window seats and is allergic to peanuts.",
			tags: []string{"family", "travel"}, metadata: `{"entities":["Noa"],"source":"text"}`},
		{kind: model.MemoryNote, age: 33,
			content: "The plumber said to bleed the radiators every November, starting on the top floor.",
			summary: "Bleed the radiators in November", tags: []string{"home"}, metadata: `{"source":"text"}`},
		{kind: model.MemoryNote, age: 31, content: "סבתא אוהבת סחלבים לבנים ועוגת גזר בלי אגוזים.",
			tags: []string{"משפחה", "מתנות"}, metadata: `{"entities":["סבתא"],"source":"text"}`},
		{kind: model.MemoryNote, age: 26,
			content: "The best hummus in Jaffa is at the corner by the clock tower; go before noon, they close when it is " +
				"sold " +
				"out.", tags: []string{"food", "tel aviv"}},
		{kind: model.MemoryNote, age: 22,
			content: "Ideas for the anniversary: a weekend in the north, tickets for the philharmonic, or the pottery class " +
				"she mentioned.", summary: "Ideas for the anniversary", tags: []string{"gifts"}},
		{kind: model.MemoryNote, age: 17,
			content: "בפגישה עם רואה החשבון סוכם להגיש את הדוח השנתי עד סוף ינואר ולצרף את הקבלות של המשרד.",
			summary: "סיכום עם רואה החשבון", tags: []string{"עבודה", "מסים"},
			metadata: `{"entities":["רואה החשבון"],"source":"text"}`},
		{kind: model.MemoryNote, age: 12,
			content: "Flight tip: check-in for Berlin opens 30 hours before departure; Terminal 3, long-term parking is " +
				"cheaper when booked ahead.", tags: []string{"travel"}},
		{kind: model.MemoryNote, age: 6,
			content: "מתכון לשקשוקה: בצל, שני פלפלים, שש עגבניות, כמון ופפריקה מעושנת, ארבע ביצים בסוף.",
			tags:    []string{"בישול", "מתכונים"}},
		{kind: model.MemoryContact, age: 38, content: "Jones, the landlord - Phone: 050-555-0143",
			before:         "Jones, the landlord - Phone: 050-555-0119",
			metadataBefore: `{"description":"landlord","email":"jones@example.com","name":"Jones","phone":"050-555-0119"}`,
			changed:        9, overruled: true, tags: []string{"home"},
			metadata: `{"description":"landlord","email":"jones@example.com","name":"Jones","phone":"050-555-0143"}`},
		{kind: model.MemoryContact, age: 36, content: "Dr. Levi, dentist. Ask for the morning, she runs late after lunch.",
			tags: []string{"health"}, metadata: `{"description":"dentist","name":"Dr. Levi","phone":"+972 3 555 0172"}`},
		{kind: model.MemoryContact, age: 28, content: "דנה כהן מהעבודה, אחראית על החוזים", tags: []string{"עבודה"},
			metadata: `{"description":"אחראית על החוזים","email":"dana@example.com","name":"דנה כהן","phone":"052-555-0188"}`},
		{kind: model.MemoryContact, age: 19, content: "משה החשמלאי, מגיע גם בשישי בבוקר", tags: []string{"בית"},
			metadata: `{"description":"חשמלאי","name":"משה","phone":"054-555-0121"}`},
		{kind: model.MemoryContact, age: 14, content: "Itai's teacher, Ruth; best reached by mail", tags: []string{"family",
			"school"}, metadata: `{"description":"Itai's teacher","email":"ruth@school.example","name":"Ruth"}`},
		{kind: model.MemoryKV, age: 35, content: "The wifi password is bluebird-42", tags: []string{"home", "wifi"},
			metadata: `{"subject":"wifi password","value":"bluebird-42"}`},
		{kind: model.MemoryKV, age: 30, content: "הקוד של השער הוא 4711", before: "הקוד של השער הוא 1234",
			metadataBefore: `{"subject":"קוד השער","value":"1234"}`, changed: 3, tags: []string{"בית"},
			metadata: `{"subject":"קוד השער","value":"4711"}`},
		{kind: model.MemoryKV, age: 24, content: "Shoe size is 43", tags: []string{"shopping"},
			metadata: `{"subject":"shoe size","value":43}`},
		{kind: model.MemoryKV, age: 21, content: "License plate: 123-45-678", tags: []string{"car"},
			metadata: `{"subject":"license plate","value":"123-45-678"}`},
		{kind: model.MemoryKV, age: 10, content: "מספר חבר בספרייה: 90210", tags: []string{"משפחה", "ספרייה"},
			metadata: `{"subject":"מספר חבר בספרייה","value":90210}`},
	}
	slices.SortStableFunc(all, func(a, b thought) int { return b.age - a.age })
	return all
}

func (t thought) memory(added time.Time, moment when.Moment, idAt func(time.Time) model.UUID) model.Memory {
	memory := model.Memory{
		ID: idAt(added), Type: t.kind, Content: t.content, Summary: t.summary, CreatedAt: added, UpdatedAt: added, Version: 1,
	}
	// The sample's tags and metadata are right by construction; the test proves it.
	if tags, err := memo.Tags(t.tags); err == nil {
		memory.Tags = tags
	}
	memory.Metadata = t.known(t.metadata)
	// found by meaning at once; a model that is configured takes over
	if vector := ngram.Embed(memo.Text(memory)); vector != nil {
		memory.Embedding = model.Embedding{Model: ngram.Model().Name, Dimensions: len(vector), Vector: vector}
	}
	if t.before == "" {
		return memory
	}
	was := model.MemoryVersion{
		Memory: memory.ID, Version: 1, Type: t.kind, Content: t.before, Summary: t.summary, Tags: memory.Tags,
		Metadata:  t.known(t.metadataBefore),
		WrittenAt: added, ReplacedAt: onDay(moment, day(-t.changed), 18, 0), Reason: model.MemoryUpdated,
	}
	memory.Version, memory.UpdatedAt = 2, was.ReplacedAt
	if memory.Overridden = t.overruled; t.overruled {
		was.Reason = model.MemoryOverridden
	}
	memory.History = []model.MemoryVersion{was}
	return memory
}

// known is metadata as it is kept; empty for none.
func (t thought) known(metadata string) string {
	if metadata == "" {
		return ""
	}
	text, err := memo.Metadata(t.kind, model.JSON(metadata))
	if err != nil {
		return ""
	}
	return text
}
