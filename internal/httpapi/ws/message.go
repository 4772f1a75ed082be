package ws

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/coder/websocket"

	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/request"
)

// Subprotocol is the WebSocket subprotocol, compared exactly.
const Subprotocol = "graphql-transport-ws"

// The close codes of the protocol.
const (
	codeInvalidMessage    websocket.StatusCode = 4400
	codeUnauthorized      websocket.StatusCode = 4401
	codeForbidden         websocket.StatusCode = 4403
	codeNotAcceptable     websocket.StatusCode = 4406
	codeInitTimeout       websocket.StatusCode = 4408
	codeSubscriberExists  websocket.StatusCode = 4409
	codeTooManyInitialise websocket.StatusCode = 4429
)

// The message types of the protocol.
const (
	typeInit      = "connection_init"
	typeAck       = "connection_ack"
	typePing      = "ping"
	typePong      = "pong"
	typeSubscribe = "subscribe"
	typeNext      = "next"
	typeError     = "error"
	typeComplete  = "complete"
)

// message is a client's message of the right form.
type message struct {
	kind string
	// id is set for subscribe and complete.
	id string
	// payload is set for connection_init, ping and pong when the client gave one.
	payload map[string]any
	// request is set for subscribe.
	request engine.Request
	// refused is set for a subscribe of the right form whose query is empty: an error of the operation, not of the
	// socket.
	refused error
}

// parseMessage reads a text frame. The error is short enough, and says little enough, to be the reason of a close 4400.
func parseMessage(text []byte) (message, error) {
	value, err := request.ParseJSON(text)
	if err != nil {
		return message{}, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return message{}, errors.New("a message must be a JSON object")
	}
	kind, ok := object["type"].(string)
	if !ok {
		return message{}, errors.New("a message needs a type, which is a string")
	}
	m := message{kind: kind}
	switch kind {
	case typeInit, typePing, typePong:
		m.payload, err = optionalObject(object["payload"], kind)
	case typeSubscribe:
		if m.id, err = idOf(object, kind); err == nil {
			err = m.readRequest(object["payload"])
		}
	case typeComplete:
		m.id, err = idOf(object, kind)
	case typeAck, typeNext, typeError:
		err = fmt.Errorf("%s is for the server to send", kind)
	default:
		err = errors.New("the type is unknown")
	}
	return m, err
}

func optionalObject(value any, kind string) (map[string]any, error) {
	switch value := value.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return value, nil
	default:
		return nil, fmt.Errorf("the payload of %s must be an object", kind)
	}
}

func idOf(object map[string]any, kind string) (string, error) {
	id, ok := object["id"].(string)
	switch {
	case !ok || id == "":
		return "", fmt.Errorf("%s needs an id, which is a string with something in it", kind)
	case len(id) > MaxID:
		return "", fmt.Errorf("an id may have at most %d bytes", MaxID)
	}
	return id, nil
}

func (m *message) readRequest(payload any) error {
	object, ok := payload.(map[string]any)
	if !ok {
		return errors.New("subscribe needs a payload, which is an object")
	}
	query, isText := object["query"].(string)
	if absent := object["query"] == nil; !isText && (!absent || !request.NamesDocument(object)) {
		return errors.New("subscribe needs a query, which is a string")
	}
	var err error
	if m.request, err = request.FromObject(object); err == nil {
		return nil
	}
	if isText && query == "" {
		m.refused = err
		return nil
	}
	var refused *request.Error
	if errors.As(err, &refused) {
		return errors.New(refused.Shown.Message)
	}
	return err
}

// messageFrame is the message of a type without an id, with its payload when there is one.
func messageFrame(kind string, payload map[string]any) ([]byte, error) {
	frame := append(make([]byte, 0, 64), `{"type":"`...)
	frame = append(frame, kind...)
	frame = append(frame, '"')
	if payload != nil {
		var text bytes.Buffer
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(payload); err != nil {
			return nil, fmt.Errorf("encode the payload of %s: %w", kind, err)
		}
		frame = append(frame, `,"payload":`...)
		frame = append(frame, bytes.TrimSpace(text.Bytes())...)
	}
	return append(frame, '}'), nil
}

// appendHead writes what an operation's message begins with, up to its payload: `{"id":…,"type":…`.
func appendHead(frame []byte, id, kind string) ([]byte, error) {
	frame = append(frame, `{"id":`...)
	if isPlain(id) {
		frame = append(append(append(frame, '"'), id...), '"')
	} else {
		quoted, err := json.Marshal(id)
		if err != nil {
			return nil, fmt.Errorf("encode the id %s: %w", strconv.Quote(id), err)
		}
		frame = append(frame, quoted...)
	}
	frame = append(frame, `,"type":"`...)
	frame = append(frame, kind...)
	return append(frame, '"'), nil
}

// isPlain reports whether a text is letters, digits and hyphens, as most ids are, so that it is JSON between quotes.
func isPlain(text string) bool {
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-' {
			return false
		}
	}
	return true
}
