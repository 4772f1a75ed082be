package store

import "almanac/graph/model"

// ConnectionTable has the columns of linked accounts, and CredentialsTable those of the same rows that are secrets.
var (
	ConnectionTable = Table[model.Connection, Whole]{Name: "connections", Columns: []Column[model.Connection, Whole]{
		{Name: "id", Field: func(c *model.Connection) any { return &c.ID }},
		{Name: "number", Once: true, Field: func(c *model.Connection) any { return &c.Number }},
		{Name: "provider", Once: true, Field: func(c *model.Connection) any { return (*string)(&c.Provider) }},
		{Name: "account", Once: true, Field: func(c *model.Connection) any { return &c.Account }},
		{Name: "status", Field: func(c *model.Connection) any { return (*string)(&c.Status) }},
		{Name: "scopes", Kind: Words, Field: func(c *model.Connection) any { return &c.Scopes }},
		{Name: "stand_in", Field: func(c *model.Connection) any { return &c.StandIn }},
		{Name: "linked_at", Once: true, Field: func(c *model.Connection) any { return &c.LinkedAt }},
		{Name: "updated_at", Field: func(c *model.Connection) any { return &c.UpdatedAt }},
	}}
	CredentialsTable = Table[model.Credentials, Whole]{Name: "connections", Columns: []Column[model.Credentials, Whole]{
		{Name: "id", Field: func(c *model.Credentials) any { return &c.Connection }},
		{Name: "refresh_token", Kind: Optional, Field: func(c *model.Credentials) any { return &c.Refresh }},
		{Name: "access_token", Kind: Optional, Field: func(c *model.Credentials) any { return &c.Access }},
		{Name: "access_expires_at", Kind: Optional, Field: func(c *model.Credentials) any { return &c.AccessExpires }},
	}}
)

// SyncTable has the columns of sync states.
var SyncTable = Table[SyncState, Whole]{Name: "sync_states", Columns: []Column[SyncState, Whole]{
	{Name: "connection_id", Once: true, Field: func(s *SyncState) any { return &s.Connection }},
	{Name: "calendar", Once: true, Field: func(s *SyncState) any { return &s.Calendar }},
	{Name: "token", Field: func(s *SyncState) any { return &s.Token }},
	{Name: "seen_at", Kind: Optional, Field: func(s *SyncState) any { return &s.Seen }},
	{Name: "next_at", Kind: Optional, Field: func(s *SyncState) any { return &s.NextAt }},
	{Name: "failures", Field: func(s *SyncState) any { return &s.Failures }},
	{Name: "channel", Field: func(s *SyncState) any { return &s.Channel }},
	{Name: "resource", Field: func(s *SyncState) any { return &s.Resource }},
	{Name: "channel_ends_at", Kind: Optional, Field: func(s *SyncState) any { return &s.ChannelEnds }},
	{Name: "list", Field: func(s *SyncState) any { return &s.List }},
}}

// TokenTable has the columns of API tokens.
var TokenTable = Table[model.APIToken, Whole]{Name: "api_tokens", Columns: []Column[model.APIToken, Whole]{
	{Name: "id", Field: func(t *model.APIToken) any { return &t.ID }},
	{Name: "name", Field: func(t *model.APIToken) any { return &t.Name }},
	{Name: "secret_hash", Field: func(t *model.APIToken) any { return &t.SecretHash }},
	{Name: "scopes", Field: func(t *model.APIToken) any { return &t.Scopes }},
	{Name: "created_at", Field: func(t *model.APIToken) any { return &t.CreatedAt }},
	{Name: "expires_at", Kind: Optional, Field: func(t *model.APIToken) any { return &t.ExpiresAt }},
	{Name: "revoked_at", Kind: Optional, Field: func(t *model.APIToken) any { return &t.RevokedAt }},
	{Name: "last_used_at", Kind: Optional, Field: func(t *model.APIToken) any { return &t.LastUsedAt }},
	{Name: "recipients", Kind: Words, Field: func(t *model.APIToken) any { return &t.Recipients }},
	{Name: "paid_per_hour", Field: func(t *model.APIToken) any { return &t.PaidPerHour }},
}}

