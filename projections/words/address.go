package words

import (
	"strings"

	"almanac/projections/memo"
)

// maxAddress is how long a URL may be, in bytes, to be one word; no person types a longer one.
const maxAddress = 1_000

// address returns the end of an e-mail address or a URL that begins at i; i when there is none.
func (s *scanner) address(i int) int {
	text := s.text[i:]
	if text[0] >= 0x80 {
		return i
	}
	if strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "www.") {
		return i + urlEnd(text)
	}
	return i + memo.EmailEnd(text)
}

// urlEnd ends a URL at white space, quotation marks and angle brackets, and leaves the punctuation of the sentence out
// (RFC 3986, appendix C).
func urlEnd(text string) int {
	text = text[:min(len(text), maxAddress+1)]
	end := strings.IndexAny(text, " <>\"'")
	if end < 0 {
		end = len(text)
	}
	if end > maxAddress {
		return 0
	}
	end = len(strings.TrimRight(text[:end], ".,;:!?)]}*"))
	if urlKey(text[:end]) == "" {
		return 0
	}
	return end
}

// addressed returns an address as a whole and then what it is made of.
func (s *scanner) addressed(i, end int) int {
	key := urlKey(s.text[i:end])
	s.emit(token{kind: address, text: key})
	parts := scanner{text: key, emit: func(t token) {
		t.silent = true
		s.emit(t)
	}}
	for at := 0; at < len(key); {
		at = parts.inner(at)
	}
	return end
}

// inner is step within an address, where no other address begins.
func (s *scanner) inner(i int) int {
	switch of, _ := s.run(i); of {
	case digit:
		if t, end := s.shaped(i); end > i {
			s.emit(t)
			return end
		}
		return s.compound(i)
	case latin, hebrew:
		return s.compound(i)
	}
	return s.step(i)
}

// urlKey is a URL without what people leave out: the scheme, www. and the last stroke.
func urlKey(url string) string {
	if _, rest, found := strings.Cut(url, "://"); found {
		url = rest
	}
	return strings.TrimRight(strings.TrimPrefix(url, "www."), "/")
}
