package knowledge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/adapters/knowledge"
	"almanac/graph/model"
	"almanac/projections/memo"
)

// typed is an end with a type, also with aliases.
func typed(name, kind string, aliases ...string) knowledge.End {
	return knowledge.End{Name: name, Type: kind, Aliases: aliases}
}

func between(source knowledge.End, target string) knowledge.NewFact {
	return knowledge.NewFact{Source: source, Relation: "KNOWS", Target: knowledge.End{Name: target}}
}

func TestEntitiesAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		calls [][]knowledge.NewFact
		want  []string // entities as "name (type) aliases", without the target
		codes []model.ErrorCode
	}{
		{"case and white space", [][]knowledge.NewFact{{between(typed("Dana Cohen", ""), "X"),
			between(typed(" dana  COHEN ", ""), "X")}}, []string{" dana  COHEN  () []"}, nil},
		{"niqqud and final letters", [][]knowledge.NewFact{{between(typed("שלום", ""), "X")},
			{between(typed("שָׁלוֹם", ""), "X")}}, []string{"שלום () []"}, nil},
		{"who has no type takes one", [][]knowledge.NewFact{{between(typed("Dana", ""), "X")},
			{between(typed("Dana", "Person"), "X")}}, []string{"Dana (Person) []"}, nil},
		{"without a type the only one is meant", [][]knowledge.NewFact{{between(typed("Dana", "Person"), "X")},
			{between(typed("Dana", ""), "X")}}, []string{"Dana (Person) []"}, nil},
		{"another type is another one", [][]knowledge.NewFact{{between(typed("Jordan", "Person"), "X")},
			{between(typed("Jordan", "Country"), "X")}}, []string{"Jordan (Country) []", "Jordan (Person) []"}, nil},
		{"the same type in another case", [][]knowledge.NewFact{{between(typed("Jordan", "Person"), "X")},
			{between(typed("Jordan", "PERSON"), "X")}}, []string{"Jordan (Person) []"}, nil},
		{"a type must tell which of several", [][]knowledge.NewFact{{between(typed("Jordan", "Person"), "X"),
			between(typed("Jordan", ""), "X"), between(typed("Jordan", "Country"), "X")}},
			[]string{"Jordan (Country) []", "Jordan (Person) []"}, []model.ErrorCode{"", model.CodeConflict, ""}},
		{"by an alias", [][]knowledge.NewFact{{between(typed("Dana Cohen", "Person", "Dana"), "X")},
			{between(typed("dana", ""), "X")}}, []string{"Dana Cohen (Person) [Dana]"}, nil},
		{"an alias that comes later", [][]knowledge.NewFact{{between(typed("Dana", ""), "X")},
			{between(typed("Dana Cohen", "Person", "Dana"), "X")}}, []string{"Dana (Person) [Dana Cohen]"}, nil},
		{"an alias that two share names the first",
			[][]knowledge.NewFact{{between(typed("Dana Cohen", "Person", "Dana"), "X")},
				{between(typed("Dana Levi", "Person", "Dana", "DL"), "X")}},
			[]string{"Dana Cohen (Person) [Dana]", "Dana Levi (Person) [DL]"}, nil},
		{"an alias that two of different types share", [][]knowledge.NewFact{{between(typed("Jordan", "Country"), "X")},
			{between(typed("Michael Jordan", "Person", "Jordan"), "X")}},
			[]string{"Jordan (Country) []", "Michael Jordan (Person) [Jordan]"}, nil},
		{"the name is no alias", [][]knowledge.NewFact{{between(typed("Dana", "", "DANA", "D", "d"), "X")}},
			[]string{"Dana () [D]"}, nil},
		{"nothing that can be seen", [][]knowledge.NewFact{{between(typed("\u200b", ""), "X"),
			between(typed("Dana", ""), "X")}}, []string{"Dana () []"}, []model.ErrorCode{model.CodeBadUserInput, ""}},
		{"who is unknown by id", [][]knowledge.NewFact{
			{between(knowledge.End{ID: model.ID{Kind: model.KindEntity, UUID: model.UUID{9}}}, "X"),
				between(typed("Dana", ""), "X")}},
			[]string{"Dana () []"}, []model.ErrorCode{model.CodeNotFound, ""}},
		{"what is refused leaves no trace", [][]knowledge.NewFact{
			{between(typed("Jordan", "Person"), "X"), between(typed("Jordan", "Country"), "X")},
			{{Source: typed("Somebody", "Person", "S"), Relation: "KNOWS", Target: knowledge.End{Name: "Jordan"}},
				{Source: knowledge.End{Name: "Jordan"}, Relation: "KNOWS", Target: typed("X", "Thing", "the X")}},
		}, []string{"Jordan (Country) []", "Jordan (Person) []"}, []model.ErrorCode{model.CodeConflict, model.CodeConflict}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			one := newTeller(t)
			var out knowledge.FactsAdded
			for _, call := range c.calls {
				out = one.tell(call...)
			}
			var got []string
			for _, e := range one.memory.oldestEntities() {
				if e.Name != "X" || e.Type != "" || len(e.Aliases) > 0 {
					got = append(got, fmt.Sprintf("%s (%s) %s", e.Name, e.Type, e.Aliases))
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("there is %q, want %q", got, c.want)
			}
			for i, problem := range out.Problems {
				if want := append(c.codes, make([]model.ErrorCode, len(out.Problems))...)[i]; model.CodeOf(problem) != want {
					t.Errorf("fact %d: %v, want %q", i, problem, want)
				}
			}
		})
	}
}

