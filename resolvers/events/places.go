package events

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/resolvers/core"
)

// place is one calendar of one linked account.
type place struct {
	account  model.Connection
	calendar string
}

// ref names the place.
func (p place) ref() model.CalendarRef {
	return model.CalendarRef{Connection: p.account.Number, Calendar: p.calendar}
}

// Places gives the calendars meant: those named, else the primary one of each account meant. field is the path of the
// input or argument that holds calendarIds and account; empty for arguments.
func (r *Resolver) Places(ctx context.Context, v *core.Viewer, field string, ids []string,
	address *string) ([]place, error) {
	if len(ids) > model.MaxCalendarIDs {
		return nil, model.BadInput(core.Under(field, "calendarIds"), "give at most %d calendars, not %d",
			model.MaxCalendarIDs,
			len(ids))
	}
	accounts, err := r.Accounts(ctx, v, core.Under(field, "account"), address)
	if err != nil {
		return nil, err
	}
	var out []place
	if len(ids) == 0 {
		for _, account := range accounts {
			out = append(out, place{account: account})
		}
		return out, nil
	}
	for i, text := range ids {
		p, err := placeOf(core.Under(field, "calendarIds."+strconv.Itoa(i)), text, accounts)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(other place) bool { return other.ref() == p.ref() }) {
			out = append(out, p)
		}
	}
	return out, nil
}

// onePlace gives the calendar that something new goes to.
func (r *Resolver) onePlace(ctx context.Context, v *core.Viewer, field string, id, address *string) (place, error) {
	var ids []string
	if id != nil {
		ids = []string{*id}
	}
	all, err := r.Places(ctx, v, field, ids, address)
	if err != nil {
		if shown, ok := model.Mendable(err); ok && id != nil {
			shown.Field = model.FieldPath(core.Under(field, "calendarId"))
		}
		return place{}, err
	}
	return all[0], nil
}

// placeOf reads a calendar's id, or its address. An address that is an account's own means its primary calendar; any
// other is looked for through the first account.
func placeOf(field, text string, accounts []model.Connection) (place, error) {
	if id, err := model.ParseID(text); err == nil && id.Kind == model.KindCalendar {
		ref, err := model.CalendarRefOf(id)
		if err != nil {
			return place{}, model.BadInput(field, "%q is not the id of a calendar", model.Clip(text))
		}
		for _, account := range accounts {
			if account.Number == ref.Connection {
				return place{account, ref.Calendar}, nil
			}
		}
		return place{}, model.NotFound(field, "you have no calendar %s", model.Clip(text))
	}
	address := strings.TrimSpace(text)
	if address == "primary" {
		return place{account: accounts[0]}, nil
	}
	if !strings.Contains(address, "@") || len(address) > maxCalendarAddress || strings.Contains(address, " ") ||
		!model.SoundRemoteID(address) {
		return place{}, model.BadInput(field,
			"%q is neither the id of a calendar (calendar_…) nor an address such as alice@example.com", model.Clip(text))
	}
	for _, account := range accounts {
		if strings.EqualFold(account.Account, address) {
			return place{account: account}, nil
		}
	}
	return place{accounts[0], address}, nil
}

// maxCalendarAddress is beyond any address that Google gives a calendar.
const maxCalendarAddress = 320
