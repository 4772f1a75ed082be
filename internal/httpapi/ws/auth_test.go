package ws_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
	"almanac/internal/httpapi/ws"
)

const who = `{"id":"1","type":"subscribe","payload":{"query":"{ who }"}}`

func TestCredentials(t *testing.T) {
	for _, c := range []struct {
		name, header, payload, want string
	}{
		{"none: the local user", "", ``, "local"},
		{"in the payload", "", `{"authorization":"Bearer good"}`, "noa"},
		{"in the payload, as a header", "", `{"Authorization":"bearer good"}`, "noa"},
		{"in the header", "Bearer good", ``, "noa"},
		{"the payload wins", "Bearer other", `{"authorization":"Bearer good"}`, "noa"},
		{"an empty payload key does not count", "Bearer good", `{"authorization":""}`, "noa"},
		{"null does not count", "Bearer good", `{"authorization":null}`, "noa"},
		{"unknown token", "", `{"authorization":"Bearer bad"}`, "x 4403 Forbidden"},
		{"unknown token in the header", "Bearer bad", ``, "x 4403 Forbidden"},
		{"no scheme", "", `{"authorization":"good"}`, "x 4403 Forbidden"},
		{"another scheme", "Basic good", ``, "x 4403 Forbidden"},
		{"not a string", "", `{"authorization":{"token":"good"}}`, "x 4400 Invalid message: authorization must be a string"},
		{"twice", "", `{"authorization":"Bearer good","Authorization":"Bearer other"}`,
			"x 4400 Invalid message: authorization is given twice"},
		{"could not be looked at", "", `{"authorization":"Bearer broken"}`, "x 1013 Try again later"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				header := http.Header{}
				if c.header != "" {
					header.Set("Authorization", c.header)
				}
				p, _, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}, header: header})
				if err != nil {
					t.Fatal(err)
				}
				payload := c.payload
				if payload == "" {
					payload = "null"
				}
				p.send(`{"type":"connection_init","payload":` + payload + `}`)
				if c.want[0] == 'x' {
					p.expect(c.want)
				} else {
					p.expect(`{"type":"connection_ack"}`)
					p.send(who)
					p.expect(`{"id":"1","type":"next","payload":{"data":{"who":"` + c.want + `"}}}`)
					p.expect(`{"id":"1","type":"complete"}`)
				}
				p.bye()
			})
		})
	}
}

// Proving credentials may hang no longer than the initialisation itself.
func TestAuthenticationHangs(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.auth.hang = true
		p := b.connect()
		start := time.Now()
		p.play(b, `> {"type":"connection_init"}
			x 1013 Try again later`)
		if waited := time.Since(start); waited != ws.InitTimeout {
			t.Errorf("waited %v", waited)
		}
		p.bye()
	})
}

func TestExpiry(t *testing.T) {
	run(t, nil, func(b *bench) {
		caller := person("noa")
		caller.ExpiresAt = time.Now().Add(47 * time.Second)
		b.auth.callers["good"] = caller
		p := b.ready()
		p.play(b, `
			> {"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}
			~ 46.999s
			=
			~ 1ms
			x 4403 Forbidden`)
		p.bye()

		caller.ExpiresAt = time.Now()
		b.auth.set(func() { b.auth.callers["good"] = caller })
		p = b.connect()
		p.play(b, `
			> {"type":"connection_init","payload":{"authorization":"Bearer good"}}
			x 4403 Forbidden`)
		p.bye()
	})
}

// A proof that is renewed under the same token holds on; one that is cut short ends early.
func TestExpiryMoves(t *testing.T) {
	run(t, nil, func(b *bench) {
		caller := person("noa")
		caller.ExpiresAt = time.Now().Add(20 * time.Second)
		b.auth.callers["good"] = caller
		p := b.ready()
		caller.ExpiresAt = time.Now().Add(60 * time.Second)
		b.auth.set(func() { b.auth.callers["good"] = caller })
		p.play(b, `
			~ 59.999s
			=
			~ 1ms
			x 4403 Forbidden`)
		p.bye()
	})
}