func TestAConflictNamesTheCandidates(t *testing.T) {
	t.Parallel()
	one := newTeller(t)
	one.tell(between(typed("Jordan", "Person"), "X"), between(typed("Jordan", "Country"), "X"))
	out := one.tell(fact("X", "KNOWS", "jordan"))
	problem, ok := model.Mendable(out.Problems[0])
	if !ok || strings.Join(problem.Field, ".") != "input.facts.0.target.name" {
		t.Fatalf("%v at %v", out.Problems[0], problem.Field)
	}
	for _, e := range one.memory.entities {
		if e.Type != "" && (!strings.Contains(problem.Message, e.ID.String()) || !strings.Contains(problem.Message, e.Type)) {
			t.Errorf("%q does not tell of %s, a %s", problem.Message, e.ID, e.Type)
		}
	}
}

func TestEntitiesLearnWhatTheyLack(t *testing.T) {
	t.Parallel()
	one := newTeller(t)
	first := knowledge.End{Name: "Dana", Summary: "An engineer.", Attributes: `{"born":1990,"eyes":"green"}`,
		Aliases: []string{"D"}}
	second := knowledge.End{Name: "Dana", Type: "Person", Summary: "A singer.", Attributes: `{"eyes":"blue","שם":"דנה"}`,
		Aliases: []string{"דנה", "d"}}
	one.tell(between(first, "X"))
	saved := one.memory.saved
	one.tell(between(second, "X"))
	e := one.memory.oldestEntities()[0]
	if e.Summary != "An engineer." || e.Attributes != `{"born":1990,"eyes":"green","שם":"דנה"}` || !slices.Equal(e.Aliases,
		[]string{"D", "דנה"}) || e.Type != "Person" || e.Version != 2 || !e.UpdatedAt.After(e.CreatedAt) {
		t.Errorf("it is %+v", e)
	}
	if one.memory.saved != saved+1 {
		t.Errorf("%d rows were saved for one entity that learned", one.memory.saved-saved)
	}
}

func TestWhatDoesNotFitIsLeftOut(t *testing.T) {
	t.Parallel()
	one := newTeller(t)
	var aliases []string
	for n := range model.MaxAliases + 5 {
		aliases = append(aliases, fmt.Sprint("alias ", n))
	}
	long := strings.Repeat("ש", model.MaxAttributes/2-40)
	one.tell(between(knowledge.End{Name: "Dana", Aliases: aliases[:model.MaxAliases], Attributes: `{"b":"` + long + `"}`},
		"X"))
	out := one.tell(between(knowledge.End{Name: "Dana", Aliases: aliases[model.MaxAliases:],
		Attributes: `{"a":"` + long + `","c":1}`}, "X"))
	e := one.memory.oldestEntities()[0]
	if out.Problems[0] != nil || len(e.Aliases) != model.MaxAliases || e.Attributes != `{"b":"`+long+`","c":1}` {
		t.Errorf("%v, %d aliases, %d bytes of attributes", out.Problems[0], len(e.Aliases), len(e.Attributes))
	}
	var many strings.Builder
	for n := range memo.MaxPairs {
		fmt.Fprintf(&many, `,"k%03d":0`, n)
	}
	one.tell(between(knowledge.End{Name: "Yossi", Attributes: `{"z":1}`}, "X"))
	one.tell(between(knowledge.End{Name: "Yossi", Attributes: "{" + many.String()[1:] + "}"}, "X"))
	for _, e := range one.memory.entities {
		if text, err := memo.Metadata("", model.JSON(e.Attributes)); err != nil || text != e.Attributes {
			t.Errorf("attributes of %s are not what can be kept: %v", e.Name, err)
		}
		if e.Name == "Yossi" && strings.Count(e.Attributes, ":") < memo.MaxPairs/4 {
			t.Errorf("only %d entries were taken", strings.Count(e.Attributes, ":"))
		}
	}
}

