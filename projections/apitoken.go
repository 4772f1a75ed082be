package projections

import "almanac/graph/model"

// APIToken is an API token as seen at a moment.
type APIToken struct{ node[model.APIToken] }

// APITokenAt returns the token's view.
func APITokenAt(record model.APIToken, at *Moment) APIToken { return APIToken{nodeAt(record, at)} }

// APITokensAt returns the tokens' views; never nil.
func APITokensAt(records []model.APIToken, at *Moment) []APIToken {
	return viewsOf(records, at, APITokenAt)
}

// Key is what names it.
func (t APIToken) Key() string { return string(t.record.ID.AppendText(nil)) }

// Name is what the user calls it.
func (t APIToken) Name() string { return t.record.Name }

// Scopes are what it allows.
func (t APIToken) Scopes() []model.Scope { return t.record.Scopes }

// Recipients are whom it may send e-mail to; never nil.
func (t APIToken) Recipients() []string { return present(t.record.Recipients) }

// PaidPerHour is how many questions that cost money it may put an hour; nil without a bound of its own.
func (t APIToken) PaidPerHour() *int32 {
	if t.record.PaidPerHour == 0 {
		return nil
	}
	return new(int32(max(t.record.PaidPerHour, 0)))
}

// CreatedAt is when it was made.
func (t APIToken) CreatedAt() model.DateTime { return t.at.DateTime(t.record.CreatedAt) }

// ExpiresAt is when it ends by itself.
func (t APIToken) ExpiresAt() model.OptionalDateTime {
	return t.at.OptionalDateTime(t.record.ExpiresAt)
}

// RevokedAt is when it was revoked.
func (t APIToken) RevokedAt() model.OptionalDateTime {
	return t.at.OptionalDateTime(t.record.RevokedAt)
}

// LastUsedAt is when it was used last.
func (t APIToken) LastUsedAt() model.OptionalDateTime {
	return t.at.OptionalDateTime(t.record.LastUsedAt)
}

// Valid reports whether it is good now.
func (t APIToken) Valid() bool {
	return t.record.RevokedAt.IsZero() && (t.record.ExpiresAt.IsZero() || t.at.Now.Before(t.record.ExpiresAt))
}

// AuditEntry is an entry of the audit log as seen at a moment.
type AuditEntry struct{ node[model.AuditEntry] }

// AuditEntriesAt returns the entries' views; never nil.
func AuditEntriesAt(records []model.AuditEntry, at *Moment) []AuditEntry {
	return viewsOf(records, at, func(record model.AuditEntry, at *Moment) AuditEntry {
		return AuditEntry{nodeAt(record, at)}
	})
}

// Key is what names it.
func (e AuditEntry) Key() string { return string(e.record.ID.AppendText(nil)) }

// At is when it was.
func (e AuditEntry) At() model.DateTime { return e.at.DateTime(e.record.At) }

// Kind is what was done.
func (e AuditEntry) Kind() string { return e.record.Kind }

// Outcome is what came of it.
func (e AuditEntry) Outcome() string { return e.record.Outcome }

// Via is the way in which it came.
func (e AuditEntry) Via() string { return string(e.record.Source) }

// Token is the name of the API token, nil for none.
func (e AuditEntry) Token() *string { return optional(e.record.Token) }

// Client is what the client calls itself, nil for nothing.
func (e AuditEntry) Client() *string { return optional(e.record.Client) }

// Address is where it came from, nil when it is not known.
func (e AuditEntry) Address() *string { return optional(e.record.Address) }

// AuditEdge is an entry in a page.
type AuditEdge = Edge[AuditEntry]

// AuditConnection is a page of the audit log.
type AuditConnection struct{ Page[AuditEntry] }
