package app

import (
	"context"
	"net/http"

	"almanac/adapters/gcal"
	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/calsync"
	"almanac/internal/config"
	"almanac/internal/connect"
	"almanac/resolvers"
)

// googleIntegration is how Google accounts are linked, and their calendars and mailboxes read and written.
type googleIntegration struct {
	linker   *connect.Linker
	calendar *gcal.Client
	mail     *mailIntegration
	// follower is nil where nothing is followed.
	follower *calsync.Worker
	// standIn is nil where the real Google is, or nothing.
	standIn *standIn
}

// newGoogle uses the real Google where a client id is set; the stand-in where none is and there is a local user or a
// demo; and otherwise a linker that says that it is not configured.
func (s *Server) newGoogle() (*googleIntegration, error) {
	g := &googleIntegration{}
	oauth := google.OAuth{ClientID: s.settings.GoogleClientID, ClientSecret: s.settings.GoogleClientSecret.Reveal()}
	var transport http.RoundTripper = google.NewTransport()
	var demo *connect.Demo
	if oauth.ClientID == "" && standInUser(s.settings) != "" {
		var err error
		if g.standIn, err = s.newStandIn(); err != nil {
			return nil, err
		}
		oauth, transport, demo = g.standIn.oauth(s.base), g.standIn, g.standIn.demo()
	}
	oauth.Base = transport
	g.linker = &connect.Linker{
		Store: s.store, Box: s.box, Base: s.base, OAuth: oauth, StandIn: g.standIn != nil, Demo: demo,
		Scopes: scopes(s.settings.GoogleAccess), NewID: s.ids.New, Now: s.clock.Now, Logger: s.log,
	}
	if s.settings.LocalUser {
		g.linker.LocalUser = model.UserIDOf(auth.LocalSubject)
	}
	clients := &google.Clients{
		OAuth: oauth, Vault: &connect.Vault{Linker: g.linker}, Base: transport, Now: s.clock.Now, Logger: s.log,
		Observe: s.metrics.google(), ConnectURL: g.linker.ConnectURL, Asked: g.linker.Scopes,
	}
	g.calendar = &gcal.Client{Google: clients, Now: s.clock.Now}
	g.mail = s.newMail(clients, g.linker.Status)
	s.pages[connect.PathStart], s.pages[connect.PathCallback] = g.linker, g.linker
	// A stand-in in memory is changed by nobody but this process, and another process's places in it would mean nothing
	// here.
	if g.linker.Configured() && (g.standIn == nil || g.standIn.file != nil) {
		s.followGoogle(g)
	}
	return g, nil
}

// followGoogle has the calendars and mailboxes of linked accounts followed.
func (s *Server) followGoogle(g *googleIntegration) {
	follower := &calsync.Worker{
		Store: s.store, Now: s.clock.Now, Interval: s.settings.GooglePoll,
		RequestsPerMinute: s.settings.GoogleRequests, Logger: s.log, Observe: s.metrics.googleSyncs(),
	}
	if s.settings.GoogleAccess.Calendar != config.AccessNone {
		s.metrics.followLag(s.store, s.clock.Now)
		follower.Calendar, follower.Auditor = g.calendar, g.calendar
	}
	if s.settings.GoogleAccess.Mail != config.AccessNone {
		follower.Mail = g.mail.client
	}
	if s.settings.GooglePush {
		follower.Push = &calsync.PushOptions{Address: s.base.JoinPath(calsync.PathNotices).String(), Box: s.box,
			NewID: s.ids.New}
		s.pages[calsync.PathNotices] = follower
	}
	if follower.Calendar != nil {
		g.follower = follower
	}
	g.linker.AfterLink, g.linker.BeforeErase = follower.Follow, follower.Stop
	s.workers = append(s.workers, follower.Run)
}

// scopes are what accounts are asked for: the least for what the settings allow.
func scopes(access config.GoogleAccess) []string {
	var all []string
	if access.Calendar != config.AccessNone {
		all = connect.CalendarScopes(access.Calendar == config.AccessRead)
	}
	if access.Mail != config.AccessNone {
		all = append(all, connect.MailScopes(access.Mail == config.AccessRead)...)
	}
	return all
}

