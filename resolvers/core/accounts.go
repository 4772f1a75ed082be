package core

import (
	"context"
	"strings"

	"almanac/graph/model"
)

// Connections returns the viewer's linked accounts of Google, by number.
func (r *Base) Connections(ctx context.Context, v *Viewer) ([]model.Connection, error) {
	all, err := r.Store.Connections(ctx, v.User)
	return r.OfGoogle(all), err
}

// OfGoogle returns those of the connections that are Google's, with their statuses as their user should see them.
func (r *Base) OfGoogle(every []model.Connection) []model.Connection {
	var all []model.Connection
	for _, c := range every {
		if c.Provider == model.ProviderGoogle {
			c.Status = r.Linker.Status(c)
			all = append(all, c)
		}
	}
	return all
}

// LinkedCalendar names a calendar of a linked account, as in model.CalendarRef: empty for the primary one.
type LinkedCalendar struct {
	Account  model.Connection
	Calendar string
}

// Accounts returns the linked accounts that can be asked: all, or the one of that address. Without an address, accounts
// that have expired are left out as long as one is left, and tell of themselves by an error beside the answer.
// NOT_CONNECTED, NOT_FOUND, NOT_CONFIGURED.
func (r *Base) Accounts(ctx context.Context, v *Viewer, field string, address *string) ([]model.Connection, error) {
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, r.NotConnected(v, "")
	}
	if address != nil {
		for _, c := range all {
			if strings.EqualFold(c.Account, strings.TrimSpace(*address)) {
				return []model.Connection{c}, r.Usable(v, c)
			}
		}
		return nil, model.NotFound(field, "no account %q is linked; linked are: %s", model.Clip(*address), addresses(all))
	}
	usable, left := r.Parted(v, all, nil)
	if len(usable) == 0 {
		return nil, r.Usable(v, left[0])
	}
	for _, c := range left {
		AddError(ctx, r.Usable(v, c))
	}
	return usable, nil
}

// Parted parts linked accounts into those that are of use, in their order, and those that must be linked again first
// and should say so. One that has expired is of use, to who only reads, where keeps says that something of it is kept;
// nil: nothing is.
func (r *Base) Parted(v *Viewer, all []model.Connection,
	keeps func(model.Connection) bool) (usable, left []model.Connection) {
	var expired []model.Connection
	for _, c := range all {
		if r.ToRead(v, c, func() bool { return keeps != nil && keeps(c) }) == nil {
			usable = append(usable, c)
		} else {
			expired = append(expired, c)
		}
	}
	for _, c := range expired {
		// What was tried out with the stand-in is of no use once Google is linked; there is nothing to mend, so nothing is
		// said.
		if len(usable) == 0 || c.StandIn == usable[0].StandIn {
			left = append(left, c)
		}
	}
	return usable, left
}

// Lapsed reports whether an account is one that this server works with, and must be linked again.
func (r *Base) Lapsed(c model.Connection) bool {
	linked := c
	linked.Status = model.ConnectionConnected
	return c.Number > 0 && c.Status != model.ConnectionConnected &&
		r.Linker.Status(linked) == model.ConnectionConnected
}

func addresses(all []model.Connection) string {
	out := make([]string, len(all))
	for i, c := range all {
		out[i] = c.Account
	}
	return strings.Join(out, ", ")
}

// ToRead is Usable for who only reads: nothing is wrong either with one that has lapsed, where keeps says that what is
// read of it is kept. It is the one place where that is decided.
func (r *Base) ToRead(v *Viewer, account model.Connection, keeps func() bool) error {
	wrong := r.Usable(v, account)
	if wrong != nil && r.Lapsed(account) && keeps() {
		return nil
	}
	return wrong
}

// Usable is NOT_CONNECTED for an account that must be linked again.
func (r *Base) Usable(v *Viewer, account model.Connection) error {
	if account.Status == model.ConnectionConnected {
		return nil
	}
	return r.NotConnected(v, account.Account)
}

// NotConnected says that no account is linked, or that this one must be linked again, and where.
func (r *Base) NotConnected(v *Viewer, account string) error {
	url := r.Linker.URL(v.User, r.Scopes, account)
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

// AccountOf returns the linked account that an id leads to. An id of a connection that the viewer does not have is
// NOT_FOUND, in the words of any other id that leads nowhere. An own calendar leads to the connection of number 0, of
// which the user alone is known.
func (r *Base) AccountOf(ctx context.Context, v *Viewer, field string, ref model.CalendarRef,
	id model.ID) (model.Connection, error) {
	if _, own := ref.OwnNumber(); own {
		return model.Connection{User: v.User}, nil
	}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return model.Connection{}, err
	}
	for _, c := range all {
		if c.Number == ref.Connection {
			return c, r.Usable(v, c)
		}
	}
	return model.Connection{}, model.NotFound(field, "you have no %s %s", KindNames[id.Kind], id)
}

// Linker links and unlinks accounts.
type Linker interface {
	// URL is where the user links an account of Google, or grants the scopes that are missing; account may be empty. It is
	// empty when the server is not set up for Google.
	URL(user model.UserID, scopes []string, account string) string
	// Status is a connection's status as its user should see it: one made with the stand-in is of no use with Google
	// itself, nor the other way round.
	Status(connection model.Connection) model.ConnectionStatus
	// Disconnect revokes and erases a connection. What was not revoked at the provider is erased all the same; revoked
	// tells.
	Disconnect(ctx context.Context, connection model.Connection) (revoked bool, err error)
}
