package plan

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/projections/fold"
)

// kind says what a token looks like, before anybody asks what it means.
type kind uint8

const (
	word    kind = iota
	number       // 9, 3rd
	clock        // 9:30
	dotted       // 9.30, 3.12, 3.12.2026
	slashed      // 3/12, 3/12/2026, 3-12-2026
	isoDate      // 2026-12-03, and with a time 2026-12-03T14:00Z
	address      // dana@example.com
	quote        // "…", the marks included in the span, not in the text
	mark         // any other character
)

// token is a piece of the text. Its span holds its Hebrew prefix too.
type token struct {
	kind     kind
	from, to int
	// text is the key of the token (fold.Text), without an English possessive 's.
	text string
	// raw is the token as it was written, without prefix and quotation marks.
	raw string
	// prefix are the Hebrew letters before what is no Hebrew word: the ב of ב-14:00.
	prefix string
	// numbers are those of a number, a clock or a date, in their order; digits how many digits each was written with.
	numbers, digits []int
	hebrew          bool
	ordinal         bool // 3rd
	possessive      bool // tomorrow's
	spaced          bool // white space stands before it, or nothing
}

// n is the value of a number; -1 when it is none, or too large to be a time.
func (t token) n() int {
	if t.kind == number && len(t.numbers) == 1 {
		return t.numbers[0]
	}
	return -1
}

// scanner cuts a text into tokens from left to right. No character is looked at more than a bounded number of times.
type scanner struct {
	text   string
	at     int
	tokens []token
	spaced bool
	// unclosed are the quotation marks of which no closing one follows any more.
	unclosed map[rune]bool
}

// longestAddress bounds how far is looked for the @ of an address (RFC 5321, 4.5.3.1).
const longestAddress = 254

func tokenize(text string) []token {
	s := &scanner{text: text, spaced: true, unclosed: map[rune]bool{}}
	for s.at < len(text) {
		r, size := utf8.DecodeRuneInString(text[s.at:])
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			s.at += size
			s.spaced = true
		case hidden(r, size):
			s.at += size
		case s.quoted(r, size), s.mail():
		case isDigit(r):
			s.digits()
		case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r) || unicode.IsDigit(r):
			s.word()
		default:
			s.add(token{kind: mark, text: string(plainMark(r)), raw: text[s.at : s.at+size]}, s.at+size)
		}
	}
	return joinPrefixes(s.tokens)
}

func hidden(r rune, size int) bool {
	return r == utf8.RuneError && size == 1 || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isHebrew(r rune) bool {
	return r >= 0x0590 && r <= 0x05ff && r != 0x05be || r >= 0xfb1d && r <= 0xfb4f
}

// plainMark is the one sign for all hyphens and dashes.
func plainMark(r rune) rune {
	switch r {
	case '־', '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	}
	return r
}

func (s *scanner) add(t token, end int) {
	t.from, t.to, t.spaced = s.at, end, s.spaced
	s.tokens = append(s.tokens, t)
	s.at, s.spaced = end, false
}

// closers are the marks that end a quotation, by the one that begins it.
func closers(r rune) string {
	switch r {
	case '"', '״':
		return "\"״”"
	case '“', '”', '„':
		return "”“\""
	case '\'', '‘', '’':
		return "'’"
	case '«':
		return "»"
	}
	return ""
}

// quoted reads a quotation that begins here: at the start of a word or behind a Hebrew prefix, up to a closing mark at
// the end of a word.
func (s *scanner) quoted(r rune, size int) bool {
	ends := closers(r)
	if ends == "" || s.unclosed[r] || !s.opens() {
		return false
	}
	begin := s.at + size
	for i, c := range s.text[begin:] {
		if i == 0 || !strings.ContainsRune(ends, c) {
			continue
		}
		end := begin + i
		after := end + utf8.RuneLen(c)
		next, _ := utf8.DecodeRuneInString(s.text[after:])
		if after < len(s.text) && (unicode.IsLetter(next) || isDigit(next)) {
			continue
		}
		inside := tidy(s.text[begin:end])
		s.add(token{kind: quote, text: fold.Text(inside), raw: inside}, after)
		return true
	}
	s.unclosed[r] = true
	return false
}

// opens reports whether a quotation mark here can begin one: no letter stands right before it, unless it is a prefix.
func (s *scanner) opens() bool {
	if s.spaced || len(s.tokens) == 0 {
		return true
	}
	last := s.tokens[len(s.tokens)-1]
	return last.kind == mark || last.kind == word && last.hebrew && isPrefix(last.text)
}

func (s *scanner) mail() bool {
	if len(s.tokens) > 0 && !s.spaced && s.tokens[len(s.tokens)-1].kind != mark {
		return false
	}
	end := s.at
	at, dot := -1, -1
	for end < len(s.text) && end-s.at < longestAddress {
		c := s.text[end]
		if c == '@' {
			if at >= 0 {
				return false
			}
			at = end
		} else if c == '.' {
			dot = end
		} else if !isAddressByte(c) {
			break
		}
		end++
	}
	for end > s.at && (s.text[end-1] == '.' || s.text[end-1] == '-') {
		end--
		if dot >= end {
			dot = strings.LastIndexByte(s.text[s.at:end], '.') + s.at
		}
	}
	if at <= s.at || dot < at+2 || end-dot < 3 {
		return false
	}
	raw := s.text[s.at:end]
	s.add(token{kind: address, text: strings.ToLower(raw), raw: raw}, end)
	return true
}

func isAddressByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
		strings.IndexByte("_%+-!#$&'*/=?^`{|}~", c) >= 0
}

// word reads letters, with the apostrophes and gershayim inside them.
func (s *scanner) word() {
	if end, text := s.halfOfDay(); end > 0 {
		s.add(token{kind: word, text: text, raw: s.text[s.at:end]}, end)
		return
	}
	end, seen, hebrew := s.at, s.at, false
	for end < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[end:])
		letter := unicode.IsLetter(r) || unicode.Is(unicode.M, r)
		if end == s.at {
			hebrew = isHebrew(r)
		}
		if letter && (unicode.Is(unicode.M, r) || isHebrew(r) == hebrew) || unicode.IsDigit(r) && !hebrew || r == '_' {
			end += size
			seen = end
			continue
		}
		if hidden(r, size) {
			end += size
			continue
		}
		if next, ok := s.insideWord(r, end+size, s.text[s.at:end], hebrew); ok {
			end, seen = next, next
			continue
		}
		break
	}
	end = seen // what is hidden behind the last letter is no part of the word
	raw := s.text[s.at:end]
	t := token{kind: word, raw: raw, text: fold.Text(raw), hebrew: hebrew}
	if whole, ok := contractions[t.text]; ok && !hebrew {
		t.text = whole
	}
	if base, ok := strings.CutSuffix(t.text, "'s"); ok && !hebrew {
		t.text, t.possessive = base, true
	}
	if t.text == "w" && end < len(s.text) && s.text[end] == '/' {
		end++
		t.text, t.raw = "with", "with"
	}
	s.add(t, end)
}

