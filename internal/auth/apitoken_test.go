package auth_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/clock"
)

// scanner is the pattern that the package documents for scanners of leaked secrets.
var scanner = regexp.MustCompile(`^almanac_[0-9a-hjkmnp-tv-z]{52}_[0-9a-hjkmnp-tv-z]{59}$`)

func grant(subject string) auth.Grant {
	return auth.Grant{User: model.UserIDOf(subject), Name: "phone",
		Scopes: []model.Scope{model.ScopeWrite, model.ScopeRead, model.ScopeRead}}
}

func TestIssue(t *testing.T) {
	tokens := &memoryTokens{}
	g := grant("דנה")
	g.Name = "  הטלפון שלי "
	g.ExpiresAt = start.Add(time.Hour)
	text, token, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	if !scanner.MatchString(text) {
		t.Errorf("%d characters that the documented pattern does not match", len(text))
	}
	kept := tokens.rows[g.User][token.ID]
	if !reflect.DeepEqual(kept, token) || kept.Name != "הטלפון שלי" || kept.CreatedAt != start ||
		kept.ExpiresAt != g.ExpiresAt {
		t.Errorf("kept %+v, gave %+v", kept, token)
	}
	if want := []model.Scope{"READ", "WRITE"}; !reflect.DeepEqual(kept.Scopes, want) {
		t.Errorf("scopes %v, want %v", kept.Scopes, want)
	}
	// What is at rest must not open the door: neither the secret nor the hash is a token.
	if strings.Contains(fmt.Sprintf("%+v", kept), text[61:113]) || kept.SecretHash == [32]byte{} {
		t.Error("the secret is at rest")
	}
	caller, err := mustNew(t, auth.Options{Tokens: tokens}).Authenticate(context.Background(), text)
	want := model.Caller{UserID: g.User, Subject: g.User.String(), Scopes: kept.Scopes, Token: token.Name,
		TokenID: token.ID, ExpiresAt: g.ExpiresAt}
	if err != nil || !reflect.DeepEqual(caller, want) {
		t.Errorf("got %+v, %v; want %+v", caller, err, want)
	}
}

func TestIssueRefuses(t *testing.T) {
	for name, change := range map[string]func(*auth.Grant){
		"no name":       func(g *auth.Grant) { g.Name = " " },
		"long name":     func(g *auth.Grant) { g.Name = strings.Repeat("א", auth.MaxTokenName+1) },
		"odd name":      func(g *auth.Grant) { g.Name = "a\nb" },
		"bidi name":     func(g *auth.Grant) { g.Name = "a\u202eb" },
		"not UTF-8":     func(g *auth.Grant) { g.Name = "a\xff" },
		"no scope":      func(g *auth.Grant) { g.Scopes = nil },
		"unknown scope": func(g *auth.Grant) { g.Scopes = []model.Scope{"READ", "ADMIN"} },
		"ended":         func(g *auth.Grant) { g.ExpiresAt = start },
	} {
		tokens := &memoryTokens{}
		g := grant("dana")
		change(&g)
		text, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(), g)
		if model.CodeOf(err) != model.CodeBadUserInput || text != "" || len(tokens.rows) != 0 {
			t.Errorf("%s: %q, %v, %d kept", name, text, err, len(tokens.rows))
		}
	}
	tokens := &memoryTokens{failure: errors.New("disk full")}
	if text, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(), grant("dana")); err == nil ||
		text != "" {
		t.Error("a token that was not kept was given out")
	}
	dry := issuerOf(&memoryTokens{}, clock.Fixed(start).Now)
	dry.Random = iotest.ErrReader(errors.New("dry"))
	if text, _, err := dry.Issue(context.Background(), grant("dana")); err == nil || text != "" {
		t.Error("a token without randomness was given out")
	}
	longest := grant("dana")
	longest.Name = strings.Repeat("א", auth.MaxTokenName)
	if _, _, err := issuerOf(&memoryTokens{}, clock.Fixed(start).Now).Issue(context.Background(), longest); err != nil {
		t.Errorf("the longest name: %v", err)
	}
}

