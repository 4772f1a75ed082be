package plan

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"almanac/projections/when"
)

// Part is one of several things that a sentence asks for.
type Part struct {
	// Text is what asks for it, with what it shares with the others: the verb, the day.
	Text string
	Plan Plan
}

// ToolSeveral is the tool of a plan that has several others.
const ToolSeveral Tool = "several"

// Bounds of what is tried where a sentence may ask for several things: how many it asks for, at how many places it may
// be divided, how many texts are planned, which takes milliseconds each, and how many divisions are returned.
const (
	mostParts    = 5
	mostCuts     = 6
	mostPlanned  = 14
	mostReadings = 4
)

// Several returns what a sentence may ask for if it asks for several things, 2 to 5 that each change something and are
// each understood by Understand, in the order of the sentence: "cancel the dentist and move lunch to 3pm". What shares
// its verb, its day or what follows it with another part gets it: "cancel the gym and the book club tomorrow". A
// sentence can be divided in more than one way; whoever knows what is there takes the first that fits. Nil where no
// division is understood, and for questions, quotations and lines.
func Several(text string, at when.Moment) [][]Part {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > longestText || len(strings.Fields(text)) > longestJudged || quotes(text) {
		return nil
	}
	p := newSentence(text, at)
	if p.asks() || strings.HasSuffix(text, "?") {
		return nil
	}
	d := &divider{p: p, text: text, at: at, known: map[string]reading{}}
	cuts := d.cuts()
	if len(cuts) == 0 || len(cuts) > mostCuts {
		return nil
	}
	d.verb = d.verbOf(0)
	var out [][]Part
	for _, chosen := range divisions(cuts) {
		for _, shared := range []bool{true, false} {
			parts, ok := d.divide(chosen, shared)
			if ok && !slices.ContainsFunc(out, func(known []Part) bool { return sameTexts(known, parts) }) {
				out = append(out, parts)
			}
		}
	}
	slices.SortStableFunc(out, likelierDivision)
	return out[:min(len(out), mostReadings)]
}

// Requests returns the division of a sentence into whole requests, each with a verb of its own and understood alone, in
// the order of the sentence: "remind me to call mom at 17:00 and add milk to the shopping list". Nil where there is
// none, as where what follows a joining word is no request: "drinks with Dana and Tom", "remind me to wash and fold the
// towels".
func Requests(text string, at when.Moment) []Part {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) > longestText || len(strings.Fields(text)) > longestJudged || quotes(text) {
		return nil
	}
	p := newSentence(text, at)
	if p.asks() || strings.HasSuffix(text, "?") {
		return nil
	}
	d := &divider{p: p, text: text, at: at, known: map[string]reading{}}
	cuts := slices.DeleteFunc(d.cuts(), func(cut int) bool { return d.verbOf(cut) == "" })
	if d.verb = d.verbOf(0); d.verb == "" || len(cuts) == 0 || len(cuts) >= mostParts {
		return nil
	}
	parts, ok := d.divide(cuts, false)
	if !ok {
		return nil
	}
	return parts
}

// divisions returns the ways to take some of the places at which a sentence may be divided, in the order in which they
// are worth trying: at all of them, at one, at two, and so on.
func divisions(cuts []int) [][]int {
	var out [][]int
	for set := 1; set < 1<<len(cuts); set++ {
		var chosen []int
		for i, cut := range cuts {
			if set&(1<<i) != 0 {
				chosen = append(chosen, cut)
			}
		}
		if len(chosen) < mostParts {
			out = append(out, chosen)
		}
	}
	slices.SortStableFunc(out, func(a, b []int) int {
		return cmp.Compare(len(a)%len(cuts), len(b)%len(cuts))
	})
	return out
}