// contractions are those that people write without their apostrophe, and short forms of courtesy.
var contractions = map[string]string{"dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "isnt": "isn't",
	"arent": "aren't", "wont": "won't", "cant": "can't", "im": "i'm", "ive": "i've", "whats": "what's",
	"wheres": "where's",
	"whens":  "when's", "whos": "who's", "pls": "please", "plz": "please", "thx": "thanks",
	"abt": "about", "resched": "reschedule"}

// halfOfDay reads "a.m." and "p.m.".
func (s *scanner) halfOfDay() (end int, text string) {
	rest := s.text[s.at:]
	if len(rest) < 3 || rest[1] != '.' || rest[2]|0x20 != 'm' {
		return 0, ""
	}
	switch rest[0] | 0x20 {
	case 'a', 'p':
		end = s.at + 3
		if len(rest) > 3 && rest[3] == '.' {
			end++
		}
		return end, string(rest[0]|0x20) + "m"
	}
	return 0, ""
}

// insideWord reports whether an apostrophe or a quotation mark at the end of what was read belongs to the word, and
// where the word goes on.
func (s *scanner) insideWord(r rune, after int, before string, hebrew bool) (int, bool) {
	next, size := utf8.DecodeRuneInString(s.text[after:])
	follows := after < len(s.text) && unicode.IsLetter(next)
	switch r {
	case '\'', '’', '׳':
		if follows || hebrew && utf8.RuneCountInString(before) <= 2 {
			return after, true
		}
	case '"', '״', '”':
		if !hebrew || !follows || !isHebrew(next) {
			return 0, false
		}
		// Gershayim stand before the last letters of an abbreviation (לו"ז); behind a prefix they open a quotation (ל"שם").
		further, _ := utf8.DecodeRuneInString(s.text[after+size:])
		if len(before) <= 3*longestLetter && isPrefix(fold.Text(before)) && unicode.IsLetter(further) {
			return 0, false
		}
		return after, true
	}
	return 0, false
}