// rechecksum computes the right checksum of a text again, as a forger would.
func rechecksum(text string) string {
	body := text[:len(text)-7]
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(body)))
	return body + base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding).EncodeToString(sum)
}

func TestForgedAPITokens(t *testing.T) {
	tokens := &memoryTokens{}
	issuer := issuerOf(tokens, clock.Fixed(start).Now)
	mine, _, err := issuer.Issue(context.Background(), grant("mallory"))
	if err != nil {
		t.Fatal(err)
	}
	theirs, _, err := issuer.Issue(context.Background(), grant("dana"))
	if err != nil {
		t.Fatal(err)
	}
	a := mustNew(t, auth.Options{Tokens: tokens})
	user, id, key := func(s string) string { return s[8:34] }, func(s string) string { return s[34:60] },
		func(s string) string { return s[61:113] }
	join := func(user, id, key string) string {
		return rechecksum("almanac_" + user + id + "_" + key + "0000000")
	}
	if join(user(mine), id(mine), key(mine)) != mine {
		t.Fatal("the test's own idea of the form is wrong")
	}
	nobody := model.UUID(model.UserIDOf("nobody"))
	for name, forged := range map[string]string{
		"foreign user spliced in":         join(user(theirs), id(mine), key(mine)),
		"foreign id spliced in":           join(user(mine), id(theirs), key(mine)),
		"foreign user and id spliced in":  join(user(theirs), id(theirs), key(mine)),
		"own row, foreign secret":         join(user(mine), id(mine), key(theirs)),
		"unknown user":                    join(string(nobody.AppendText(nil)), id(mine), key(mine)),
		"all zero secret":                 join(user(theirs), id(theirs), strings.Repeat("0", 52)),
		"another spelling of the secret":  join(user(mine), id(mine), key(mine)[:51]+nextSymbol(key(mine)[51])),
		"user beyond 128 bits":            join("8"+user(mine)[1:], id(mine), key(mine)),
		"symbols outside of the alphabet": join(user(mine), id(mine), "iloU"+key(mine)[4:]),
		"upper case":                      strings.ToUpper(mine),
		"upper case after the prefix":     "almanac_" + strings.ToUpper(mine[8:]),
		"cut short":                       mine[:119],
		"one more character":              mine + "0",
		"space before":                    " " + mine,
		"line end after":                  mine + "\n",
		"prefix only":                     "almanac_",
		"no underscore":                   mine[:60] + "0" + mine[61:],
		"the hash instead of the secret": join(user(theirs), id(theirs),
			base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding).EncodeToString(hashOf(tokens,
				theirs))),
		"huge": "almanac_" + strings.Repeat("0", 1<<20),
	} {
		caller, err := a.Authenticate(context.Background(), forged)
		wantRefused(t, name, caller, err)
		if cause := errors.Unwrap(err); cause == nil || strings.Contains(cause.Error(), key(mine)[:20]) {
			t.Errorf("%s: the cause for the log is %v", name, cause)
		}
	}
	// Every single mistyped character is seen without asking the store.
	before := tokens.lookups
	for i := range mine {
		caller, err := a.Authenticate(context.Background(), mine[:i]+nextSymbol(mine[i])+mine[i+1:])
		wantRefused(t, fmt.Sprintf("character %d mistyped", i), caller, err)
	}
	if tokens.lookups != before {
		t.Errorf("mistyped tokens made %d look-ups", tokens.lookups-before)
	}
	for name, text := range map[string]string{"mallory": mine, "dana": theirs} {
		if caller, err := a.Authenticate(context.Background(), text); err != nil || caller.UserID != model.UserIDOf(name) {
			t.Errorf("%s's own token: %+v, %v", name, caller, err)
		}
	}
}

