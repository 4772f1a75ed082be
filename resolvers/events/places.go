package events

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// places returns the calendars meant by who changes something: those named, else the primary one of each account meant
// and, when no account is named, the own ones that are followed. field is the path of the input or argument that holds
// calendarIds and account; empty for arguments. NOT_CONNECTED when what is named leads to an account that must be
// linked again.
func (r *Resolver) places(ctx context.Context, v *core.Viewer, field string, ids []string,
	address *string) ([]place, error) {
	out, _, err := r.placesWhere(ctx, v, placesAsked{field: field, ids: ids, address: address},
		func(place) bool { return false })
	return out, err
}

// placesToRead is places for what is only read. Beside the primary calendar of an account stand those that are
// followed. Unless an account is named, one that must be linked again stays where its calendar is kept. unknown:
// another was left out, whose error is beside the answer.
func (r *Resolver) placesToRead(ctx context.Context, v *core.Viewer, field string, ids []string,
	address *string) (out []place, unknown bool, err error) {
	return r.placesWhere(ctx, v, placesAsked{field: field, ids: ids, address: address, followed: true}, r.kept(ctx, v))
}

// placesAsked is how calendars are named.
type placesAsked struct {
	field   string
	ids     []string
	address *string
	// followed: without ids, what is followed is meant beside the primary calendars.
	followed bool
}

// placesWhere is placesToRead, given of which calendars enough is kept.
func (r *Resolver) placesWhere(ctx context.Context, v *core.Viewer, asked placesAsked,
	keeps func(place) bool) (out []place, unknown bool, err error) {
	switch {
	case len(asked.ids) > model.MaxCalendarIDs:
		return nil, false, model.BadInput(core.Under(asked.field, "calendarIds"), "give at most %d calendars, not %d",
			model.MaxCalendarIDs, len(asked.ids))
	case len(asked.ids) > 0:
		out, err = r.namedPlaces(ctx, v, asked, keeps)
		return out, false, err
	case asked.address != nil:
		accounts, err := r.Accounts(ctx, v, core.Under(asked.field, "account"), asked.address)
		if err == nil {
			out, unknown, err = r.placesOf(ctx, v, accounts, asked.followed)
		}
		return out, unknown, err
	}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, false, err
	}
	accounts, left := r.Parted(v, all, func(c model.Connection) bool { return keeps(place{account: c}) })
	if out, unknown, err = r.placesOf(ctx, v, accounts, asked.followed); err != nil {
		return nil, false, err
	}
	own, err := r.ownPlaces(ctx, v)
	if err != nil {
		return nil, false, err
	}
	out = append(out, own...)
	if len(out) == 0 && len(left) > 0 {
		return nil, false, r.Usable(v, left[0])
	}
	for _, account := range left {
		core.AddError(ctx, r.Usable(v, account))
	}
	return out, unknown || len(left) > 0, nil
}

// placesOf are the primary calendars of accounts and, where wanted, the others of which copies are followed. unknown:
// of an account that must be linked again one is not kept, which an error beside the answer says.
func (r *Resolver) placesOf(ctx context.Context, v *core.Viewer, accounts []model.Connection,
	followed bool) (out []place, unknown bool, err error) {
	var kept []model.KeptCalendar
	if followed && r.copies {
		if kept, err = r.Store.KeptCalendars(ctx, v.User); err != nil {
			return nil, false, err
		}
	}
	for _, account := range accounts {
		out = append(out, place{account: account})
		missing := false
		for _, c := range kept {
			switch {
			case c.Connection != account.Number || c.Primary || !c.Followed:
			case r.ToRead(v, account, func() bool { return gcal.Readable(c) }) != nil:
				missing = true
			default:
				out = append(out, place{account, c.Ref().Calendar})
			}
		}
		if missing {
			unknown = true
			core.AddError(ctx, r.Usable(v, account))
		}
	}
	return out, unknown, nil
}

// namedPlaces returns the calendars of ids and addresses, each once.
func (r *Resolver) namedPlaces(ctx context.Context, v *core.Viewer, asked placesAsked,
	keeps func(place) bool) (out []place, err error) {
	var accounts []model.Connection
	for i, text := range asked.ids {
		p, own := ownPlace(v, text)
		if !own || asked.address != nil {
			at := core.Under(asked.field, "calendarIds."+strconv.Itoa(i))
			if _, _, err := calendarName(at, text); err != nil {
				return nil, err
			}
			if accounts == nil {
				if accounts, err = r.accountsNamed(ctx, v, asked); err != nil {
					return nil, err
				}
			}
			if p, err = placeOf(at, text, accounts); err == nil {
				err = r.ToRead(v, p.account, func() bool { return keeps(p) })
			}
			if err != nil {
				return nil, err
			}
		}
		if !slices.ContainsFunc(out, func(other place) bool { return other.ref() == p.ref() }) {
			out = append(out, p)
		}
	}
	return out, nil
}