// likelierDivision orders divisions. Where all parts name what is there the store decides, so the finest is tried
// first; what would be made is divided as little as can be.
func likelierDivision(a, b []Part) int {
	named := func(parts []Part) bool {
		return !slices.ContainsFunc(parts, func(part Part) bool { return part.Plan.makes() })
	}
	switch na, nb := named(a), named(b); {
	case na && !nb:
		return -1
	case nb && !na:
		return 1
	case na:
		return cmp.Compare(len(b), len(a))
	}
	return cmp.Compare(len(a), len(b))
}

// makes reports whether a plan makes something new.
func (p Plan) makes() bool {
	switch p.Tool {
	case ToolCreate, ToolCreateTask, ToolCreateList, ToolStoreMemory:
		return true
	case ToolUpdateList:
		return p.List != nil && len(p.List.Items) > 0
	}
	return false
}

func sameTexts(a, b []Part) bool {
	return slices.EqualFunc(a, b, func(x, y Part) bool { return x.Text == y.Text })
}

// divider divides a sentence.
type divider struct {
	p    *parser
	text string
	at   when.Moment
	// verb is what the sentence begins with, up to the end of its verb; empty for none.
	verb string
	// known is what became of the texts that were planned.
	known map[string]reading
}

type reading struct {
	plan Plan
	err  error
}

// separating are the marks and words between two things; Hebrew writes its "and" onto the next word.
var separating = setOfWords("and plus & , ; . then also afterwards וגמ ואז אז גמ")

// cuts returns the tokens at which another thing may begin: behind a separator, or with a Hebrew ו. Where there are
// too many, those alone behind which a verb or an object stands.
func (d *divider) cuts() []int {
	var all, firm []int
	for i := 1; i < len(d.p.tokens); i++ {
		t := d.p.tokens[i]
		behind := d.separates(i-1) && !d.separates(i)
		joined := t.kind == word && t.hebrew && strings.HasPrefix(t.text, "ו") && utf8.RuneCountInString(t.text) > 2 &&
			!d.separates(i)
		if !behind && !joined {
			continue
		}
		all = append(all, i)
		if d.verbOf(i) != "" || d.p.is(i, "את", "ואת") {
			firm = append(firm, i)
		}
	}
	if len(all) > mostCuts {
		return firm
	}
	return all
}

// separates reports whether a token stands between two things.
func (d *divider) separates(i int) bool {
	t := d.p.tokens[i]
	return (t.kind == mark || t.kind == word && t.prefix == "") && separating[t.text]
}

// verbOf returns the words from token i to the end of the verb that begins there; empty where none does.
func (d *divider) verbOf(i int) string {
	from := i
	for i < len(d.p.tokens) && opening[d.p.tokens[i].text] && d.p.tokens[i].kind == word {
		i++
	}
	if i == len(d.p.tokens) {
		return ""
	}
	token := d.p.tokens[i]
	end := i + 1
	if word := strings.TrimPrefix(token.text, "ו"); i > 0 && word != token.text && token.hebrew {
		if _, ok := verbs[word]; !ok {
			return ""
		}
	} else if act, next := d.p.verbAt(i); act != noAction && !d.p.noun(i, next) {
		end = next
	} else if i == 0 || !deeds[token.text] || !d.p.is(i+1, "the", "my", "our", "a", "an") {
		return ""
	}
	return d.piece(from, end)
}

// piece returns the words of the tokens from and to, without separators around them and without a joining ו.
func (d *divider) piece(from, to int) string {
	for from < to && d.separates(from) {
		from++
	}
	for to > from && d.separates(to-1) {
		to--
	}
	if from == to {
		return ""
	}
	out := d.text[d.p.tokens[from].from:d.p.tokens[to-1].to]
	if from > 0 && d.p.tokens[from].hebrew && d.p.tokens[from].kind == word {
		if rest := strings.TrimPrefix(out, "ו"); utf8.RuneCountInString(rest) > 1 {
			out = strings.TrimPrefix(rest, "-")
		}
	}
	return out
}

