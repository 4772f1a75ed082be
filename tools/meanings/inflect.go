package main

import (
	"slices"
	"strings"
)

// The forms of Hebrew words are made by rule, in full spelling without vowel signs. They need not all exist: a form
// that nobody writes is found by nobody. The table takes a form only when no word of its own is spelled so.

// forms are those of a verb or of a noun, without the word itself.
type forms []string

func (f *forms) add(texts ...string) {
	for _, text := range texts {
		if len([]rune(text)) > 2 && !slices.Contains(*f, text) {
			*f = append(*f, text)
		}
	}
}

// verb is a Hebrew verb by its principal parts: the past and the future of the third person, the present, and the
// infinitive; empty for what it does not have.
type verb struct {
	past, present, future, infinitive string
	// more are other words that go with it: what does it, and its passive.
	more []string
}

// inflect returns all forms of the verb.
func (v verb) inflect() forms {
	var f forms
	f.add(v.infinitive)
	v.pasts(&f)
	v.presents(&f)
	v.futures(&f)
	f.add(v.more...)
	return f
}

func (v verb) pasts(f *forms) {
	stem, ends := strings.CutSuffix(v.past, "ה")
	if ends {
		f.add(v.past, stem+"יתי", stem+"ית", stem+"תה", stem+"ו", stem+"ינו", stem+"יתם")
		return
	}
	f.add(v.past, v.past+"ה", v.past+"ו")
	r := []rune(unfinal(v.past))
	if n := len(r); n > 3 && r[0] == 'ה' && r[n-2] == 'י' && r[n-3] != 'י' {
		r = slices.Delete(r, n-2, n-1) // הזמין, הזמנתי
	}
	for _, ending := range []string{"תי", "ת", "נו", "תם"} {
		f.add(string(r) + ending)
	}
}

func (v verb) presents(f *forms) {
	if v.present == "" {
		return
	}
	stem, weak := strings.CutSuffix(unfinal(v.present), "ה")
	f.add(v.present, stem+"ים", stem+"ות")
	if !weak {
		f.add(stem+"ת", stem+"ה")
	}
}

func (v verb) futures(f *forms) {
	body, found := strings.CutPrefix(v.future, "י")
	if !found {
		return
	}
	short := strings.TrimSuffix(unfinal(body), "ה")
	if r := []rune(short); len(r) > 2 && r[len(r)-2] == 'ו' && len(r) <= 4 {
		short = string(r[:len(r)-2]) + string(r[len(r)-1]) // יכתוב, יכתבו
	}
	for _, prefix := range []string{"י", "ת", "א", "נ"} {
		f.add(prefix + body)
	}
	f.add("י"+short+"ו", "ת"+short+"ו", "ת"+short+"י")
}

// verbOf finds the principal parts of a regular verb by its past.
func verbOf(past string) verb {
	r := []rune(unfinal(past))
	n := len(r)
	weak := r[n-1] == 'ה'
	rest := func(from int) string { return string(r[from:]) }
	switch {
	case n >= 5 && hasAnyPrefix(past, "הת", "השת", "הסת", "הצט", "הזד") && (r[n-2] != 'י' || r[n-3] == 'י'):
		noun := strings.TrimSuffix(rest(0), "ה") + "ות"
		return verb{past, "מ" + rest(1), "י" + rest(1), infinitive("לה", rest(1), weak), []string{noun}}
	case n >= 4 && r[0] == 'ה' && r[1] == 'ו' && r[n-2] != 'י' && !weak: // הוזמן
		return verb{past: past, present: "מ" + rest(1), future: "י" + rest(1)}
	case n >= 4 && r[0] == 'ה' && (r[n-2] == 'י' || weak):
		noun := strings.TrimSuffix(string(r[:n-1]), "י") + string(r[n-1])
		passive := "הו" + strings.TrimPrefix(strings.TrimPrefix(noun, "ה"), "ו")
		if weak {
			noun = string(r[:n-1]) + "יה"
		} else {
			noun += "ה"
		}
		done := verb{past: passive, present: "מ" + passive[len("ה"):], future: "י" + passive[len("ה"):]}.inflect()
		return verb{past, "מ" + rest(1), "י" + rest(1), infinitive("לה", rest(1), weak), append(done, noun)}
	case n == 4 && r[0] == 'נ' && r[1] != 'י' && r[1] != 'ו':
		return verb{past, past, "יי" + rest(1), infinitive("להי", rest(1), weak),
			[]string{"י" + rest(1), "הי" + strings.TrimSuffix(rest(1), "ה") + "ות"}}
	case n >= 4 && r[1] == 'ו' && r[0] != 'נ' && !weak: // שולם
		return verb{past: past, present: "מ" + rest(0), future: "י" + rest(0)}
	case n >= 4:
		return intensive(past, r)
	}
	return simple(past, r)
}