// accountsNamed are the accounts of which calendars may be named, those that can be asked first. NOT_CONNECTED when
// there are none, or the one of an address must be linked again.
func (r *Resolver) accountsNamed(ctx context.Context, v *core.Viewer, asked placesAsked) ([]model.Connection, error) {
	if asked.address != nil {
		return r.Accounts(ctx, v, core.Under(asked.field, "account"), asked.address)
	}
	all, err := r.Connections(ctx, v)
	if err == nil && len(all) == 0 {
		err = r.NotConnected(v, "")
	}
	usable, left := r.Parted(v, all, nil)
	return append(usable, left...), err
}

// kept returns whether a calendar is kept, and read.
func (r *Resolver) kept(ctx context.Context, v *core.Viewer) func(place) bool {
	kept := sync.OnceValue(func() []model.KeptCalendar {
		all, err := r.Store.KeptCalendars(ctx, v.User)
		if err != nil {
			return nil // what reads the events next says so
		}
		return all
	})
	return func(p place) bool {
		_, used := r.copyOf(kept(), p)
		return used
	}
}

// Keeps says of an account whether its primary calendar is kept, and read.
func (r *Resolver) Keeps(ctx context.Context, v *core.Viewer) func(model.Connection) bool {
	kept := r.kept(ctx, v)
	return func(account model.Connection) bool { return kept(place{account: account}) }
}

// toRead is what is wrong with an account for who only reads a calendar of it, given what is wrong for everybody:
// nothing, where it must be linked again and the calendar is kept.
func (r *Resolver) toRead(ctx context.Context, v *core.Viewer, p place, wrong error) error {
	if model.CodeOf(wrong) != model.CodeNotConnected {
		return wrong
	}
	if r.ToRead(v, p.account, func() bool { return r.kept(ctx, v)(p) }) == nil {
		return nil
	}
	return wrong
}

// ownPlaces returns the own calendars that are followed.
func (r *Resolver) ownPlaces(ctx context.Context, v *core.Viewer) (out []place, err error) {
	account := ownConnection(v)
	calendars, err := r.calendars.Calendars(ctx, account)
	for _, calendar := range calendars {
		if calendar.Selected {
			out = append(out, place{account, calendar.Ref.Calendar})
		}
	}
	return out, err
}

// linkedAccounts is Accounts, but without an address it may be that none is linked.
func (r *Resolver) linkedAccounts(ctx context.Context, v *core.Viewer, field string,
	address *string) ([]model.Connection, error) {
	if address == nil {
		all, err := r.Connections(ctx, v)
		if err != nil || len(all) == 0 {
			return nil, err
		}
	}
	return r.Accounts(ctx, v, core.Under(field, "account"), address)
}

// listedAccounts are the accounts whose calendars are listed: all, or the one of that address. Unless it is named, one
// that must be linked again is among them where its list is kept.
func (r *Resolver) listedAccounts(ctx context.Context, v *core.Viewer, address *string) ([]model.Connection, error) {
	if address != nil {
		return r.linkedAccounts(ctx, v, "", address)
	}
	all, err := r.Connections(ctx, v)
	if err != nil {
		return nil, err
	}
	accounts, left := r.Parted(v, all, func(c model.Connection) bool {
		state, known := r.listState(ctx, c)
		return r.copies && known && state.List != ""
	})
	if len(accounts) == 0 && len(left) > 0 {
		return nil, r.Usable(v, left[0])
	}
	for _, account := range left {
		core.AddError(ctx, r.Usable(v, account))
	}
	return accounts, nil
}

// listState is how far the list of an account's calendars was followed.
func (r *Resolver) listState(ctx context.Context, account model.Connection) (state store.SyncState, known bool) {
	states, err := r.Store.SyncStates(ctx, account.User, account.ID)
	if err != nil {
		return state, false // what reads the list next says so
	}
	return store.StateOf(states, model.CalendarListFeed)
}

