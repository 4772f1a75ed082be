package resolvers

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
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

// connections gives the viewer's linked accounts of Google, by number.
func (r *Resolver) connections(ctx context.Context, v *viewer) ([]model.Connection, error) {
	all, err := r.Store.Connections(ctx, v.user)
	return r.ofGoogle(all), err
}

// ofGoogle gives those of the connections that are Google's, with their statuses as their user should see them.
func (r *Resolver) ofGoogle(every []model.Connection) []model.Connection {
	var all []model.Connection
	for _, c := range every {
		if c.Provider == model.ProviderGoogle {
			c.Status = r.Linker.Status(c)
			all = append(all, c)
		}
	}
	return all
}

// accounts gives the linked accounts that can be asked: all, or the one of that address. Without an address, accounts
// that have expired are left out as long as one is left, and tell of themselves by an error beside the answer.
// NOT_CONNECTED, NOT_FOUND, NOT_CONFIGURED.
func (r *Resolver) accounts(ctx context.Context, v *viewer, field string, address *string) ([]model.Connection, error) {
	all, err := r.connections(ctx, v)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, r.notConnected(v, "")
	}
	if address != nil {
		for _, c := range all {
			if strings.EqualFold(c.Account, strings.TrimSpace(*address)) {
				return []model.Connection{c}, r.usable(v, c)
			}
		}
		return nil, model.NotFound(field, "no account %q is linked; linked are: %s", model.Clip(*address), addresses(all))
	}
	var usable, expired []model.Connection
	for _, c := range all {
		if r.usable(v, c) == nil {
			usable = append(usable, c)
		} else {
			expired = append(expired, c)
		}
	}
	if len(usable) == 0 {
		return nil, r.usable(v, expired[0])
	}
	for _, c := range expired {
		// What was tried out with the stand-in is of no use once Google is linked; there is nothing to mend, so nothing is
		// said.
		if c.StandIn == usable[0].StandIn {
			addError(ctx, r.usable(v, c))
		}
	}
	return usable, nil
}

func addresses(all []model.Connection) string {
	out := make([]string, len(all))
	for i, c := range all {
		out[i] = c.Account
	}
	return strings.Join(out, ", ")
}

// usable is NOT_CONNECTED for an account that must be linked again.
func (r *Resolver) usable(v *viewer, account model.Connection) error {
	if account.Status == model.ConnectionConnected {
		return nil
	}
	return r.notConnected(v, account.Account)
}

// notConnected says that no account is linked, or that this one must be linked again, and where.
func (r *Resolver) notConnected(v *viewer, account string) error {
	url := r.Linker.URL(v.user, r.Scopes, account)
	if url == "" {
		return model.Errorf(model.CodeNotConfigured,
			"this server has not been set up for Google; its operator sets ALMANAC_GOOGLE_CLIENT_ID")
	}
	e := model.Errorf(model.CodeNotConnected, "no Google account is linked; open connectUrl in a browser")
	if account != "" {
		e.Message = "the Google account " + account + " must be linked again; open connectUrl in a browser"
	}
	e.ConnectURL = url
	return e
}

// accountOf gives the linked account that an id leads to. An id of a connection that the viewer does not have is
// NOT_FOUND, in the words of any other id that leads nowhere.
func (r *Resolver) accountOf(ctx context.Context, v *viewer, field string, ref model.CalendarRef,
	id model.ID) (model.Connection, error) {
	all, err := r.connections(ctx, v)
	if err != nil {
		return model.Connection{}, err
	}
	for _, c := range all {
		if c.Number == ref.Connection {
			return c, r.usable(v, c)
		}
	}
	return model.Connection{}, model.NotFound(field, "you have no %s %s", kindNames[id.Kind], id)
}

// places gives the calendars meant: those named, else the primary one of each account meant. field is the path of the
// input or argument that holds calendarIds and account; empty for arguments.
func (r *Resolver) places(ctx context.Context, v *viewer, field string, ids []string,
	address *string) ([]place, error) {
	if len(ids) > model.MaxCalendarIDs {
		return nil, model.BadInput(under(field, "calendarIds"), "give at most %d calendars, not %d", model.MaxCalendarIDs,
			len(ids))
	}
	accounts, err := r.accounts(ctx, v, under(field, "account"), address)
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
		p, err := placeOf(under(field, "calendarIds."+strconv.Itoa(i)), text, accounts)
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
func (r *Resolver) onePlace(ctx context.Context, v *viewer, field string, id, address *string) (place, error) {
	var ids []string
	if id != nil {
		ids = []string{*id}
	}
	all, err := r.places(ctx, v, field, ids, address)
	if err != nil {
		if shown, ok := model.Mendable(err); ok && id != nil {
			shown.Field = model.FieldPath(under(field, "calendarId"))
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

// under joins a path and a name; an empty path is that of arguments.
func under(field, name string) string {
	if field == "" {
		return name
	}
	return field + "." + name
}
