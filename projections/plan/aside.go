package plan

import (
	"strings"

	"almanac/projections/fold"
	"almanac/projections/when"
)

// asideBreak stands between what is asked for and a clause behind it that only says more about it.
var asideBreak = lazily(`(?i)\s*[,;.?!]+\s+|\s+[-–—]\s+|\s+(because|since|cause|cuz|as)\s+`)

// withoutAside leaves out a clause behind a wish about the calendar that only says why, or more about it: "…, my
// daughter is driving me", "… because the game runs late". What is left must have a plan of its own.
func withoutAside(text string, at when.Moment) (string, bool) {
	for _, found := range asideBreak().FindAllStringSubmatchIndex(text, 4) {
		head, rest := strings.TrimSpace(text[:found[0]]), strings.TrimSpace(text[found[1]:])
		if head == "" || rest == "" || !saysAside(rest, at) {
			continue
		}
		if because := found[2] >= 0; !because && !asideBegins[firstOf(rest)] && !changing(head, at) && !undone(head) {
			continue
		}
		other := head
		if again, ok := reworded(head, at); ok {
			other = again
		}
		if out, err := understandAs(other, at); err == nil && ofCalendar(out) && (out.Delete != nil || !undone(rest)) {
			return other, true
		}
	}
	return text, false
}

// ofCalendar reports whether a plan is about the calendar alone.
func ofCalendar(out Plan) bool {
	return out.Task == nil && out.List == nil && out.Memory == nil && out.Mail == nil && out.Tool != ToolUndo
}

// asideBegins are the words with which a clause begins that says more of what is asked for.
var asideBegins = setOfWords("i i'm i've i'll we we're we've we'll he he's he'll she she's she'll they they're " +
	"they've they'll my our his her their the something someone somebody nobody everyone " +
	"everybody a an did got done no that that's this there there's apparently turns")

// saysAside reports whether a clause only tells of something: it has a verb that tells, and no time, command, question,
// condition or word that adds to what is asked for, or denies it.
func saysAside(text string, at when.Moment) bool {
	p := newSentence(text, at)
	if p.hebrewText || len(p.tokens) < 2 || len(p.tokens) > 14 || saysTime(text, at) || p.marked() ||
		p.conditional() >= 0 {
		return false
	}
	told := len(p.tokens) == 2 && p.tokens[0].possessive // "teacher's sick"
	for i, t := range p.tokens {
		if p.asksMore(i) {
			return false
		}
		told = told || asideVerbs[t.text] || asideVerbs[p.form(i)] || t.possessive && asideBegins[t.text] ||
			t.kind == word && len(t.text) > 4 && strings.HasSuffix(t.text, "ed")
	}
	return told
}

// asksMore reports whether a token of a clause asks for something, or may belong to a time, a list or a task.
func (p *parser) asksMore(i int) bool {
	t := p.tokens[i]
	switch t.kind {
	case quote, address:
		return true
	case number:
		return p.hasAny("at", "to")
	case mark:
		return strings.ContainsAny(t.text, ":?")
	}
	act, _ := p.verbAt(i)
	if act != noAction && (i == 0 && act != where || i > 0 && p.is(i-1, "and", "please", "to", ",", "so")) {
		return true
	}
	return asideNot[t.text] || asking[t.text] || p.has(i, listWords) || p.has(i, taskNouns)
}

// changing reports whether a text is a command to change or delete something.
func changing(text string, at when.Moment) bool {
	p := newSentence(text, at)
	act, _ := p.verbAt(p.lead())
	return act >= move && act <= cancel
}

// undone reports whether a clause says that what it is about does not take place as it was said.
func undone(text string) bool {
	for _, text := range strings.Fields(fold.Text(text)) {
		if undoing[strings.Trim(text, ".,!")] {
			return true
		}
	}
	return false
}

var (
	// asideNot are words of clauses that ask for something more, or take something back.
	asideNot = setOfWords("instead also only but except unless if keep rather until please remind tell both all " +
		"every another before after then add note don't or")
	// asideVerbs are verbs of clauses that tell of something.
	asideVerbs = setOfWords("is are was were am has have had will would can can't cannot could couldn't did does " +
		"doesn't didn't won't isn't aren't wasn't i'm i've i'll we're we've we'll he's he'll " +
		"she's she'll they're they've they'll that's there's it's bailed said told gave got " +
		"went came broke tore found lost left quit fell felt took made sent let paid met saw " +
		"knew thought works wants needs likes loves hates runs comes goes sounds looks feels " +
		"hurts done sold won")
	// undoing are words of clauses that take back what was said before.
	undoing = setOfWords("cancelled canceled off moved postponed changed over delayed rescheduled not no never " +
		"won't can't cannot doesn't isn't aren't")
)
