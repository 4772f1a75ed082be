package words

import (
	"strconv"

	"almanac/projections/numerals"
)

// mostSpoken is how many words are read at once for numbers and days that are written in words.
const mostSpoken = 64

// spoken passes tokens on, and adds those of numbers and days that are written in words, so that they find and are
// found by digits. The words that they take are kept and not asked for.
type spoken struct {
	emit func(token)
	// tokens are those that wait, and words what they say, each with the place of its token.
	tokens []token
	words  []string
	of     []int
}

func (s *spoken) take(t token) {
	switch {
	case t.silent:
	case t.kind == word, t.kind == code && len(t.parts) == 2 && len(t.text) <= 4: // 3rd
		s.add(t, t.text)
		return
	case t.kind == compound && len(t.parts) == 2: // twenty-first
		s.add(t, t.parts...)
		return
	default:
		s.flush()
	}
	s.emit(t)
}

func (s *spoken) add(t token, words ...string) {
	for _, word := range words {
		s.words, s.of = append(s.words, word), append(s.of, len(s.tokens))
	}
	if s.tokens = append(s.tokens, t); len(s.tokens) >= mostSpoken {
		s.flush()
	}
}

// flush reads what waits.
func (s *spoken) flush() {
	for i := 0; i < len(s.words); {
		if day, ok := numerals.ReadDay(s.words[i:]); ok {
			s.day(i, day)
			i += day.Words
			continue
		}
		n, ok := numerals.Read(s.words[i:])
		if !ok || n.Ordinal || n.Value < 2 {
			i += max(n.Words, 1)
			continue
		}
		digits := strconv.Itoa(n.Value)
		if first := &s.tokens[s.of[i]]; n.Words == 1 && first.kind == word {
			first.more = append(first.more, digits)
		} else {
			s.silence(i, n.Words)
			s.tokens[s.of[i+n.Words-1]].after = &token{kind: exact, text: digits}
		}
		i += n.Words
	}
	for _, t := range s.tokens {
		s.emit(t)
		if t.after != nil {
			s.emit(*t.after)
		}
	}
	s.tokens, s.words, s.of = s.tokens[:0], s.words[:0], s.of[:0]
}

func (s *spoken) day(at int, day numerals.Day) {
	form := dayForm(min(day.Day, day.Month), max(day.Day, day.Month))
	t := token{kind: date, text: form, more: []string{form}}
	if day.Year > 0 {
		t.text += "-" + strconv.Itoa(day.Year)
	}
	s.silence(at, day.Words)
	s.tokens[s.of[at+day.Words-1]].after = &t
}

func (s *spoken) silence(at, words int) {
	for _, place := range s.of[at : at+words] {
		s.tokens[place].silent = true
	}
}
