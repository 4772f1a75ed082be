package projections

import "almanac/graph/model"

// LinkedAccount is a connection as seen at a moment, or what stands for one that is not there.
type LinkedAccount struct {
	node[model.Connection]
	missing []string
	url     string
}

// LinkedAccountAt returns the connection's view. missing are the scopes that it lacks, url is where to link it.
func LinkedAccountAt(record model.Connection, missing []string, url string, at *Moment) LinkedAccount {
	return LinkedAccount{nodeAt(record, at), missing, url}
}

// ID is the public id.
func (l LinkedAccount) ID() model.ID { return model.ID{Kind: model.KindConnection, UUID: l.record.ID} }

// Provider is the remote system.
func (l LinkedAccount) Provider() model.Provider { return l.record.Provider }

// Account is its e-mail address, nil when none is linked.
func (l LinkedAccount) Account() *string { return optional(l.record.Account) }

// Status is whether it can be used.
func (l LinkedAccount) Status() string { return string(l.record.Status) }

// Scopes are what the user granted; never nil.
func (l LinkedAccount) Scopes() []string { return append([]string{}, l.record.Scopes...) }

// MissingScopes are what the user would have to grant; never nil.
func (l LinkedAccount) MissingScopes() []string { return append([]string{}, l.missing...) }

// ConnectURL is where to link it, nil when the server is not set up for it.
func (l LinkedAccount) ConnectURL() *string { return optional(l.url) }

// StandIn reports whether it belongs to the stand-in.
func (l LinkedAccount) StandIn() bool { return l.record.StandIn }

// LinkedAt is when it was linked.
func (l LinkedAccount) LinkedAt() model.OptionalDateTime {
	return l.at.OptionalDateTime(l.record.LinkedAt)
}
