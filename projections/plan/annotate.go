package plan

import (
	"regexp"
	"strings"
)

// annotating reads a note that is to be added to an event: "add a note to the dentist: bring the x-rays". Notes to
// oneself, on lists and on tasks are other matters.
func (p *parser) annotating() (bool, error) {
	for _, way := range annotations {
		found := way.FindStringSubmatch(strings.TrimSpace(p.text))
		if found == nil {
			continue
		}
		title, note := tidy(found[1]), tidy(found[2])
		of := newSentence(title, p.at)
		of.scan()
		if title == "" || note == "" || len(of.items) > 0 || of.failed != nil {
			return false, nil //nolint:nilerr // other rules read the sentence then, and say what is wrong with it
		}
		for i := range of.tokens {
			if of.has(i, taskNouns) || of.has(i, listWords) || of.is(i, "list", "self", "myself", "me", "עצמי") {
				return false, nil
			}
		}
		p.out.Tool = ToolUpdate
		p.out.Update = &Update{Target: Target{Title: title}, Change: Change{Note: note}}
		p.note(SlotChange, 0, len(p.tokens))
		return true, nil
	}
	return false, nil
}

var annotations = []*regexp.Regexp{
	regexp.MustCompile(`^(?i)(?:please |can you |could you )?(?:add|put|write|attach) (?:a ` +
		`)?(?:note|comment|description) ` +
		`(?:to|on|in|for) (?:the |my |our )?([^:,]+?)(?: saying| that says)?[:,] ?(.+?)[.!]*$`),
	regexp.MustCompile(`^(?i)(?:please )?(?:note|comment) (?:on|to|for) (?:the |my |our )?([^:,]+?)[:,] ?(.+?)[.!]*$`),
	regexp.MustCompile(`^(?:בבקשה )?(?:תוסיפי?|תוסיף|הוסף|הוסיפי|תרשמי?|תרשום|תכתבי?|תכתוב) ל(?:אירוע )?([^:,]+?) ` +
		`(?:הערה|תיאור)[:,] ?(.+?)[.!]*$`),
	regexp.MustCompile(`^(?:בבקשה )?(?:תוסיפי?|תוסיף|הוסף|הוסיפי|תרשמי?|תרשום|תכתבי?|תכתוב|להוסיף) (?:הערה|תיאור) ` +
		`ל(?:אירוע )?` +
		`([^:,]+?)[:,] ?(.+?)[.!]*$`),
}
