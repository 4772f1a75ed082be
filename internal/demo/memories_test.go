package demo

import (
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/ngram"
	"almanac/projections/vector"
	"almanac/projections/words"
)

// The sample's memories are of all types and both languages, whole, and right by the rules of those that users keep.
func TestMemoriesAreRight(t *testing.T) {
	data, moment := sample(t, time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), "Asia/Jerusalem")
	types, hebrew, versions := map[model.MemoryType]int{}, 0, 0
	seen := map[string]bool{}
	for i, memory := range data.Memories {
		written := thoughts()[i]
		types[memory.Type]++
		if strings.ContainsAny(memory.Content, "אבגדהוזחטיכלמנסעפצקרשת") {
			hebrew++
		}
		if len(memory.Tags) != len(written.tags) || (written.metadata == "") != (memory.Metadata == "") {
			t.Errorf("%s: tags %v, metadata %q", memory.Content, memory.Tags, memory.Metadata)
		}
		if key := memo.Key(memory.Content); seen[key] || memory.Content != written.content {
			t.Errorf("%s is there twice, or changed", memory.Content)
		} else {
			seen[key] = true
		}
		if memory.Embedding.Model == "" || len(memory.Embedding.Vector) != memory.Embedding.Dimensions {
			t.Errorf("%s has no vector", memory.Content)
		}
		if !memory.CreatedAt.Before(moment.Now) || memory.UpdatedAt.Before(memory.CreatedAt) ||
			memory.UpdatedAt.After(moment.Now) {
			t.Errorf("%s was written at %v", memory.Content, memory.UpdatedAt)
		}
		if memory.Version != len(memory.History)+1 {
			t.Errorf("%s: version %d after %d", memory.Content, memory.Version, len(memory.History))
		}
		for _, was := range memory.History {
			versions++
			if was.Memory != memory.ID || was.Content == memory.Content || was.Metadata == memory.Metadata ||
				!was.WrittenAt.Before(was.ReplacedAt) || !was.ReplacedAt.Equal(memory.UpdatedAt) {
				t.Errorf("%s: %+v", memory.Content, was)
			}
		}
	}
	if types[model.MemoryNote] < 5 || types[model.MemoryContact] < 3 || types[model.MemoryKV] < 3 || hebrew < 5 ||
		versions < 2 {
		t.Errorf("%v, %d in Hebrew, %d versions", types, hebrew, versions)
	}
}

// TestShowcases holds what the README, the tour and the explorer search for to its answer, and the same in other words
// and in the other language.
func TestShowcases(t *testing.T) {
	data, _ := sample(t, time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC), "Asia/Jerusalem")
	entries := make([][]string, len(data.Memories))
	for i, memory := range data.Memories {
		entries[i] = words.Entries(memory)
	}
	for query, want := range map[string]string{
		"what is the code of the gate":                 "הקוד של השער הוא 4711",
		"how do I get on the internet at the office":   "The wifi password is bluebird-42",
		"my car's number":                              "License plate: 123-45-678",
		"050 555 0143":                                 "Jones, the landlord - Phone: 050-555-0143",
		"אינטרנט":                                      "The wifi password is bluebird-42",
		"wifi password":                                "The wifi password is bluebird-42",
		"סיסמה של הרשת":                                "The wifi password is bluebird-42",
		"electrician":                                  "משה החשמלאי, מגיע גם בשישי בבוקר",
		"Moshe":                                        "משה החשמלאי, מגיע גם בשישי בבוקר",
		"Dana Cohen":                                   "דנה כהן מהעבודה, אחראית על החוזים",
		"לוי":                                          "Dr. Levi, dentist. Ask for the morning, she runs late after lunch.",
		"רופאת שיניים":                                 "Dr. Levi, dentist. Ask for the morning, she runs late after lunch.",
		"library card number":                          "מספר חבר בספרייה: 90210",
		"what can Noa not eat":                         "Noa prefers window seats and is allergic to peanuts.",
		"shakshuka recipe":                             "מתכון לשקשוקה: בצל, שני פלפלים, שש עגבניות, כמון ופפריקה מעושנת, ארבע ביצים בסוף.",
		"מידת נעליים":                                  "Shoe size is 43",
		"בעל הבית":                                     "Jones, the landlord - Phone: 050-555-0143",
		"which flowers does grandma love":              "סבתא אוהבת סחלבים לבנים ועוגת גזר בלי אגוזים.",
		"how do I reach the teacher of my son":         "Itai's teacher, Ruth; best reached by mail",
		"the annual report that the accountant wanted": "בפגישה עם רואה החשבון סוכם להגיש את הדוח השנתי עד סוף ינואר ולצרף את הקבלות של המשרד.",
	} {
		if got := first(data.Memories, entries, query); got != want {
			t.Errorf("%q: %s", query, got)
		}
	}
}

// first is the content of the memory that a search with the usual weights puts first.
func first(memories []model.Memory, entries [][]string, text string) string {
	count := func(search model.SearchWords) []int {
		found := make([]int, len(search.Terms))
		for i := range found {
			for _, of := range entries {
				if words.Match(search, of)[i] > 0 {
					found[i]++
				}
			}
		}
		return found
	}
	search, query := words.Query(text), ngram.Embed(text)
	search, _ = words.Settle(search, count(search))
	found, best, most := count(search), "", 0.0
	for i, memory := range memories {
		score := 0.7*max(vector.Cosine(query, memory.Embedding.Vector), 0) +
			0.3*words.Score(search, found, words.Match(search, entries[i]))
		if score > most {
			best, most = memory.Content, score
		}
	}
	return best
}
