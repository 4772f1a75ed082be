package resolvers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"

	"almanac/graph/model"
)

// outside stands in for the deliveries: it seals nothing, makes secrets that can be told apart, and takes every test
// message but those for a host that is called down.
type outside struct{ secrets atomic.Int32 }

func (*outside) CheckAddress(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return nil, model.BadInput("", "the address must begin with https://")
	}
	return u, nil
}

func (o *outside) PushSecret(endpoint, key, auth string) (model.ChannelSecret, string, error) {
	u, err := o.CheckAddress(endpoint)
	if err != nil {
		return model.ChannelSecret{}, "", model.BadInput("input.endpoint", "the address must begin with https://")
	}
	return model.ChannelSecret{Address: endpoint, Key: []byte(key), Auth: []byte(auth)}, u.Host, nil
}

func (o *outside) NewSecret() ([]byte, string) {
	text := fmt.Sprintf("whsec_%d", o.secrets.Add(1))
	return []byte(text), text
}

func (*outside) Seal(_ model.UserID, _ model.UUID, secret model.ChannelSecret) ([]byte, error) {
	return json.Marshal(secret)
}

func (*outside) Open(channel model.Channel) (secret model.ChannelSecret, err error) {
	err = json.Unmarshal(channel.Sealed, &secret)
	return secret, err
}

func (o *outside) Test(_ context.Context, channel model.Channel) (int, string, error) {
	secret, err := o.Open(channel)
	if err == nil && strings.Contains(secret.Address, "down") {
		return 503, "The server answered with status 503.", nil
	}
	return 0, "", err
}

func (*outside) PushKey(context.Context) (string, error) { return "public-key-of-the-server", nil }
