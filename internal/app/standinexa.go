package app

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
	standinexa "almanac/internal/standin/exa"
	"almanac/internal/standin/loopback"
	"almanac/internal/websets"
)

const (
	// standInExa is where files for the stand-in's imports go, on this server.
	standInExa = "/standin/exa"
	// standInPace is how many requests a second the stand-in is asked.
	standInPace = 1_000
	// standInTells is how often the stand-in looks which webhooks it has to call.
	standInTells = time.Second
)

// standInForExa puts the stand-in in Exa's place. It lives in this process and is kept in memory: each server has its
// own, and it is gone with it.
func (s *Server) standInForExa(e *exaIntegration) error {
	e.ownServer = &ownServer{base: s.base}
	e.standIn = standinexa.New(standinexa.Options{Now: s.clock.Now, Seed: uint64(s.clock.Now().UnixNano()),
		Open: true, Transport: e.ownServer, BaseURL: s.base.JoinPath(standInExa).String()})
	client := e.connector.Client
	client.AllowHTTP = true // files for imports go to this process, by whatever scheme it is reached
	client.Base = e.standIn.Transport()
	// JoinPath leaves out the first slash where the base has no path.
	client.Uploads = loopback.Transport(http.StripPrefix(strings.TrimSuffix(s.base.Path, "/")+standInExa, e.standIn))
	// Exa's own pace would have a page of websets wait for nothing
	client.Limits = exa.Limits{Websets: standInPace, Web: standInPace}
	// Nothing else of it is to be seen: it knows no tokens of this server.
	s.pages[standInExa+"/uploads/"] = http.StripPrefix(standInExa, e.standIn)
	s.workers = append(s.workers, func(ctx context.Context) error { e.standIn.Run(ctx, standInTells); return nil })
	if !s.settings.Demo {
		return nil
	}
	return e.standIn.Seed(exa.StandInKey(model.UserIDOf(standInUser(s.settings))))
}

// opened has the stand-in call webhooks by this handler.
func (e *exaIntegration) opened(handler http.Handler) {
	if e.ownServer != nil {
		e.ownServer.handler = loopback.Transport(handler)
	}
}

// ownServer is how the stand-in calls webhooks: those of this server, and nobody else's. So trying things out sends
// nothing anywhere.
type ownServer struct {
	base    *url.URL
	handler http.RoundTripper
}

var errElsewhere = errors.New("the stand-in for Exa calls webhooks of its own server only")

// RoundTrip implements http.RoundTripper.
func (d *ownServer) RoundTrip(r *http.Request) (*http.Response, error) {
	path, ours := strings.CutPrefix(r.URL.Path, d.base.Path)
	if d.handler == nil || !ours || r.URL.Host != d.base.Host || r.URL.Scheme != d.base.Scheme ||
		!strings.HasPrefix(path, websets.PathHooks) {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, errElsewhere
	}
	inside := r.Clone(r.Context())
	inside.URL.Path, inside.URL.RawPath = path, "" // as a proxy before this server would hand it on
	return d.handler.RoundTrip(inside)
}
