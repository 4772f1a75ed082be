package sse_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/internal/httpapi/request"
	"almanac/internal/httpapi/sse"
)

const (
	begin    = "retry: 1000\n\n"
	complete = "event: complete\ndata:\n\n"
)

func next(payload string) string { return "event: next\ndata: " + payload + "\n\n" }

func part(payload string) string {
	return "\r\nContent-Type: application/json\r\n\r\n" + payload + "\r\n---"
}

// Every operation has the same answers in both forms, to the byte.
func TestStreams(t *testing.T) {
	const refused = `{"errors":[{"message":"there is no such operation","extensions":{"code":"BAD_USER_INPUT"}}]}`
	for query, answers := range map[string][]string{
		"{ hello }":              {`{"data":{"hello":"world"}}`},
		"query Named { who }":    {`{"data":{"who":"noa"}}`},
		"{ partial }":            {`{"errors":[{"message":"oops","path":["partial"]}],"data":{"partial":null}}`},
		"{ nothing }":            {`{"errors":[{"message":"oops","path":["nothing"]}],"data":null}`},
		"{ nonsense }":           {refused},
		"subscription { never }": {refused},
		"subscription { count }": {`{"data":{"count":1}}`, `{"data":{"count":2}}`, `{"data":{"count":3}}`},
		"subscription { broken }": {
			`{"errors":[{"message":"cannot start","extensions":{"code":"BAD_USER_INPUT"}}]}`},
		"subscription { cracks }": {`{"data":{"cracks":1}}`,
			`{"errors":[{"message":"a crack","extensions":{"code":"BAD_USER_INPUT"}}]}`, `{"data":{"cracks":3}}`},
		"{ panic }": {
			`{"errors":[{"message":"Something went wrong on our side. The trace id names this failure in our log.",` +
				`"extensions":{"code":"INTERNAL","traceId":"…"}}]}`},
	} {
		t.Run(query, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				want := begin
				for _, answer := range answers {
					want += next(answer)
				}
				p := b.post(eventStream, `{"query":"`+query+`"}`)
				p.expect(want + complete)
				p.expectEnd()
				header := p.response.Header
				if p.response.StatusCode != http.StatusOK || header.Get("Content-Type") != "text/event-stream; charset=utf-8" ||
					header.Get("X-Accel-Buffering") != "no" || header.Get("Cache-Control") != "no-store, no-transform" {
					t.Errorf("%d %v", p.response.StatusCode, header)
				}

				want = "\r\n---"
				for _, answer := range answers {
					want += part(`{"payload":` + answer + `}`)
				}
				p = b.post(multipart, `{"query":"`+query+`"}`)
				p.expect(want + "--\r\n")
				p.expectEnd()
				if media := p.response.Header.Get("Content-Type"); media != `multipart/mixed;boundary="-";subscriptionSpec="1.0"` {
					t.Errorf("media type %s", media)
				}
			})
		})
	}
}

func TestGet(t *testing.T) {
	get := func(pairs ...string) string {
		values := url.Values{}
		for i := 0; i < len(pairs); i += 2 {
			values.Set(pairs[i], pairs[i+1])
		}
		return "/graphql?" + values.Encode()
	}
	run(t, nil, func(b *bench) {
		p := b.send(http.MethodGet, get("query", "subscription { count }"), eventStream, "")
		p.expect(begin + next(`{"data":{"count":1}}`) + next(`{"data":{"count":2}}`) + next(`{"data":{"count":3}}`) +
			complete)
		p = b.send(http.MethodGet, get("query", "{ echo }", "variables", `{"text":"שלום"}`), eventStream, "")
		p.expect(begin + next(`{"data":{"echo":"שלום"}}`) + complete)
		p = b.send(http.MethodGet, get("query", "mutation { add }"), eventStream, "")
		p.expect(`{"errors":[{"message":"A mutation is sent by POST.","extensions":{"code":"BAD_USER_INPUT"}}]}`)
		if p.response.StatusCode != http.StatusMethodNotAllowed || p.response.Header.Get("Allow") != "POST" {
			t.Errorf("%d, Allow %q", p.response.StatusCode, p.response.Header.Get("Allow"))
		}
		if b.engine.Added.Load() != 0 {
			t.Error("the mutation ran")
		}
	})
}

