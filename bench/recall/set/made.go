//go:build bench

package set

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/graph/model"
)

// The templates, and what they are filled with.
var (
	//go:embed templates.txt
	templatesText string
	//go:embed slots.txt
	slotsText string
)

// value is one value of a slot, in both languages, and another word for it in each.
type value struct{ english, hebrew, otherEnglish, otherHebrew string }

// template is a kind of memory, in both languages.
type template struct {
	kind            string
	english, hebrew string
	queries         []line
}

// line is a query of a template.
type line struct {
	kind     Kind
	language Language
	text     string
}

// instance is a memory that was made, and with what.
type instance struct {
	memory   model.Memory
	template int
	language Language
	slots    map[string]value
}

// maker makes memories and queries.
type maker struct {
	templates []template
	slots     map[string][]value
}

func newMaker() (*maker, error) {
	m := &maker{slots: make(map[string][]value)}
	slot := ""
	for text := range strings.Lines(slotsText) {
		text = strings.TrimSpace(text)
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case strings.HasPrefix(text, "["):
			slot = strings.Trim(text, "[]")
		default:
			parts := strings.Split(text, " | ")
			if len(parts) != 2 && len(parts) != 4 {
				return nil, fmt.Errorf("slot %s: %q has %d parts", slot, text, len(parts))
			}
			parts = append(parts, parts...)
			m.slots[slot] = append(m.slots[slot], value{parts[0], parts[1], parts[2], parts[3]})
		}
	}
	for text := range strings.Lines(templatesText) {
		text = strings.TrimSpace(text)
		head, said, found := strings.Cut(text, ": ")
		switch {
		case text == "" || strings.HasPrefix(text, "#"):
		case !found:
			m.templates = append(m.templates, template{kind: text})
		case len(m.templates) == 0:
			return nil, fmt.Errorf("template %q without a type", text)
		case head == "en":
			m.templates[len(m.templates)-1].english = said
		case head == "he":
			m.templates[len(m.templates)-1].hebrew = said
		default:
			kind, language, _ := strings.Cut(head, " ")
			if !slices.Contains(Kinds(), Kind(kind)) {
				return nil, fmt.Errorf("template: a query of kind %q", kind)
			}
			last := &m.templates[len(m.templates)-1]
			last.queries = append(last.queries, line{Kind(kind), Language(language), said})
		}
	}
	return m, nil
}

// memories makes so many memories, of each template about as many: English, Hebrew, and some mixed.
func (m *maker) memories(n int) []instance {
	made := make([]instance, 0, n)
	for i := range n {
		r := newRandom(uint64(i) + 1)
		made = append(made, m.instance(r, i%len(m.templates)))
	}
	return made
}

func (m *maker) instance(r *random, number int) instance {
	t := m.templates[number]
	it := instance{template: number, language: English, slots: make(map[string]value)}
	for _, name := range slices.Sorted(maps.Keys(m.slots)) {
		it.slots[name] = m.slots[name][r.below(len(m.slots[name]))]
	}
	maps.Copy(it.slots, numbers(r))
	text := t.english
	switch r.below(20) {
	case 0, 1, 2:
		it.language, text = Mixed, t.hebrew
		for _, name := range []string{"first", "last", "store", "title", "product"} {
			v := it.slots[name]
			it.slots[name] = value{v.english, v.english, v.otherEnglish, v.otherEnglish}
		}
	case 3, 4, 5, 6, 7, 8, 9, 10:
		it.language, text = Hebrew, t.hebrew
	}
	memory, err := memoryOf(t.kind, it.fill(text, it.language, nil))
	if err != nil { // a test makes one of each
		panic(err)
	}
	it.memory = memory
	return it
}

// fill puts the values into a text. What is written with a tilde before it gets a slip of the finger.
func (it instance) fill(text string, language Language, r *random) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		before, slip := strings.CutSuffix(before, "~")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		name, other := strings.CutSuffix(name, "+")
		v := it.slots[name]
		word := v.english
		switch {
		case other && language == English:
			word = v.otherEnglish
		case other:
			word = v.otherHebrew
		case language != English:
			word = v.hebrew
		}
		if slip {
			word = misspell(word, r)
		}
		if endsInHebrew(before) && word[0] < 0x80 { // a prefix is parted from what is not Hebrew
			out.WriteByte('-')
		}
		out.WriteString(word)
		text = after
	}
}

func endsInHebrew(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return 'א' <= last && last <= 'ת'
}

// slotsOf are the names of the slots of a query.
func slotsOf(text string) []string {
	var names []string
	for part := range strings.SplitSeq(text, "{") {
		if name, _, found := strings.Cut(part, "}"); found {
			names = append(names, strings.TrimSuffix(name, "+"))
		}
	}
	return names
}

// queries makes the queries of all templates. where are the places of what was made.
func (m *maker) queries(made []instance, where []int) []Query {
	var all []Query
	for number, t := range m.templates {
		var own []int
		for i := range made {
			if made[i].template == number {
				own = append(own, i)
			}
		}
		for at, l := range t.queries {
			for try := range perQuery {
				r := newRandom(uint64(number*1000 + at*10 + try + 1<<20))
				fit := slices.DeleteFunc(slices.Clone(own), func(i int) bool { return !made[i].suits(l, try) })
				if len(fit) == 0 {
					continue
				}
				it := made[fit[r.below(len(fit))]]
				q := it.query(l, r)
				q.Test = (number+at)%2 == 1
				names := slotsOf(l.text)
				for _, i := range own {
					if made[i].same(it, names) {
						q.Answers = append(q.Answers, where[i])
					}
				}
				if !slices.ContainsFunc(all, func(o Query) bool { return o.Text == q.Text }) {
					all = append(all, q)
				}
			}
		}
	}
	return all
}

// suits reports whether a query is to be made of a memory. Names in the other script need one in the other language; of
// most other lines, three of four queries are in the memory's own language, and of those where another language would
// be a second difficulty, all.
func (it instance) suits(l line, try int) bool {
	switch l.kind {
	case Script:
		return it.language != Mixed && it.language != l.language
	case Typo, Inflected, Rare:
		return it.language == l.language
	}
	return it.language == l.language || try%perQuery == perQuery-1
}

// query fills a query. One in another language than its memory is of another kind.
func (it instance) query(l line, r *random) Query {
	q := Query{Kind: l.kind, Language: l.language, Made: true, Text: it.asked(l, r)}
	foreign := it.language != l.language && (it.language != Mixed || l.language == English)
	switch {
	case l.kind == Number || l.kind == Date || l.kind == Script || !foreign && it.language != Mixed:
	case !strings.ContainsFunc(strip(l.text), func(c rune) bool { return c != ' ' && c != '~' }) && onlyNames(l.text):
		q.Kind = Script
		if it.language == Mixed && l.language == English { // the name is written so
			q.Kind = l.kind
		}
	case foreign:
		q.Kind = Cross
	}
	return q
}

// strip takes the slots out of a text.
func strip(text string) string {
	var out strings.Builder
	for part := range strings.SplitSeq(text, "{") {
		_, after, found := strings.Cut(part, "}")
		if !found {
			after = part
		}
		out.WriteString(after)
	}
	return out.String()
}

func onlyNames(text string) bool {
	return !slices.ContainsFunc(slotsOf(text), func(name string) bool { return name != "first" && name != "last" })
}

// same reports whether two memories of one template have the same values in some slots. A name is the same in either
// script.
func (it instance) same(other instance, names []string) bool {
	for _, name := range names {
		if it.slots[name].english != other.slots[name].english {
			return false
		}
	}
	return true
}
