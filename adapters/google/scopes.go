package google

import "slices"

// The scopes that Almanac may ask for, the least that each feature needs. What each covers is in the discovery
// documents of the two APIs.
const (
	// ScopeCalendarEvents reads and writes events, on all calendars the account can open.
	ScopeCalendarEvents = "https://www.googleapis.com/auth/calendar.events"
	// ScopeCalendarEventsReadonly reads them.
	ScopeCalendarEventsReadonly = "https://www.googleapis.com/auth/calendar.events.readonly"
	// ScopeCalendarList reads the list of calendars and their colours.
	ScopeCalendarList = "https://www.googleapis.com/auth/calendar.calendarlist.readonly"
	// ScopeFreeBusy asks when somebody is busy.
	ScopeFreeBusy = "https://www.googleapis.com/auth/calendar.freebusy"

	// ScopeGmailReadonly reads mail, labels and history.
	ScopeGmailReadonly = "https://www.googleapis.com/auth/gmail.readonly"
	// ScopeGmailSend sends mail, and cannot read even what it sent.
	ScopeGmailSend = "https://www.googleapis.com/auth/gmail.send"
	// ScopeGmailCompose keeps drafts and sends.
	ScopeGmailCompose = "https://www.googleapis.com/auth/gmail.compose"
	// ScopeGmailModify does all but delete for ever: reading, labels, drafts, sending.
	ScopeGmailModify = "https://www.googleapis.com/auth/gmail.modify"
	// ScopeGmailLabels reads and writes the list of labels.
	ScopeGmailLabels = "https://www.googleapis.com/auth/gmail.labels"
)

const (
	scopeCalendar         = "https://www.googleapis.com/auth/calendar"
	scopeCalendarReadonly = "https://www.googleapis.com/auth/calendar.readonly"
	scopeCalendarListAll  = "https://www.googleapis.com/auth/calendar.calendarlist"
	scopeMail             = "https://mail.google.com/"
)

// wider returns the scopes that allow every method which the scope allows, by the discovery documents. Documents know
// nothing of whose calendars a scope opens, so calendar.events.owned is not among them.
func wider(scope string) []string {
	switch scope {
	case ScopeCalendarEvents:
		return []string{scopeCalendar}
	case ScopeCalendarEventsReadonly:
		return []string{ScopeCalendarEvents, scopeCalendarReadonly, scopeCalendar}
	case ScopeCalendarList:
		return []string{scopeCalendarListAll, scopeCalendarReadonly, scopeCalendar}
	case ScopeFreeBusy:
		return []string{scopeCalendarReadonly, scopeCalendar}
	case ScopeGmailReadonly:
		return []string{ScopeGmailModify, scopeMail}
	case ScopeGmailSend:
		return []string{ScopeGmailCompose, ScopeGmailModify, scopeMail}
	case ScopeGmailCompose, ScopeGmailLabels:
		return []string{ScopeGmailModify, scopeMail}
	case ScopeGmailModify:
		return []string{scopeMail}
	default:
		return nil
	}
}

// Missing returns those of the wanted scopes that the granted ones do not cover, in the order wanted and without
// duplicates; nil when nothing is missing. A scope is covered by itself and by a wider one.
func Missing(granted, wanted []string) []string {
	var missing []string
	for _, scope := range wanted {
		covered := slices.Contains(granted, scope) ||
			slices.ContainsFunc(wider(scope), func(w string) bool { return slices.Contains(granted, w) })
		if !covered && !slices.Contains(missing, scope) {
			missing = append(missing, scope)
		}
	}
	return missing
}
