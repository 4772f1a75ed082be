package plan

import (
	"slices"
	"strings"

	"almanac/projections/when"
)

// proposals put a change as a question that is not courtesy alone: whether it can be made, not only that it is.
var proposals = []rewording{
	worded(`(?:can|could|may|shall) (?:we|i) (?:please )?(?:do|have|hold|make|start|move|push|shift|reschedule) `+
		`DEF{x} (?:to )?{t}`+
		`(?: instead(?: of .+)?)?\??`, `move ${x} to ${t}`),
	worded(`(?:can|could|may|shall) (?:we|i) (?:please )?(?:do|have|hold|start|move|push|shift) DEF{x} (<count> `+
		`<unit>) (later|earlier)\??`,
		`move ${x} $2 $3`),
	worded(`(?:can|could|may) DEF{x} (?:end|finish|wrap up)(?: at| by)? {t}\??`, `extend ${x} until ${t}`),
	worded(`(?:can|could|may) DEF{x} (?:start|begin|take place|happen)(?: at| on)? {t}(?: instead)?\??`,
		`move ${x} to ${t}`),
	worded(`(?:can|could) DEF{x} be (?:moved to |changed to )?{t}(?: instead)?\??`, `move ${x} to ${t}`),
	worded(`(?:אולי )?אפשר (?:לעשות |לקיים )?את {x} {t}(?: במקום)?\??`, `תזיז את ${x} ל~${t}`),
	worded(`(?:אולי )?אפשר (?:לעשות |לקיים )?את {x} ((?:חצי |רבע )?(?:שעה|שעתיים|יום|יומיים|שבוע)) (?:קודם|מוקדם יותר)\??`,
		`תקדים את ${x} ב$2`),
	worded(`(?:אולי )?אפשר (?:לעשות |לקיים )?את {x} ((?:חצי |רבע )?(?:שעה|שעתיים|יום|יומיים|שבוע)) (?:מאוחר יותר|`+
		`אחר כך)\??`,
		`תדחה את ${x} ב$2`),
}

// proposal reads a change of an event that is put as a question. It is asked about before it is done, so that no
// question changes anything.
func proposal(text string, at when.Moment) (Plan, bool) {
	if len(text) > longestReworded || quotes(text) {
		return Plan{}, false
	}
	bare := sameTime().ReplaceAllString(respelt(strings.TrimRight(strings.TrimSpace(text), "?.! ")), "")
	for _, way := range slices.Concat(proposals, hebrewProposals) {
		other, ok := way.put(bare, at)
		if !ok {
			continue
		}
		out, err := understandAs(other, at)
		if err != nil || out.Update == nil && out.Delete == nil || out.Update != nil && out.Update.Target.Title == "" ||
			anyOne(bare) {
			continue
		}
		out.Proposed = true
		out.ofWhole(text)
		return out, true
	}
	return Plan{}, false
}

// anyOne reports whether what a question is about is not there yet: "can we do a session on Monday?".
func anyOne(text string) bool {
	_, rest, _ := strings.Cut(text, " ")
	_, rest, _ = strings.Cut(rest, " ")
	words := strings.Fields(strings.ToLower(rest))
	return len(words) > 1 && (words[1] == "a" || words[1] == "an" || words[1] == "another" || words[1] == "some")
}

// sameTime says of a new day that nothing else changes.
var sameTime = lazily(`(?i),? (?:(?:at )?(?:the )?same (?:hour|time)(?: of (?:the )?day)?|באותה ה?שעה)$`)
