package plan

import (
	"strings"

	"almanac/projections/when"
)

// What the names of things show of them, and short forms beside a name.

// takesPlace are words of events that are also something else, and so are no kinds of events.
var takesPlace = setOfWords("club offsite swimming football basketball tennis padel choir gala ceremony reception " +
	"hearing retreat hike plumber electrician cleaner babysitter technician playdate sleepover physio vet inspection " +
	"renewal kickoff townhall barbecue")

// isEvent reports whether a word of the name of a thing is one that only events have.
func isEvent(text string, at when.Moment) bool {
	p := newSentence(text, at)
	for i := range p.tokens {
		if (p.has(i, eventNouns) || takesPlace[p.tokens[i].text]) && !p.tokens[i].possessive {
			return true
		}
	}
	return false
}

// isPlace reports whether a text is a preposition and a place behind it, with nothing else.
func isPlace(text string, at when.Moment) bool {
	p := newSentence(text, at)
	if len(p.tokens) < 2 || p.tokens[1].kind != word || len(p.tokens) > 6 {
		return false
	}
	for i := range p.tokens {
		t := p.tokens[i]
		if it, timed := p.itemAt(i); timed && it.sort != aLength || t.kind == mark && !p.is(i, ",", "-", "'", "&") ||
			i > 1 && t.kind == word && (statements[t.text] || asking[t.text]) {
			return false
		}
	}
	p.failed = nil
	last := p.tokens[len(p.tokens)-1]
	switch {
	case thingless[last.text] || p.is(1, "time", "risk", "least", "last", "it", "that", "hold", "once", "all", "me", "us"):
		return false
	case p.is(0, "at"):
		return true
	case p.is(0, "on", "via", "over"):
		return online[p.wordAt(1)]
	}
	return p.places(1) || capital(p.tokens[1]) || online[p.wordAt(1)]
}

// shovers are verbs of moving that are no commands of the tables.
var shovers = setOfWords("bump shove slide kick swap roll nudge switch slip bring drag")

// thisOnes is a time that an event is named by, with its "this": "this week's swimming".
var thisOnes = lazily(`(?i)\b(this (?:week|weekend|month|\pL+day|morning|afternoon|evening)['’]s)`)

// comes is the short form of "is" before what somebody does, where no possessive stands.
var comes = lazily(`(?i)(\pL+)['’]s (going|coming|arriving|visiting|dropping|stopping|landing|leaving|starting|` +
	`moving|moved|been|delayed|cancel(?:l)?ed|not|now|running|off|at|in|on|from|over|sold|finished|done)\b`)

// places are prepositions of places and times, before which a possessive may stand alone.
var places = setOfWords("at in on from off over")

// behindPreposition reports whether a preposition stands somewhere before.
var behindPreposition = lazily(`(?i)(?:^|\s)(?:at|to|from|with|in|on|for|of|by|and)(?:\s|$)`)

// contracted writes the short form of "is" in full: "the electrician's coming at 4".
func contracted(text string) string {
	return comes().ReplaceAllStringFunc(text, func(said string) string {
		found := comes().FindStringSubmatch(said)
		before, _, _ := strings.Cut(text, said)
		if places[found[2]] && behindPreposition().MatchString(before) { // "lunch at grandma's on Saturday"
			return said
		}
		who := strings.ToLower(found[1])
		if asking[who] || statements[who] || who == "let" || who == "there" || who == "that" {
			return said
		}
		return found[1] + " is " + found[2]
	})
}

// withoutSame leaves out that the rest of an event stays as it is, behind what changes of it: "…, same place".
func withoutSame(text string, at when.Moment) (string, bool) {
	cut := strings.TrimSpace(staysSame().ReplaceAllString(text, ""))
	if cut == text || cut == "" {
		return text, false
	}
	other := cut
	if again, ok := reworded(cut, at); ok {
		other = again
	}
	if out, err := understandAs(other, at); err != nil || out.Update == nil {
		return text, false
	}
	return other, true
}

// staysSame says at the end of a sentence that something of an event stays as it is.
var staysSame = lazily(`(?i)[,;]? (?:but |and )?(?:(?:at|in|on|keep|keeping) )?(?:the )?same (?:hour|time|day|date|` +
	`place|` +
	`room|location|venue|length|duration|people|link|zoom)(?: (?:and|as (?:before|usual|always)|of (?:the )?day)(?: ` +
	`\S+)?)?$`)