// checkLists has the lists of accounts synced that were not just now. What could not be asked is an error beside the
// answer, which has the list as it was.
func (r *Resolver) checkLists(ctx context.Context, v *core.Viewer, accounts []model.Connection) {
	due := slices.DeleteFunc(slices.Clone(accounts), func(c model.Connection) bool {
		state, known := r.listState(ctx, c)
		return !known || r.Usable(v, c) == nil && v.Now.Sub(state.Seen) <= freshFor
	})
	within, cancel := context.WithTimeout(ctx, checkFor)
	defer cancel()
	_, failures := core.AskEach(due, func(c model.Connection) (struct{}, error) {
		if err := r.Usable(v, c); err != nil {
			return struct{}{}, err
		}
		return struct{}{}, r.follower.Refresh(within, c, model.CalendarListFeed)
	})
	for i, failure := range failures {
		if model.CodeOf(failure) == model.CodeNotConnected {
			failure = r.NotConnected(v, due[i].Account)
		}
		if failure != nil {
			core.AddError(ctx, failure)
		}
	}
}

// ownConnection stands for the viewer's own calendars where an account is asked for.
func ownConnection(v *core.Viewer) model.Connection { return model.Connection{User: v.User} }

// ownPlace reads the id of an own calendar.
func ownPlace(v *core.Viewer, text string) (p place, own bool) {
	id, err := model.ParseID(text)
	if err != nil {
		return p, false
	}
	ref, err := model.CalendarRefOf(id)
	if err != nil {
		return p, false
	}
	_, own = ref.OwnNumber()
	return place{ownConnection(v), ref.Calendar}, own
}

// CalendarFor reads the id of a calendar that new events can go to. An account is asked for its calendars unless the
// primary one is meant. NOT_FOUND; BAD_USER_INPUT for what is no such id, and for a calendar that is only read;
// NOT_CONNECTED.
func (r *Resolver) CalendarFor(ctx context.Context, v *core.Viewer, field, text string) (model.CalendarRef, error) {
	account, ref, err := r.accountOfCalendar(ctx, v, field, text)
	if err != nil || ref.Connection > 0 && ref.Calendar == "" {
		return ref, err
	}
	calendars, err := r.calendars.Calendars(ctx, account)
	if err != nil {
		return ref, err
	}
	for _, calendar := range calendars {
		switch {
		case calendar.Ref != ref:
		case calendar.AccessRole == model.RoleOwner || calendar.AccessRole == model.RoleWriter:
			return ref, nil
		default:
			return ref, model.BadInput(field, "%s can only be read", model.Clip(calendar.Summary))
		}
	}
	return ref, noSuchCalendar(field, text)
}

// accountOfCalendar reads the id of a calendar and returns its account. NOT_FOUND, BAD_USER_INPUT, NOT_CONNECTED.
func (r *Resolver) accountOfCalendar(ctx context.Context, v *core.Viewer, field,
	text string) (account model.Connection, ref model.CalendarRef, err error) {
	id, err := model.ParseID(text)
	if err == nil {
		ref, err = model.CalendarRefOf(id)
	}
	if err != nil {
		return account, ref, core.NotAnID(field, text, "the id of a calendar")
	}
	account, err = r.AccountOf(ctx, v, field, ref, id)
	return account, ref, err
}

func noSuchCalendar(field, text string) error {
	return model.NotFound(field, "you have no calendar %s", model.Clip(text))
}

// defaultPlace returns the default calendar of the settings; nil when there is none any more, with what the caller is
// to know of it. NOT_CONNECTED when its account must be linked again: an event does not go elsewhere for a while.
func (r *Resolver) defaultPlace(ctx context.Context, v *core.Viewer) (*place, []projections.EventNote, error) {
	account, ref, err := r.accountOfCalendar(ctx, v, "", v.DefaultCalendar)
	if _, own := ref.OwnNumber(); own && err == nil {
		var calendars []model.Calendar
		calendars, err = r.calendars.Calendars(ctx, account)
		if !slices.ContainsFunc(calendars, func(c model.Calendar) bool { return c.Ref == ref }) && err == nil {
			err = noSuchCalendar("", v.DefaultCalendar)
		}
	}
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		id := v.DefaultCalendar
		text := "the default calendar of your settings is not there any more, so the event did not go to it; choose " +
			"another with updateSettings"
		if v.Locale == "he" {
			text = "יומן ברירת המחדל שבהגדרות כבר לא קיים, ולכן האירוע לא נוסף אליו; אפשר לבחור אחר ב-updateSettings"
		}
		return nil, []projections.EventNote{{Code: model.CodeNotFound, Message: text, CalendarID: &id}}, nil
	case err != nil:
		return nil, nil, err
	}
	return &place{account, ref.Calendar}, nil, nil
}

