package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what a token is, which decides how it is kept and asked for.
type kind uint8

const (
	// word is one word or one number.
	word kind = iota
	// compound is several words joined, without a digit: its parts are asked for, and each is found in the whole.
	compound
	// code is several parts joined, some with digits, such as A-12-B: it is asked for as a whole and by its parts.
	code
	// exact is asked for as a whole only: a decimal, a time of day.
	exact
	// address is an e-mail address or a URL, asked for as a whole and by what it begins with.
	address
	// phone is a telephone number: its national digits.
	phone
	// date is a day in numbers.
	date
	// pair is two neighbours in a script without spaces.
	pair
)

// token is a piece of a text.
type token struct {
	kind kind
	// text is the piece in its one form.
	text string
	// parts are the pieces of it that are words of their own.
	parts []string
	// more are further forms of the whole, which find it too.
	more []string
	// silent tokens are kept and not asked for: others stand for them.
	silent bool
	// after is a token that stands for this one and others before it.
	after *token
}

// maxParts is how many parts a compound may have to be found as a whole.
const maxParts = 8

// scanner cuts a normalised text into tokens.
type scanner struct {
	text string
	emit func(token)
	// rowEnd is where a row of numbers ends that is too long to be one number.
	rowEnd int
}

// scan returns the tokens of a text in their order, and those of the numbers and days that are written in words. Its
// time grows with the length of the text and nothing else.
func scan(text string, emit func(token)) {
	r := spoken{emit: emit}
	cut(text, r.take)
	r.flush()
}

// cut returns the tokens of a text as they are written.
func cut(text string, emit func(token)) {
	s := scanner{text: normalise(text), emit: emit}
	for i := 0; i < len(s.text); {
		end := s.step(i)
		if s.text[i] != ' ' && strings.IndexByte(s.text[i:end], ' ') >= 0 {
			s.again(i, end)
		}
		i = end
	}
}

// again reads the words that numbers written over several of them touch by themselves, for each may be asked for by
// itself.
func (s *scanner) again(from, to int) {
	from = strings.LastIndexByte(s.text[:from], ' ') + 1
	if more := strings.IndexByte(s.text[to:], ' '); more >= 0 {
		to += more
	} else {
		to = len(s.text)
	}
	for word := range strings.FieldsSeq(s.text[from:to]) {
		w := scanner{text: word, emit: func(t token) {
			t.silent = true
			s.emit(t)
		}}
		for i := 0; i < len(word); {
			i = w.step(i)
		}
	}
}

// step reads what begins at i and returns where the next begins, which is further on.
func (s *scanner) step(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	switch of := classOf(r); {
	case of == symbol:
		s.emit(token{kind: word, text: s.text[i : i+size]})
	case of == dense:
		return s.dense(i)
	case of == digit, r == '+', r == '(':
		if t, end := s.shaped(i); end > i {
			s.emit(t)
			return end
		}
		if of == digit {
			return s.digits(i)
		}
	case of != separator:
		if end := s.address(i); end > i {
			return s.addressed(i, end)
		}
		return s.compound(i)
	}
	return i + size
}

// run returns the class of what begins at i, and the end of the run of that class. Marks belong to what is before them.
func (s *scanner) run(i int) (of class, end int) {
	first, size := utf8.DecodeRuneInString(s.text[i:])
	of, end = classOf(first), i+size
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		if classOf(r) != of && (r < utf8.RuneSelf || !unicode.IsMark(r)) {
			break
		}
		end += size
	}
	return of, end
}

// dense returns a run of a script without spaces as its pairs of neighbours. The last character comes by itself, so
// that every character begins a token and one alone can be looked for.
func (s *scanner) dense(i int) int {
	_, end := s.run(i)
	from, middle := i, i // where the last two characters begin
	for at := range s.text[i:end] {
		at += i
		if r, _ := utf8.DecodeRuneInString(s.text[at:]); at == i || unicode.IsMark(r) {
			continue
		}
		if middle > from {
			s.emit(token{kind: pair, text: s.text[from:at]})
		}
		from, middle = middle, at
	}
	if middle > from {
		s.emit(token{kind: pair, text: s.text[from:end]})
	}
	s.emit(token{kind: pair, text: s.text[middle:end], silent: middle > from})
	return end
}