// nextSymbol returns another symbol of the alphabet; for the last character of a secret it changes a spare bit only.
func nextSymbol(c byte) string {
	const symbols = "0123456789abcdefghjkmnpqrstvwxyz"
	i := strings.IndexByte(symbols, c)
	if i < 0 {
		return "0"
	}
	return string(symbols[i^1])
}

func hashOf(tokens *memoryTokens, text string) []byte {
	id, err := model.ParseUUID(text[34:60])
	if err != nil {
		panic(err)
	}
	user, err := model.ParseUUID(text[8:34])
	if err != nil {
		panic(err)
	}
	hash := tokens.rows[model.UserID(user)][id].SecretHash
	return hash[:]
}

func TestAPITokensEnd(t *testing.T) {
	c := clock.NewManual(start)
	tokens := &memoryTokens{}
	g := grant("dana")
	g.ExpiresAt = start.Add(time.Hour)
	text, token, err := issuerOf(tokens, c.Now).Issue(context.Background(), g)
	if err != nil {
		t.Fatal(err)
	}
	a := mustNew(t, auth.Options{Tokens: tokens, Now: c.Now})
	for _, step := range []struct {
		at time.Duration
		ok bool
	}{{0, true}, {time.Hour - time.Microsecond, true}, {time.Hour, false}, {2 * time.Hour, false}, {time.Minute, true}} {
		c.Set(start.Add(step.at))
		caller, err := a.Authenticate(context.Background(), text)
		if step.ok != (err == nil) {
			t.Errorf("after %v: %+v, %v", step.at, caller, err)
		}
	}
	tokens.revoke(token, start.Add(24*time.Hour))
	caller, err := a.Authenticate(context.Background(), text)
	wantRefused(t, "revoked, whatever the time of it", caller, err)
}

func TestOneLookUpForEachRequest(t *testing.T) {
	tokens := &memoryTokens{}
	text, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(), grant("dana"))
	if err != nil {
		t.Fatal(err)
	}
	a := mustNew(t, auth.Options{Tokens: tokens})
	for i := range 3 {
		if _, err := a.Authenticate(context.Background(), text); err != nil || tokens.lookups != i+1 {
			t.Errorf("request %d: %d look-ups, %v", i+1, tokens.lookups, err)
		}
	}
}

func TestAStoreThatFailsSaysNothingAboutTheToken(t *testing.T) {
	tokens := &memoryTokens{}
	text, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(), grant("dana"))
	if err != nil {
		t.Fatal(err)
	}
	a := mustNew(t, auth.Options{Tokens: tokens})
	for _, failure := range []error{store.ErrUnavailable, context.Canceled, errors.New("disk")} {
		tokens.failure = failure
		caller, err := a.Authenticate(context.Background(), text)
		if !errors.Is(err, failure) || model.CodeOf(err) == model.CodeUnauthenticated || caller.Subject != "" {
			t.Errorf("%v: got %+v, %v", failure, caller, err)
		}
	}
}

// A store that answers with somebody else's row must not turn the caller into them.
func TestTheRowMustBeTheOneAskedFor(t *testing.T) {
	tokens := &memoryTokens{}
	mine, _, err := issuerOf(tokens, clock.Fixed(start).Now).Issue(context.Background(), grant("mallory"))
	if err != nil {
		t.Fatal(err)
	}
	for user, rows := range tokens.rows {
		for id, row := range rows {
			row.UserID = model.UserIDOf("dana")
			tokens.rows[user][id] = row
		}
	}
	caller, err := mustNew(t, auth.Options{Tokens: tokens}).Authenticate(context.Background(), mine)
	wantRefused(t, "a foreign row", caller, err)
}

func rand32() string {
	var b [32]byte
	_, _ = rand.Read(b[:])
	sum := sha256.Sum256(b[:])
	return string(sum[:])
}
