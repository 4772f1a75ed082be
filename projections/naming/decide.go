package naming

import (
	"cmp"
	"slices"

	"almanac/graph/model"
)

// MaxCandidates is how many candidates a question shows.
const MaxCandidates = 5

// Candidate is something that may be meant.
type Candidate[ID comparable] struct {
	ID ID
	// Name is the text by which it is named: a task's text, an event's title.
	Name string
	// Same is the sameness key: candidates with equal keys are so alike that a person could not choose between them.
	Same string
}

// Match is a candidate with its score.
type Match[ID comparable] struct {
	ID ID
	// Index is the candidate's place among those given.
	Index int
	// Score says how much of the text and of the name is the same, 1 for an equal name. It orders what a question shows
	// and decides nothing.
	Score float64
}

// Rules are the rules of a decision.
type Rules struct {
	// Strict asks also where a name says more than the text in a way that may make it another thing. It is for what
	// cannot be undone.
	Strict bool
	// Several lets the person choose more than one; a question is PICK_MANY then and not PICK_ONE.
	Several bool
	// Distinct shows only the first of those that are the same in a question.
	Distinct bool
	// Most is how many candidates a question has; 0 for MaxCandidates.
	Most int
	// Spend, when set, is told of work before it is done, in steps; when it returns false nothing more is done, and what
	// is returned says nothing.
	Spend func(steps int) bool
}

// What comparing costs in steps, each of which takes about a nanosecond.
const (
	// lookSteps are for each byte of a name that is only looked at, foldSteps of one that is folded and taken apart (most
	// where its words are short), and
	// wordSteps beside them for each word of the text.
	lookSteps, foldSteps, wordSteps = 2, 44, 1
)

// LookCost returns the steps of MaySay for a name.
func LookCost(name string) int { return lookSteps * len(name) }

func (q *Query) foldCost(name string) int { return (foldSteps + wordSteps*len(q.words)) * len(name) }

func (r Rules) spend(steps int) bool { return r.Spend == nil || r.Spend(steps) }

// likenesses is how many degrees of likeness order a question: within one, the earlier candidate is the likelier.
const likenesses = 4

// Outcome is what a decision comes to.
type Outcome int

// The outcomes.
const (
	// None: nothing shares a word with the text.
	None Outcome = iota
	// Found: Matches holds the one that is meant.
	Found
	// Many: Matches holds several that are the same to a person; whatever is to be done may be done to all, or to the
	// first.
	Many
	// Ask: Matches holds the candidates among which a person must choose, or the one that may be meant.
	Ask
)

// Decision is an outcome with its matches, the likeliest first, the earlier candidate first among equals.
type Decision[ID comparable] struct {
	Outcome Outcome
	Matches []Match[ID]
	// Kind is what the question is, for Ask; empty otherwise.
	Kind model.ConfirmationKind
}

// judged is what is known of a candidate that shares a word with the text.
type judged struct {
	index       int
	score       float64
	unexplained int
	// named: it may be acted on. exact: by equal words alone. whole: the text says all of the name.
	named, exact, whole bool
	// rival: it leaves no word of the text unexplained, by whatever likeness; worst is how far that goes.
	rival bool
	worst level
}

// Decide says which of the candidates a text means.
//
// A name equal to the text, folded (see fold.Text), beats all others; failing that, one equal to it without a handle
// word before it. Otherwise one is meant when its name alone explains every word of the text that says something, and
// no other comes near; one that says every word as it is beats what a typing mistake would make of another. A name that
// the text says whole beats those of which it says a part. Everything else that shares
// a word with the text is asked about, the fewest unexplained words first; without any, nothing is meant.
func Decide[ID comparable](q *Query, candidates []Candidate[ID], rules Rules) Decision[ID] {
	equals, all := look(q, candidates, rules)
	if len(equals) > 0 {
		return among(equals, candidates, rules)
	}
	if best := meant(all, candidates); best != nil {
		return among(best, candidates, rules)
	}
	if len(all) == 0 {
		return Decision[ID]{}
	}
	slices.SortStableFunc(all, func(a, b judged) int {
		return cmp.Or(cmp.Compare(a.unexplained, b.unexplained), cmp.Compare(a.worst, b.worst),
			cmp.Compare(int(b.score*likenesses), int(a.score*likenesses)))
	})
	return ask(matchesOf(all, candidates), candidates, rules)
}

// Fits returns all candidates that a text may mean as it stands: those whose name is equal to it; failing that, those
// that it names. Of the rules it keeps to what may be spent.
func Fits[ID comparable](q *Query, candidates []Candidate[ID], rules Rules) []Match[ID] {
	equals, all := look(q, candidates, Rules{Spend: rules.Spend})
	if len(equals) > 0 {
		return equals
	}
	return matchesOf(slices.DeleteFunc(all, func(j judged) bool { return !j.named }), candidates)
}

