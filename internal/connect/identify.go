package connect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"google.golang.org/api/googleapi"

	"almanac/adapters/google"
)

// Where Google says whose account a token is of. The first needs the scopes that are always asked for
// (https://developers.google.com/identity/openid-connect/openid-connect, "Obtaining user profile information"); the
// second needs the list of calendars, in which the primary one has the account's address as its id.
const (
	userInfoURL        = "https://openidconnect.googleapis.com/v1/userinfo"
	primaryCalendarURL = "https://www.googleapis.com/calendar/v3/users/me/calendarList/primary?fields=id"
)

// identify returns the address of the token's account.
func (l *Linker) identify(ctx context.Context, token google.Token) (string, error) {
	var said struct {
		Email string `json:"email"`
		ID    string `json:"id"`
	}
	var address string
	switch {
	case slices.Contains(token.Scopes, ScopeEmail) || slices.Contains(token.Scopes, "email"):
		address = userInfoURL
	case google.Missing(token.Scopes, []string{google.ScopeCalendarList}) == nil:
		address = primaryCalendarURL
	default:
		return "", failIdentity
	}
	if err := l.get(ctx, address, token.Access, &said); err != nil {
		return "", err
	}
	for _, text := range []string{said.Email, said.ID} {
		if kept := account(text); kept != "" {
			return kept, nil
		}
	}
	return "", errors.Join(failIdentity, errors.New("connect: Google's answer has no address"))
}

// get reads a small JSON answer of Google. Errors are those of google.Classify.
func (l *Linker) get(ctx context.Context, address, access string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return fmt.Errorf("connect: ask whose account it is: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+access)
	client := http.Client{Transport: l.OAuth.Base,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return google.Classify(err)
	}
	defer func() { _ = response.Body.Close() }()
	const most = 64 << 10
	response.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(response.Body, most), response.Body}
	if response.StatusCode != http.StatusOK {
		if err := googleapi.CheckResponse(response); err != nil {
			return google.Classify(err)
		}
		return fmt.Errorf("connect: ask whose account it is: status %d", response.StatusCode)
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		return google.Classify(fmt.Errorf("connect: read whose account it is: %w", err))
	}
	return nil
}
