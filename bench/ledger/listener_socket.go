//go:build bench

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/coder/websocket"
)

// frame is one message of graphql-transport-ws.
type frame struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// listenBySocket subscribes on a fresh socket and returns each answer's data to hear, until the connection or hear ends
// it.
func listenBySocket(ctx context.Context, address, token, document, after string,
	hear func(data json.RawMessage) error) error {
	conn, err := openSocket(ctx, address, token)
	if err != nil {
		return err
	}
	defer conn.CloseNow() //nolint:errcheck // a client that vanishes
	payload, err := json.Marshal(map[string]any{"query": document, "variables": map[string]string{"after": after}})
	if err != nil {
		return err
	}
	if err := send(ctx, conn, frame{ID: "1", Type: "subscribe", Payload: payload}); err != nil {
		return socketEnd(err)
	}
	for {
		f, err := receive(ctx, conn)
		if err != nil {
			return socketEnd(err)
		}
		switch f.Type {
		case "ping":
			err = send(ctx, conn, frame{Type: "pong"})
		case "next":
			var data json.RawMessage
			if data, err = dataOf(f.Payload); err == nil {
				err = hear(data)
			}
		default:
			err = &ended{"socket: " + f.Type + " " + wordsOf([]byte(`{"errors":`+string(f.Payload)+`}`)),
				errors.New(clip(f.Payload))}
		}
		if err != nil {
			return err
		}
	}
}

// openSocket connects and waits for connection_ack.
func openSocket(ctx context.Context, address, token string) (*websocket.Conn, error) {
	options := &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}}
	conn, response, err := websocket.Dial(ctx, "ws://"+address+"/graphql", options) //nolint:bodyclose // the package's
	if err != nil {
		what := "socket: no connection"
		if response != nil && response.StatusCode != http.StatusSwitchingProtocols {
			what = fmt.Sprintf("socket: refused with %d", response.StatusCode)
		}
		return nil, &ended{what, err}
	}
	conn.SetReadLimit(maxAnswer)
	if err = send(ctx, conn, frame{Type: "connection_init",
		Payload: json.RawMessage(`{"authorization":"Bearer ` + token + `"}`)}); err == nil {
		var ack frame
		if ack, err = receive(ctx, conn); err == nil && ack.Type != "connection_ack" {
			err = &ended{"socket: " + ack.Type + " instead of connection_ack", errors.New(ack.Type)}
		}
	}
	if err != nil {
		_ = conn.CloseNow()
		return nil, socketEnd(err)
	}
	return conn, nil
}

func send(ctx context.Context, conn *websocket.Conn, f frame) error {
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return conn.Write(ctx, websocket.MessageText, text)
}

func receive(ctx context.Context, conn *websocket.Conn) (f frame, err error) {
	_, text, err := conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err
}

// socketEnd says how a socket ended: with which close code, or without any.
func socketEnd(err error) error {
	if how := new(ended); errors.As(err, &how) {
		return err
	}
	if code := websocket.CloseStatus(err); code != -1 {
		return &ended{fmt.Sprintf("socket: closed with %d", code), err}
	}
	return &ended{"socket: cut without a close code", err}
}

// dataOf returns the data of an answer without errors.
func dataOf(payload []byte) (json.RawMessage, error) {
	var e envelope
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, err
	}
	if len(e.Errors) > 0 {
		return nil, &ended{"answered with " + wordsOf(payload), errors.New(clip(payload))}
	}
	return e.Data, nil
}
