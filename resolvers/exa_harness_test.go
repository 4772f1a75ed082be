package resolvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
	"almanac/internal/seal"
	standin "almanac/internal/standin/exa"
	"almanac/internal/websets"
	exasets "almanac/resolvers/websets"
)

// exaHarness is a harness's Exa: the stand-in behind the real adapter, in which waits take no time.
type exaHarness struct {
	server    *standin.Server
	connector *exa.Connector
	hooks     *websets.Hooks
}

// exaDoor gives accounts as the resolvers ask for them.
type exaDoor struct{ *exa.Connector }

func (d exaDoor) For(ctx context.Context, user model.UserID) (exasets.ExaAccount, error) {
	account, err := d.Connector.For(ctx, user)
	if err != nil {
		return nil, err
	}
	return account, nil
}

// serverKey is the key that users share where a test says so.
const serverKey = "exa-server-0123456789"

func newExaHarness(t *testing.T, h *harness, sealer *seal.Sealer, newID func() model.UUID) *exaHarness {
	t.Helper()
	box, err := seal.NewBox(bytes.Repeat([]byte{9}, 32))
	if err != nil {
		t.Fatal(err)
	}
	e := &exaHarness{server: standin.New(standin.Options{Now: h.clock.Now, Seed: 7, Open: true, Content: 12_000})}
	client := &exa.Client{
		Base: e.server.Transport(), Uploads: e.server.Transport(), Now: h.clock.Now, Jitter: func() float64 { return 1 },
		Wait:   func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Limits: exa.Limits{Websets: 1e6, Web: 1e6},
	}
	e.connector = &exa.Connector{Client: client, Store: h.store, Box: box, Seal: sealer, StandIn: true, NewID: newID,
		Now: h.clock.Now}
	e.hooks = &websets.Hooks{
		Base: &url.URL{Scheme: "https", Host: "almanac.example"}, Box: box,
		Account: func(context.Context, model.UserID) (websets.HookAccount, error) { return websets.HookAccount{}, nil },
	}
	return e
}

// move has all users share the server's key ("shared"), or takes every key away but those that users link ("off").
func (e *exaHarness) move(how string) {
	e.connector.StandIn = false
	if how == "shared" {
		e.connector.Server = serverKey
	}
}

// do does what a line of an exa section says.
func (e *exaHarness) do(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	name, rest2, _ := strings.Cut(rest, " ")
	key := exa.StandInKey(model.UserIDOf(name))
	if !e.connector.StandIn {
		key = serverKey
	}
	switch word {
	case "seed":
		return e.server.Seed(key)
	case "fill":
		count, query, _ := strings.Cut(rest2, " ")
		n, err := strconv.Atoi(count)
		if err == nil {
			_, err = e.server.Fill(key, query, n)
		}
		return err
	case "fault":
		var fault standin.Fault
		if err := json.Unmarshal([]byte(rest), &fault); err != nil {
			return err
		}
		e.server.Inject(fault)
	case "clear":
		e.server.Clear()
	default:
		return fmt.Errorf("unknown word %s", word)
	}
	return nil
}
