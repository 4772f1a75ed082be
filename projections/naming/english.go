package naming

import "strings"

// Lengths of English words of which forms are told.
const (
	leastNumbered = 3 // letters of a word that has a plural
	leastVerb     = 3 // letters of a verb without its ending
)

// englishForms returns the plural or the singular of a word, to tell.
func englishForms(text string, tell func(form string, tag tag)) {
	if len(text) >= leastNumbered && !strings.HasSuffix(text, "ss") {
		if single, found := strings.CutSuffix(text, "s"); found && len(single) >= leastNumbered && !endsIn(single, "u", "i") {
			tell(single, saidPlural)
			if single, found := strings.CutSuffix(text, "es"); found && endsIn(single, "s", "x", "z", "ch", "sh", "o") {
				tell(single, saidPlural)
			}
			if single, found := strings.CutSuffix(text, "ies"); found && len(single) >= 2 {
				tell(single+"y", saidPlural)
			}
		}
	}
	if len(text) < leastNumbered || strings.HasSuffix(text, "s") && !strings.HasSuffix(text, "ss") {
		if len(text) >= leastNumbered {
			tell(text+"es", singular)
		}
		return
	}
	switch {
	case endsIn(text, "s", "x", "z", "ch", "sh"):
		tell(text+"es", singular)
	case strings.HasSuffix(text, "y") && !endsIn(text, "ay", "ey", "oy", "uy"):
		tell(text[:len(text)-1]+"ies", singular)
		tell(text+"s", singular)
	case strings.HasSuffix(text, "o"):
		tell(text+"es", singular)
		tell(text+"s", singular)
	default:
		tell(text+"s", singular)
	}
}

func endsIn(text string, endings ...string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(text, ending) {
			return true
		}
	}
	return false
}

// actionEndings are those of a verb's other forms, and of nouns that say what is done.
var actionEndings = []string{"ing", "ed", "al", "ment", "ation", "ion"}

// englishActions returns a verb's other forms, and the nouns of what it does, to tell.
func englishActions(text string, tell func(form string)) {
	stems := []string{text}
	for _, ending := range actionEndings {
		stem, found := strings.CutSuffix(text, ending)
		if !found || len(stem) < leastVerb {
			continue
		}
		stems = append(stems, stem, stem+"e")
		if n := len(stem); stem[n-1] == stem[n-2] {
			stems = append(stems, stem[:n-1])
		}
	}
	for i, stem := range stems {
		if i > 0 {
			tell(stem)
		}
		if len(stem) < leastVerb || endsIn(stem, actionEndings...) {
			continue
		}
		short := strings.TrimSuffix(stem, "e")
		last := short[len(short)-1:]
		for _, ending := range actionEndings {
			tell(short + ending)
			tell(short + last + ending)
			if short != stem && ending == "ing" {
				tell(stem + ending)
			}
		}
		if single, found := strings.CutSuffix(stem, "y"); found {
			tell(single + "ied")
		}
	}
}
