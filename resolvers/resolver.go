// Package resolvers joins the domains: it holds what the generator writes, which finds the handler of each field in its
// domain's package, and what concerns several of them, such as nodes by id, the change log and linked accounts.
//
// It promises that the user comes from the context's viewer and from nowhere else, that every list query is one call to
// the store whatever is selected, and that no error of another package passes through it unexplained: what the caller
// can mend is a *model.Error, everything else is hidden by the engine.
package resolvers

import (
	"cmp"
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/calfiles"
	base "almanac/adapters/knowledge"
	"almanac/adapters/owncal"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/seal"
	"almanac/projections/compact"
	"almanac/projections/occur"
	"almanac/resolvers/actions"
	"almanac/resolvers/agenda"
	"almanac/resolvers/agent"
	"almanac/resolvers/channels"
	"almanac/resolvers/core"
	"almanac/resolvers/emails"
	"almanac/resolvers/events"
	"almanac/resolvers/icalendar"
	"almanac/resolvers/knowledge"
	"almanac/resolvers/memories"
	"almanac/resolvers/tasks"
	"almanac/resolvers/users"
	"almanac/resolvers/websets"
)

// Config is what the resolvers need.
type Config struct {
	Store store.Store
	// Now is read once per request and once per subscription event.
	Now func() time.Time
	// NewID makes ids in time order.
	NewID func() model.UUID
	// Sealer makes cursors and confirmation tokens.
	Sealer *seal.Sealer
	// Defaults are the settings of users who have chosen none.
	Defaults model.Settings
	// Worked is told of work that an operation's price does not foretell; nil: nobody is.
	Worked func(user model.UserID, cost int64)
	// Keep is how long changes are kept, for the message about cursors that were outlived.
	Keep time.Duration
	// UndoFor is how long actions can be undone, KeepActions how long they are kept; those of package model when they are
	// zero.
	UndoFor, KeepActions time.Duration
	// KeepAudit is how long entries of the audit log are kept; model.AuditKept when it is zero.
	KeepAudit time.Duration
	// Google serves events and e-mails.
	Google Google
	// Embedder makes the vectors of memories and of what is looked for in them.
	Embedder core.Embedder
	// KnowledgeBase keeps the knowledge graph: the own store's, or a Graphiti server.
	KnowledgeBase base.Base
	// Exa keeps websets; nil when the server has not been set up for it.
	Exa websets.Exa
	// WebsetHooks makes webhooks that this server receives.
	WebsetHooks websets.WebsetHooks
	// Planner reads sentences; the grammar alone when it is nil.
	Planner agent.Planner
	// CalendarLinks are the addresses of calendars' files.
	CalendarLinks icalendar.Links
	// Outside delivers to webhooks and browsers.
	Outside channels.Outside
	// Formatters write answers as text; those of compact.NewRegistry when it is nil.
	Formatters *compact.Registry
}

// Google is everything that the resolvers ask of Google.
type Google struct {
	Events    events.Reader
	Calendars events.CalendarReader
	Writer    events.Writer
	Series    events.SeriesWriter
	Linker    core.Linker
	Mail      emails.Mail
	// Follower keeps copies of calendars; nil: there are none. ReadsCopies: queries read them. It is for processes that
	// look at calendars by themselves, so that no copy grows old without anybody noticing.
	Follower    events.Follower
	ReadsCopies bool
	// Scopes are what the whole of Almanac needs of an account.
	Scopes []string
}

// Resolver holds the resolvers of the domains.
type Resolver struct {
	*core.Base
	tasks     *tasks.Resolver
	events    *events.Resolver
	emails    *emails.Resolver
	memories  *memories.Resolver
	knowledge *knowledge.Resolver
	websets   *websets.Resolver
	icalendar *icalendar.Resolver
	agenda    *agenda.Resolver
	agent     *agent.Resolver
	actions   *actions.Resolver
	channels  *channels.Resolver
	users     *users.Resolver
}

// New makes the resolvers ready to serve. Call Close when done.
func New(c Config) *Root {
	if c.Formatters == nil {
		c.Formatters = compact.NewRegistry()
	}
	b := &core.Base{
		Store: c.Store, Now: c.Now, NewID: c.NewID, Sealer: c.Sealer, Defaults: c.Defaults, Keep: c.Keep,
		KeepAudit: c.KeepAudit, Worked: c.Worked,
		Linker: c.Google.Linker, Scopes: c.Google.Scopes, Embedder: c.Embedder, Formatters: c.Formatters,
		Settings: core.NewSettingsCache(c.Store),
		Actions: core.ActionTimes{
			UndoFor: cmp.Or(c.UndoFor, model.UndoFor), Keep: cmp.Or(c.KeepActions, model.ActionsKept),
		},
	}
	own := &owncal.Client{Store: c.Store, Rules: occur.NewRules(occur.DefaultRules), Now: c.Now, Zone: c.Defaults.TimeZone}
	var copies events.Copies
	if c.Google.ReadsCopies {
		copies = owncal.Copies{Client: own}
	}
	calendar := events.New(b, c.Google.Events, c.Google.Calendars, c.Google.Writer, c.Google.Series, own, copies,
		c.Google.Follower)
	files := &icalendar.Resolver{Base: b, Own: own, Links: c.CalendarLinks,
		Files: &calfiles.Files{Store: c.Store, Rules: own.Rules, Now: c.Now, NewID: c.NewID}}
	mail := &emails.Resolver{Base: b, Mail: c.Google.Mail}
	todo := &tasks.Resolver{Base: b}
	research := &websets.Resolver{Base: b, Exa: c.Exa, WebsetHooks: c.WebsetHooks}
	known := memories.New(b)
	done := &actions.Resolver{Base: b, Undoers: map[string]core.Undoer{
		emails.Undoes: mail.Undoer(), emails.UndoesSchedules: mail.ScheduleUndoer(),
		events.Undoes: calendar.Undoer(), icalendar.Undoes: files.Undoer(), websets.Undoes: research.Undoer(),
	}}
	r := &Resolver{
		Base: b, tasks: todo, events: calendar, emails: mail, memories: known,
		knowledge: &knowledge.Resolver{Base: b, KnowledgeBase: c.KnowledgeBase},
		websets:   research,
		icalendar: files,
		channels:  channels.New(b, c.Outside),
		users:     &users.Resolver{Base: b},
		agenda:    agenda.New(b, todo, calendar, mail), actions: done,
		agent: agent.New(b, calendar, agent.Domains{
			Tasks: todo, Lists: todo, Memories: known, Mail: mail, Actions: done}, c.Planner),
	}
	b.Nodes = r.NodesBySelection
	return &Root{all: r}
}

// Root is what the executor asks. For each object of the schema there is a type that is defined by it, with the field
// and without the methods: resolvers.gotpl, the generator's template, says why.
type Root struct{ all *Resolver }

// Open returns the context in which a request of a caller runs; see core.Base.Open.
func (r *Root) Open(ctx context.Context, caller model.Caller, hints edge.Hints) (context.Context, error) {
	return r.all.Open(ctx, caller, hints)
}

// Mutate runs a field; see core.Base.Mutate.
func (r *Root) Mutate(ctx context.Context, next graphql.Resolver) (any, error) {
	return r.all.Mutate(ctx, next)
}

// Close lets go of what the resolvers watch.
func (r *Root) Close() { r.all.Settings.Close() }

var _ graph.ResolverRoot = (*Root)(nil)