// look returns the candidates with an equal name and, when there are none, all that share a word with the text.
func look[ID comparable](q *Query, candidates []Candidate[ID], rules Rules) (equals []Match[ID], all []judged) {
	if q.key == "" {
		return nil, nil
	}
	var bare []Match[ID]
	al := aligner{q: q}
	for i, candidate := range candidates {
		if !rules.spend(LookCost(candidate.Name)) {
			return nil, nil
		}
		if !q.quick.maySay(candidate.Name) {
			continue
		}
		if !rules.spend(q.foldCost(candidate.Name)) {
			return nil, nil
		}
		key := q.fold(candidate.Name)
		switch one := (Match[ID]{ID: candidate.ID, Index: i, Score: 1}); key {
		case q.key:
			equals = append(equals, one)
		case q.bare:
			if key != "" {
				bare = append(bare, one)
			}
		}
		if len(equals) > 0 || q.isLong() {
			continue
		}
		if j, ok := al.judge(key, rules.Strict); ok {
			j.index = i
			all = append(all, j)
		}
	}
	if len(equals) == 0 {
		equals = bare
	}
	return equals, all
}

// judge compares a folded name with the text; false when they share no word.
func (al *aligner) judge(key string, strict bool) (judged, bool) {
	name := al.read(key)
	a := al.align(name, false)
	if a.shared == 0 {
		return judged{}, false
	}
	j := judged{unexplained: a.unexplained, whole: a.whole, worst: a.worst, rival: a.explains(), score: al.score()}
	certain := func() bool { return a.named() && !al.q.contradicted(a) && (!strict || !al.q.unsure(a)) }
	j.named = certain()
	if !j.named && a.named() && al.repeats() {
		a = al.align(name, true)
		j.named = certain()
	}
	j.exact = j.named && a.worst == equal
	return j, true
}

// meant returns those that are meant, which are the same to a person; nil when it must be asked.
func meant[ID comparable](all []judged, candidates []Candidate[ID]) []Match[ID] {
	var named, whole []judged
	for _, j := range all {
		if j.named {
			named = append(named, j)
			if j.whole {
				whole = append(whole, j)
			}
		}
	}
	if len(whole) > 0 {
		named = whole
	}
	if len(named) == 0 {
		return nil
	}
	same := candidates[named[0].index].Same
	exact := true
	for _, j := range named {
		if candidates[j.index].Same != same {
			return nil
		}
		exact = exact && j.exact
	}
	for _, j := range all {
		if !j.rival || candidates[j.index].Same == same || len(whole) > 0 && !j.whole || exact && j.worst >= mistake {
			continue
		}
		return nil
	}
	return matchesOf(named, candidates)
}

// score is how much of the text and of the name explain each other, by letters.
func (al *aligner) score() float64 {
	a := &al.a
	said, there, both := 0, 0, 0.0
	for _, w := range al.q.words {
		said += len(w.text)
	}
	for _, w := range a.name {
		there += len(w.text)
	}
	for _, p := range a.pairs {
		both += float64(len(al.q.words[p.said].text)+len(a.name[p.there].text)) * (1 - float64(p.level)/float64(2*levels))
	}
	const mostUnequal = 0.99
	return min(both/float64(max(said+there, 1)), mostUnequal)
}

func matchesOf[ID comparable](all []judged, candidates []Candidate[ID]) []Match[ID] {
	out := make([]Match[ID], len(all))
	for i, j := range all {
		out[i] = Match[ID]{ID: candidates[j.index].ID, Index: j.index, Score: j.score}
	}
	return out
}

// among decides between candidates that are all meant by the text, of which there is at least one.
func among[ID comparable](matches []Match[ID], candidates []Candidate[ID], rules Rules) Decision[ID] {
	first := candidates[matches[0].Index].Same
	for _, m := range matches {
		if candidates[m.Index].Same != first {
			return ask(matches, candidates, rules)
		}
	}
	if len(matches) > 1 {
		return Decision[ID]{Outcome: Many, Matches: matches}
	}
	return Decision[ID]{Outcome: Found, Matches: matches}
}

func ask[ID comparable](matches []Match[ID], candidates []Candidate[ID], rules Rules) Decision[ID] {
	if rules.Distinct {
		matches = distinct(matches, candidates)
	}
	kind := model.PickOne
	if rules.Several {
		kind = model.PickMany
	}
	most := cmp.Or(rules.Most, MaxCandidates)
	return Decision[ID]{Outcome: Ask, Matches: matches[:min(len(matches), most)], Kind: kind}
}

// distinct leaves the first of those that are the same.
func distinct[ID comparable](matches []Match[ID], candidates []Candidate[ID]) []Match[ID] {
	seen := make(map[string]bool, len(matches))
	var first []Match[ID]
	for _, m := range matches {
		if same := candidates[m.Index].Same; !seen[same] {
			seen[same] = true
			first = append(first, m)
		}
	}
	return first
}