// piece is a run of one class within a compound.
type piece struct {
	text string
	of   class
	// joint is what stands between this piece and the one before; 0 for nothing.
	joint byte
}

// compound reads runs of letters and digits that nothing, or a joining character, keeps together.
func (s *scanner) compound(i int) int {
	of, end := s.run(i)
	var few [4]piece
	pieces := append(few[:0], piece{text: s.text[i:end], of: of})
	for end < len(s.text) {
		joint, next, ok := s.joint(pieces, end)
		if !ok {
			break
		}
		of, end = s.run(next)
		pieces = append(pieces, piece{text: s.text[next:end], of: of, joint: joint})
	}
	if len(pieces) == 1 { // nearly always
		s.emit(token{kind: word, text: pieces[0].text})
	} else {
		s.emitPieces(pieces)
	}
	return end
}

// joint reports whether a piece that belongs to the compound follows at end, what joins it, and where it begins.
func (s *scanner) joint(pieces []piece, end int) (joint byte, next int, ok bool) {
	last := pieces[len(pieces)-1].of
	next = end
	if strings.IndexByte(`-'"_/.&`, s.text[end]) >= 0 {
		joint, next = s.text[end], end+1
	}
	if next == len(s.text) {
		return 0, 0, false
	}
	r, _ := utf8.DecodeRuneInString(s.text[next:])
	of := classOf(r)
	switch {
	case of != latin && of != hebrew && of != digit:
		return 0, 0, false
	case joint == '\'':
		return joint, next, last == of && of != digit
	case joint == '"':
		return joint, next, last == hebrew && of == hebrew
	case of == digit && prefixesOnly(pieces):
		return 0, 0, false
	case of == digit && joint != 0:
		_, shaped := s.shaped(next)
		return joint, next, shaped == next
	}
	return joint, next, s.address(next) == next
}

// prefixesOnly reports whether what was read so far are Hebrew letters that can stand before any word, as in
// ל-050-9999999.
func prefixesOnly(pieces []piece) bool {
	return len(pieces) == 1 && utf8.RuneCountInString(pieces[0].text) <= 3 && strings.Trim(pieces[0].text, "ובהכלמש") == ""
}

// emitPieces returns what the pieces of a compound are. What quotation marks and apostrophes join is one word.
func (s *scanner) emitPieces(pieces []piece) {
	var words []token
	var whole strings.Builder
	digits, letters := 0, 0
	for i, p := range pieces {
		whole.WriteString(p.text)
		if p.of == digit {
			digits++
		} else {
			letters++
		}
		if i == 0 || p.joint != '\'' && p.joint != '"' {
			words = append(words, token{kind: word, text: p.text})
			continue
		}
		last := &words[len(words)-1]
		before := last.text
		last.text += p.text
		if p.of == hebrew {
			continue
		}
		if p.text == "s" { // Dana's
			last.more = append(last.more, before)
		} else if utf8.RuneCountInString(p.text) >= 3 { // l'école
			last.more = append(last.more, p.text)
		}
	}
	if len(words) == 1 {
		s.emit(words[0])
		return
	}
	if len(words) > maxParts {
		for _, w := range words {
			s.emit(w)
		}
		return
	}
	t := token{kind: compound, text: whole.String()}
	if digits > 0 {
		t.kind = code
		if letters == 0 {
			t.text = joined(pieces)
		}
		if day, ok := dayOf(pieces[0].text, pieces[1].text); ok && letters == 0 && len(pieces) == 2 &&
			pieces[1].joint == '/' {
			t.kind, t.more = exact, []string{day}
		}
	}
	for i, w := range words {
		prefix := i == 0 && pieces[0].of == hebrew && utf8.RuneCountInString(w.text) == 1 // ב-WhatsApp
		if !prefix {
			t.parts = append(t.parts, w.text)
		}
		t.parts = append(t.parts, w.more...)
	}
	s.emit(t)
}

// joined writes groups of digits together; points stay, for 1.2.3 is not 12.3.
func joined(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.joint == '.' {
			b.WriteByte('.')
		}
		b.WriteString(p.text)
	}
	return b.String()
}
