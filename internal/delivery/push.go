package delivery

import (
	"cmp"
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/SherClockHolmes/webpush-go"

	"almanac/adapters/remote"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// remindFor is how long a push service keeps a reminder for a browser that is away; older ones are not sent at all.
const remindFor = 24 * time.Hour

// maxPushTitle bounds the title of a notification in bytes, so that it fits into one record (RFC 8291, section 4).
const maxPushTitle = 1_000

// Push sends notifications to browsers: encrypted by RFC 8291, and by a server that says who it is by RFC 8292.
type Push struct {
	// Transport connects to what may be connected to; see NewTransport.
	Transport http.RoundTripper
	Now       func() time.Time
	// Key returns the server's key.
	Key func(ctx context.Context) (*ecdh.PrivateKey, error)
	// Contact is whom a push service may turn to: an https address, or an e-mail address.
	Contact string
	// Timeout bounds one attempt; attemptTimeout when it is zero.
	Timeout time.Duration
}

// notification is what the service worker shows (web: sw.js).
type notification struct {
	// Tag is of the message: one that is sent again replaces what is shown of it.
	Tag   string    `json:"tag"`
	Title string    `json:"title"`
	At    time.Time `json:"at"`
	// Test: it is about nothing.
	Test bool `json:"test,omitempty"`
}

// Send implements Sender. Messages that nobody is to be told of any more, since they are old or what they are about is
// gone, count as sent.
func (p *Push) Send(ctx context.Context, secret model.ChannelSecret, message Message) error {
	age := p.Now().Sub(message.At)
	if !message.Test && (message.Title == "" || age >= remindFor) {
		return nil
	}
	key, err := p.Key(ctx)
	if err != nil {
		return err
	}
	text, err := json.Marshal(notification{Tag: message.ID, Title: clip(message.Title, maxPushTitle), At: message.At.UTC(),
		Test: message.Test})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(p.Timeout, attemptTimeout))
	defer cancel()
	encode := base64.RawURLEncoding.EncodeToString
	response, err := webpush.SendNotificationWithContext(ctx, text,
		&webpush.Subscription{Endpoint: secret.Address,
			Keys: webpush.Keys{P256dh: encode(secret.Key), Auth: encode(secret.Auth)}},
		&webpush.Options{
			HTTPClient: &http.Client{Transport: p.Transport, CheckRedirect: remote.DontFollow},
			Subscriber: p.Contact, VAPIDPublicKey: encode(key.PublicKey().Bytes()), VAPIDPrivateKey: encode(key.Bytes()),
			// A push service keeps one message of a topic for a browser that is away (RFC 8030, section 5.4).
			Topic: topic(message.ID), TTL: int((remindFor - max(age, 0)).Seconds()), Urgency: webpush.UrgencyHigh,
		})
	if err != nil {
		return unanswered(err)
	}
	_ = response.Body.Close()
	err = refusal(response, p.Now)
	if lost, known := errors.AsType[*Failure](err); known && lost.Status == http.StatusNotFound {
		lost.Reason, lost.Gone = "gone", true // RFC 8030, section 7.3
	}
	return err
}

// topic is the end of a message's id, of at most 32 characters of URL-safe base64.
func topic(id string) string { return id[max(0, len(id)-26):] }

// clip shortens a text to so many bytes, between characters.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Keeper keeps secrets of the server; the contract is that of store.Maintainer.
type Keeper interface {
	Secret(ctx context.Context, name string, fresh []byte) ([]byte, error)
}

// ServerKey returns the key by which push services know this server. It is made once in the life of the database, and
// kept sealed.
func ServerKey(ctx context.Context, keeper Keeper, box *seal.Box) (*ecdh.PrivateKey, error) {
	place := seal.Place{Column: "secrets.vapid"}
	fresh, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	sealed, err := keeper.Secret(ctx, "vapid", box.Seal(place, fresh.Bytes()))
	if err != nil {
		return nil, fmt.Errorf("the server's key of Web Push: %w", err)
	}
	opened, err := box.Open(place, sealed)
	if err != nil {
		return nil, fmt.Errorf("the server's key of Web Push: %w", err)
	}
	return ecdh.P256().NewPrivateKey(opened)
}
