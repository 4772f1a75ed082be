package actions

import (
	"fmt"
	"strings"
)

// shownSince is how many of the later actions a question names.
const shownSince = 3

// asking is the question in the viewer's language: how many records were changed since, and by what.
func asking(locale string, changed, rest int, since []string) string {
	one, many, by, more, end := "One record was changed since", "%d records were changed since", " (%s)", " and %d more",
		". Undo the rest only, or all of it?"
	if rest == 0 {
		end = ". Undo it all the same?"
	}
	if locale == "he" {
		one, many, by, more, end = "רשומה אחת שונתה מאז", "%d רשומות שונו מאז", " (%s)", " ועוד %d",
			". לבטל רק את השאר, או הכול?"
		if rest == 0 {
			end = ". לבטל בכל זאת?"
		}
	}
	text := one
	if n := changed; n != 1 {
		text = fmt.Sprintf(many, n)
	}
	if len(since) > 0 {
		said := strings.Join(since[:min(shownSince, len(since))], "; ")
		if left := len(since) - shownSince; left > 0 {
			said += fmt.Sprintf(more, left)
		}
		text += fmt.Sprintf(by, said)
	}
	return text + end
}

// labels are those of the two answers.
func labels(locale string) (rest, all string) {
	if locale == "he" {
		return "רק את מה שלא השתנה", "הכול, גם את מה שהשתנה"
	}
	return "Only what was not changed since", "All of it, over what was changed since"
}

// mails says that undoing writes to others.
func mails(locale string) string {
	if locale == "he" {
		return "המוזמנים יקבלו על כך דואר."
	}
	return "Guests are told of it by mail."
}