// forResolvers is Google as the resolvers see it.
func (g *googleIntegration) forResolvers() resolvers.Google {
	all := resolvers.Google{
		Events: g.calendar, Calendars: g.calendar, Writer: g.calendar, Series: g.calendar,
		Linker: linking{g.linker}, Scopes: g.linker.Scopes, Mail: g.mail.forResolvers(),
	}
	if g.follower != nil {
		all.Follower, all.ReadsCopies = g.follower, g.follower.Interval > 0 || g.follower.Push != nil
	}
	return all
}

// linking is the linker as the resolvers see it.
type linking struct{ *connect.Linker }

// URL implements core.Linker.
func (l linking) URL(user model.UserID, scopes []string, account string) string {
	return l.Linker.URL(user, scopes, account)
}

// Disconnect implements core.Linker. What the stand-in has granted is of no use anywhere once it is erased, also
// where the stand-in is not there any more to be told.
func (l linking) Disconnect(ctx context.Context, connection model.Connection) (revoked bool, err error) {
	erased, err := l.Linker.Disconnect(ctx, connection.User, connection.Provider, connection.Account)
	revoked = true
	for _, one := range erased {
		revoked = revoked && (one.Revoked || one.StandIn)
	}
	return revoked, err
}

// google registers what is asked of Google and returns the observer that counts it.
func (m metrics) google() func(google.Attempt) {
	observe := m.attempts("google", "Requests to Google, by operation and by what came of them.",
		"How long Google took, by operation.", 12)
	return func(a google.Attempt) { observe(a.Operation, a.Result, a.Latency) }
}

// googleSyncs registers what following calendars and mailboxes comes to and returns the observer that counts it.
func (m metrics) googleSyncs() func(calsync.Report) {
	calendars, mailboxes, lists := m.syncsOf("calendar"), m.syncsOf("mailbox"), m.syncsOf("calendar_list")
	audits := m.counter("almanac_calendar_audits_total",
		"Copies of calendars that were held against Google's own listing of a week, by what came of it.", "result")
	age := m.histogram("almanac_calendar_age_seconds", "How old the copy of a calendar was when it was synced.",
		1, 16).WithLabelValues()
	differences := m.counter("almanac_calendar_differences_total",
		"Events of audited weeks that only the copy or only Google had, or had otherwise.").WithLabelValues()
	requests := m.counter("almanac_follow_requests_total",
		"Requests to Google that were sent to follow accounts, which ALMANAC_GOOGLE_REQUESTS bounds.").WithLabelValues()
	limited := m.counter("almanac_follow_limited_total",
		"Syncs that Google refused because of the requests of the whole project; nobody is followed for a while then.",
	).WithLabelValues()
	return func(l calsync.Report) {
		requests.Add(float64(l.Requests))
		if l.Limited {
			limited.Inc()
		}
		switch {
		case l.Mail:
			mailboxes(l)
		case l.List:
			lists(l)
		default:
			calendars(l)
			if l.Age > 0 {
				age.Observe(l.Age.Seconds())
			}
			if l.Audit != "" {
				audits.WithLabelValues(string(l.Audit)).Inc()
				differences.Add(float64(l.Differences))
			}
		}
	}
}

func (m metrics) syncsOf(what string) func(calsync.Report) {
	syncs := m.counter("almanac_"+what+"_syncs_total",
		"Syncs of each followed "+what+", by outcome; failed ones also by the error's code.", "outcome", "code")
	changes := m.counter("almanac_"+what+"_changes_total",
		"Changes found in each followed "+what+": told ones, and echoes of what the change log had already.", "kind")
	latency := m.histogram("almanac_"+what+"_sync_seconds", "How long a sync of a "+what+" took.", firstBucket,
		12).WithLabelValues()
	return func(l calsync.Report) {
		syncs.WithLabelValues(string(l.Outcome), string(l.Code)).Inc()
		changes.WithLabelValues("told").Add(float64(l.Changes))
		changes.WithLabelValues("echo").Add(float64(l.Echoes))
		latency.Observe(l.Took.Seconds())
	}
}