func TestFactsAreKnown(t *testing.T) {
	t.Parallel()
	works := func(more ...func(*knowledge.NewFact)) knowledge.NewFact {
		return fact("Dana", "WORKS_AT", "Acme", more...)
	}
	type call = []knowledge.NewFact
	for _, c := range []struct {
		name  string
		calls []call
		want  []string
	}{
		{"the same again", []call{{works()}, {works()}}, []string{"Dana works at Acme …–…"}},
		{"the same twice at once", []call{{works(), works()}}, []string{"Dana works at Acme …–…"}},
		{"the same sentence in other signs", []call{{works(says("Dana codes at Acme."))},
			{works(says("dana  codes at ACME!"))}}, []string{"Dana codes at Acme. …–…"}},
		{"without a sentence it is known by any", []call{{works(says("Dana codes at Acme."))}, {works()}},
			[]string{"Dana codes at Acme. …–…"}},
		{"a sentence that says more takes the place of the one that was made",
			[]call{{works()}, {works(says("Dana codes at Acme."))}}, []string{"Dana codes at Acme. …–…"}},
		{"another sentence is another fact", []call{{works(says("Dana codes at Acme."))},
			{works(says("Dana cooks at Acme."))}}, []string{"Dana codes at Acme. …–…", "Dana cooks at Acme. …–…"}},
		{"a beginning is learned", []call{{works()}, {works(since(2020))}}, []string{"Dana works at Acme 2020–…"}},
		{"the earliest beginning stays", []call{{works(since(2020))}, {works(since(2021))}, {works(since(2019))}},
			[]string{"Dana works at Acme 2019–…"}},
		{"an end closes it", []call{{works(since(2020))}, {works(until(2023))}}, []string{"Dana works at Acme 2020–2023"}},
		{"an end is not taken back", []call{{works(since(2020), until(2023))}, {works(since(2020))}, {works()},
			{works(until(2025))}}, []string{"Dana works at Acme 2020–2023"}},
		{"another time is another fact", []call{{works(since(2010), until(2012))}, {works(since(2020))}},
			[]string{"Dana works at Acme 2010–2012", "Dana works at Acme 2020–…"}},
		{"where one ends another may begin", []call{{works(since(2010), until(2012))}, {works(since(2012))}},
			[]string{"Dana works at Acme 2010–2012", "Dana works at Acme 2012–…"}},
		{"the period that is meant grows, and not into the next one",
			[]call{{works(since(2010), until(2012)), works(since(2020))}, {works(since(2009), until(2022))}},
			[]string{"Dana works at Acme 2009–2012", "Dana works at Acme 2020–…"}},
		{"an end alone is that of the last one", []call{{works(since(2010), until(2012)), works(since(2020))},
			{works(until(2024))}}, []string{"Dana works at Acme 2010–2012", "Dana works at Acme 2020–2024"}},
		{"what comes back at once, in any order", []call{{
			fact("Dana", "LIVES_IN", "Haifa", since(2023), alone), fact("Dana", "LIVES_IN", "Tel Aviv", since(2021), alone),
			fact("Dana", "LIVES_IN", "Haifa", since(2018), alone),
		}}, []string{"Dana lives in Haifa 2018–2021", "Dana lives in Haifa 2023–…", "Dana lives in Tel Aviv 2021–2023"}},
		{"history told late does not close the present",
			[]call{{fact("Dana", "LIVES_IN", "Haifa", since(2023), alone)},
				{fact("Dana", "LIVES_IN", "Tel Aviv", since(2018), alone)}},
			[]string{"Dana lives in Haifa 2023–…", "Dana lives in Tel Aviv 2018–2023"}},
		{"between two", []call{{fact("Dana", "LIVES_IN", "Haifa", since(2023), alone)},
			{fact("Dana", "LIVES_IN", "Tel Aviv", since(2018), alone)}, {fact("Dana", "LIVES_IN", "Eilat", since(2020), alone)}},
			[]string{"Dana lives in Eilat 2020–2023", "Dana lives in Haifa 2023–…", "Dana lives in Tel Aviv 2018–2020"}},
		{"without a time it holds from now on", []call{{fact("Dana", "LIVES_IN", "Haifa", since(2020), alone)},
			{fact("Dana", "LIVES_IN", "Tel Aviv", alone)}},
			[]string{"Dana lives in Haifa 2020–2026-11-21T13", "Dana lives in Tel Aviv 2026-11-21T13–…"}},
		{"the first without a time has none", []call{{fact("Dana", "LIVES_IN", "Haifa", alone)},
			{fact("Dana", "LIVES_IN", "Haifa", alone)}}, []string{"Dana lives in Haifa …–…"}},
		{"without a time, before what is to come", []call{{fact("Dana", "LIVES_IN", "Haifa", since(2030), alone)},
			{fact("Dana", "LIVES_IN", "Tel Aviv", alone)}},
			[]string{"Dana lives in Haifa 2030–…", "Dana lives in Tel Aviv …–2030"}},
		{"over, and it is not said since when", []call{{fact("Dana", "LIVES_IN", "Haifa", since(2010), until(2012))},
			{fact("Dana", "LIVES_IN", "Tel Aviv", until(2015), alone)}},
			[]string{"Dana lives in Haifa 2010–2012", "Dana lives in Tel Aviv 2012–2015"}},
		{"moving to and fro, told again", []call{{fact("Dana", "LIVES_IN", "Haifa", alone)},
			{fact("Dana", "LIVES_IN", "Tel Aviv", alone)}, {fact("Dana", "LIVES_IN", "Haifa", alone)},
			{fact("Dana", "LIVES_IN", "Tel Aviv", alone)}},
			[]string{"Dana lives in Haifa …–2026-11-21T13", "Dana lives in Tel Aviv 2026-11-21T13–…"}},
		{"a correction", []call{{fact("Dana", "LIVES_IN", "Haifa", since(2020), alone)},
			{fact("Dana", "LIVES_IN", "Tel Aviv", since(2020), alone)}, {fact("Dana", "LIVES_IN", "Haifa", since(2020), alone)}},
			[]string{"Dana lives in Haifa 2020–2020", "Dana lives in Tel Aviv 2020–…"}},
		{"others of the source, and of other sources, are left alone",
			[]call{{fact("Dana", "VISITS", "Haifa"), fact("Yossi", "LIVES_IN", "Haifa"),
				fact("Dana", "LIVES_IN", "Tel Aviv", since(2020), alone)}},
			[]string{"Dana lives in Tel Aviv 2020–…", "Dana visits Haifa …–…", "Yossi lives in Haifa …–…"}},
		{"the same target in other words may hold beside",
			[]call{{fact("Dana", "LIVES_IN", "Haifa", since(2020), says("Dana rents in Haifa."), alone)},
				{fact("Dana", "LIVES_IN", "Haifa", since(2022), says("Dana owns a house in Haifa."), alone)}},
			[]string{"Dana owns a house in Haifa. 2022–…", "Dana rents in Haifa. 2020–…"}},
		{"of itself", []call{{fact("Dana", "KNOWS", "Dana")}, {fact("dana", "KNOWS", "DANA")}},
			[]string{"Dana knows Dana …–…"}},
		{"in Hebrew", []call{{fact("דנה", "גרה_ב", "חיפה", since(2018), alone)},
			{fact("דָּנָה", "גרה_ב", "תל אביב", since(2021), alone)}},
			[]string{"דנה גרה ב חיפה 2018–2021", "דנה גרה ב תל אביב 2021–…"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			one := newTeller(t)
			for _, call := range c.calls {
				for i, problem := range one.tell(call...).Problems {
					if problem != nil {
						t.Fatalf("fact %d: %v", i, problem)
					}
				}
			}
			one.wantSentences(c.want)
			one.holds(0)
		})
	}
}