func TestRefusedRequests(t *testing.T) {
	for name, c := range map[string]struct {
		method, accept, body string
		header               []string
		status               int
	}{
		"method":          {http.MethodPut, eventStream, "", nil, 405},
		"media type":      {http.MethodPost, eventStream, query("{ hello }"), []string{"Content-Type", "text/plain"}, 415},
		"no JSON":         {http.MethodPost, eventStream, "{", nil, 400},
		"no query":        {http.MethodPost, multipart, "{}", nil, 400},
		"JSON only":       {http.MethodPost, "application/json", query("{ hello }"), nil, 406},
		"deferred parts":  {http.MethodPost, "multipart/mixed;deferSpec=20220824", query("{ hello }"), nil, 406},
		"not a stream":    {http.MethodPost, "text/event-stream;q=0", query("{ hello }"), nil, 406},
		"idempotency key": {http.MethodPost, eventStream, query("mutation { add }"), []string{"Idempotency-Key", "k"}, 400},
		"long event id": {http.MethodPost, eventStream, query("{ hello }"),
			[]string{"Last-Event-ID", strings.Repeat("x", 1025)}, 400},
		"event id, bytes": {http.MethodPost, eventStream, query("{ hello }"), []string{"Last-Event-ID", "\xff"}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				p := b.send(c.method, "/graphql", c.accept, c.body, c.header...)
				text := p.text()
				var body struct {
					Errors []struct {
						Message    string
						Extensions struct{ Code model.ErrorCode }
					}
					Data *json.RawMessage
				}
				if err := json.Unmarshal([]byte(text), &body); err != nil {
					t.Fatalf("%v: %s", err, text)
				}
				if p.response.StatusCode != c.status ||
					!strings.HasPrefix(p.response.Header.Get("Content-Type"), "application/json") ||
					len(body.Errors) != 1 || body.Errors[0].Extensions.Code != model.CodeBadUserInput || body.Data != nil {
					t.Errorf("%d %v %s", p.response.StatusCode, p.response.Header, text)
				}
				if c.status == 405 && p.response.Header.Get("Allow") != "GET, POST" {
					t.Errorf("Allow %q", p.response.Header.Get("Allow"))
				}
			})
		})
	}
}

