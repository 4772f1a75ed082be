package exa

import (
	"fmt"
	"strings"
)

// verdict is whether a criterion is satisfied.
type verdict uint8

const (
	no verdict = iota
	yes
	unclear
)

func (v verdict) String() string { return [...]string{"no", "yes", "unclear"}[v] }

// criterion is one of a search, with what it asks for.
type criterion struct {
	text  string
	asks  *wanted
	salt  uint64
	known bool
}

func (w *world) criterion(text string) criterion {
	asks := w.understand(text)
	return criterion{text: text, asks: asks, salt: mixText(strings.TrimSpace(padded(text))), known: asks.asks() > 0}
}

// judge decides whether a thing satisfies a criterion: by what is known where the criterion speaks of that, otherwise
// always the same by the two of them. Things that nobody looked for satisfy no criterion of the second kind.
func (w *world) judge(c criterion, t thing) verdict {
	f := w.facts(t)
	chance := mix(t.seed("judge"), c.salt) % 100
	if c.known {
		switch met := w.met(c.asks, t, &f); {
		case f.thin && chance < 50:
			return unclear
		case met == c.asks.asks():
			return yes
		default:
			return no
		}
	}
	switch {
	case f.weak && chance < 50:
		return no
	case f.weak:
		return unclear
	case chance < 72:
		return yes
	case chance < 86:
		return no
	default:
		return unclear
	}
}

// evaluation is a verdict with its reasons.
func (w *world) evaluation(c criterion, t thing, v verdict) evaluationShape {
	f := w.facts(t)
	opening := map[verdict]string{yes: "Yes: the sources agree on \"%s\".",
		no: "No: what was found speaks against \"%s\".", unclear: "The sources do not settle \"%s\"."}
	if isHebrew(c.text) {
		opening = map[verdict]string{yes: "כן: המקורות מסכימים על \"%s\".", no: "לא: מה שנמצא סותר את \"%s\".",
			unclear: "המקורות אינם מכריעים לגבי \"%s\"."}
	}
	place := int(mix(t.seed("reason"), c.salt) % 1000)
	reasoning := fmt.Sprintf(opening[v], c.text) + " " + w.sentence(t, f, place) + " " + w.sentence(t, f, place+1)
	return evaluationShape{Criterion: c.text, Reasoning: reasoning, Satisfied: v.String(),
		References: w.references(t, c.text)}
}
