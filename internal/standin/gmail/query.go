package gmail

import (
	"strings"
	"time"
	"unicode"
)

// Bounds of a search.
const (
	maxQuery   = 16 << 10
	maxNesting = 30
)

// query is what q asks for: a condition on one message.
type query struct {
	test test
	// spam and trash: what lies there is searched too.
	spam, trash bool
}

// test reports whether a message fits; nil fits all.
type test func(*message) bool

func (q *query) matches(m *message) bool { return q.test == nil || q.test(m) }

// readQuery reads Gmail's search language. It never fails: what it cannot read is text to be searched for.
func readQuery(text string, box *account, now time.Time) *query {
	p := &queryParser{words: lex(text), box: box, now: now, query: &query{}}
	p.query.test = p.all(0, "", false)
	return p.query
}

// word is a piece of a query: "(", ")", "{", "}", "-", an operator with its colon, a phrase or a text.
type word struct {
	kind wordKind
	text string
}

type wordKind int

const (
	wordText wordKind = iota
	wordPhrase
	wordOperator
	wordMark
)

// lex cuts a query into words. A minus counts before a word only, and quotes that are not closed end with the query.
func lex(text string) []word {
	var words []word
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return words
		}
		switch c := text[0]; c {
		case '(', ')', '{', '}':
			words, text = append(words, word{wordMark, text[:1]}), text[1:]
		case '"':
			phrase, rest, _ := strings.Cut(text[1:], `"`)
			words, text = append(words, word{wordPhrase, phrase}), rest
		case '-':
			words, text = append(words, word{wordMark, "-"}), text[1:]
			if text == "" || unicode.IsSpace(rune(text[0])) { // it stands alone and says nothing
				words = words[:len(words)-1]
			}
		default:
			end := strings.IndexFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`(){}":`, r) })
			switch {
			case end < 0:
				end = len(text)
				words = append(words, word{wordText, text})
			case text[end] == ':' && isOperator(strings.ToLower(text[:end])):
				words = append(words, word{wordOperator, strings.ToLower(text[:end])})
				end++
			case text[end] == ':': // "x:" of nobody, or the rest of a time or an address: all of it is text
				end = len(text)
				if stop := strings.IndexFunc(text,
					func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`(){}"`, r) }); stop >= 0 {
					end = stop
				}
				words = append(words, word{wordText, text[:end]})
			default:
				words = append(words, word{wordText, text[:end]})
			}
			text = text[end:]
		}
	}
}

// queryParser reads words into tests.
type queryParser struct {
	words []word
	at    int
	box   *account
	now   time.Time
	query *query
}

func (p *queryParser) peek() (word, bool) {
	if p.at >= len(p.words) {
		return word{}, false
	}
	return p.words[p.at], true
}

func (w word) is(mark string) bool { return w.kind == wordMark && w.text == mark }

// isWord reports whether a token is a plain word in capitals that joins others.
func (w word) isWord(name string) bool { return w.kind == wordText && w.text == name }

// all reads terms that must all hold, up to a bracket that closes; OR binds more closely. Within an operator's brackets
// texts are of that operator.
func (p *queryParser) all(depth int, operator string, negated bool) test {
	var tests []test
	for {
		w, more := p.peek()
		if !more || w.is(")") || w.is("}") {
			if more && depth == 0 { // one that nothing opened
				p.at++
				continue
			}
			return and(tests)
		}
		if w.isWord("AND") || w.isWord("OR") {
			p.at++
			continue
		}
		choice := []test{p.term(depth, operator, negated)}
		for {
			w, more := p.peek()
			if !more || !w.isWord("OR") {
				break
			}
			p.at++
			if next, more := p.peek(); !more || next.is(")") || next.is("}") {
				break
			}
			choice = append(choice, p.term(depth, operator, negated))
		}
		tests = append(tests, or(choice))
	}
}

// any reads the terms in braces, of which one must hold.
func (p *queryParser) any(depth int, operator string, negated bool) test {
	var tests []test
	for {
		w, more := p.peek()
		if !more || w.is(")") || w.is("}") {
			return or(tests)
		}
		if w.isWord("OR") || w.isWord("AND") {
			p.at++
			continue
		}
		tests = append(tests, p.term(depth, operator, negated))
	}
}

// term reads one word, one operator with its value, or one group.
func (p *queryParser) term(depth int, operator string, negated bool) test {
	w, more := p.peek()
	if !more {
		return nil
	}
	p.at++
	switch {
	case w.is("-"):
		return not(p.term(depth, operator, !negated))
	case (w.is("(") || w.is("{")) && depth >= maxNesting:
		return nil // deeper than anybody asks
	case w.is("("):
		inside := p.all(depth+1, operator, negated)
		p.at++ // the bracket that closes, or nothing
		return inside
	case w.is("{"):
		inside := p.any(depth+1, operator, negated)
		p.at++
		return inside
	case w.kind == wordMark:
		return nil
	case w.kind == wordOperator:
		return p.operand(depth, w.text, negated)
	}
	return p.condition(operator, w, negated)
}

// operand reads what stands behind an operator: a word, a phrase or a group. Without anything it asks for nothing.
func (p *queryParser) operand(depth int, operator string, negated bool) test {
	w, more := p.peek()
	switch {
	case !more || w.is(")") || w.is("}"):
		return nil
	case w.kind == wordOperator: // "from:to:ada"
		return p.operandText(operator)
	}
	return p.term(depth, operator, negated)
}

// operandText takes an operator that stands behind another one for a text.
func (p *queryParser) operandText(operator string) test {
	text := p.words[p.at].text
	p.at++
	return p.condition(operator, word{wordText, text}, false)
}

// and holds when all do; those that ask for nothing are left out.
func and(tests []test) test {
	tests = asking(tests)
	switch len(tests) {
	case 0:
		return nil
	case 1:
		return tests[0]
	}
	return func(m *message) bool {
		for _, t := range tests {
			if !t(m) {
				return false
			}
		}
		return true
	}
}

func or(tests []test) test {
	tests = asking(tests)
	switch len(tests) {
	case 0:
		return nil
	case 1:
		return tests[0]
	}
	return func(m *message) bool {
		for _, t := range tests {
			if t(m) {
				return true
			}
		}
		return false
	}
}

func not(t test) test {
	if t == nil {
		return nil
	}
	return func(m *message) bool { return !t(m) }
}

func asking(tests []test) []test {
	var kept []test
	for _, t := range tests {
		if t != nil {
			kept = append(kept, t)
		}
	}
	return kept
}
