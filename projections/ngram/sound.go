package ngram

// A word's sound is its consonants, in classes that the writing of English and Hebrew tells apart: b and v and w are
// one, so are p and f, s and sh, k, q and hard c, g and j, t and th, z and ts. It brings together a name in two
// scripts, and a word with and without its vowel letters.

// soundLatin adds the sound of a word in Latin letters; two when it has a ch, which may be a k or a h.
func (r *reader) soundLatin(word string, weight int64) {
	var hard, soft [maxWord]byte
	n, differs := 0, false
	put := func(a, b byte) {
		if n > 0 && hard[n-1] == a && soft[n-1] == b || n == maxWord {
			return
		}
		hard[n], soft[n] = a, b
		n++
		differs = differs || a != b
	}
	for i := 0; i < len(word); i++ {
		c, next := word[i], byte(0)
		if i+1 < len(word) {
			next = word[i+1]
		}
		switch c {
		case 'b', 'v', 'w':
			put('b', 'b')
		case 'c':
			switch next {
			case 'h':
				put('k', 'h')
				i++
			case 'e', 'i', 'y':
				put('s', 's')
			case 'k':
			default:
				put('k', 'k')
			}
		case 'd':
			if next != 'g' {
				put('d', 'd')
			}
		case 'f':
			put('p', 'p')
		case 'p':
			put('p', 'p')
			if next == 'h' {
				i++
			}
		case 'g', 'j':
			put('g', 'g')
		case 'h':
			if next != 0 && hasVowel(string(next)) {
				put('h', 'h')
			}
		case 'k', 'q':
			put('k', 'k')
			if next == 'h' {
				i++
			}
		case 'l', 'm', 'n', 'r':
			put(c, c)
		case 's':
			put('s', 's')
			if next == 'h' {
				i++
			}
		case 't':
			switch next {
			case 's', 'z':
				put('z', 'z')
				i++
			case 'h':
				put('t', 't')
				i++
			default:
				put('t', 't')
			}
		case 'x':
			put('k', 'k')
			put('s', 's')
		case 'y':
			if i == 0 {
				put('y', 'y')
			}
		case 'z':
			put('z', 'z')
		}
		if c >= 0x80 {
			return
		}
	}
	if !differs {
		r.sound(hard[:n], weight)
		return
	}
	r.sound(hard[:n], weight*divided/1000)
	r.sound(soft[:n], weight*divided/1000)
}

// soundHebrew adds the sound of a word in folded Hebrew letters.
func (r *reader) soundHebrew(word string, weight int64) {
	var heard [maxWord]byte
	n := 0
	put := func(c byte) {
		if n > 0 && heard[n-1] == c || n == maxWord {
			return
		}
		heard[n] = c
		n++
	}
	last, previous := len(word)-letter, rune(0)
	for i, c := range word {
		switch c {
		case 'ב':
			put('b')
		case 'ו':
			if i == 0 || previous == 'ו' {
				put('b')
			}
		case 'ג':
			put('g')
		case 'ד':
			put('d')
		case 'ה':
			if i != last {
				put('h')
			}
		case 'ז', 'צ':
			put('z')
		case 'ח':
			put('h')
		case 'ט', 'ת':
			put('t')
		case 'י':
			if i == 0 {
				put('y')
			}
		case 'כ', 'ק':
			put('k')
		case 'ל':
			put('l')
		case 'מ':
			put('m')
		case 'נ':
			put('n')
		case 'ס', 'ש':
			put('s')
		case 'פ':
			put('p')
		case 'ר':
			put('r')
		}
		previous = c
	}
	r.sound(heard[:n], weight)
}

// sound adds a sound. A short one is that of many words, so it counts less.
func (r *reader) sound(heard []byte, weight int64) {
	if len(heard) < 2 {
		return
	}
	h := familySound.start()
	for _, c := range heard {
		h = extend(h, c)
	}
	share := int64(weightSound)
	if len(heard) == 2 {
		share = weightShortSound
	}
	r.sum.add(h, weight*share/1000)
}
