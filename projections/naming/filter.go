package naming

// filter rules out, without folding them, names that share no word with a text. It looks at how words begin and end;
// what it lets pass may share none nevertheless.
type filter struct {
	// starts and ends have a bit for each two classes of letters.
	starts, ends [classes]uint64
	all          bool
}

// classes is the number of classes of letters: none, those of English and Hebrew, and digits.
const classes = 64

// otherClass is that of what must be folded to be compared.
const otherClass = classes - 1

// classOf returns the class of the letter at i of a text, and how many bytes it has.
func classOf(text string, i int) (class uint8, size int) {
	c := text[i]
	if c == 0xd7 && i+1 < len(text) && 0x90 <= text[i+1] && text[i+1] <= 0xaa {
		return hebrewClasses[text[i+1]-0x90], hebrewSize
	}
	return byteClasses[c], 1
}

// byteClasses are those of single bytes.
var byteClasses = func() (all [256]uint8) {
	for c := range all {
		switch {
		case 'a' <= c && c <= 'z':
			all[c] = uint8(c - 'a' + 1)
		case 'A' <= c && c <= 'Z':
			all[c] = uint8(c - 'A' + 1)
		case '0' <= c && c <= '9':
			all[c] = uint8(c - '0' + 49)
		case c >= 0x80:
			all[c] = otherClass
		}
	}
	return all
}()

// hebrewClasses has the same class for a final letter and the letter that it is.
var hebrewClasses = [...]uint8{27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 37, 38, 39, 39, 40, 40, 41, 42, 43, 43, 44,
	44, 45, 46, 47, 48}

func filterOf(q *Query) filter {
	f := filter{all: q.pictured || len(q.words) == 0}
	for known := range q.surfaces.known {
		f.addStart(known)
	}
	for known := range q.surfaces.roots {
		f.addRoot(known)
	}
	for _, w := range q.words {
		first, _ := classOf(w.text, 0)
		f.starts[first] |= 1 // its first letter may stand apart
		if len(w.letters) < leastMistaken {
			continue
		}
		var last [2]uint8
		for i := 0; i < len(w.text); {
			class, size := classOf(w.text, i)
			last[0], last[1] = last[1], class
			i += size
		}
		f.ends[last[0]] |= 1 << last[1]
	}
	return f
}

func (f *filter) addStart(text string) {
	first, size := classOf(text, 0)
	second := uint8(0)
	if size < len(text) {
		second, _ = classOf(text, size)
	}
	f.starts[first] |= 1 << second
}

// addRoot passes what has the root with a vowel letter in it, or a prefix of verbal nouns before it.
func (f *filter) addRoot(root string) {
	f.addStart(root)
	first, _ := classOf(root, 0)
	for _, vowel := range []string{"י", "ו"} {
		class, _ := classOf(vowel, 0)
		f.starts[first] |= 1 << class
	}
	for _, prefix := range []string{"ת", "ה"} {
		class, _ := classOf(prefix, 0)
		f.starts[class] |= 1 << first
	}
}

// maySay reports whether a name may share a word with the text. Quotation marks and apostrophes end no word.
func (f *filter) maySay(name string) bool {
	if f.all {
		return true
	}
	var before, last, second uint8 // the last letters of the word
	letters := 0
	for i := 0; i < len(name); {
		class, size := byteClasses[name[i]], 1
		if class == otherClass {
			if class, size = classOf(name, i); class == otherClass {
				return true
			}
		}
		i += size
		if class == 0 {
			if c := name[i-1]; c == '\'' || c == '"' {
				continue
			}
		}
		if letters > 0 && (class == 0 || isHebrewClass(last) != isHebrewClass(class) && isHebrewClass(last)) {
			if f.endsWith(second, before, last, letters) {
				return true
			}
			letters = 0
		}
		if class == 0 {
			continue
		}
		second, before, last = before, last, class
		if letters++; (letters == 2 || letters > 2 && letters <= maxBases+1 && isHebrewClass(class)) &&
			f.starts[before]&(1<<class) != 0 {
			return true
		}
	}
	return letters > 0 && f.endsWith(second, before, last, letters)
}

// endsWith reports whether a word may be meant by its last letters, or is a single letter that is.
func (f *filter) endsWith(second, before, last uint8, letters int) bool {
	if letters == 1 {
		return f.starts[last]&1 != 0
	}
	return f.ends[before]&(1<<last) != 0 || letters > 2 && last == 's'-'a'+1 && f.ends[second]&(1<<before) != 0
}

func isHebrewClass(class uint8) bool { return class-27 <= 48-27 }
