package events

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/resolvers/core"
)

// places returns the calendars meant: those named, else the primary one of each account meant. field is the path of the
// input or argument that holds calendarIds and account; empty for arguments.
func (r *Resolver) places(ctx context.Context, v *core.Viewer, field string, ids []string,
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
	all, err := r.places(ctx, v, field, ids, address)
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

// placeCache is what the items of one request share: places are looked up once for each pair of account and calendar.
type placeCache struct {
	r     *Resolver
	v     *core.Viewer
	known map[[2]string]place
}

func (r *Resolver) placeCache(v *core.Viewer) *placeCache {
	return &placeCache{r: r, v: v, known: make(map[[2]string]place)}
}

// locate finds the place of a new event, and names what will be made; index is its place among those of the mutation.
func (c *placeCache) locate(ctx context.Context, event *newEvent, index int) error {
	key := [2]string{textOf(event.calendar), textOf(event.account)}
	found, known := c.known[key]
	if !known {
		var err error
		if found, err = c.r.onePlace(ctx, c.v, event.path, event.calendar, event.account); err != nil {
			return err
		}
		c.known[key] = found
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