// onePlace returns the calendar that something new goes to: the one that is named, else the default one, else the
// primary one of the first account, else the first own one, which is made with its first event.
func (r *Resolver) onePlace(ctx context.Context, v *core.Viewer, field string,
	id, address *string) (_ place, notes []projections.EventNote, err error) {
	if id == nil {
		if address == nil && v.DefaultCalendar != "" {
			var chosen *place
			if chosen, notes, err = r.defaultPlace(ctx, v); err != nil || chosen != nil {
				return *cmp.Or(chosen, new(place)), nil, err
			}
		}
		accounts, err := r.linkedAccounts(ctx, v, field, address)
		switch {
		case err != nil:
			return place{}, nil, err
		case len(accounts) == 0:
			return place{account: ownConnection(v)}, notes, nil
		}
		return place{account: accounts[0]}, notes, nil
	}
	all, err := r.places(ctx, v, field, []string{*id}, address)
	if err != nil {
		if shown, ok := model.Mendable(err); ok {
			shown.Field = model.FieldPath(core.Under(field, "calendarId"))
		}
		return place{}, nil, err
	}
	return all[0], nil, nil
}

// placeOf finds a calendar by its id or its address. An address that is an account's own means its primary calendar;
// any other is looked for through the first account.
func placeOf(field, text string, accounts []model.Connection) (place, error) {
	ref, address, err := calendarName(field, text)
	if err != nil {
		return place{}, err
	}
	if address == "" {
		for _, account := range accounts {
			if account.Number == ref.Connection {
				return place{account, ref.Calendar}, nil
			}
		}
		return place{}, noSuchCalendar(field, text)
	}
	if address == "primary" {
		return place{account: accounts[0]}, nil
	}
	for _, account := range accounts {
		if strings.EqualFold(account.Account, address) {
			return place{account: account}, nil
		}
	}
	return place{accounts[0], address}, nil
}

// calendarName reads a calendar's id, or its address; "primary" is one. BAD_USER_INPUT.
func calendarName(field, text string) (ref model.CalendarRef, address string, err error) {
	if id, err := model.ParseID(text); err == nil && id.Kind == model.KindCalendar {
		if ref, err = model.CalendarRefOf(id); err != nil {
			return ref, "", model.BadInput(field, "%q is not the id of a calendar", model.Clip(text))
		}
		return ref, "", nil
	}
	address = strings.TrimSpace(text)
	if address != "primary" && (!strings.Contains(address, "@") || len(address) > maxCalendarAddress ||
		strings.Contains(address, " ") || !model.SoundRemoteID(address)) {
		return ref, "", model.BadInput(field,
			"%q is neither the id of a calendar (calendar_…) nor an address such as alice@example.com", model.Clip(text))
	}
	return ref, address, nil
}

// maxCalendarAddress is beyond any address that Google gives a calendar.
const maxCalendarAddress = 320

// placeCache is what the items of one request share: places are looked up once for each pair of account and calendar.
type placeCache struct {
	r     *Resolver
	v     *core.Viewer
	known map[[2]string]place
	// notes are what the caller is to know of the places.
	notes []projections.EventNote
}

func (r *Resolver) placeCache(v *core.Viewer) *placeCache {
	return &placeCache{r: r, v: v, known: make(map[[2]string]place)}
}

// locate finds the place of a new event, and names what will be made; index is its place among those of the mutation.
func (c *placeCache) locate(ctx context.Context, event *newEvent, index int) error {
	key := [2]string{textOf(event.calendar), textOf(event.account)}
	found, known := c.known[key]
	if !known {
		var notes []projections.EventNote
		var err error
		if found, notes, err = c.r.onePlace(ctx, c.v, event.path, event.calendar, event.account); err != nil {
			return err
		}
		c.known[key], c.notes = found, append(c.notes, notes...)
	}
	event.place, event.insert.SourceID = found, c.r.sourceID(ctx, index)
	return nil
}

// textOf returns a text that may be missing in a form in which missing is like no text.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return "=" + *text
}

// sourceIDs writes ids as Google takes them from clients: base32hex in lower case (RFC 2938).
var sourceIDs = base32.HexEncoding.WithPadding(base32.NoPadding)

// sourceID is the remote's id of what this mutation makes: the index-th thing of its field. Under an Idempotency-Key it
// is the same in every repetition, so that all of them together make one thing.
func (r *Resolver) sourceID(ctx context.Context, index int) string {
	id := r.NewID()
	if seed, ok := model.SeedFrom(ctx); ok {
		text := append([]byte("almanac event\x00"), seed[:]...)
		text = append(text, graphql.GetFieldContext(ctx).Field.Alias...)
		sum := sha256.Sum256(binary.BigEndian.AppendUint32(append(text, 0), uint32(index)))
		copy(id[:], sum[:])
	}
	return strings.ToLower(sourceIDs.EncodeToString(id[:]))
}
