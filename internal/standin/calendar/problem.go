package calendar

import (
	"net/http"

	"almanac/internal/standin/wire"
)

// The domains of Google's errors.
const (
	domainGlobal   = "global"
	domainCalendar = "calendar"
	domainUsage    = "usageLimits"
)

func problem(status int, domain, reason, message string) *wire.Problem {
	return &wire.Problem{Status: status, Domain: domain, Reason: reason, Message: message}
}

func at(p *wire.Problem, kind, name string) *wire.Problem {
	p.LocationType, p.Location = kind, name
	return p
}

func badRequest() *wire.Problem {
	return problem(http.StatusBadRequest, domainGlobal, "badRequest", "Bad Request")
}

func invalid(message string) *wire.Problem {
	return problem(http.StatusBadRequest, domainGlobal, "invalid", message)
}

func required(message string) *wire.Problem {
	return problem(http.StatusBadRequest, domainGlobal, "required", message)
}

// invalidParameter tells of a query parameter that its type does not allow.
func invalidParameter(name, message string) *wire.Problem {
	return at(problem(http.StatusBadRequest, domainGlobal, "invalidParameter", message), "parameter", name)
}

func requiredParameter(name string) *wire.Problem {
	return at(required("Required parameter: "+name), "parameter", name)
}

func invalidToken(name string) *wire.Problem {
	return at(invalid("Invalid "+name+" value."), "parameter", name)
}

func timeRangeEmpty() *wire.Problem {
	return problem(http.StatusBadRequest, domainCalendar, "timeRangeEmpty", "The specified time range is empty.")
}

func notFound() *wire.Problem {
	return problem(http.StatusNotFound, domainGlobal, "notFound", "Not Found")
}

func duplicate() *wire.Problem {
	return problem(http.StatusConflict, domainGlobal, "duplicate", "The requested identifier already exists.")
}

func alreadyDeleted() *wire.Problem {
	return problem(http.StatusGone, domainGlobal, "deleted", "Resource has been deleted")
}

func conditionNotMet() *wire.Problem {
	return at(problem(http.StatusPreconditionFailed, domainGlobal, "conditionNotMet", "Precondition Failed"), "header",
		"If-Match")
}

func fullSyncRequired() *wire.Problem {
	return at(problem(http.StatusGone, domainCalendar, "fullSyncRequired",
		"Sync token is no longer valid, a full sync is required."), "parameter", "syncToken")
}

func updatedMinTooLongAgo() *wire.Problem {
	return at(problem(http.StatusGone, domainCalendar, "updatedMinTooLongAgo",
		"The requested minimum modification time lies too far in the past."), "parameter", "updatedMin")
}

func pushNotSupported() *wire.Problem {
	return problem(http.StatusBadRequest, domainGlobal, "pushNotSupportedForRequestedResource",
		"Push notifications are not supported by this resource.")
}

func forbidden(message string) *wire.Problem {
	return problem(http.StatusForbidden, domainGlobal, "forbidden", message)
}

func requiredAccessLevel(level role) *wire.Problem {
	return problem(http.StatusForbidden, domainCalendar, "requiredAccessLevel",
		"You need to have "+string(level)+" access to this calendar.")
}

func forbiddenForNonOrganizer() *wire.Problem {
	return problem(http.StatusForbidden, domainCalendar, "forbiddenForNonOrganizer",
		"Shared properties can only be changed by the organizer of the event.")
}

func forbiddenForServiceAccounts() *wire.Problem {
	return problem(http.StatusForbidden, domainCalendar, "forbiddenForServiceAccounts",
		"Service accounts cannot invite attendees without Domain-Wide Delegation of Authority.")
}

func quotaExceeded() *wire.Problem {
	return problem(http.StatusForbidden, domainUsage, "quotaExceeded", "Calendar usage limits exceeded.")
}

func tooManyReminders() *wire.Problem {
	return problem(http.StatusBadRequest, domainCalendar, "eventRemindersCountExceedsLimit",
		"The number of override reminders exceeds the limit of 5.")
}

func defaultAndOverrides() *wire.Problem {
	return problem(http.StatusBadRequest, domainCalendar, "cannotUseDefaultRemindersAndSpecifyOverride",
		"Cannot specify both default reminders and overrides at the same time.")
}

func notImplemented(method string) *wire.Problem {
	return problem(http.StatusNotImplemented, domainGlobal, "notImplemented", "The stand-in does not imitate "+method+".")
}
