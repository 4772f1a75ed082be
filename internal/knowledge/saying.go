package knowledge

import (
	"strings"
	"unicode"

	"almanac/projections/fold"
	"almanac/projections/graphtext"
)

// saying is what the sentence of a fact says beside its ends and its relation.
type saying struct {
	sentence string
	// plain: it says nothing beside, as the sentences that are made of names and relation do.
	plain bool
	// key is equal for sentences that say the same, and for few others, so that most can be told apart at a glance.
	key string
}

// sayingOf reads the sentence of a fact. The ends have the names by which they are kept.
func sayingOf(sentence, source, relation, target string) saying {
	return saying{
		sentence: sentence,
		plain:    graphtext.Same(sentence, graphtext.Sentence(source, relation, target)),
		key: strings.TrimRightFunc(fold.Text(sentence),
			func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }),
	}
}

// saysAs reports whether one of two facts with the same ends and relation says the same as the other; what is plain
// says the same as any.
func (s saying) saysAs(other saying) bool {
	return s.plain || other.plain || s.key == other.key && graphtext.Same(s.sentence, other.sentence)
}
