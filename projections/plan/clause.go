package plan

import "strings"

// second finds the verb of a second wish, of any kind, where a clause begins: behind a comma, a full stop, "and",
// "then" or the Hebrew ו; -1 when there is none.
func (p *parser) second(in intent) int {
	for i := in.to; i < len(p.tokens); i++ {
		if t := p.tokens[i]; i == 0 || t.kind != word || p.used[i] {
			continue
		}
		if p.tokens[i].hebrew {
			if p.hebrewOrder(i, in) {
				return i
			}
			continue
		}
		if opens := p.clauseAt(i); opens != noClause && !p.noun(i, i+1) && p.englishOrder(i, opens) {
			return i
		}
	}
	return -1
}

// clause says what a word that may begin a clause stands behind.
type clause uint8

const (
	noClause clause = iota
	// joined is behind "and", paused behind a mark or "then".
	joined
	paused
)

// clauseAt reports whether a clause begins at i; polite words before its verb are passed over.
func (p *parser) clauseAt(i int) clause {
	k := i - 1
	for ; p.is(k, "please", "also", "just", "kindly", "you", "could", "can", "to", "בבקשה", "גמ", "נא", "אז", "ואז", "וגמ",
		"then", "afterwards"); k-- {
		if p.is(k, "then", "also", "afterwards", "ואז", "אז", "וגמ") {
			return paused
		}
	}
	switch {
	case p.is(k, ".") && k > 0 && titles[p.tokens[k-1].text]: // "Dr. Book"
		return noClause
	case p.is(k, ",", "and", "&") && p.is(k+1, "to"): // "to plan the retro" is what it is for, "to cancel it" a wish
		return joined
	case p.is(k, ",", ".", ";", "!", "?"), p.is(k, "ככ") && p.is(k-1, "אחר", "ואחר"),
		p.is(k, "מכנ") && p.is(k-1, "לאחר", "ולאחר"):
		return paused
	case p.is(k, "and", "&", "plus", "(") || p.is(k, "-") && p.tokens[k].spaced && p.tokens[k+1].spaced:
		return joined
	}
	if k >= 0 && strings.Contains(p.text[p.tokens[k].to:p.tokens[k+1].from], "\n") {
		return joined
	}
	return noClause
}

// englishOrder reports whether the word at i is a command: one that is hardly a noun, or any other with its object
// behind a pause.
func (p *parser) englishOrder(i int, opens clause) bool {
	if strong[p.tokens[i].text] || p.is(i, "make") && p.is(i+1, "it") {
		return true
	}
	_, ok := verbs[p.tokens[i].text]
	return ok && opens == paused && p.is(i+1, "the", "my", "our", "a", "an", "all", "it", "them", "this", "that",
		"everything", "me", "another")
}

// hebrewOrder reports whether the word at i is a command behind ו or at the start of a clause. Infinitives are only
// where the first verb is one.
func (p *parser) hebrewOrder(i int, in intent) bool {
	base, and := strings.CutPrefix(p.tokens[i].text, "ו")
	if commanding(base) && and || commanding(strings.TrimPrefix(base, "ש")) && and {
		return true
	}
	if !and {
		base = p.tokens[i].text
		if p.clauseAt(i) == noClause {
			return false
		}
	}
	if _, ok := verbs[base]; !ok {
		return false
	}
	object := p.is(i+1, "את", "לי", "לנו")
	switch {
	case startsWithAny(base, "ל"):
		return object && p.clauseAt(i) != noClause ||
			and && in.to > in.from && startsWithAny(p.tokens[in.from].text, "ל") && p.tokens[in.from].hebrew
	case nounsToo[base]:
		return object
	}
	return true
}

var (
	// strong are English verbs that begin a second wish and are hardly a noun in a title.
	strong = setOfWords(
		"schedule book cancel delete move add reschedule create invite remove postpone rename clear find show send remind " +
			"change erase email notify uninvite tell")
	// nounsToo are Hebrew verbs that are names and adjectives as well: a year, the second, the past.
	nounsToo = setOfWords("שנה שני זמנ קצר העבר הזמנ תנ תני פנה פני תאמ תאמי סדר לדעת תכנ")
)

// commanding reports whether a Hebrew word is a verb of a command in the future form, which no title holds.
func commanding(text string) bool {
	_, ok := verbs[text]
	return ok && startsWithAny(text, "ת")
}
