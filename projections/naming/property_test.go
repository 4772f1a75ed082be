package naming_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/projections/fold"
	"almanac/projections/naming"
)

// pieces make names by chance.
var pieces = []string{
	"call", "Renew", "passport", "passports", "Mom's", "birthday", "the", "to", "from", "Dana", "Ruben", "report", "12",
	"21", "booking", "book", "not", "meeting", "task", "Dr.", "note", "notebook", "לקנות", "חלב", "להתקשר", "לאמא", "לאבא",
	"של", "פגישת", "פגישה", "צוות", "תיקון", "לתקן", "ל-Dana", "הברז", "בית", "ספר", "🎂", "-", ",", "é", "東京",
}

func randomName(random *rand.Rand) string {
	var name []string
	for range 1 + random.IntN(5) {
		name = append(name, pieces[random.IntN(len(pieces))])
	}
	return strings.Join(name, " ")
}

func randomNames(random *rand.Rand) []string {
	names := make([]string, 1+random.IntN(8))
	for i := range names {
		names[i] = randomName(random)
	}
	return names
}

// chosen are the names of a decision, in no order, with its outcome.
func chosen(d naming.Decision[int], names []string) (naming.Outcome, []string) {
	var list []string
	for _, m := range d.Matches {
		list = append(list, names[m.Index])
	}
	slices.Sort(list)
	return d.Outcome, list
}

func decide(text string, names []string, rules naming.Rules) (naming.Outcome, []string) {
	rules.Most = len(names) // a question that shows all depends on no order
	return chosen(naming.Decide(naming.New(text, naming.Event), candidates(names...), rules), names)
}

func TestAnEqualNameIsActedOn(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		names := randomNames(random)
		name := names[random.IntN(len(names))]
		if fold.Text(name) == "" {
			continue
		}
		for _, rules := range []naming.Rules{{}, {Strict: true}} {
			outcome, list := decide(strings.ToUpper(name), names, rules)
			if outcome == naming.Ask && len(list) > 1 && fold.Text(list[0]) == fold.Text(list[1]) {
				continue // two of the name, written differently
			}
			if (outcome != naming.Found && outcome != naming.Many) || fold.Text(list[0]) != fold.Text(name) {
				t.Fatalf("%q of %q: %d %q", name, names, outcome, list)
			}
		}
	}
}

func TestTheOrderOfCandidatesDecidesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		names, text := randomNames(random), randomName(random)
		outcome, list := decide(text, names, naming.Rules{})
		other := slices.Clone(names)
		random.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		if again, otherList := decide(text, other, naming.Rules{}); again != outcome || !slices.Equal(list, otherList) {
			t.Fatalf("%q of %q: %d %q, in another order %d %q", text, names, outcome, list, again, otherList)
		}
	}
}

func TestACandidateThatSharesNothingDecidesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 2_000 {
		names, text := randomNames(random), randomName(random)
		outcome, list := decide(text, names, naming.Rules{})
		more := append(slices.Clone(names), "zzyzx qqq wuxia", "ץץץ ףףף")
		if again, otherList := decide(text, more, naming.Rules{}); again != outcome || !slices.Equal(list, otherList) {
			t.Fatalf("%q of %q: %d %q, beside others %d %q", text, names, outcome, list, again, otherList)
		}
	}
}

func TestNothingIsActedOnWhileAWordIsUnexplained(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	for range 2_000 {
		names, text := randomNames(random), "wuxia "+randomName(random)
		if outcome, list := decide(text, names, naming.Rules{}); outcome == naming.Found || outcome == naming.Many {
			t.Fatalf("%q of %q: %q", text, names, list)
		}
	}
}

// What strict rules act on, the ordinary ones act on too or ask about because of others.
func TestStrictRulesActOnLess(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 10))
	for range 2_000 {
		name, text := randomName(random), randomName(random)
		strict, _ := decide(text, []string{name}, naming.Rules{Strict: true})
		if ordinary, _ := decide(text, []string{name}, naming.Rules{}); strict == naming.Found && ordinary != naming.Found {
			t.Fatalf("%q of %q: strict acts, the ordinary rule does not", text, name)
		}
	}
}

// The quick look rules out only what shares nothing: mixed with a letter that it does not know, a name always passes.
func TestTheQuickLookHidesNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(11, 12))
	for range 8_000 {
		name, text := randomName(random), randomName(random)
		if random.IntN(2) == 0 { // a typing mistake
			letters := []rune(text)
			i := random.IntN(len(letters))
			text = string(slices.Delete(letters, i, i+1))
		}
		quick, _ := decide(text, []string{name}, naming.Rules{})
		slow, _ := decide(text, []string{name + " Ж"}, naming.Rules{})
		if quick == naming.None && slow != naming.None {
			t.Fatalf("%q of %q: not found by the quick look", text, name)
		}
	}
}

func FuzzDecide(f *testing.F) {
	f.Add("renew password", "Renew passport", 0, false)
	f.Add("המשימה לקנות חלב", "לקנות חלב", 0, true)
	f.Add("ל-Ruben's ד\"ר", "don't Dr. 東京 🎂", 3, false)
	f.Fuzz(func(t *testing.T, text, name string, kind int, strict bool) {
		q := naming.New(text, naming.Kind(uint(kind)%8))
		all := candidates(name, name+" x", "x")
		for i := range all {
			all[i].Same = fold.Text(all[i].Name)
		}
		d := naming.Decide(q, all, naming.Rules{Strict: strict})
		if d.Outcome == naming.None != (len(d.Matches) == 0) {
			t.Errorf("outcome %d with %d matches", d.Outcome, len(d.Matches))
		}
		if key := fold.Text(text); key != "" && key == fold.Text(name) && d.Outcome != naming.Found &&
			d.Outcome != naming.Many {
			t.Errorf("an equal name is not found: %+v", d)
		}
		for _, m := range d.Matches {
			if m.Score < 0 || m.Score > 1 {
				t.Errorf("score %v", m.Score)
			}
		}
	})
}
