package delivery

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/internal/seal"
)

// Manager is what the mutations of channels need beside the store. All fields must be set.
type Manager struct {
	Box *seal.Box
	// Private allows addresses of private networks.
	Private        bool
	Webhooks, Push Sender
	Key            func(ctx context.Context) (*ecdh.PrivateKey, error)
	NewID          func() model.UUID
	Now            func() time.Time
}

// CheckAddress is the function of that name, with what this server allows.
func (m *Manager) CheckAddress(text string) (*url.URL, error) { return CheckAddress(text, m.Private) }

// NewSecret makes a secret of a webhook, with its text for the receiver.
func (m *Manager) NewSecret() (secret []byte, text string) {
	secret = make([]byte, SecretSize)
	_, _ = rand.Read(secret) // it never fails
	return secret, SecretText(secret)
}

// Seal encrypts the secrets of a channel.
func (m *Manager) Seal(user model.UserID, channel model.UUID, secret model.ChannelSecret) ([]byte, error) {
	text, err := json.Marshal(secret) //nolint:gosec // what is sealed
	if err != nil {
		return nil, err
	}
	return m.Box.Seal(Place(user, channel), text), nil
}

// Open reads the secrets of a channel.
func (m *Manager) Open(channel model.Channel) (secret model.ChannelSecret, err error) {
	text, err := m.Box.Open(Place(channel.User, channel.ID), channel.Sealed)
	if err == nil {
		err = json.Unmarshal(text, &secret)
	}
	return secret, err
}

// Test sends a message that is about nothing. The problem is empty when it was taken; the status is 0 without an
// answer.
func (m *Manager) Test(ctx context.Context, channel model.Channel) (status int, problem string, err error) {
	secret, err := m.Open(channel)
	if err != nil {
		return 0, "", err
	}
	sender := m.Webhooks
	if channel.Kind == model.ChannelPush {
		sender = m.Push
	}
	err = sender.Send(ctx, secret, Test(&channel, m.NewID(), m.Now()))
	if lost, known := errors.AsType[*Failure](err); known {
		return lost.Status, lost.Problem, nil
	}
	return 0, "", err
}

// PushKey is the server's public key, as browsers take it.
func (m *Manager) PushKey(ctx context.Context) (string, error) {
	key, err := m.Key(ctx)
	if err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()), nil
}

// authSize is that of a browser's secret (RFC 8291, section 3.2).
const authSize = 16

// PushSecret reads a browser's subscription. The errors are BAD_USER_INPUT at the fields of RegisterPushInput.
func (m *Manager) PushSecret(endpoint, key, auth string) (model.ChannelSecret, string, error) {
	address, err := m.CheckAddress(endpoint)
	if err != nil {
		return model.ChannelSecret{}, "", at(err, "input.endpoint")
	}
	secret := model.ChannelSecret{Address: address.String()}
	if secret.Key, err = decode(key); err == nil {
		_, err = ecdh.P256().NewPublicKey(secret.Key)
	}
	if err != nil {
		return secret, "", model.BadInput("input.p256dh", "this is no public key of a browser")
	}
	if secret.Auth, err = decode(auth); err != nil || len(secret.Auth) != authSize {
		return secret, "", model.BadInput("input.auth", "this is no secret of a browser, of 16 bytes in URL-safe base64")
	}
	return secret, address.Host, nil
}

func at(err error, field string) error {
	if shown, ok := errors.AsType[*model.Error](err); ok {
		shown.Field = model.FieldPath(field)
	}
	return err
}

// decode reads URL-safe base64, with or without padding.
func decode(text string) ([]byte, error) {
	return base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
}