func (t *teller) wantSentences(want []string) {
	t.Helper()
	var got []string
	for _, f := range t.memory.facts {
		got = append(got, f.Sentence+" "+year(f.ValidAt)+"–"+year(f.InvalidAt))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("there is %q, want %q", got, want)
	}
}

func TestFactsCloseOthers(t *testing.T) {
	t.Parallel()
	one := newTeller(t)
	old := one.tell(fact("Dana", "WORKS_AT", "Acme", since(2020)), fact("Dana", "WORKS_AT", "Globex", since(2024)),
		fact("Dana", "WORKS_AT", "Initech", since(2010), until(2012)))
	out := one.tell(fact("Dana", "WORKS_AT", "Hooli", since(2023), closes(old.Ids[0], old.Ids[2])))
	if out.Created != 1 || out.Invalidated != 1 {
		t.Errorf("it has come to %+v", out)
	}
	closed := one.memory.facts[old.Ids[0].UUID]
	if !closed.InvalidAt.Equal(in(2023)) || closed.ReplacedBy != out.Ids[0] ||
		!closed.ExpiredAt.Equal(noon.Add(1e9*3600)) || closed.Version != 2 {
		t.Errorf("the old one is %+v", closed)
	}
	if long := one.memory.facts[old.Ids[2].UUID]; !long.InvalidAt.Equal(in(2012)) || long.ReplacedBy != (model.ID{}) ||
		long.Version != 1 {
		t.Errorf("what had ended long before is %+v", long)
	}
	// Again, and now without a time.
	if again := one.tell(fact("Dana", "WORKS_AT", "Hooli", since(2023), closes(old.Ids[0]))); again.Unchanged != 1 ||
		again.Invalidated != 0 {
		t.Errorf("again it has come to %+v", again)
	}
	late := one.tell(fact("Dana", "WORKS_AT", "Pied Piper", closes(out.Ids[0])))
	if closed := one.memory.facts[out.Ids[0].UUID]; !closed.InvalidAt.Equal(one.now.Add(-1e9*3600)) ||
		closed.ReplacedBy != late.Ids[0] {
		t.Errorf("closed now, it is %+v", closed)
	}

	saved := one.memory.saved
	for name, c := range map[string]struct {
		fact  knowledge.NewFact
		code  model.ErrorCode
		field string
	}{
		"what began later": {fact("Dana", "WORKS_AT", "Umbrella", since(2022), closes(old.Ids[1])),
			model.CodeBadUserInput, "input.facts.0.closes"},
		"itself": {fact("Dana", "WORKS_AT", "Globex", closes(old.Ids[1])), model.CodeBadUserInput,
			"input.facts.0.closes"},
		"what is not there": {fact("Dana", "WORKS_AT", "Umbrella",
			closes(model.ID{Kind: model.KindFact, UUID: model.UUID{7}})), model.CodeNotFound, "input.facts.0.closes"},
		"what is no fact": {fact("Dana", "WORKS_AT", "Umbrella",
			closes(model.ID{Kind: model.KindEntity, UUID: old.Ids[1].UUID})), model.CodeNotFound, "input.facts.0.closes"},
		"an end that is before": {fact("Dana", "WORKS_AT", "Umbrella", since(2022), until(2022)), model.CodeBadUserInput,
			"input.facts.0.invalidAt"},
		"nothing wrong": {fact("Dana", "LIVES_IN", "Haifa", until(2022), alone), "", ""},
	} {
		out := one.tell(c.fact)
		problem, _ := model.Mendable(out.Problems[0])
		if model.CodeOf(out.Problems[0]) != c.code || problem != nil && strings.Join(problem.Field, ".") != c.field {
			t.Errorf("%s: %v, want %s at %s", name, out.Problems[0], c.code, c.field)
		}
		if c.code != "" && (out.Ids[0] != model.ID{} || out.Created+out.Unchanged+out.Invalidated+out.EntitiesMade != 0) {
			t.Errorf("%s: it was refused, and came to %+v", name, out)
		}
	}
	if made := one.memory.saved - saved; made != 2 {
		t.Errorf("%d rows were saved for one fact and one entity", made)
	}
}