// divide returns the parts of a division, each with a plan. With shared, what the sentence ends with is meant of every
// part that has none of its own.
func (d *divider) divide(cuts []int, shared bool) ([]Part, bool) {
	bounds := append(append([]int{0}, cuts...), len(d.p.tokens))
	tail := ""
	if last := cuts[len(cuts)-1]; shared {
		if tail = d.tail(last); tail == "" || d.verbOf(last) != "" {
			return nil, false
		}
	}
	var out []Part
	day := ""
	for i := range len(bounds) - 1 {
		said := d.piece(bounds[i], bounds[i+1])
		if said == "" {
			return nil, false
		}
		if i > 0 && d.verb != "" && d.verbOf(bounds[i]) == "" {
			said = d.verb + " " + said
		}
		if tail != "" && i < len(bounds)-2 && d.tailless(said) {
			said += " " + tail
		}
		part, ok := d.part(said, day)
		if !ok {
			return nil, false
		}
		out = append(out, part)
		day = cmp.Or(d.dayOf(part.Text), day)
	}
	return out, true
}

// doneTail are the words behind several things that say what becomes of them.
var doneTail = lazily(`(?i) (?:as (?:done|completed?|finished)|off (?:the|my) [\p{L} ]+ list|כבוצעו|כהושלמו|כבוצע)$`)

// tail returns what the sentence ends with behind the last of several things: times, or what becomes of them.
func (d *divider) tail(last int) string {
	if at := doneTail().FindStringIndex(d.text); len(at) > 0 && at[0] > d.p.tokens[last].from {
		return strings.TrimSpace(d.text[at[0]:])
	}
	from := len(d.text)
	spans := TimeSpans(d.text, d.at)
	for _, span := range slices.Backward(spans) {
		if strings.Trim(d.text[span[1]:from], " ,.!") != "" || span[0] <= d.p.tokens[last].from {
			break
		}
		from = span[0]
	}
	tail := strings.TrimSpace(d.text[from:])
	if tail == "" {
		return ""
	}
	if before := strings.Fields(d.text[:from]); len(before) > 0 && !strings.HasPrefix(tail, "to ") {
		if word := strings.ToLower(before[len(before)-1]); word == "to" || word == "for" || word == "until" || word == "by" {
			tail = word + " " + tail
		}
	}
	return tail
}

// tailless reports whether a part says no time of its own, and not what becomes of it.
func (d *divider) tailless(said string) bool {
	return len(TimeSpans(said, d.at)) == 0 && !doneTail().MatchString(said)
}

// dayOf returns the words of the last day that a part says; empty for none.
func (d *divider) dayOf(said string) string {
	p := newSentence(said, d.at)
	p.scan()
	for _, it := range slices.Backward(p.items) {
		if it.sort == aDay {
			return said[p.tokens[it.from].from:p.tokens[it.to-1].to]
		}
	}
	return ""
}

// part plans one of the things; where an event has an hour and no day, day is its day.
func (d *divider) part(said, day string) (Part, bool) {
	read, err := d.plan(said)
	missing, ok := errors.AsType[*Refusal](err)
	if day != "" && (ok && missing.Kind == Missing && missing.Slot == SlotDate ||
		read.Create != nil && slices.Contains(read.Defaulted, SlotDate)) {
		said += " " + day
		read, err = d.plan(said)
	}
	if err != nil || read.Tool.Reads() || read.Tool == ToolUndo || read.Asks || read.Proposed {
		return Part{}, false
	}
	read.Doubted = false // all is shown before it is done
	read.ofWhole(said)
	return Part{Text: said, Plan: read}, true
}

// plan plans a text, once.
func (d *divider) plan(said string) (Plan, error) {
	known, ok := d.known[said]
	if !ok && len(d.known) == mostPlanned {
		return Plan{}, d.p.refusal(Unread, "", unreadPart, 0, len(d.p.tokens))
	}
	if !ok {
		known.plan, known.err = Understand(said, d.at)
		d.known[said] = known
	}
	return known.plan, known.err
}
