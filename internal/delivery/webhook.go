package delivery

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// attemptTimeout bounds one attempt, from the name's lookup to the answer's headers. It must be shorter than the lease.
const attemptTimeout = 20 * time.Second

// Webhooks sends messages by the rules of https://www.standardwebhooks.com (version 1.0.0, symmetric).
type Webhooks struct {
	// Transport connects to what may be connected to; see NewTransport.
	Transport http.RoundTripper
	Now       func() time.Time
	// Timeout bounds one attempt; attemptTimeout when it is zero.
	Timeout time.Duration
}

// NewTransport makes a transport for addresses that users name. It connects to public addresses alone unless private
// ones are allowed. The caller may close its idle connections at the end.
func NewTransport(private bool) *http.Transport {
	const idle = 32
	if private {
		t := remote.NewTransport(idle)
		t.Proxy = nil
		return t
	}
	return remote.NewPublicTransport(idle)
}

// SecretSize is how many bytes a secret has, and SecretPrefix what its text begins with.
const (
	SecretSize   = 32
	SecretPrefix = "whsec_"
)

// SecretText is a secret as it is handed to its receiver.
func SecretText(secret []byte) string {
	return SecretPrefix + base64.StdEncoding.EncodeToString(secret)
}

// Send implements Sender.
func (h *Webhooks) Send(ctx context.Context, secret model.ChannelSecret, message Message) error {
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(h.Timeout, attemptTimeout))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, secret.Address, bytes.NewReader(message.Body))
	if err != nil {
		return &Failure{Problem: "The address cannot be used.", Reason: "address"}
	}
	at := strconv.FormatInt(h.Now().Unix(), 10)
	signatures := []string{signature(secret.Secret, message.ID, at, message.Body)}
	if len(secret.Old) > 0 {
		signatures = append(signatures, signature(secret.Old, message.ID, at, message.Body))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "almanac")
	request.Header["webhook-id"] = []string{message.ID}
	request.Header["webhook-timestamp"] = []string{at}
	request.Header["webhook-signature"] = []string{strings.Join(signatures, " ")}
	return post(h.Transport, request, h.Now)
}

// signature is that of version 1: of the id, the time and the body.
func signature(secret []byte, id, at string, body []byte) string {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%s.%s.", id, at)
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// post sends a request and judges the answer by its status; what the answer says beside it is not read.
func post(transport http.RoundTripper, request *http.Request, now func() time.Time) error {
	client := http.Client{Transport: transport, CheckRedirect: remote.DontFollow}
	response, err := client.Do(request)
	if err != nil {
		return unanswered(err)
	}
	_ = response.Body.Close()
	return refusal(response, now)
}

// unanswered is the failure of a request without an answer.
func unanswered(err error) error {
	lost := &Failure{Problem: "The server does not answer.", Reason: "unreachable"}
	switch {
	case errors.Is(err, remote.ErrNotPublic):
		lost.Problem, lost.Reason = "The address does not lead to a public server.", "private"
	case errors.Is(err, context.DeadlineExceeded):
		lost.Problem, lost.Reason = "The server took too long to answer.", "timeout"
	}
	return lost
}

// refusal is the failure of an answer; nil for one that says the message was taken.
func refusal(response *http.Response, now func() time.Time) error {
	status := response.StatusCode
	lost := &Failure{Status: status, Reason: "refused", Wait: remote.After(response.Header, now),
		Problem: fmt.Sprintf("The server answered with status %d.", status)}
	switch {
	case status >= 200 && status < 300:
		return nil
	case status >= 300 && status < 400:
		lost.Reason, lost.Problem = "redirected", "The server sends us elsewhere, which is not followed: "+
			"give the address that it names."
	case status == http.StatusGone:
		lost.Reason, lost.Gone = "gone", true
	case status == http.StatusTooManyRequests:
		lost.Reason = "limited"
	case status >= http.StatusInternalServerError:
		lost.Reason = "broken"
	}
	return lost
}

// CheckAddress reads the address of a webhook: https, or http too where private networks are allowed. The error is
// BAD_USER_INPUT without a field and does not quote the address. Whether a name leads to a public server is seen when
// it is connected to, each time anew.
func CheckAddress(text string, private bool) (*url.URL, error) {
	text = strings.TrimSpace(text)
	u, err := url.Parse(text)
	if err != nil || len(text) > model.MaxChannelAddress || u.Hostname() == "" || u.Opaque != "" {
		return nil, model.BadInput("", "this is no address; it is written https://example.com/hook")
	}
	if u.Scheme != "https" && !(private && u.Scheme == "http") {
		return nil, model.BadInput("", "the address must begin with https://")
	}
	if !private && !remote.MayBePublic(u.Hostname()) {
		return nil, model.BadInput("", "the address does not lead to a public server")
	}
	u.Fragment, u.RawFragment = "", ""
	return u, nil
}