// intensive are the parts of a verb like שילם, ניקה or תרגם.
func intensive(past string, r []rune) verb {
	weak := r[len(r)-1] == 'ה'
	stem, passive := string(r), string(r[:1])+"ו"+string(r[1:])
	noun := string(r[:len(r)-1]) + "ו" + string(r[len(r)-1:])
	if r[1] == 'י' && len(r) == 4 {
		stem = string(r[:1]) + string(r[2:])
		passive = string(r[:1]) + "ו" + string(r[2:])
	}
	if weak {
		noun = string(r[:len(r)-1]) + "וי"
	}
	v := verb{past: past, present: "מ" + stem, future: "י" + stem, infinitive: infinitive("ל", stem, weak)}
	v.more = append(verb{past: passive, present: "מ" + passive, future: "י" + passive}.inflect(), noun)
	return v
}

// simple are the parts of a verb of three letters.
func simple(past string, r []rune) verb {
	if len(r) != 3 {
		return verb{past: past}
	}
	a, b, c := string(r[0]), string(r[1]), string(r[2])
	if c == "ה" {
		return verb{past, a + "ו" + b + "ה", "י" + a + b + "ה", "ל" + a + b + "ות", []string{a + b + "ייה", a + b + "וי"}}
	}
	v := verb{past, a + "ו" + b + c, "י" + a + b + "ו" + c, "ל" + a + b + "ו" + c, []string{a + b + "י" + c + "ה"}}
	v.more = append(v.more, verb{past: past, future: "י" + a + b + c}.inflect()...)
	v.more = append(v.more, "ל"+a+b+c, a+b+"ו"+c, a+b+"ו"+c+"ה", a+b+"ו"+c+"ים")
	return v
}

func infinitive(prefix, stem string, weak bool) string {
	if weak {
		return prefix + strings.TrimSuffix(stem, "ה") + "ות"
	}
	return prefix + stem
}

// nounForms are the forms of a noun: construct, plural, and with what it belongs to.
func nounForms(noun string) forms {
	var f forms
	r := []rune(unfinal(noun))
	if len(r) < 3 || strings.ContainsAny(noun, " -'\"") {
		return nil
	}
	word := string(r)
	stem, feminine := strings.CutSuffix(word, "ה")
	if feminine {
		word = stem + "ת"
		f.add(stem+"ת", stem+"ות", stem+"ים")
	} else {
		f.add(word+"ים", word+"ות", word+"ה")
	}
	for _, ending := range []string{"י", "ך", "ו", "ה", "נו", "ם", "כם", "הם"} {
		f.add(word + ending)
	}
	for _, ending := range []string{"יו", "יה", "ינו", "יך", "יהם"} {
		if !feminine {
			f.add(word + ending)
		}
	}
	return f
}

// unfinal writes a final letter as within a word.
func unfinal(word string) string {
	return strings.NewReplacer("ך", "כ", "ם", "מ", "ן", "נ", "ף", "פ", "ץ", "צ").Replace(word)
}

func hasAnyPrefix(word string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(word, p) })
}
