//go:build bench

package main

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/projections/fold"
)

// tokens are the words of a text, folded, without punctuation.
func tokens(text string) []string {
	return strings.FieldsFunc(fold.Text(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '"'
	})
}

// set makes a table of words.
func set(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[fold.Text(word)] = true
	}
	return out
}

// Words that do not tell titles apart: articles and the polite, verbs of making at the beginning of an event's title,
// words that say no more than that it is an event, and the verbs of statements.
var (
	articles = set("a an the my our please pls את בבקשה שלי שלנו")
	making   = set(
		"add book schedule set up create make put plan new arrange קבע תקבע תקבעי לקבוע הוסף תוסיף תוסיפי תרשום תרשמי " +
			"רשום תכניס תכניסי שים תשים תשימי צור")
	general = set("meeting meet with w appointment appt event פגישה עם תור אירוע נפגש נפגשת נפגשים")
	stating = set(
		"is are has leaves lands departs arrives starts begins takes off scheduled יוצא יוצאת ממריא ממריאה נוחת " +
			"נוחתת מתחיל מתחילה מגיע מגיעה")
	ofTime = set("today tomorrow tonight noon midnight morning afternoon evening night week month sunday monday tuesday " +
		"wednesday thursday friday saturday " +
		"בבוקר בצהריים בערב בלילה בשבוע בראשון בשני בשלישי ברביעי בחמישי בשישי בשבת ביום בחודש")
)

// normal is a title without what does not tell titles apart. Of what loosely leaves nothing, the words remain.
func normal(title string, calendar bool) []string {
	drop := func(in []string, words ...map[string]bool) []string {
		out := slices.DeleteFunc(slices.Clone(in), func(word string) bool {
			return slices.ContainsFunc(words, func(set map[string]bool) bool { return set[word] })
		})
		if len(out) == 0 {
			return in
		}
		return out
	}
	words := drop(tokens(title), articles)
	if calendar {
		for len(words) > 1 && making[words[0]] {
			words = words[1:]
		}
		words = drop(words, general, stating)
	}
	out := slices.Clone(words)
	for i, word := range out {
		out[i] = bare(word)
	}
	return out
}

// bare is a word without the Hebrew article and without quotation marks around it.
func bare(word string) string {
	word = strings.Trim(word, `'"`)
	if rest, article := strings.CutPrefix(word, "ה"); article && utf8.RuneCountInString(rest) > 2 {
		return rest
	}
	return word
}

// sameTitle reports whether a title that was made is the one that is wanted. Where an event is, and with whom, may
// stand in its title or beside it.
func sameTitle(got, want, place string, calendar bool) bool {
	if slices.Equal(normal(got, calendar), normal(want, calendar)) {
		return true
	}
	if !calendar {
		return false
	}
	beside := normal(place, true) // a place alone has no preposition before it: "ברלין"
	if place != "" && (slices.Equal(withoutPlaces(got), withoutPlaces(want+" "+place)) ||
		slices.Equal(withoutPlaces(got+" "+place), withoutPlaces(want)) ||
		slices.Equal(withoutPlaces(got), append(withoutPlaces(want), beside...)) ||
		slices.Equal(append(withoutPlaces(got), beside...), withoutPlaces(want))) {
		return true
	}
	g, w := plainWords(got), plainWords(want)
	return len(g) > len(w) && slices.Equal(g[:len(w)], w) && isAside(g[len(w):])
}

// plainWords are the words of a title without articles.
func plainWords(title string) []string {
	return slices.DeleteFunc(tokens(title), func(word string) bool { return articles[word] })
}

// withoutPlaces are the words of a title without those that lead to a place.
func withoutPlaces(title string) []string {
	words := slices.DeleteFunc(normal(title, true), func(word string) bool { return word == "at" || word == "in" })
	for i, word := range words {
		if rest := strings.TrimPrefix(word, "ב"); utf8.RuneCountInString(rest) > 2 {
			words[i] = bare(rest)
		}
	}
	return words
}

// isAside reports whether words say where something is or with whom, and nothing of when.
func isAside(words []string) bool {
	first := slices.Contains([]string{"at", "in", "with", "w", fold.Text("אצל"), fold.Text("עם")}, words[0]) ||
		strings.HasPrefix(words[0], "ב")
	return first && !slices.ContainsFunc(words, func(word string) bool {
		return ofTime[word] || strings.ContainsFunc(word, unicode.IsDigit)
	})
}

// holds reports whether all words of one text, articles aside, are in another.
func holds(text, part string) bool {
	have := normal(text, false)
	for _, word := range normal(part, false) {
		if !slices.Contains(have, word) {
			return false
		}
	}
	return true
}

// covers reports whether a text has all words of a part, articles aside, each as it is or as a form of it.
func covers(text, part string) bool {
	have := normal(text, false)
	return !slices.ContainsFunc(normal(part, false), func(word string) bool {
		return !slices.ContainsFunc(have, func(other string) bool { return related(word, other) })
	})
}

// mentions reports whether a text has another in it, folded.
func mentions(text, part string) bool { return strings.Contains(fold.Text(text), fold.Text(part)) }

// shared counts the words of a query that a text has, each as it is or as a form of it.
func shared(text, query string) int {
	have := normal(text, true)
	n := 0
	for _, word := range normal(query, true) {
		if slices.ContainsFunc(have, func(other string) bool { return related(word, other) }) {
			n++
		}
	}
	return n
}

// related reports whether two words are one or forms of one: the same beginning with another end of at most three
// letters, with or without Hebrew prefixes.
func related(a, b string) bool {
	for _, x := range stems(a) {
		for _, y := range stems(b) {
			short, long := utf8.RuneCountInString(x), utf8.RuneCountInString(y)
			short, long = min(short, long), max(short, long)
			if common := commonRunes(x, y); x == y || short >= 3 && long-short <= 3 && common == short ||
				short >= 6 && long-short <= 2 && common >= short-1 {
				return true
			}
		}
	}
	return false
}

// stems are a word as it is, and without each number of its Hebrew prefixes.
func stems(word string) []string {
	out := []string{word}
	for range 2 {
		first, size := utf8.DecodeRuneInString(word)
		if !strings.ContainsRune("והבלמשכ", first) || utf8.RuneCountInString(word) < 4 {
			break
		}
		word = word[size:]
		out = append(out, word)
	}
	return out
}

func commonRunes(a, b string) int {
	x, y := []rune(a), []rune(b)
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}