// AuditTable has the columns of the audit log.
var AuditTable = Table[model.AuditEntry, Whole]{Name: "audit_log", Columns: []Column[model.AuditEntry, Whole]{
	{Name: "id", Field: func(e *model.AuditEntry) any { return &e.ID }},
	{Name: "at", Field: func(e *model.AuditEntry) any { return &e.At }},
	{Name: "kind", Field: func(e *model.AuditEntry) any { return &e.Kind }},
	{Name: "outcome", Field: func(e *model.AuditEntry) any { return &e.Outcome }},
	{Name: "source", Field: func(e *model.AuditEntry) any { return (*string)(&e.Source) }},
	{Name: "token", Field: func(e *model.AuditEntry) any { return &e.Token }},
	{Name: "client", Field: func(e *model.AuditEntry) any { return &e.Client }},
	{Name: "address", Field: func(e *model.AuditEntry) any { return &e.Address }},
	{Name: "forget_at", Field: func(e *model.AuditEntry) any { return &e.ForgetAt }},
}}

// OutgoingColumns says what of an e-mail of the outbox is wanted: the message itself only for the one that is sent.
type OutgoingColumns uint32

// OutgoingMessage asks for the message.
const OutgoingMessage OutgoingColumns = 1

// OutgoingTable has the columns of the outbox.
var OutgoingTable = Table[model.OutgoingEmail, OutgoingColumns]{Name: "outbox",
	Columns: []Column[model.OutgoingEmail, OutgoingColumns]{
		{Name: "id", Field: func(m *model.OutgoingEmail) any { return &m.ID }},
		{Name: "connection_id", Once: true, Field: func(m *model.OutgoingEmail) any { return &m.Connection }},
		{Name: "account", Once: true, Field: func(m *model.OutgoingEmail) any { return &m.Account }},
		{Name: "state", Field: func(m *model.OutgoingEmail) any { return (*string)(&m.State) }},
		{Name: "hash", Once: true, Field: func(m *model.OutgoingEmail) any { return &m.Hash }},
		{Name: "thread", Once: true, Field: func(m *model.OutgoingEmail) any { return &m.Thread }},
		{Name: "created_at", Once: true, Field: func(m *model.OutgoingEmail) any { return &m.CreatedAt }},
		{Name: "send_at", Kind: Optional, Field: func(m *model.OutgoingEmail) any { return &m.SendAt }},
		{Name: "expires_at", Field: func(m *model.OutgoingEmail) any { return &m.ExpiresAt }},
		{Name: "holder", Kind: Optional, Field: func(m *model.OutgoingEmail) any { return &m.Holder }},
		{Name: "held_until", Kind: Optional, Field: func(m *model.OutgoingEmail) any { return &m.HeldUntil }},
		{Name: "draft", Field: func(m *model.OutgoingEmail) any { return &m.Draft }},
		{Name: "sent", Field: func(m *model.OutgoingEmail) any { return &m.Sent }},
		{Name: "sent_thread", Field: func(m *model.OutgoingEmail) any { return &m.SentThread }},
		{Name: "sent_at", Kind: Optional, Field: func(m *model.OutgoingEmail) any { return &m.SentAt }},
		{Name: "problem", Field: func(m *model.OutgoingEmail) any { return &m.Problem }},
		{Name: "shown", Once: true, Field: func(m *model.OutgoingEmail) any { return &m.Shown }},
		{Name: "message", Want: OutgoingMessage, Once: true, Field: func(m *model.OutgoingEmail) any { return &m.Message }},
	}}

// WebsetHookTable has the columns of webhooks of websets.
var WebsetHookTable = Table[WebsetHook, Whole]{Name: "webset_hooks", Columns: []Column[WebsetHook, Whole]{
	{Name: "id", Field: func(h *WebsetHook) any { return &h.ID }},
	{Name: "created_at", Field: func(h *WebsetHook) any { return &h.CreatedAt }},
	{Name: "receives", Field: func(h *WebsetHook) any { return &h.Receives }},
	{Name: "remote", Field: func(h *WebsetHook) any { return &h.Remote }},
	{Name: "secret", Kind: Optional, Field: func(h *WebsetHook) any { return &h.Secret }},
}}
