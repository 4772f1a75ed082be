package knowledge_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
)

// world is what a story may be told of without contradicting itself: each name means one thing, and what is said of one
// period of a fact can all be true.
type world struct {
	*rand.Rand
	facts []knowledge.NewFact
}

// people have a name, another name, and a type. The ways of writing a name are all the same one.
var people = [][3][]string{
	{{"Dana Cohen", "DANA  COHEN", "dana cohen"}, {"דנה", "דָּנָה"}, {"Person", "person"}},
	{{"Yossi Levi", "yossi levi"}, {"Yossi", "YOSSI"}, {"Person"}},
	{{"רות ישראלי", "רוּת ישראלי"}, {"Ruth"}, {"אדם"}},
	{{"Acme", "ACME", "acme"}, {"Acme Corporation"}, {"Organization"}},
	{{"Globex"}, {"גלובקס"}, {"Organization", "organization"}},
	{{"חיפה"}, {"Haifa", "haifa"}, {"City"}},
	{{"Tel Aviv", "tel aviv"}, {"תל אביב"}, {"City"}},
	{{"Jerusalem"}, {"ירושלים"}, {"City"}},
}

func (w *world) one(of []string) string { return of[w.IntN(len(of))] }

// end means one of the people: by a name alone, or by the other name with more.
func (w *world) end(who int) knowledge.End {
	p := people[who]
	var e knowledge.End
	if w.IntN(2) == 0 {
		e.Name = w.one(p[1])
	} else {
		e.Name, e.Aliases = w.one(p[0]), []string{w.one(p[1])}
	}
	if w.IntN(2) == 0 {
		e.Type = w.one(p[2])
	}
	return e
}

// repeat says a fact a few times, in other words.
func (w *world) repeat(source, target int, fact knowledge.NewFact, vary func(*knowledge.NewFact)) {
	for range 1 + w.IntN(3) {
		f := fact
		f.Source, f.Target = w.end(source), w.end(target)
		vary(&f)
		w.facts = append(w.facts, f)
	}
}

// newWorld makes up a story.
func newWorld(seed uint64) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 7))}
	for n := range 1 + w.IntN(4) {
		source, target := w.IntN(len(people)), w.IntN(len(people))
		fact := knowledge.NewFact{Relation: fmt.Sprint("RELATION_", n)}
		sentences := [][]string{{""}, {"", "They met at the fair.", "they met at the fair"},
			{"They met at the fair."}}[w.IntN(3)]
		switch w.IntN(3) {
		case 0: // one period, of which each tells what it knows
			begins, ends := 2010+w.IntN(3), 2014+w.IntN(3)
			w.repeat(source, target, fact, func(f *knowledge.NewFact) {
				f.Sentence = w.one(sentences)
				if w.IntN(2) == 0 {
					f.ValidAt = in(begins + w.IntN(2))
				}
				if w.IntN(2) == 0 {
					f.InvalidAt = in(ends + w.IntN(2))
				}
			})
		case 1: // several periods, told whole
			for period := range 1 + w.IntN(3) {
				from := 2000 + 6*period + w.IntN(2)
				w.repeat(source, target, fact, func(f *knowledge.NewFact) {
					f.Sentence, f.ValidAt, f.InvalidAt = w.one(sentences), in(from), in(from+2+w.IntN(2))
				})
			}
		case 2: // two things said of the same
			w.repeat(source, target, fact,
				func(f *knowledge.NewFact) { f.Sentence = w.one([]string{"", "They met.", "Their mothers met."}) })
		}
	}
	// A life in which one thing follows another.
	who, from := w.IntN(3), 2000
	moves := w.Perm(3)
	for _, city := range moves[:1+w.IntN(3)] {
		from += 1 + w.IntN(5)
		ends := from + 1 + w.IntN(8)
		w.repeat(who, 5+city, knowledge.NewFact{Relation: "LIVES_IN", ValidAt: in(from), Exclusive: true},
			func(f *knowledge.NewFact) {
				if w.IntN(3) == 0 {
					f.InvalidAt = in(ends)
				}
			})
	}
	return w
}

// split cuts a story into calls.
func (w *world) split(facts []knowledge.NewFact) (calls [][]knowledge.NewFact) {
	for len(facts) > 0 {
		n := 1 + w.IntN(len(facts))
		calls, facts = append(calls, facts[:n]), facts[n:]
	}
	return calls
}

func TestOrderMakesNoDifference(t *testing.T) {
	t.Parallel()
	for seed := range uint64(80) {
		w := newWorld(seed)
		at := func(facts []knowledge.NewFact) string {
			one := newTeller(t)
			for _, problem := range one.tell(facts...).Problems {
				if problem != nil {
					t.Fatalf("seed %d: %v in\n%s", seed, problem, written(facts))
				}
			}
			return one.graph()
		}
		want := at(w.facts)
		for range 3 {
			mixed := slices.Clone(w.facts)
			w.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
			if got := at(mixed); got != want {
				t.Fatalf("seed %d, in another order:\n%s\nwant\n%s\ntold\n%s", seed, got, want, written(mixed))
			}
			many := newTeller(t)
			calls := w.split(mixed)
			for _, call := range calls {
				many.tell(call...)
			}
			if got := many.graph(); got != want {
				t.Fatalf("seed %d, in %d calls:\n%s\nwant\n%s\ntold\n%s", seed, len(calls), got, want, written(mixed))
			}
		}
	}
}

func TestTellingAgainChangesNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		w := newWorld(seed)
		one := newTeller(t)
		one.tell(w.facts...)
		want, saved := one.graph(), one.memory.saved
		for _, call := range w.split(w.facts) {
			out := one.tell(call...)
			if out.Created != 0 || out.EntitiesMade != 0 || out.Invalidated != 0 || out.Unchanged != len(call) {
				t.Fatalf("seed %d: again it made %+v of\n%s", seed, out, written(call))
			}
		}
		if one.graph() != want || one.memory.saved != saved {
			t.Fatalf("seed %d: %d rows were saved again:\n%s\nwant\n%s", seed, one.memory.saved-saved, one.graph(), want)
		}
	}
}

// TestWhateverIsTold tells stories that contradict themselves.
func TestWhateverIsTold(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		w := &world{Rand: rand.New(rand.NewPCG(seed, 9))}
		one := newTeller(t)
		for range 1 + w.IntN(5) {
			var call []knowledge.NewFact
			for range 1 + w.IntN(6) {
				call = append(call, w.anything(one.memory))
			}
			out := one.tell(call...)
			for i, problem := range out.Problems {
				if (problem == nil) != (out.Ids[i] != (model.ID{})) {
					t.Fatalf("seed %d: %v and %v of one fact", seed, problem, out.Ids[i])
				}
				if code := model.CodeOf(problem); problem != nil && code != model.CodeConflict && code != model.CodeBadUserInput {
					t.Fatalf("seed %d: %v", seed, problem)
				}
			}
			one.holds(seed)
		}
	}
}

// anything may be told. ONLY_ is a relation of which each source has one at a time, and everyone says so; OPEN_ one of
// which nobody ever says that it ended.
func (w *world) anything(m *memory) knowledge.NewFact {
	f := knowledge.NewFact{Source: w.end(w.IntN(3)), Target: w.end(3 + w.IntN(5)),
		Relation: w.one([]string{"ONLY", "OPEN", "ANY"})}
	if w.IntN(3) > 0 {
		f.ValidAt = in(2000 + w.IntN(30))
	}
	if f.Exclusive = f.Relation == "ONLY"; f.Relation == "OPEN" {
		return f
	}
	if w.IntN(3) == 0 {
		f.InvalidAt = in(2000 + w.IntN(40))
	}
	if facts := m.oldestFacts(); f.Relation == "ANY" && len(facts) > 0 && w.IntN(3) == 0 {
		if other := facts[w.IntN(len(facts))]; other.Relation == "ANY" {
			f.Closes = []model.ID{other.ID}
		}
	}
	return f
}

// holds tries what is true of every graph.
func (t *teller) holds(seed uint64) {
	t.Helper()
	facts := t.memory.oldestFacts()
	for i, f := range facts {
		switch {
		case !f.ValidAt.IsZero() && !f.InvalidAt.IsZero() && f.ValidAt.After(f.InvalidAt):
			t.Fatalf("seed %d: a fact ends before it begins:\n%s", seed, t.graph())
		case f.Relation == "OPEN" && !f.InvalidAt.IsZero():
			t.Fatalf("seed %d: a fact was closed though nobody said so:\n%s", seed, t.graph())
		case f.InvalidAt.IsZero() != f.ExpiredAt.IsZero():
			t.Fatalf("seed %d: it is known to end, or not: %+v", seed, f)
		case f.InvalidAt.IsZero() && f.ReplacedBy != (model.ID{}), f.ReplacedBy == f.ID:
			t.Fatalf("seed %d: replaced by %v: %+v", seed, f.ReplacedBy, f)
		}
		if _, there := t.memory.facts[f.ReplacedBy.UUID]; f.ReplacedBy != (model.ID{}) && !there {
			t.Fatalf("seed %d: replaced by what is not there: %+v", seed, f)
		}
		for _, other := range facts[:i] {
			if f.Relation == "ONLY" && other.Relation == "ONLY" && f.Source.ID == other.Source.ID &&
				f.Target.ID != other.Target.ID && together(f, other) {
				t.Fatalf("seed %d: two hold at once:\n%s", seed, t.graph())
			}
		}
	}
}

// together reports whether both hold at some moment; one of the moments at which something begins would be one, or the
// beginning of time.
func together(a, b model.Fact) bool {
	for _, at := range []time.Time{in(1900), a.ValidAt, b.ValidAt} {
		if !at.IsZero() && a.HoldsAt(at) && b.HoldsAt(at) {
			return true
		}
	}
	return false
}

func written(facts []knowledge.NewFact) string {
	var out strings.Builder
	for _, f := range facts {
		fmt.Fprintf(&out, "%s (%s) %q %s %s (%s) %q: %q %s–%s exclusive %v\n",
			f.Source.Name, f.Source.Type, f.Source.Aliases, f.Relation, f.Target.Name, f.Target.Type, f.Target.Aliases,
			f.Sentence, year(f.ValidAt), year(f.InvalidAt), f.Exclusive)
	}
	return out.String()
}