// The client may see its connection close while it still sends, so this looks at the answer itself.
func TestTooLarge(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(query(strings.Repeat(" ", request.MaxBody))))
	r.Header.Set("Accept", eventStream)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	sse.New(sse.Config{}).ServeHTTP(w, r)
	if w.Code != http.StatusRequestEntityTooLarge || w.Header().Get("Connection") != "close" ||
		!strings.Contains(w.Body.String(), "BAD_USER_INPUT") {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

func TestNegotiation(t *testing.T) {
	for accept, media := range map[string]string{
		"text/event-stream":                                             "text/event-stream",
		"text/event-stream, */*;q=0.1":                                  "text/event-stream",
		"TEXT/Event-Stream; charset=utf-8":                              "text/event-stream",
		"multipart/mixed;subscriptionSpec=1.0":                          "multipart/mixed",
		`multipart/mixed;boundary="-";subscriptionSpec="1.0"`:           "multipart/mixed",
		"multipart/mixed;subscriptionSpec=1.0, text/event-stream;q=0.9": "multipart/mixed",
		"multipart/mixed;subscriptionSpec=1.0;q=0.5, text/event-stream": "text/event-stream",
		// What urql sends always.
		"application/graphql-response+json, application/graphql+json, application/json, text/event-stream, " +
			"multipart/mixed": "text/event-stream",
		"nonsense;;, text/event-stream":                   "text/event-stream",
		"text/event-stream;q=2, multipart/mixed;q=x":      "application/json",
		strings.Repeat("a/b, ", 40) + "text/event-stream": "application/json",
		"": "application/json",
	} {
		run(t, nil, func(b *bench) {
			p := b.post(accept, query("{ hello }"))
			if got := p.response.Header.Get("Content-Type"); !strings.HasPrefix(got, media) {
				t.Errorf("Accept %q: %s, want %s", accept, got, media)
			}
		})
	}
}

// The cursor of an answer is its event's id, and comes back when EventSource reconnects.
func TestEventIDs(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.post(eventStream, query("subscription { feed }"))
		p.expect(begin)
		for cursor, line := range map[string]string{"c-1=": "id: c-1=\n", "a\nb": "", "": "", strings.Repeat("x", 1025): ""} {
			b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":1}`), Extensions: map[string]any{"cursor": cursor}}
			quoted, err := json.Marshal(cursor)
			if err != nil {
				t.Fatal(err)
			}
			p.expect(line + next(`{"data":{"feed":1},"extensions":{"cursor":`+string(quoted)+`}}`))
		}
		b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{}`), Extensions: map[string]any{"cursor": 7}}
		p.expect(next(`{"data":{},"extensions":{"cursor":7}}`))
		p.cancel()

		p = b.post(eventStream, `{"query":"subscription { feed }","extensions":{"lastEventId":"old","other":1}}`,
			"Last-Event-ID", "c-1=")
		p.expect(begin)
		if got := b.engine.LastEventID.Load(); got != "c-1=" {
			t.Errorf("last event id %v", got)
		}
		p.cancel()
	})
}

// Line breaks in an answer's white space do not break the stream.
func TestLineBreaks(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.post(eventStream, query("subscription { feed }"))
		b.engine.Feed <- &graphql.Response{Data: json.RawMessage("{\n\"feed\":\r\n\"a\\nb\"}\n")}
		p.expect(begin + next(`{"data":{ "feed":  "a\nb"}}`))
		p.cancel()
	})
}

func TestKeepAlive(t *testing.T) {
	run(t, nil, func(b *bench) {
		events, parts := b.post(eventStream, query("subscription { feed }")),
			b.post(multipart, query("subscription { feed }"))
		events.expect(begin)
		parts.expect("\r\n---")
		for range 3 {
			time.Sleep(sse.KeepAlive - time.Nanosecond)
			events.expect("")
			time.Sleep(time.Nanosecond)
			events.expect(":\n\n")
			parts.expect(part("{}"))
		}
		events.cancel()
		parts.cancel()
		synctest.Wait()
		if b.looks != 6 {
			t.Errorf("the tokens were looked at %d times", b.looks)
		}
	})
}

// A slow query keeps its connection alive as well.
func TestSlowQuery(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.post(eventStream, query("{ slow }"))
		time.Sleep(sse.KeepAlive)
		b.engine.Release <- struct{}{}
		p.expect(begin + ":\n\n" + next(`{"data":{"slow":"at last"}}`) + complete)
		p.expectEnd()
	})
}

func TestExpiry(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.caller.ExpiresAt = time.Now().Add(5 * time.Second)
		events, parts := b.post(eventStream, query("subscription { feed }")),
			b.post(multipart, query("subscription { feed }"))
		time.Sleep(5*time.Second - time.Nanosecond)
		events.expect(begin)
		parts.expect("\r\n---")
		events.expectOpen()
		time.Sleep(time.Nanosecond)
		events.expect("")
		events.expectEnd()
		parts.expect("\r\nContent-Type: application/json\r\n\r\n" +
			`{"payload":null,"errors":[{"message":"The token has expired. Send a new one.",` +
			`"extensions":{"code":"UNAUTHENTICATED"}}]}` +
			"\r\n-----\r\n")
		parts.expectEnd()
	})
}

func TestRevocation(t *testing.T) {
	for name, c := range map[string]struct {
		proof func(before model.Caller) (model.Caller, error)
		ends  bool
	}{
		"the same": {func(c model.Caller) (model.Caller, error) { return c, nil }, false},
		"revoked": {func(model.Caller) (model.Caller, error) {
			return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "revoked")
		}, true},
		"other user":   {func(c model.Caller) (model.Caller, error) { c.UserID[0]++; return c, nil }, true},
		"other rights": {func(c model.Caller) (model.Caller, error) { c.Scopes = nil; return c, nil }, true},
		"expired":      {func(c model.Caller) (model.Caller, error) { c.ExpiresAt = time.Now(); return c, nil }, true},
		"not known": {func(model.Caller) (model.Caller, error) { return model.Caller{}, errors.New("no route to host") },
			false},
		"panic": {func(model.Caller) (model.Caller, error) { panic("oops") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				p := b.post(eventStream, query("subscription { feed }"))
				p.expect(begin)
				before := b.caller
				b.set(func(context.Context) (model.Caller, error) { return c.proof(before) })
				time.Sleep(2 * sse.KeepAlive)
				if c.ends {
					p.expect(":\n\n")
					p.expectEnd()
				} else {
					p.expect(":\n\n:\n\n")
					p.expectOpen()
				}
				p.cancel()
			})
		})
	}
}

// A token that was revoked hears nothing more, and what cannot be looked at is not told.
func TestRevocationBeforeAnAnswer(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.caller.Token = "phone"
		p := b.post(eventStream, query("subscription { feed }"))
		b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":1}`)}
		p.expect(begin + next(`{"data":{"feed":1}}`))
		b.set(func(context.Context) (model.Caller, error) { return model.Caller{}, errors.New("no route to host") })
		b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":2}`)}
		time.Sleep(5 * time.Second)
		p.expect("")
		b.set(func(context.Context) (model.Caller, error) { return b.caller, nil })
		time.Sleep(time.Second)
		p.expect(next(`{"data":{"feed":2}}`))
		b.set(func(context.Context) (model.Caller, error) {
			return model.Caller{}, model.Errorf(model.CodeUnauthenticated, "revoked")
		})
		b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":3}`)}
		p.expect("")
		p.expectEnd()
	})
}

