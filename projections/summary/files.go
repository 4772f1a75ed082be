package summary

import (
	"fmt"
	"slices"
	"strings"

	"almanac/graph/model"
)

// Imported says what a file of events has brought into a calendar.
func Imported(created, updated, deleted int, calendar, locale string) string {
	said := []struct {
		n       int
		en, heb string
	}{{created, "%d new", "%d חדשים"}, {updated, "%d changed", "%d שונו"}, {deleted, "%d deleted", "%d נמחקו"}}
	var parts []string
	for _, one := range said {
		form := one.en
		if locale == "he" {
			form = one.heb
		}
		if one.n > 0 {
			parts = append(parts, fmt.Sprintf(form, one.n))
		}
	}
	form := "Imported events into %s: %s"
	if locale == "he" {
		form = "יובאו אירועים אל %s: %s"
	}
	return clip(fmt.Sprintf(form, short(calendar), strings.Join(parts, ", ")), model.MaxActionSummary)
}

// Published says that a calendar was published at a new address.
func Published(form model.CalendarLinkKind, calendar, locale string) string {
	text := "Published the calendar %s"
	switch he := locale == "he"; {
	case form == model.LinkBusy && he:
		text = "פורסמו השעות התפוסות של היומן %s"
	case form == model.LinkBusy:
		text = "Published the busy times of the calendar %s"
	case he:
		text = "פורסם היומן %s"
	}
	return clip(fmt.Sprintf(text, short(calendar)), model.MaxActionSummary)
}

// Unpublished says that a calendar is not published any more, in the forms that are named.
func Unpublished(forms []model.CalendarLinkKind, calendar, locale string) string {
	text := "Unpublished the calendar %s"
	switch he := locale == "he"; {
	case len(forms) > 1 && he:
		text = "הופסק פרסום היומן %s, עם שעותיו התפוסות"
	case len(forms) > 1:
		text = "Unpublished the calendar %s, with its busy times"
	case slices.Contains(forms, model.LinkBusy) && he:
		text = "הופסק פרסום השעות התפוסות של היומן %s"
	case slices.Contains(forms, model.LinkBusy):
		text = "Unpublished the busy times of the calendar %s"
	case he:
		text = "הופסק פרסום היומן %s"
	}
	return clip(fmt.Sprintf(text, short(calendar)), model.MaxActionSummary)
}