func TestFactsThatExcludeEachOtherAtOnce(t *testing.T) {
	t.Parallel()
	for name, call := range map[string][]knowledge.NewFact{
		"at the same time": {fact("Dana", "LIVES_IN", "Haifa", since(2020), alone),
			fact("Dana", "LIVES_IN", "Tel Aviv", since(2020), alone)},
		"both without time": {fact("Dana", "LIVES_IN", "Haifa", alone), fact("Dana", "LIVES_IN", "Tel Aviv", alone)},
		"it held then": {fact("Dana", "LIVES_IN", "Haifa", since(2010)),
			fact("Dana", "LIVES_IN", "Tel Aviv", until(2020), alone)},
	} {
		var graphs []string
		for range 2 {
			one := newTeller(t)
			out := one.tell(call...)
			refused := 0
			for _, problem := range out.Problems {
				if model.CodeOf(problem) == model.CodeConflict {
					refused++
				}
			}
			if out.Created != 1 || refused != 1 || out.EntitiesMade != 2 {
				t.Errorf("%s: it has come to %+v", name, out)
			}
			graphs = append(graphs, one.graph())
			slices.Reverse(call)
		}
		if graphs[0] != graphs[1] {
			t.Errorf("%s: the order makes a difference:\n%s\nand\n%s", name, graphs[0], graphs[1])
		}
	}
}

