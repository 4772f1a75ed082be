package calfiles

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/ical"
)

// A secret is the user's id and so much chance, in URL-safe base64. The id says nothing by itself; with it a
// publication is found without an index over all users.
const secretBytes = 32

// SecretLength is how many characters a secret has.
const SecretLength = (16 + secretBytes) * 4 / 3

// newSecret returns the secret of a new publication and its hash.
func newSecret(user model.UserID) (string, [32]byte) {
	packed := make([]byte, 0, len(user)+secretBytes)
	packed = append(packed, user[:]...)
	packed = packed[:cap(packed)]
	_, _ = rand.Read(packed[len(user):]) // never fails (Go 1.24)
	secret := base64.RawURLEncoding.EncodeToString(packed)
	return secret, hashOf(secret)
}

// hashOf is what is kept of a secret or of a feed's address. A secret of this much chance needs no salt and no slow
// hash.
func hashOf(secret string) [32]byte { return sha256.Sum256([]byte("almanac feed v1\x00" + secret)) }

// Publish publishes a calendar under a new secret in the place of the one before, in a transaction of the user. The
// secret is returned this once.
func (f *Files) Publish(ctx context.Context, tx store.Tx, user model.UserID, calendar int,
	form model.CalendarForm) (secret string, link model.CalendarLink, err error) {
	kind := model.CalendarLinkKind(form)
	if err := tx.DeleteCalendarLink(ctx, calendar, kind); err != nil && !isNotFound(err) {
		return "", link, err
	}
	link = model.CalendarLink{User: user, Calendar: calendar, Kind: kind, Sealed: []byte{}, CreatedAt: f.Now()}
	secret, link.Hash = newSecret(user)
	return secret, link, tx.SaveCalendarLink(ctx, link)
}

// Publication finds the calendar that a secret opens. NOT_FOUND for any other text.
func (f *Files) Publication(ctx context.Context, secret string) (link model.CalendarLink, err error) {
	nothing := model.NotFound("", "there is no calendar at this address")
	packed, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	if err != nil || len(packed) != len(link.User)+secretBytes {
		return link, nothing
	}
	user, hash := model.UserID(packed[:len(link.User)]), hashOf(secret)
	links, err := f.Store.CalendarLinks(ctx, user)
	if err != nil {
		return link, err
	}
	found := false
	for _, one := range links {
		if subtle.ConstantTimeCompare(one.Hash[:], hash[:]) == 1 && one.Kind != model.LinkFeed {
			link, found = one, true
		}
	}
	if !found {
		return link, nothing
	}
	return link, nil
}

// ExportNumber is Export of a whole calendar by its number. NOT_FOUND.
func (f *Files) ExportNumber(ctx context.Context, user model.UserID, calendar int) (ical.Heading, []ical.Event,
	error) {
	found, err := kept(ctx, f.Store, user, calendar)
	if err != nil {
		return ical.Heading{}, nil, err
	}
	return f.Export(ctx, user, found, Window{})
}

// Render writes a calendar by its number. NOT_FOUND; other errors are those of Export.
func (f *Files) Render(ctx context.Context, user model.UserID, calendar int, window Window,
	form model.CalendarForm) ([]byte, error) {
	found, err := kept(ctx, f.Store, user, calendar)
	if err != nil {
		return nil, err
	}
	text, _, err := f.Text(ctx, user, found, window, form)
	return text, err
}
