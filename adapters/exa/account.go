package exa

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// Account is what one user may see and do with a key. Every method is one question in the sense of model.AskUpstream,
// and its errors are *model.Error; see shown for their codes. What is not there, and what is another user's, is
// NOT_FOUND.
//
// Of a key that several share, lists leave out what is not the user's, so a page may hold less than was asked for, or
// nothing, while more follows; and research, which cannot be marked, is NOT_CONFIGURED. The marks are left out of
// metadata, and stay in Raw, which is byte for byte what Exa has sent.
type Account struct {
	Client *Client
	// Key is the API key.
	Key string
	// Owner is whose things of the account are shown; zero for all.
	Owner Owner
	// Own: the key is the user's, who is told to link another when it is refused.
	Own bool
	// Refused, if there is one, is called when Exa no longer accepts the key.
	Refused func(ctx context.Context)
}

// The parts of paths.
const (
	pathWebsets = "websets"
	versionV0   = "v0"
)

// websets makes a path of the Websets API.
func websets(parts ...string) []string {
	return append([]string{pathWebsets, versionV0}, parts...)
}

// ask asks, and returns the failure for clients. The failure itself is for those who can mend it.
func (a *Account) ask(ctx context.Context, one ask) *failure {
	lost := a.Client.do(ctx, a.Key, one)
	if lost != nil && lost.Kind == remote.KindDenied && a.Refused != nil {
		a.Refused(ctx)
	}
	return lost
}

// shown is a failure for the user of this account.
func (a *Account) shown(lost *failure) error {
	switch {
	case lost == nil:
		return nil
	case lost.Kind == remote.KindDenied && a.Own:
		return &model.Error{Code: model.CodeNotConnected,
			Message: "Exa no longer accepts the key that is linked; link another one.", Cause: lost}
	default:
		return shown(lost)
	}
}

// fetch reads a whole JSON object.
func (a *Account) fetch(ctx context.Context, operation string, path ...string) ([]byte, *failure) {
	return a.send(ctx, ask{operation: operation, method: "GET", path: path, again: true})
}

// send asks, and returns the answer's object.
func (a *Account) send(ctx context.Context, one ask) ([]byte, *failure) {
	var answer []byte
	one.read = func(body []byte) error {
		if !isObject(body) {
			return remote.ErrUnreadable
		}
		answer = body
		return nil
	}
	lost := a.ask(ctx, one)
	return answer, lost
}

func isObject(body []byte) bool {
	trimmed := strings.TrimLeft(string(body[:min(len(body), 64)]), " \t\r\n")
	return strings.HasPrefix(trimmed, "{") && json.Valid(body)
}

// The largest pages that are asked for: where documents and observations differ, the smaller.
const (
	mostItems   = 50
	mostWebsets = 100
	mostOthers  = 200
	// maxCursor bounds the place of a page, in bytes.
	maxCursor = 4 << 10
)

// listing is a list of the remote.
type listing struct {
	operation string
	path      []string
	query     url.Values
	// most is how long a page may be.
	most int
}

// rawPage is a page of a list, with each thing byte for byte.
type rawPage struct {
	things []json.RawMessage
	next   string
}

// page reads one page.
func (a *Account) page(ctx context.Context, list listing, page Page) (rawPage, *failure) {
	query := url.Values{}
	for name, values := range list.query {
		query[name] = slices.Clone(values)
	}
	if page.Limit > 0 {
		query.Set("limit", strconv.Itoa(min(page.Limit, list.most)))
	}
	if page.After != "" {
		query.Set("cursor", page.After)
	}
	var got rawPage
	lost := a.ask(ctx, ask{operation: list.operation, method: "GET", path: list.path, query: query, again: true,
		read: func(body []byte) error {
			type envelope struct {
				Data       []json.RawMessage `json:"data"`
				HasMore    *bool             `json:"hasMore"`
				NextCursor string            `json:"nextCursor"`
			}
			all, err := read[envelope](body)
			if err != nil || !isList(body, all.Data) {
				return remote.ErrUnreadable
			}
			got = rawPage{things: all.Data}
			more := all.HasMore == nil || *all.HasMore
			// A place that leads to itself would be followed for ever.
			if more && all.NextCursor != page.After && len(all.NextCursor) <= maxCursor {
				got.next = all.NextCursor
			}
			return nil
		}})
	return got, lost
}

// isList reports whether an answer is a list at all: an object with data.
func isList(body []byte, data []json.RawMessage) bool {
	if len(data) > 0 {
		return true
	}
	has, err := read[map[string]json.RawMessage](body)
	return err == nil && has["data"] != nil
}

// checked refuses a place that can be none.
func checked(page Page) error {
	if len(page.After) > maxCursor {
		return model.BadInput("after", "this is not a place of the list")
	}
	return nil
}
