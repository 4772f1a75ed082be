package app

import (
	"crypto/rand"
	"time"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/connect"
	"almanac/internal/httpapi/share"
)

// joinsAMinute is how often the page of invitations of one user may be asked for in a minute.
const joinsAMinute = 20

// serveInvitations makes the page on which an invitation is exchanged for a token.
func (s *Server) serveInvitations() {
	visits := share.NewBudget(joinsAMinute, time.Minute, time.Now) // waits are the process's own
	s.pages[connect.PathJoin] = &connect.Join{
		Invitations: auth.Invitations{Store: s.store, Now: s.clock.Now, NewID: s.ids.New, Random: rand.Reader,
			AuditKept: s.settings.AuditRetention},
		Home: s.base, Logger: s.log,
		Spend: func(user model.UserID) *model.Error { return visits.Spend(user, 1) },
	}
}
