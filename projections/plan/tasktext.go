package plan

// What belongs to the text of a task, and what is a time that was not read.

// loneBefore finds a Hebrew word alone before a time that stands in front of what is to be done: no part of its text,
// so a time that was not read; -1 for none.
func (p *parser) loneBefore(left []int) int {
	if len(left) > 1 && !p.tokens[left[0]].hebrew && (p.has(left[0], partWords) || p.has(left[0], unitWords)) &&
		p.isUsed(left[0]+1) && left[0]+1 != left[1] {
		return left[0] // "the evening before 3 December to print the slides", "a week before 15 December to …"
	}
	if i := p.vagueWhen(left); i >= 0 {
		return i
	}
	if len(left) < 2 || !p.hebrewAt(left[0]) || left[1] == left[0]+1 || !doing(p.tokens[left[1]].text) ||
		doing(p.tokens[left[0]].text) {
		return -1
	}
	for _, it := range p.items {
		if it.from == left[0]+1 && it.to == left[1] {
			return left[0]
		}
	}
	return -1
}

// vagueWhen finds a time that is none at either end of a task's text: "at some point", "אחר כך"; -1 for none.
func (p *parser) vagueWhen(left []int) int {
	for _, i := range left {
		next, ok := p.frameAt(i, vagueTimes)
		if ok && (i == left[0] || next > left[len(left)-1]) {
			return i
		}
	}
	return -1
}

var vagueTimes = framesOf("at some point, some time, some day, in a bit|while|moment|jiffy, eventually, one of " +
	"these days, " +
	"at a good time, when possible, when i can, when you can, whenever, sooner or later, אחר כך, בקרוב, בהזדמנות, תכף, " +
	"עוד מעט, בהמשך, יותר מאוחר, מאוחר יותר, בזמן הקרוב, בימים הקרובים, מתי שהוא")

// ownParticle reports whether the last word of a task belongs to its verb: "turn the heating on by Friday", "log in".
func (p *parser) ownParticle(list []int) bool {
	last := list[len(list)-1]
	if !p.is(last, "on", "in", "by") {
		return false
	}
	return p.ends(last+1) || p.is(list[0], "turn", "switch", "put", "log", "sign", "check", "hand", "fill", "bring",
		"call",
		"plug", "send", "leave", "keep", "try", "carry", "drop", "pop", "come", "move", "go", "stop")
}

// isOwn reports whether a word of time is a part of a length that was left in the text.
func (p *parser) isOwn(i int) bool {
	return p.tokens[i].kind == word && (p.has(i, unitWords) || p.has(i, duals))
}

// prepositionless reports whether a token is no preposition of a time.
func (p *parser) prepositionless(i int) bool {
	_, small := prepositions[p.tokens[i].text]
	return !small
}
