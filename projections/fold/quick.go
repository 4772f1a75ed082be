package fold

import "unicode/utf8"

// isKey reports whether a text in ASCII is its own key.
func isKey(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c >= 0x7f || 'A' <= c && c <= 'Z' || c == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// quickKey returns the key of a text in ASCII, Hebrew and the usual punctuation, where no character decomposes into
// others; most texts are such, and the tables cost many times more. False when the text holds anything else.
func quickKey(s string) (string, bool) {
	var room [128]byte
	key := room[:0]
	if len(s) > len(room) {
		key = make([]byte, 0, len(s))
	}
	space := false
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch {
		case r == ' ' || '\t' <= r && r <= '\r':
			space = true
			continue
		case r < ' ' || r == 0x7f || r == '\u200e' || r == '\u200f': // controls, left-to-right and right-to-left mark
			continue
		case r >= utf8.RuneSelf && !isQuick(r):
			return "", false
		case isMark(r):
			continue
		case 'A' <= r && r <= 'Z':
			r += 'a' - 'A'
		}
		if space && len(key) > 0 {
			key = append(key, ' ')
		}
		space = false
		if r < utf8.RuneSelf {
			key = append(key, byte(r))
			continue
		}
		key = appendPlain(key, r)
	}
	return string(key), true
}

// isQuick names the characters beyond ASCII that quickKey may take one by one.
func isQuick(r rune) bool {
	switch {
	// points, letters, digraphs and punctuation
	case 0x0591 <= r && r <= 0x05c7, 'א' <= r && r <= 'ת', 0x05ef <= r && r <= 0x05f4:
		return true
	case 0x2012 <= r && r <= 0x2015, 0x2018 <= r && r <= 0x201f: // dashes, quotation marks
		return true
	}
	return false
}
