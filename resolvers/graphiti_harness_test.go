package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"almanac/adapters/graphiti"
	standin "almanac/internal/standin/graphiti"
)

// moveToGraphiti has a harness's graph kept by a stand-in for a Graphiti server; old is one from before version 1.0.0.
// Waits take no time.
func (h *harness) moveToGraphiti(t *testing.T, old bool) {
	t.Helper()
	h.graphiti = standin.New(standin.Options{Now: h.clock.Now, Seed: 7, Old: old})
	base := &graphiti.Base{
		Target: graphiti.Target{URL: &url.URL{Scheme: "https", Host: "graphiti.example", Path: "/mcp/"}},
		HTTP:   h.graphiti.Transport(), Now: h.clock.Now,
		Jitter: func() float64 { return 1 }, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	t.Cleanup(func() {
		if err := base.Close(); err != nil {
			t.Error(err)
		}
		h.graphiti.Close()
	})
	h.resolver.SetKnowledgeBase(base)
}

// doGraphiti does what a line of a graphiti section says.
func (h *harness) doGraphiti(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "drain":
		h.graphiti.Drain()
	case "fault":
		var fault standin.Fault
		if err := json.Unmarshal([]byte(rest), &fault); err != nil {
			return err
		}
		h.graphiti.Inject(fault)
	case "clear":
		h.graphiti.Clear()
	case "forget":
		h.graphiti.Forget()
	default:
		return fmt.Errorf("unknown word %s", word)
	}
	return nil
}
