//go:build bench

package set

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"almanac/graph/model"
)

func mustMake(t *testing.T, size int) Set {
	t.Helper()
	s, err := Make(size)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSet holds the set to what it promises.
func TestSet(t *testing.T) {
	t.Parallel()
	s := mustMake(t, Size)
	if len(s.Memories) != Size || len(s.Queries) < 450 {
		t.Fatalf("%d memories, %d queries", len(s.Memories), len(s.Queries))
	}
	kinds, halves, languages, types := map[Kind]int{}, map[bool]int{}, map[Language]int{}, map[model.MemoryType]int{}
	for _, q := range s.Queries {
		kinds[q.Kind]++
		halves[q.Test]++
		languages[q.Language]++
		if q.Text == "" || strings.ContainsAny(q.Text, "{}~") || len(q.Answers) == 0 || !slices.IsSorted(q.Answers) ||
			q.Answers[len(q.Answers)-1] >= Size {
			t.Errorf("%+v", q)
		}
		if hebrew := strings.ContainsFunc(q.Text, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) }); hebrew &&
			q.Language == English {
			t.Errorf("%q is not English", q.Text)
		}
	}
	for _, kind := range Kinds() {
		if kinds[kind] < 15 {
			t.Errorf("%d queries of kind %s", kinds[kind], kind)
		}
	}
	if min(halves[false], halves[true]) < 200 || min(languages[English], languages[Hebrew]) < 200 {
		t.Errorf("halves %v, languages %v", halves, languages)
	}
	seen := map[model.UUID]bool{}
	for i, m := range s.Memories {
		types[m.Type]++
		if seen[m.ID] || m.Content == "" || strings.ContainsAny(m.Content, "{}") {
			t.Errorf("%+v", m)
		}
		seen[m.ID] = true
		if i > 0 && (!m.CreatedAt.After(s.Memories[i-1].CreatedAt) || slices.Compare(m.ID[:], s.Memories[i-1].ID[:]) <= 0) {
			t.Errorf("memory %d is not newer than the one before it", i)
		}
		if m.Metadata != "" && !json.Valid([]byte(m.Metadata)) {
			t.Errorf("metadata %s", m.Metadata)
		}
	}
	for _, kind := range []model.MemoryType{model.MemoryNote, model.MemoryContact, model.MemoryKV} {
		if types[kind] < 200 {
			t.Errorf("%d memories of type %s", types[kind], kind)
		}
	}
}

// TestSameSet holds that a set is the same each time, and that a larger one asks the same queries of what is written by
// hand.
func TestSameSet(t *testing.T) {
	t.Parallel()
	a, b := mustMake(t, 700), mustMake(t, 700)
	for i := range a.Memories {
		if a.Memories[i].ID != b.Memories[i].ID || a.Memories[i].Content != b.Memories[i].Content {
			t.Fatalf("memory %d differs", i)
		}
	}
	larger := mustMake(t, 1400)
	for i, q := range a.Queries {
		if q.Text != b.Queries[i].Text || !slices.Equal(q.Answers, b.Queries[i].Answers) {
			t.Errorf("%q and %q", q.Text, b.Queries[i].Text)
		}
		if q.Made {
			continue
		}
		if other := larger.Queries[i]; other.Made || q.Text != other.Text ||
			a.Memories[q.Answers[0]].Content != larger.Memories[other.Answers[0]].Content {
			t.Errorf("%q and %q", q.Text, other.Text)
		}
	}
	if s := mustMake(t, 1); len(s.Memories) < 140 || len(s.Queries) < 290 || s.Queries[len(s.Queries)-1].Made {
		t.Errorf("a small set has %d memories and %d queries", len(s.Memories), len(s.Queries))
	}
}

// TestSlots holds that every slot of a template has values, and that every list of values is used.
func TestSlots(t *testing.T) {
	t.Parallel()
	m, err := newMaker()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	made := numbers(newRandom(1))
	for _, tm := range m.templates {
		texts := []string{tm.english, tm.hebrew}
		for _, l := range tm.queries {
			texts = append(texts, l.text)
			for _, name := range slotsOf(l.text) {
				if !strings.Contains(tm.english, "{"+name+"}") || !strings.Contains(tm.hebrew, "{"+name+"}") {
					t.Errorf("%q asks for what %q does not say", l.text, tm.english)
				}
			}
		}
		for _, text := range texts {
			if text == "" {
				t.Errorf("a template of a %s lacks a language", tm.kind)
			}
			for _, name := range slotsOf(text) {
				used[name] = true
				if _, number := made[name]; !number && len(m.slots[name]) == 0 {
					t.Errorf("%q: there is no slot %s", text, name)
				}
			}
		}
	}
	for name, values := range m.slots {
		if !used[name] || len(values) < 8 {
			t.Errorf("slot %s: used %v, %d values", name, used[name], len(values))
		}
	}
}

func TestMisspell(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"dentist", "נועה פלדמן", "abc", "Blue Mountain"} {
		for seed := range uint64(200) {
			slip := misspell(word, newRandom(seed))
			if []rune(slip)[0] != []rune(word)[0] || strings.Count(slip, " ") != strings.Count(word, " ") {
				t.Errorf("%q became %q", word, slip)
			}
			if more := len([]rune(slip)) - len([]rune(word)); more < -1 || more > 1 {
				t.Errorf("%q became %q", word, slip)
			}
		}
	}
	if got := misspell("ab", newRandom(1)); got != "ab" {
		t.Errorf("ab became %q", got)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	phone := regexp.MustCompile(`^(\+972|00972|0)[- ]?5[0-9]-?[ -]?[0-9]{3}[ -]?[0-9]{4}$`)
	for seed := range uint64(300) {
		made := numbers(newRandom(seed))
		one, other := made["phone"].english, made["phone"].otherEnglish
		if !phone.MatchString(one) || !phone.MatchString(other) || one == other ||
			digitsOf(one)[len(digitsOf(one))-9:] != digitsOf(other)[len(digitsOf(other))-9:] {
			t.Errorf("%q, %q", one, other)
		}
		if date := made["date"]; date.otherEnglish == date.otherHebrew || date.english == "" {
			t.Errorf("%+v", date)
		}
	}
}

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

func TestWrongText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"note en no colon", "note: text", "poem en: text", "kv en: no value", "contact en: a; b",
		"  exact en: before any memory", "note en: text\n  hard en: query"} {
		if _, err := readCore(text); err == nil {
			t.Errorf("%q was read", text)
		}
	}
	all, err := readCore(
		"# comment\nnote he: טקסט #ב #א\n  exact he: טקסט\n\nkv en: gate = 12\ncontact en: Ann; 5; ; sister\n")
	if err != nil || len(all) != 3 || len(all[0].queries) != 1 {
		t.Fatal(all, err)
	}
	if m := all[0].memory; m.Content != "טקסט" || !slices.Equal(m.Tags, []string{"א", "ב"}) {
		t.Errorf("%+v", m)
	}
	if m := all[1].memory; m.Content != "gate: 12" || m.Metadata != `{"subject":"gate","value":"12"}` {
		t.Errorf("%+v", m)
	}
	if m := all[2].memory; m.Content != "Ann – sister, 5" ||
		m.Metadata != `{"description":"sister","name":"Ann","phone":"5"}` {
		t.Errorf("%+v", m)
	}
}