// An issuer that sleeps holds no answer up.
func TestAuthenticationHangs(t *testing.T) {
	run(t, nil, func(b *bench) {
		b.set(func(ctx context.Context) (model.Caller, error) { <-ctx.Done(); return model.Caller{}, ctx.Err() })
		p := b.post(eventStream, query("subscription { feed }"))
		time.Sleep(sse.KeepAlive + time.Second)
		p.expect(begin + ":\n\n")
		b.engine.Feed <- &graphql.Response{Data: json.RawMessage(`{"feed":1}`)}
		p.expect(next(`{"data":{"feed":1}}`))
		p.cancel()
	})
}

// A client that goes away ends what it asked for, except a mutation.
func TestClientLeaves(t *testing.T) {
	run(t, nil, func(b *bench) {
		streams := []*tap{
			b.post(eventStream, query("subscription { feed }")), b.post(multipart, query("subscription { feed }")),
			b.post(eventStream, query("{ slow }")), b.post(eventStream, query("mutation { add }")),
		}
		synctest.Wait()
		if n := b.engine.Running.Load(); n != 4 {
			t.Fatalf("%d run", n)
		}
		for _, p := range streams {
			p.cancel()
		}
		synctest.Wait()
		if n := b.engine.Running.Load(); n != 1 {
			t.Fatalf("%d run after all have left", n)
		}
		b.engine.Release <- struct{}{}
		synctest.Wait()
		if b.engine.Added.Load() != 1 {
			t.Error("the mutation was lost")
		}
	})
}

func TestSlowConsumer(t *testing.T) {
	var logged bytes.Buffer
	run(t, func(c *sse.Config) { c.Logger = slog.New(slog.NewJSONHandler(&logged, nil)) }, func(b *bench) {
		p := b.post(eventStream+"!", `{"query":"subscription { large }","variables":{"size":1000000}}`)
		defer p.cancel()
		time.Sleep(sse.WriteTimeout - time.Nanosecond)
		synctest.Wait()
		if n := b.handler.Streams(); n != 1 {
			t.Errorf("%d streams before the limit", n)
		}
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		if n := b.handler.Streams(); n != 0 {
			t.Errorf("%d streams after the limit", n)
		}
	})
	if !strings.Contains(logged.String(), `"outcome":"client gone"`) {
		t.Errorf("the log: %s", logged.String())
	}
}

