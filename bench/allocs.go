//go:build bench

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
)

// allocRuns is how many requests allocations are averaged over.
const allocRuns = 200

// allocation is what one request allocates, in pieces and bytes.
type allocation struct{ pieces, bytes float64 }

// inner is a handler of this process, for what does not depend on the machine.
type inner struct {
	name    string
	dialect dialect
	handler http.Handler
}

// inners makes the handlers; done lets go of them.
func inners(ctx context.Context, d database) (all []inner, done func(), err error) {
	h, err := newInstance(ctx, d, nil)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = h.Close() } // the program ends
	almanac, err := h.almanac()
	if err != nil {
		return nil, done, err
	}
	all = append(all, inner{"almanac", graphql, almanac}, inner{"stock", graphql, h.stock()})
	if d.url == "" {
		return all, done, nil
	}
	byHand, closePool, err := newHand(ctx, d, true)
	if err != nil {
		return nil, done, err
	}
	return append(all, inner{"hand", rest, byHand}), func() { closePool(); _ = h.Close() }, nil
}

// writeAllocations measures what the requests of each case allocate, the database's driver included and the network
// not.
func writeAllocations(ctx context.Context, w io.Writer, d database, world *world, all []benchCase) error {
	handlers, done, err := inners(ctx, d)
	if done != nil {
		defer done()
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w,
		"\n### Allocations for each request\n\nMeans of %d requests within one process, the database's driver included, the "+
			"network not.\n\n| case |", allocRuns)
	for _, h := range handlers {
		fmt.Fprintf(w, " %s | KiB |", h.name)
	}
	fmt.Fprint(w, "\n|---|")
	for range handlers {
		fmt.Fprint(w, "--:|--:|")
	}
	fmt.Fprintln(w)
	for _, c := range all {
		fmt.Fprintf(w, "| %s |", c.name)
		for _, h := range handlers {
			got, err := h.allocates(ctx, c, world)
			if err != nil {
				return fmt.Errorf("%s of %s: %w", c.name, h.name, err)
			}
			fmt.Fprintf(w, " %.0f | %.0f |", got.pieces, got.bytes/1024)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// allocates measures one case. Requests are made in advance.
func (h inner) allocates(ctx context.Context, c benchCase, world *world) (allocation, error) {
	requests := make([]*http.Request, 3*allocRuns)
	random := rand.New(rand.NewPCG(1, uint64(len(c.name)))) //nolint:gosec // it chooses questions
	for i := range requests {
		if c.writes {
			random = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64())) //nolint:gosec // texts must be new
		}
		request, err := h.request(ctx, c.ask(world, random))
		if err != nil {
			return allocation{}, err
		}
		requests[i] = request
	}
	check := checker(c)
	warm, counted := requests[:2*allocRuns], requests[2*allocRuns:] // caches and pools fill
	for _, request := range warm {
		answer := httptest.NewRecorder()
		h.handler.ServeHTTP(answer, request)
		if err := check(answer.Code, answer.Body.Bytes()); err != nil {
			return allocation{}, err
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for _, request := range counted {
		h.handler.ServeHTTP(&nowhere{header: make(http.Header, 8)}, request)
	}
	runtime.ReadMemStats(&after)
	return allocation{
		pieces: float64(after.Mallocs-before.Mallocs) / float64(len(counted)),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(len(counted)),
	}, nil
}

func (h inner) request(ctx context.Context, q question) (*http.Request, error) {
	method, path, body, err := h.dialect.parts(q)
	if err != nil {
		return nil, err
	}
	request := httptest.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	request.Header.Set("Authorization", "Bearer "+h.dialect.token(q))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	return request, nil
}

// nowhere takes an answer and keeps nothing of it.
type nowhere struct{ header http.Header }

func (n *nowhere) Header() http.Header         { return n.header }
func (n *nowhere) Write(p []byte) (int, error) { return len(p), nil }
func (n *nowhere) WriteHeader(int)             {}
