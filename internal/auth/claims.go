package auth

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
)

// Bounds of what a JWT may say.
const (
	// maxSubject is the longest sub, in bytes (OpenID Connect Core 1.0, 2).
	maxSubject = 255
	// maxEmail is the longest e-mail address, in bytes (RFC 5321, 4.5.3.1.3).
	maxEmail = 254
	// leeway is by how much an issuer's clock may be ahead of ours. It is not given to exp: what has ended has ended.
	leeway = time.Minute
)

// claims are the registered claims of a JWT that matter here (RFC 7519, 4.1), and those of ours.
type claims struct {
	issuer    string
	subject   string
	audience  []string
	expires   time.Time
	notBefore time.Time
	issuedAt  time.Time
	email     string
	// nonce and party are what an ID token answers and for whom it was made (OpenID Connect Core 1.0, 2).
	nonce, party string
	// scopes is nil when the token says nothing about them.
	scopes []string
}

// parseClaims reads the payload. Names are compared exactly: encoding/json would take "Sub" for "sub", and issuers let
// people add claims of their own.
func parseClaims(payload []byte) (claims, error) {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(payload, &raw); err != nil || raw == nil {
		return claims{}, errors.New("the claims are not a JSON object")
	}
	var c claims
	var err error
	read := func(name string, target any) {
		if value, there := raw[name]; there && err == nil && json.Unmarshal(value, target) != nil {
			err = fmt.Errorf("the claim %s has the wrong type", name)
		}
	}
	var expires, notBefore, issuedAt numericDate
	var audience stringList
	read("iss", &c.issuer)
	read("sub", &c.subject)
	read("aud", &audience)
	read("exp", &expires)
	read("nbf", &notBefore)
	read("iat", &issuedAt)
	read("nonce", &c.nonce)
	read("azp", &c.party)
	for _, name := range []string{"scope", "scp", "scopes"} {
		if _, there := raw[name]; there {
			scopes := stringList{split: true}
			read(name, &scopes)
			c.scopes = scopes.values
			break
		}
	}
	if err != nil {
		return claims{}, err
	}
	c.audience, c.expires, c.notBefore, c.issuedAt = audience.values, expires.Time, notBefore.Time, issuedAt.Time
	c.email = emailOf(raw)
	return c, nil
}

// check holds the claims against the clock and what is asked of them; empty issuer and audience ask nothing.
func (c claims) check(now time.Time, issuer, audience string) error {
	switch {
	case issuer != "" && c.issuer != issuer:
		return errors.New("another issuer")
	case audience != "" && !slices.Contains(c.audience, audience):
		return errors.New("meant for another audience")
	case c.expires.IsZero():
		return errors.New("no exp")
	case !now.Before(c.expires):
		return errors.New("expired")
	case c.notBefore.After(now.Add(leeway)):
		return errors.New("not valid yet")
	case c.issuedAt.After(now.Add(leeway)):
		return errors.New("issued in the future")
	case c.subject == "" || len(c.subject) > maxSubject || !isPrintable(c.subject) ||
		strings.TrimSpace(c.subject) != c.subject:
		return errors.New("no sub, or one that is not 1 to 255 printable bytes")
	case c.subject == LocalSubject:
		return errors.New("the sub is the local user's")
	}
	return nil
}

func (c claims) caller() model.Caller {
	return model.Caller{UserID: model.UserIDOf(c.subject), Subject: c.subject, Email: c.email,
		Scopes: claimedScopes(c.scopes), ExpiresAt: c.expires}
}

// emailOf returns the address, unless the issuer says that it is not verified, or it is none. It is only ever shown, so
// one that is odd is no reason to refuse the token.
func emailOf(raw map[string]json.RawMessage) string {
	var email string
	if value, there := raw["email"]; !there || json.Unmarshal(value, &email) != nil {
		return ""
	}
	if verified, there := raw["email_verified"]; there && string(verified) != "true" && string(verified) != `"true"` {
		return ""
	}
	name, host, found := strings.Cut(email, "@")
	if !found || name == "" || host == "" || strings.ContainsAny(email, " <>") || len(email) > maxEmail ||
		!isPrintable(email) {
		return ""
	}
	return email
}

// numericDate is seconds since 1970, whole or not (RFC 7519, 2).
type numericDate struct{ time.Time }

func (d *numericDate) UnmarshalJSON(b []byte) error {
	var seconds float64
	if err := json.Unmarshal(b, &seconds); err != nil {
		return err
	}
	const year9999 = 253402300799
	if string(b) == "null" || math.IsNaN(seconds) || seconds <= 0 || seconds > year9999 {
		return errors.New("not a date between 1970 and 9999")
	}
	whole, fraction := math.Modf(seconds)
	d.Time = time.Unix(int64(whole), int64(fraction*1e9)).UTC()
	return nil
}

// stringList is a claim that may be one text or a list of them.
type stringList struct {
	values []string
	// split: the one text is a list separated by spaces (RFC 8693, 4.2).
	split bool
}

func (l *stringList) UnmarshalJSON(b []byte) error {
	var one string
	switch {
	case string(b) == "null":
		return errors.New("null is neither a text nor a list")
	case json.Unmarshal(b, &one) != nil:
		l.values = []string{}
		return json.Unmarshal(b, &l.values)
	case l.split:
		l.values = append([]string{}, strings.Fields(one)...)
	default:
		l.values = []string{one}
	}
	return nil
}