func TestAllOrNone(t *testing.T) {
	t.Parallel()
	one := newTeller(t)
	bad := fact("Dana", "WORKS_AT", "Acme", since(2022), until(2021))
	_, err := one.base.AddFacts(t.Context(), model.UserID{1}, knowledge.NewFacts{
		Facts: []knowledge.NewFact{fact("Dana", "KNOWS", "Yossi"), bad, bad}, Atomic: true, Now: noon})
	if problem, ok := model.Mendable(err); !ok || problem.Code != model.CodeBadUserInput ||
		strings.Join(problem.Field, ".") != "input.facts.1.invalidAt" {
		t.Errorf("%v", err)
	}
	if one.memory.saved != 0 {
		t.Errorf("%d rows were saved", one.memory.saved)
	}
	if _, err := one.base.AddFacts(t.Context(), model.UserID{1},
		knowledge.NewFacts{Facts: make([]knowledge.NewFact, model.MaxFactsAtOnce+1),
			Now: noon}); model.CodeOf(err) != model.CodeBadUserInput {
		t.Errorf("too many: %v", err)
	}
}

func TestManyFactsTakeAFewCalls(t *testing.T) {
	t.Parallel()
	one := newTeller(t)
	old := one.tell(fact("Dana", "KNOWS", "Yossi"), fact("Dana", "KNOWS", "Ruth"))
	one.memory.calls = nil
	var facts []knowledge.NewFact
	for n := range model.MaxFactsAtOnce {
		f := fact(fmt.Sprint("source ", n%700), fmt.Sprint("RELATION_", n%3), fmt.Sprint("target ", n), alone)
		if n%2 == 0 {
			f.Source = knowledge.End{ID: one.memory.facts[old.Ids[0].UUID].Source.ID}
			f.Exclusive = false
		}
		facts = append(facts, f)
	}
	facts[0].Closes = []model.ID{old.Ids[1]}
	out := one.tell(facts...)
	if want := []string{"EntitiesByName", "EntitiesByID", "FactsByID", "FactsOfPairs", "SaveEntities",
		"SaveFacts"}; !slices.Equal(one.memory.calls, want) {
		t.Errorf("it took %q, want %q", one.memory.calls, want)
	}
	if out.Created+out.Unchanged != model.MaxFactsAtOnce-countProblems(out) || out.Invalidated < 1 {
		t.Errorf("it has come to %d and %d with %d problems", out.Created, out.Unchanged, countProblems(out))
	}
}

func countProblems(out knowledge.FactsAdded) (n int) {
	for _, problem := range out.Problems {
		if problem != nil {
			n++
		}
	}
	return n
}

// TestReplacedByIsWhatCameNext: whoever ended before the next one came was not closed by it.
func TestReplacedByIsWhatCameNext(t *testing.T) {
	t.Parallel()
	haifa, telAviv, eilat := fact("Dana", "LIVES_IN", "Haifa", since(2018), alone),
		fact("Dana", "LIVES_IN", "Tel Aviv", since(2021), alone), fact("Dana", "LIVES_IN", "Eilat", since(2024), alone)
	for _, order := range [][]knowledge.NewFact{{haifa, telAviv, eilat}, {eilat, telAviv, haifa}, {haifa, eilat, telAviv},
		{telAviv, haifa, eilat}} {
		one := newTeller(t)
		ids := map[string]model.ID{}
		for _, f := range order {
			ids[f.Target.Name] = one.tell(f).Ids[0]
		}
		replaced := func(name string) model.ID { return one.memory.facts[ids[name].UUID].ReplacedBy }
		if replaced("Haifa") != ids["Tel Aviv"] || replaced("Tel Aviv") != ids["Eilat"] || replaced("Eilat") != (model.ID{}) {
			t.Errorf("%s: %v", written(order), one.memory.oldestFacts())
		}
		one.tell(fact("Dana", "LIVES_IN", "Haifa", until(2020)))
		if replaced("Haifa") != (model.ID{}) || !one.memory.facts[ids["Haifa"].UUID].InvalidAt.Equal(in(2020)) {
			t.Errorf("it ended before: %+v", one.memory.facts[ids["Haifa"].UUID])
		}
	}
}
