package plan

// listOfDeeds reports whether the parts between commas and "and" each begin with a verb of doing: "water the plants,
// pay the rent and call Dana".
func (p *parser) listOfDeeds(left []int) bool {
	parts, begins := 0, true
	for _, i := range left {
		if p.is(i, ",", "and", ";") {
			begins = true
			continue
		}
		if begins {
			if !deeds[p.tokens[i].text] {
				return false
			}
			parts, begins = parts+1, false
		}
	}
	return parts > 1
}

var deeds = setOfWords(
	"call pay buy send water clean book fix get pick return renew email mail order feed wash cancel sign post replace " +
		"repair " +
		"prepare write file change vacuum collect deliver print review pack take bring ask tell check finish submit text " +
		"walk do make " +
		"schedule update charge drop defrost iron mow empty")

// list0 is the first of some tokens; -1 when there is none.
func list0(list []int) int {
	if len(list) == 0 {
		return -1
	}
	return list[0]
}

// secondDeed reports whether a second thing to do begins behind an "and": a word directly before an article, and so a
// verb, as the first one is: "wash the curtains and descale the kettle".
func (p *parser) secondDeed(left []int, k int) bool {
	article := func(i int) bool { return p.is(i, "the", "my", "our", "a", "an", "his", "her", "their") }
	if k < 2 || k+3 >= len(left) || !p.is(left[k], "and") || article(left[k+1]) || p.tokens[left[k+1]].hebrew ||
		p.is(left[k+1], "all", "half", "both", "then", "not", "for", "with", "in", "on", "at", "to", "from", "about", "of") {
		return false
	}
	return article(left[k+2]) && (article(left[1]) || deeds[p.tokens[left[0]].text])
}

// prioritized says how important something is, which tasks do not keep.
var prioritized = lazily(`(?i)(?:^|[\s,;:-])(?:(?:high|low|top|highest) priority|priority:? (?:high|low|1|one)|` +
	`(?:ב)?עדיפות (?:גבוהה|עליונה|נמוכה|ראשונה))(?:$|[\s,;.!])`)

var noPriority = reason{"Tasks have no priority. Shall it be kept without one? Then leave it out.",
	"למשימות אין עדיפות. לשמור בלעדיה? אז יש להשמיט אותה."}

// endsAt reports whether nothing but marks and times follows.
func (p *parser) endsAt(i int) bool {
	for ; i < len(p.tokens); i++ {
		if !p.used[i] && p.tokens[i].kind != mark {
			return false
		}
	}
	return true
}
