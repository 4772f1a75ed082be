package mcp

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/graph/model"
)

// The resources. A stretch of time is two dates or date-times, the second exclusive.
const (
	agendaToday    = "almanac://agenda/today"
	agendaTemplate = "almanac://agenda/{from}/{to}"
	agendaPrefix   = "almanac://agenda/"
)

// resourceTokens is how long the text of a resource may be, in tokens.
const resourceTokens = 4_000

func (s *Server) addResources(server *mcp.Server) {
	server.AddResource(&mcp.Resource{
		URI: agendaToday, Name: "agenda-today", Title: "Agenda of today", MIMEType: "text/plain",
		Description: "Events, due tasks and mail that waits for an answer, for today.",
	}, s.readAgenda)
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: agendaTemplate, Name: "agenda", Title: "Agenda", MIMEType: "text/plain",
		Description: "The same for a stretch of time: from and to are dates or date-times (RFC 3339), to is exclusive.",
	}, s.readAgenda)
}

// stretch reads the address of a resource; false for one that is none of ours.
func stretch(uri string) (from, to string, ok bool) {
	if uri == agendaToday {
		return "", "", true
	}
	rest, ok := strings.CutPrefix(uri, agendaPrefix)
	first, second, whole := strings.Cut(rest, "/")
	if !ok || !whole || first == "" || second == "" || strings.Contains(second, "/") {
		return "", "", false
	}
	from, err := url.PathUnescape(first)
	if err != nil {
		return "", "", false
	}
	to, err = url.PathUnescape(second)
	return from, to, err == nil
}

// readAgenda reads a resource. What went wrong is an error of the protocol, since a resource has no other.
func (s *Server) readAgenda(ctx context.Context, request *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	c, err := callOf(ctx)
	if err != nil {
		return nil, err
	}
	ctx, done := c.lasting(ctx)
	defer done()
	uri := request.Params.URI
	from, to, ok := stretch(uri)
	if !ok {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	in := agendaArgs{From: from, To: to, MaxTokens: resourceTokens}
	if uri == agendaToday {
		if in.To, err = s.tomorrow(ctx, c); err != nil {
			return nil, hidden(err)
		}
	}
	out, err := s.agenda(ctx, c, in)
	if err != nil {
		return nil, hidden(err)
	}
	if out.failed {
		return nil, errors.New(out.text)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: "text/plain", Text: out.text}}},
		nil
}

// hidden is an error that a client may read.
func hidden(err error) error { return errors.New(problemOf(err).sentence()) }

// tomorrow is the first moment after the viewer's today.
func (s *Server) tomorrow(ctx context.Context, c *call) (string, error) {
	now, err := s.viewerNow(ctx, c)
	if err != nil {
		return "", err
	}
	return now.AddDate(0, 0, 1).Format("2006-01-02") + "T00:00", nil
}

var errNoViewer = model.Errorf(model.CodeUpstreamUnavailable, "it is not known what day it is for the user")