func TestRevocation(t *testing.T) {
	t.Run("at the next keep-alive", func(t *testing.T) {
		run(t, nil, func(b *bench) {
			p := b.ready()
			p.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
			p.quiet()
			b.auth.set(func() { delete(b.auth.callers, "good") })
			p.play(b, fmt.Sprintf(`~ %v
				x 4403 Forbidden`, ws.KeepAlive))
			p.bye()
		})
	})
	t.Run("before an answer of a subscription", func(t *testing.T) {
		run(t, nil, func(b *bench) {
			caller := person("noa")
			caller.Token = "phone"
			b.auth.callers["good"] = caller
			p := b.ready()
			p.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
			b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":1}`)}
			p.expect(`{"id":"s","type":"next","payload":{"data":{"feed":1}}}`)
			b.auth.set(func() { b.auth.err = errors.New("pq: no route to host db1") })
			b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":2}`)}
			p.play(b, `
				=
				~ 5s
				=`) // what cannot be looked at is not told
			b.auth.set(func() { b.auth.err = nil })
			p.expect(`{"id":"s","type":"next","payload":{"data":{"feed":2}}}`)
			b.auth.set(func() { delete(b.auth.callers, "good") })
			b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":3}`)}
			p.expect("x 4403 Forbidden")
			p.bye()
		})
	})
	t.Run("at the next operation", func(t *testing.T) {
		run(t, nil, func(b *bench) {
			p := b.ready()
			b.auth.set(func() { delete(b.auth.callers, "good") })
			start := time.Now()
			p.play(b, `> {"id":"m","type":"subscribe","payload":{"query":"mutation { add }"}}
				x 4403 Forbidden`)
			if waited := time.Since(start); waited != 0 {
				t.Errorf("waited %v", waited)
			}
			if b.engine.Prepared.Load() != 0 {
				t.Error("the mutation was prepared")
			}
			p.bye()
		})
	})
	for name, change := range map[string]func(*model.Caller){
		"other rights": func(c *model.Caller) { c.Scopes = c.Scopes[:1] },
		"other user":   func(c *model.Caller) { c.UserID[0]++ },
	} {
		t.Run(name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				p := b.ready()
				caller := person("noa")
				change(&caller)
				b.auth.set(func() { b.auth.callers["good"] = caller })
				p.play(b, fmt.Sprintf(`~ %v
					x 4403 Forbidden`, ws.KeepAlive))
				p.bye()
			})
		})
	}
	t.Run("a token that cannot be looked at for a while", func(t *testing.T) {
		run(t, nil, func(b *bench) {
			p := b.ready()
			p.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
			p.quiet()
			b.auth.set(func() { b.auth.err = errors.New("pq: no route to host db1") })
			p.play(b, `
				~ 60s
				=
				> {"id":"q","type":"subscribe","payload":{"query":"{ hello }"}}
				< {"id":"q","type":"error","payload":[{"message":"…","extensions":{"code":"INTERNAL","traceId":"…"}}]}`)
			b.auth.set(func() { b.auth.err = nil })
			p.play(b, `
				> {"id":"q","type":"subscribe","payload":{"query":"{ hello }"}}
				< {"id":"q","type":"next","payload":{"data":{"hello":"world"}}}
				< {"id":"q","type":"complete"}`)
			p.bye()
		})
	})
}

