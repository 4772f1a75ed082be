package ngram

import "unicode/utf8"

// maxWord is how many bytes of a word are looked at closely.
const maxWord = 64

// letters is a word with its beginning and its end marked, and where in text each of its letters begins.
type letters struct {
	text [maxWord + 2]byte
	at   [maxWord + 3]uint8
	n    int
}

// set spells a word of at most maxWord bytes.
func (l *letters) set(word string) {
	l.text[0] = '^'
	l.at[0], l.n = 0, 1
	end := 1
	for i := 0; i < len(word); {
		size := 1
		if word[i] >= utf8.RuneSelf {
			_, size = utf8.DecodeRuneInString(word[i:])
		}
		l.at[l.n] = uint8(end)
		end += copy(l.text[end:], word[i:i+size])
		l.n++
		i += size
	}
	l.at[l.n] = uint8(end)
	l.text[end] = '$'
	l.n++
	l.at[l.n] = uint8(end + 1)
}

// parts adds the runs of three and of four letters of a word of at most maxWord bytes, its beginning and its end
// counting as letters. They share the weight.
func (r *reader) parts(word string, weight int64) {
	l := &r.word
	l.set(word)
	each := weight * inverseRoot(2*l.n-5) >> 10
	if each == 0 {
		return
	}
	for i := range l.n - 2 {
		h := familyPart.start()
		for _, c := range l.text[l.at[i]:l.at[i+3]] {
			h = extend(h, c)
		}
		r.sum.add(h, each)
		if i+3 < l.n {
			for _, c := range l.text[l.at[i+3]:l.at[i+4]] {
				h = extend(h, c)
			}
			r.sum.add(h, each)
		}
	}
}

// inverseRoot is 1024/√n, rounded down, for numbers up to 32; for all others that of the nearest of these.
func inverseRoot(n int) int64 {
	return inverseRoots[min(max(n, 1), len(inverseRoots)-1)]
}

var inverseRoots = [...]int64{
	0, 1024, 724, 591, 512, 457, 418, 387, 362, 341, 323, 308, 295, 284, 273, 264, 256, 248, 241, 234, 228, 223, 218, 213,
	209, 204, 200, 197, 193, 190, 186, 183, 181,
}

// seen counts words, so that the tenth time adds little. It has one place for many words, and a word takes it from
// another: in a long text that is forgetful, but it is the same everywhere and takes no more memory.
type seen struct {
	word  [256]uint64
	count [256]uint8
}

// times counts a word, and says the how manieth time it is, at most 200.
func (s *seen) times(word uint64) int64 {
	at := word >> 56
	if s.word[at] != word {
		s.word[at], s.count[at] = word, 0
	}
	if s.count[at] < 200 {
		s.count[at]++
	}
	return int64(s.count[at])
}
