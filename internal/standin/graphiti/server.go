package graphiti

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"almanac/internal/standin/faults"
)

// DefaultGroup is the group of whoever names none.
const DefaultGroup = "main"

// MostNodes is how many entities a search of today's server gives, however many were asked for.
const MostNodes = 10

// Options are what a stand-in is made with.
type Options struct {
	// Now is its clock; required.
	Now func() time.Time
	// Seed makes its uuids.
	Seed uint64
	// Old returns it the tools from before version 1.0.0.
	Old bool
	// Without are tools that it does not have, by name.
	Without []string
	// Token is the bearer token that it wants, as a proxy before it would; empty: it wants none.
	Token string
	// Eager reads what is added before it answers, as a quick queue would have by the next question.
	Eager bool
	// PlainJSON answers as application/json instead of an event stream.
	PlainJSON bool
}

// Server is the stand-in. It is safe for goroutines.
type Server struct {
	options  Options
	server   *mcp.Server
	sessions sessions
	faults   faults.Set[Fault]
	patterns []pattern

	// wake tells Run that something waits.
	wake chan struct{}

	mu     sync.Mutex
	graph  graph
	queue  map[string][]queued
	made   uint64
	called []Call
}

// Call is one call of a tool that came in.
type Call struct {
	Tool string
	// Arguments is the JSON object of them.
	Arguments string
}

// New makes a stand-in without anything in it.
func New(options Options) *Server {
	s := &Server{options: options, graph: newGraph(), queue: map[string][]queued{}, wake: make(chan struct{}, 1),
		patterns: patterns()}
	version := "1.0.2"
	if options.Old {
		version = "0.4.0"
	}
	s.server = mcp.NewServer(&mcp.Implementation{Name: "Graphiti Agent Memory", Version: version}, nil)
	s.addTools()
	s.sessions.open = func() http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.server },
			&mcp.StreamableHTTPOptions{JSONResponse: options.PlainJSON, DisableLocalhostProtection: true})
	}
	return s
}

// ServeStdio answers one client in lines of JSON until the reader ends or the context does.
func (s *Server) ServeStdio(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	return s.server.Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
}

// Close ends all sessions.
func (s *Server) Close() {
	for session := range s.server.Sessions() {
		_ = session.Close() // its client has gone, or hears of it
	}
}

// Calls returns the calls of tools so far, in order.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Call(nil), s.called...)
}

// uuid makes the next uuid, in the form of a random one (RFC 9562, 5.4), so that their order says nothing. The lock is
// held.
func (s *Server) uuid() string {
	s.made++
	var seed [16]byte
	binary.BigEndian.PutUint64(seed[:8], s.options.Seed)
	binary.BigEndian.PutUint64(seed[8:], s.made)
	sum := sha256.Sum256(seed[:])
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	text := hex.EncodeToString(sum[:16])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// now is the clock's time as the server keeps it.
func (s *Server) now() time.Time { return s.options.Now().UTC().Truncate(time.Microsecond) }