// Every operation has a viewer of its own, opened with the hints of the upgrade and of connection_init.
func TestOpen(t *testing.T) {
	run(t, nil, func(b *bench) {
		header := http.Header{"X-Time-Zone": {"Europe/Paris"}, "Accept-Language": {"en"}, "User-Agent": {"phone/1.0"}}
		p, _, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}, header: header})
		if err != nil {
			t.Fatal(err)
		}
		p.play(b, `
			> {"type":"connection_init","payload":{"timeZone":"Asia/Jerusalem"}}
			< {"type":"connection_ack"}
			> {"id":"1","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"1","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"1","type":"complete"}
			> {"id":"1","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"1","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"1","type":"complete"}`)
		p.bye()
		if len(b.opened) != 2 || b.opened[0].RequestID == "" || b.opened[0].RequestID == b.opened[1].RequestID {
			t.Fatalf("opened %+v", b.opened)
		}
		for _, hints := range b.opened {
			hints.RequestID = ""
			want := edge.Hints{TimeZone: "Asia/Jerusalem", AcceptLanguage: "en", Client: "phone/1.0", Address: "pipe"}
			if !reflect.DeepEqual(hints, want) {
				t.Errorf("opened with %+v", hints)
			}
		}

		p = b.connect()
		p.play(b, `
			> {"type":"connection_init","payload":{"X-Time-Zone":"Nowhere/At_All","locale":"he"}}
			< {"type":"connection_ack"}
			> {"id":"1","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"1","type":"error","payload":[{"message":"there is no such zone","extensions":{"code":"BAD_USER_INPUT","field":["timeZone"]}}]}
			> {"type":"ping"}
			< {"type":"pong"}`)
		p.bye()
		if b.opened[2].AcceptLanguage != "he" {
			t.Errorf("opened with %+v", b.opened[2])
		}
	})
	for payload, reason := range map[string]string{
		`{"timeZone":3}`:                        "timezone must be a string",
		`{"locale":[]}`:                         "locale must be a string",
		`{"locale":"he","Accept-Language":"x"}`: "…",
	} {
		run(t, nil, func(b *bench) {
			p := b.connect()
			p.send(`{"type":"connection_init","payload":` + payload + `}`)
			p.expect("x 4400 Invalid message: " + reason)
			p.bye()
		})
	}
}

func TestOrigin(t *testing.T) {
	for origin, allowed := range map[string]bool{
		"":                              true,
		"http://almanac.test":           true,
		"https://app.example.com":       true,
		"http://app.example.com":        false,
		"https://app.example.com.evil":  false,
		"https://evil.example":          false,
		"http://almanac.test.evil":      false,
		"http://almanac.test:8080":      false,
		"null":                          false,
		"file://":                       false,
		"chrome-extension://abcdef":     false,
		"https://app.example.com/x?y=z": false,
		"://":                           false,
	} {
		t.Run(origin, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				header := http.Header{}
				if origin != "" {
					header.Set("Origin", origin)
				}
				p, response, err := b.dial(dialing{subprotocols: []string{ws.Subprotocol}, header: header})
				switch {
				case allowed && err != nil:
					t.Fatal(err)
				case allowed:
					p.play(b, initial)
					p.bye()
				case err == nil:
					t.Error("let in")
					p.bye()
				case response.StatusCode != http.StatusForbidden:
					t.Errorf("status %d", response.StatusCode)
				}
			})
		})
	}
}

func TestAdmit(t *testing.T) {
	running, refuse := 0, false
	var b *bench
	admit := func(ws *ws.Config) {
		ws.Admit = admitFunc(func() (func(), error) {
			b.mu.Lock()
			defer b.mu.Unlock()
			if refuse {
				e := model.Errorf(model.CodeRateLimited, "busy")
				e.RetryAfter = time.Second
				return nil, e
			}
			running++
			return func() { b.mu.Lock(); defer b.mu.Unlock(); running-- }, nil
		})
	}
	count := func() int { b.mu.Lock(); defer b.mu.Unlock(); return running }
	run(t, admit, func(started *bench) {
		b = started
		p := b.ready()
		p.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
		p.send(`{"id":"q","type":"subscribe","payload":{"query":"{ slow }"}}`)
		p.quiet()
		if n := count(); n != 1 {
			t.Errorf("%d admitted while a query runs and a subscription is open", n)
		}
		b.engine.Release <- struct{}{}
		p.expect(`{"id":"q","type":"next","payload":{"data":{"slow":"at last"}}}`)
		p.expect(`{"id":"q","type":"complete"}`)
		synctest.Wait()
		if n := count(); n != 0 {
			t.Errorf("%d admitted at the end", n)
		}
		b.mu.Lock()
		refuse = true
		b.mu.Unlock()
		p.play(b, `> {"id":"q","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"q","type":"error","payload":[{"message":"busy","extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}`)
		p.bye()
	})
}