// digits reads a number, a clock or a date that begins here.
func (s *scanner) digits() {
	if t, end := s.iso(); end > 0 {
		s.add(t, end)
		return
	}
	t := token{kind: number}
	end := t.take(s.text, s.at)
	separator := byte(0)
	for len(t.numbers) < 3 && end+1 < len(s.text) && strings.IndexByte(":./-", s.text[end]) >= 0 &&
		isDigit(rune(s.text[end+1])) {
		if separator != 0 && s.text[end] != separator {
			break
		}
		if s.text[end] == '-' && !s.dashedDate(end) {
			break
		}
		separator = s.text[end]
		end = t.take(s.text, end+1)
	}
	t.raw = s.text[s.at:end]
	t.text = t.raw
	switch separator {
	case ':':
		t.kind = clock
		if t.digits[1] != 2 { // 1:1 is a talk, not a time
			t.kind = word
		}
	case '.':
		t.kind = dotted
	case '/', '-':
		t.kind = slashed
	default:
		if suffix := ordinalSuffix(s.text[end:]); suffix > 0 {
			t.ordinal = true
			end += suffix
			t.raw = s.text[s.at:end]
		}
	}
	s.add(t, end)
}

// take reads the digits at i into the token and returns where they end. A number of more than 9 digits becomes -1.
func (t *token) take(text string, i int) int {
	end := i
	for end < len(text) && isDigit(rune(text[end])) {
		end++
	}
	n, err := strconv.Atoi(text[i:end])
	if err != nil || end-i > 9 {
		n = -1
	}
	t.numbers, t.digits = append(t.numbers, n), append(t.digits, end-i)
	return end
}

// dashedDate reports whether a hyphen at i is the first or second of 3-12-2026; all other hyphens between numbers are
// ranges.
func (s *scanner) dashedDate(i int) bool {
	shape := func(from int) bool {
		rest := s.text[from:]
		second := 0
		for second < len(rest) && isDigit(rune(rest[second])) {
			second++
		}
		return second >= 1 && second <= 2 && len(rest) >= second+5 && rest[second] == '-' &&
			allDigits(rest[second+1:second+5]) &&
			(len(rest) == second+5 || !isDigit(rune(rest[second+5])))
	}
	if i-s.at <= 2 {
		return shape(i + 1)
	}
	first := strings.IndexByte(s.text[s.at:i], '-')
	return first > 0 && first <= 2 && shape(s.at+first+1)
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func ordinalSuffix(rest string) int {
	if len(rest) < 2 || len(rest) > 2 && (rest[2]|0x20 >= 'a' && rest[2]|0x20 <= 'z') {
		return 0
	}
	switch strings.ToLower(rest[:2]) {
	case "st", "nd", "rd", "th":
		return 2
	}
	return 0
}

// iso reads 2026-12-03, and 2026-12-03T14:00 with seconds and an offset (RFC 3339).
func (s *scanner) iso() (t token, end int) {
	rest := s.text[s.at:]
	if len(rest) < 10 || !allDigits(rest[:4]) || rest[4] != '-' || !allDigits(rest[5:7]) || rest[7] != '-' ||
		!allDigits(rest[8:10]) ||
		len(rest) > 10 && isDigit(rune(rest[10])) {
		return t, 0
	}
	end = 10
	if len(rest) >= 16 && rest[10]|0x20 == 't' && allDigits(rest[11:13]) && rest[13] == ':' && allDigits(rest[14:16]) {
		end = 16
		for end < len(rest) && end < 40 && strings.IndexByte("0123456789:.+-Zz", rest[end]) >= 0 {
			end++
		}
		for end > 16 && strings.IndexByte(":.+-", rest[end-1]) >= 0 {
			end--
		}
	}
	return token{kind: isoDate, text: strings.ToUpper(rest[:end]), raw: rest[:end]}, s.at + end
}

// prefixLetters are the Hebrew letters that stand before a word as its preposition, article or conjunction.
const prefixLetters = "בלמהושכ"

// longestLetter is how many bytes a Hebrew letter has with all the marks that people write on it.
const longestLetter = 8

func isPrefix(text string) bool {
	return text != "" && utf8.RuneCountInString(text) <= 3 && strings.Trim(text, prefixLetters) == ""
}

// joinPrefixes returns what follows a Hebrew prefix its prefix: "ב", "-", "14:00" become one token. A prefix set apart
// ("ב 9") only joins a number, and not after "יום", where it is the name of a day.
func joinPrefixes(tokens []token) []token {
	out := tokens[:0]
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind == word && t.hebrew && isPrefix(t.text) && i+1 < len(tokens) {
			next := i + 1
			if tokens[next].kind == mark && tokens[next].text == "-" && !tokens[next].spaced && next+1 < len(tokens) {
				next++
			}
			joins := !tokens[next].spaced || next > i+1 && tokens[next].kind != word
			if tokens[next].spaced && next == i+1 && utf8.RuneCountInString(t.text) == 1 {
				afterDay := len(out) > 0 && strings.HasSuffix(out[len(out)-1].text, "יומ")
				joins = !afterDay && (tokens[next].kind == number || tokens[next].kind == clock)
			}
			if joins && tokens[next].kind != mark {
				joined := tokens[next]
				joined.prefix, joined.from, joined.spaced = t.text, t.from, t.spaced
				out = append(out, joined)
				i = next
				continue
			}
		}
		out = append(out, t)
	}
	return out
}
