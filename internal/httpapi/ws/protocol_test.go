package ws_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"almanac/internal/httpapi/ws"
)

const (
	initial = `
		> {"type":"connection_init"}
		< {"type":"connection_ack"}`
)

// TestProtocol is PROTOCOL.md of graphql-ws, line by line.
func TestProtocol(t *testing.T) {
	longID := strings.Repeat("i", ws.MaxID)
	for _, c := range []struct{ name, script string }{
		// ConnectionInit and ConnectionAck
		{"init without payload", initial},
		{"init with payload null", `> {"type":"connection_init","payload":null}
			< {"type":"connection_ack"}`},
		{"init with an empty payload", `> {"type":"connection_init","payload":{}}
			< {"type":"connection_ack"}`},
		{"init with unknown keys", `> {"type":"connection_init","payload":{"x":[1,{"y":null}]},"extra":1}
			< {"type":"connection_ack"}`},
		{"no init in time", `~ 9.999s
			=
			~ 1ms
			x 4408 Connection initialisation timeout`},
		{"init at the last moment", `~ 9.999s` + initial + `
			~ 5s
			=`},
		{"second init", initial + `
			> {"type":"connection_init"}
			x 4429 Too many initialisation requests`},
		{"second init right behind the first", `> {"type":"connection_init"}
			> {"type":"connection_init"}
			< {"type":"connection_ack"}
			x 4429 Too many initialisation requests`},
		{"init payload is an array", `> {"type":"connection_init","payload":[]}
			x 4400 Invalid message: the payload of connection_init must be an object`},
		{"init payload is a string", `> {"type":"connection_init","payload":"x"}
			x 4400 Invalid message: the payload of connection_init must be an object`},
		{"init payload is false", `> {"type":"connection_init","payload":false}
			x 4400 Invalid message: the payload of connection_init must be an object`},

		// Ping and Pong
		{"ping before init", `> {"type":"ping"}
			< {"type":"pong"}`},
		{"ping after init", initial + `
			> {"type":"ping"}
			< {"type":"pong"}`},
		{"ping payload comes back", `> {"type":"ping","payload":{"at":1.50,"שלום":"<&>"}}
			< {"type":"pong","payload":{"at":1.50,"שלום":"<&>"}}`},
		{"ping with an empty payload", `> {"type":"ping","payload":{}}
			< {"type":"pong","payload":{}}`},
		{"ping with payload null", `> {"type":"ping","payload":null}
			< {"type":"pong"}`},
		{"ping payload is a number", `> {"type":"ping","payload":1}
			x 4400 Invalid message: the payload of ping must be an object`},
		{"pong before init", `> {"type":"pong"}
			=`},
		{"unsolicited pong", initial + `
			> {"type":"pong","payload":{"beat":1}}
			=`},
		{"pong payload is an array", `> {"type":"pong","payload":[]}
			x 4400 Invalid message: the payload of pong must be an object`},
		{"ping does not stand for init", `> {"type":"ping"}
			< {"type":"pong"}
			~ 10s
			x 4408 Connection initialisation timeout`},

		// Subscribe
		{"subscribe before init", `> {"id":"1","type":"subscribe","payload":{"query":"{ hello }"}}
			x 4401 Unauthorized`},
		{"subscribe without id", initial + `
			> {"type":"subscribe","payload":{"query":"{ hello }"}}
			x 4400 Invalid message: subscribe needs an id, which is a string with something in it`},
		{"subscribe with an empty id", initial + `
			> {"id":"","type":"subscribe","payload":{"query":"{ hello }"}}
			x 4400 Invalid message: subscribe needs an id, which is a string with something in it`},
		{"subscribe with a number for an id", initial + `
			> {"id":1,"type":"subscribe","payload":{"query":"{ hello }"}}
			x 4400 Invalid message: subscribe needs an id, which is a string with something in it`},
		{"subscribe with the longest id", initial + `
			> {"id":"` + longID + `","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"` + longID + `","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"` + longID + `","type":"complete"}`},
		{"subscribe with an id one byte longer", initial + `
			> {"id":"` + longID + `i","type":"subscribe","payload":{"query":"{ hello }"}}
			x 4400 Invalid message: an id may have at most 256 bytes`},
		{"subscribe without payload", initial + `
			> {"id":"1","type":"subscribe"}
			x 4400 Invalid message: subscribe needs a payload, which is an object`},
		{"subscribe with payload null", initial + `
			> {"id":"1","type":"subscribe","payload":null}
			x 4400 Invalid message: subscribe needs a payload, which is an object`},
		{"subscribe with a string payload", initial + `
			> {"id":"1","type":"subscribe","payload":"{ hello }"}
			x 4400 Invalid message: subscribe needs a payload, which is an object`},
		{"subscribe without query", initial + `
			> {"id":"1","type":"subscribe","payload":{}}
			x 4400 Invalid message: subscribe needs a query, which is a string`},
		{"subscribe with query null", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":null}}
			x 4400 Invalid message: subscribe needs a query, which is a string`},
		{"subscribe with a query object", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":{}}}
			x 4400 Invalid message: subscribe needs a query, which is a string`},
		{"subscribe with an empty query", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":""}}
			< {"id":"1","type":"error","payload":[{"message":"…","extensions":{"code":"BAD_USER_INPUT","field":["query"]}}]}
			=`},
		{"subscribe with variables array", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":"{ hello }","variables":[]}}
			x 4400 Invalid message: "variables" must be a JSON object.`},
		{"subscribe with operationName number", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":"{ hello }","operationName":7}}
			x 4400 Invalid message: "operationName" must be a string.`},
		{"subscribe with extensions string", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":"{ hello }","extensions":"x"}}
			x 4400 Invalid message: "extensions" must be a JSON object.`},
		{"subscribe with nulls", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":"{ hello }","operationName":null,"variables":null,"extensions":null}}
			< {"id":"1","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"1","type":"complete"}`},
		{"a used id", initial + `
			> {"id":"אב","type":"subscribe","payload":{"query":"subscription { feed }"}}
			> {"id":"אב","type":"subscribe","payload":{"query":"{ hello }"}}
			x 4409 Subscriber for אב already exists`},
		{"a used id of a query", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":"{ slow }"}}
			> {"id":"1","type":"subscribe","payload":{"query":"{ slow }"}}
			x 4409 Subscriber for 1 already exists`},
		{"a used id too long for the reason", initial + `
			> {"id":"` + longID + `","type":"subscribe","payload":{"query":"{ slow }"}}
			> {"id":"` + longID + `","type":"subscribe","payload":{"query":"{ slow }"}}
			x 4409 Subscriber already exists`},

		// Single result operations
		{"query", initial + `
			> {"id":"q","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"q","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"q","type":"complete"}
			=`},
		{"mutation", initial + `
			> {"id":"m","type":"subscribe","payload":{"query":"mutation { add }"}}
			!
			< {"id":"m","type":"next","payload":{"data":{"add":1}}}
			< {"id":"m","type":"complete"}`},
		{"partial answer is next, not error", initial + `
			> {"id":"q","type":"subscribe","payload":{"query":"{ partial }"}}
			< {"id":"q","type":"next","payload":{"data":{"partial":null},"errors":[{"message":"oops","path":["partial"]}]}}
			< {"id":"q","type":"complete"}`},
		{"data null is next", initial + `
			> {"id":"q","type":"subscribe","payload":{"query":"{ nothing }"}}
			< {"id":"q","type":"next","payload":{"data":null,"errors":[{"message":"oops","path":["nothing"]}]}}
			< {"id":"q","type":"complete"}`},
		{"no data is error", initial + `
			> {"id":"q","type":"subscribe","payload":{"query":"{ timeout }"}}
			< {"id":"q","type":"error","payload":[{"message":"too late","extensions":{"code":"TIMEOUT"}}]}
			=`},
		{"unicode", initial + `
			> {"id":"ש👩‍👧\n","type":"subscribe","payload":{"query":"{ echo }","variables":{"text":"שָׁלוֹם 👩‍👧 \u05d0 \ud83d\ude00 \u2028"}}}
			< {"id":"ש👩‍👧\n","type":"next","payload":{"data":{"echo":"שָׁלוֹם 👩‍👧 א 😀 \u2028"}}}
			< {"id":"ש👩‍👧\n","type":"complete"}`},
		{"panic", initial + `
			> {"id":"q","type":"subscribe","payload":{"query":"{ panic }"}}
			< {"id":"q","type":"error","payload":[{"message":"…","extensions":{"code":"INTERNAL","traceId":"…"}}]}
			> {"type":"ping"}
			< {"type":"pong"}`},

		// Streaming operations
		{"subscription", initial + `
			> {"id":"s","type":"subscribe","payload":{"query":"subscription { count }"}}
			< {"id":"s","type":"next","payload":{"data":{"count":1}}}
			< {"id":"s","type":"next","payload":{"data":{"count":2}}}
			< {"id":"s","type":"next","payload":{"data":{"count":3}}}
			< {"id":"s","type":"complete"}
			=`},
		{"errors amid a stream do not end it", initial + `
			> {"id":"s","type":"subscribe","payload":{"query":"subscription { cracks }"}}
			< {"id":"s","type":"next","payload":{"data":{"cracks":1}}}
			< {"id":"s","type":"next","payload":{"errors":[{"message":"a crack","extensions":{"code":"BAD_USER_INPUT"}}]}}
			< {"id":"s","type":"next","payload":{"data":{"cracks":3}}}
			< {"id":"s","type":"complete"}`},

		// Error
		{"validation error and no complete", initial + `
			> {"id":"e","type":"subscribe","payload":{"query":"{ nonsense }"}}
			< {"id":"e","type":"error","payload":[{"message":"there is no such operation","extensions":{"code":"BAD_USER_INPUT"}}]}
			=`},
		{"subscription that cannot start", initial + `
			> {"id":"e","type":"subscribe","payload":{"query":"subscription { broken }"}}
			< {"id":"e","type":"error","payload":[{"message":"cannot start","extensions":{"code":"BAD_USER_INPUT"}}]}
			=`},
		{"id free again after error", initial + `
			> {"id":"e","type":"subscribe","payload":{"query":"{ nonsense }"}}
			< {"id":"e","type":"error","payload":[{"message":"…","extensions":{"code":"BAD_USER_INPUT"}}]}
			> {"id":"e","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"e","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"e","type":"complete"}`},

		// Complete
		{"complete ends a subscription without an answer", initial + `
			> {"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}
			> {"id":"s","type":"complete"}
			=`},
		{"complete before a query has resolved", initial + `
			> {"id":"q","type":"subscribe","payload":{"query":"{ slow }"}}
			> {"id":"q","type":"complete"}
			=`},
		{"complete of a mutation: it runs on unheard", initial + `
			> {"id":"m","type":"subscribe","payload":{"query":"mutation { add }"}}
			=
			> {"id":"m","type":"complete"}
			=
			!
			=
			> {"id":"m2","type":"subscribe","payload":{"query":"mutation { add }"}}
			!
			< {"id":"m2","type":"next","payload":{"data":{"add":2}}}
			< {"id":"m2","type":"complete"}`},
		{"complete of an unknown id", initial + `
			> {"id":"never","type":"complete"}
			=`},
		{"complete after complete", initial + `
			> {"id":"q","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"q","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"q","type":"complete"}
			> {"id":"q","type":"complete"}
			=`},
		{"complete before init", `> {"id":"1","type":"complete"}
			=`},
		{"id free again after the client's complete", initial + `
			> {"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}
			> {"id":"s","type":"complete"}
			> {"id":"s","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"s","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"s","type":"complete"}`},
		{"complete without id", initial + `
			> {"type":"complete"}
			x 4400 Invalid message: complete needs an id, which is a string with something in it`},
		{"complete with a number for an id", initial + `
			> {"id":1,"type":"complete"}
			x 4400 Invalid message: complete needs an id, which is a string with something in it`},

		// Invalid messages
		{"not JSON", `> hello
			x 4400 Invalid message: …`},
		{"empty text", `>
			x 4400 Invalid message: …`},
		{"array", `> [{"type":"ping"}]
			x 4400 Invalid message: a message must be a JSON object`},
		{"null", `> null
			x 4400 Invalid message: a message must be a JSON object`},
		{"two values", `> {"type":"ping"}{"type":"ping"}
			x 4400 Invalid message: more text follows the JSON value (at byte 15)`},
		{"key twice", `> {"type":"ping","type":"pong"}
			x 4400 Invalid message: an object has the same key twice…`},
		{"no type", `> {"id":"1"}
			x 4400 Invalid message: a message needs a type, which is a string`},
		{"type is a number", `> {"type":1}
			x 4400 Invalid message: a message needs a type, which is a string`},
		{"type in another case", `> {"type":"Ping"}
			x 4400 Invalid message: the type is unknown`},
		{"key in another case", `> {"Type":"ping"}
			x 4400 Invalid message: a message needs a type, which is a string`},
		{"unknown type", initial + `
			> {"type":"start","id":"1","payload":{"query":"{ hello }"}}
			x 4400 Invalid message: the type is unknown`},
		{"connection_ack from the client", initial + `
			> {"type":"connection_ack"}
			x 4400 Invalid message: connection_ack is for the server to send`},
		{"next from the client", initial + `
			> {"id":"1","type":"next","payload":{}}
			x 4400 Invalid message: next is for the server to send`},
		{"error from the client", initial + `
			> {"id":"1","type":"error","payload":[]}
			x 4400 Invalid message: error is for the server to send`},
		{"lone surrogate", initial + `
			> {"id":"1","type":"subscribe","payload":{"query":"{ echo }","variables":{"text":"\ud83d"}}}
			x 4400 Invalid message: a string has half of a surrogate pair…`},
	} {
		t.Run(c.name, func(t *testing.T) {
			run(t, nil, func(b *bench) {
				p := b.connect()
				p.play(b, c.script)
				p.bye()
			})
		})
	}
}

func TestInterleaved(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		p.play(b, `
			> {"id":"slow","type":"subscribe","payload":{"query":"{ slow }"}}
			> {"id":"fast","type":"subscribe","payload":{"query":"{ hello }"}}
			< {"id":"fast","type":"next","payload":{"data":{"hello":"world"}}}
			< {"id":"fast","type":"complete"}
			!
			< {"id":"slow","type":"next","payload":{"data":{"slow":"at last"}}}
			< {"id":"slow","type":"complete"}`)
		p.bye()
	})
}

// A message may come in any number of frames, cut anywhere, also inside a character (RFC 6455, section 5.4).
func TestFragments(t *testing.T) {
	const text = `{"id":"א","type":"subscribe","payload":{"query":"{ echo }","variables":{"text":"שלום 👩‍👧"}}}`
	for _, size := range []int{1, 2, 7, 64} {
		run(t, nil, func(b *bench) {
			p := b.ready()
			w, err := p.conn.Writer(context.Background(), websocket.MessageText)
			if err != nil {
				t.Fatal(err)
			}
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				if _, err := w.Write(rest[:n]); err != nil {
					t.Fatal(err)
				}
				rest = rest[n:]
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			p.expect(`{"id":"א","type":"next","payload":{"data":{"echo":"שלום 👩‍👧"}}}`)
			p.expect(`{"id":"א","type":"complete"}`)
			p.bye()
		})
	}
}

func TestFrameTypes(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		if err := p.conn.Write(context.Background(), websocket.MessageBinary, []byte(`{"type":"ping"}`)); err != nil {
			t.Fatal(err)
		}
		p.expect("x 4400 Invalid message: it must be a text frame")
		p.bye()

		p = b.ready()
		p.send("{\"type\":\"ping\",\"payload\":{\"x\":\"\xff\"}}")
		p.expect("x 1007 The text is not valid UTF-8")
		p.bye()
	})
}

// A close frame of the client's own ends everything the socket ran, except mutations.
func TestClientCloses(t *testing.T) {
	run(t, nil, func(b *bench) {
		p := b.ready()
		p.send(`{"id":"s","type":"subscribe","payload":{"query":"subscription { feed }"}}`)
		p.send(`{"id":"q","type":"subscribe","payload":{"query":"{ slow }"}}`)
		p.send(`{"id":"m","type":"subscribe","payload":{"query":"mutation { add }"}}`)
		p.quiet()
		if n := b.engine.Running.Load(); n != 3 {
			t.Fatalf("%d run", n)
		}
		p.bye()
		p.quiet()
		if n := b.engine.Running.Load(); n != 1 {
			t.Fatalf("%d run after the close", n)
		}
		b.engine.Release <- struct{}{}
		p.quiet()
		if b.engine.Added.Load() != 1 {
			t.Fatal("the mutation was lost")
		}
	})
}

func TestSubprotocol(t *testing.T) {
	for _, c := range []struct {
		offer []string
		close string
	}{
		{nil, "x 4406 Subprotocol not acceptable"},
		{[]string{"graphql-ws"}, "x 4406 Subprotocol not acceptable"},
		{[]string{"GraphQL-Transport-WS"}, "x 4406 Subprotocol not acceptable"},
		{[]string{"graphql-ws", "graphql-transport-ws"}, ""},
	} {
		t.Run(fmt.Sprint(c.offer), func(t *testing.T) {
			run(t, nil, func(b *bench) {
				p, _, err := b.dial(dialing{subprotocols: c.offer})
				if err != nil {
					t.Fatal(err)
				}
				if c.close != "" {
					p.expect(c.close)
				} else {
					p.play(b, initial)
				}
				p.bye()
			})
		})
	}
}