func TestStreamsPerProcess(t *testing.T) {
	run(t, func(c *sse.Config) { c.Limits.MaxStreams = 1 }, func(b *bench) {
		one := b.post(eventStream, query("subscription { feed }"))
		two := b.post(eventStream, query("{ hello }"))
		two.expect(
			`{"errors":[{"message":"This server takes no more streams now. Try again in a moment.",` +
				`"extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}`)
		if two.response.StatusCode != http.StatusServiceUnavailable || two.response.Header.Get("Retry-After") != "1" {
			t.Errorf("%d %v", two.response.StatusCode, two.response.Header)
		}
		one.cancel()
		synctest.Wait()
		b.post(eventStream, query("{ hello }")).expect(begin + next(`{"data":{"hello":"world"}}`) + complete)
	})
}

func TestStreamsPerUser(t *testing.T) {
	run(t, func(c *sse.Config) { c.Limits.MaxUserStreams = 1 }, func(b *bench) {
		one := b.post(eventStream, query("subscription { feed }"))
		two := b.post(eventStream, query("{ hello }"))
		two.expect(
			`{"errors":[{"message":"You have as many streams as one user may have. Close one first.",` +
				`"extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}`)
		if two.response.StatusCode != http.StatusTooManyRequests || two.response.Header.Get("Retry-After") != "1" {
			t.Errorf("%d %v", two.response.StatusCode, two.response.Header)
		}
		one.cancel()
		synctest.Wait()
		b.post(eventStream, query("{ hello }")).expect(begin + next(`{"data":{"hello":"world"}}`) + complete)
	})
}

func TestAdmit(t *testing.T) {
	places := make(chan struct{}, 1)
	admit := func(context.Context) (func(), error) {
		select {
		case places <- struct{}{}:
			return func() { <-places }, nil
		default:
			return nil, &model.Error{Code: model.CodeRateLimited, Message: "busy", RetryAfter: time.Second}
		}
	}
	run(t, func(c *sse.Config) { c.Admit = admit }, func(b *bench) {
		// A subscription holds no place once it has started, nor does a refused request.
		subscription := b.post(eventStream, query("subscription { feed }"))
		b.post(eventStream, query("{ nonsense }")).expectEnd()
		slow := b.post(eventStream, query("{ slow }"))
		slow.expect(begin)
		busy := b.post(eventStream, query("{ hello }"))
		busy.expect(`{"errors":[{"message":"busy","extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}`)
		if busy.response.StatusCode != http.StatusServiceUnavailable || busy.response.Header.Get("Retry-After") != "1" {
			t.Errorf("%d %v", busy.response.StatusCode, busy.response.Header)
		}
		b.engine.Release <- struct{}{}
		slow.expectEnd()
		b.post(eventStream, query("{ hello }")).expect(begin + next(`{"data":{"hello":"world"}}`) + complete)
		subscription.cancel()
		synctest.Wait()
		if len(places) != 0 {
			t.Error("a place was not given back")
		}
	})
}

func TestShutdown(t *testing.T) {
	run(t, nil, func(b *bench) {
		events, parts := b.post(eventStream, query("subscription { feed }")),
			b.post(multipart, query("subscription { feed }"))
		mutation := b.post(eventStream, query("mutation { add }"))
		events.expect(begin)
		parts.expect("\r\n---")
		mutation.expect(begin)
		done := make(chan error)
		go func() { done <- b.handler.Shutdown(context.Background()) }()
		events.expect("")
		events.expectEnd()
		parts.expect("\r\nContent-Type: application/json\r\n\r\n" +
			`{"payload":null,"errors":[{"message":"The server is stopping. Subscribe again.",` +
			`"extensions":{"code":"RATE_LIMITED","retryAfterMs":1000}}]}` +
			"\r\n-----\r\n")
		parts.expectEnd()
		mutation.expectOpen()
		if late := b.post(eventStream, query("{ hello }")); late.response.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a draining server answered %d", late.response.StatusCode)
		}
		b.engine.Release <- struct{}{}
		mutation.expect(next(`{"data":{"add":1}}`) + complete)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := b.handler.Shutdown(context.Background()); err != nil {
			t.Errorf("a second Shutdown: %v", err)
		}
	})
}

func TestShutdownByForce(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.post(eventStream, query("{ slow }"))
		p.expect(begin)
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		if err := b.handler.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		p.expect("")
		p.expectEnd()
	})
}
