package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// The text of an API token is 120 characters:
//
//	almanac_ <26: user> <26: token id> _ <52: secret> <7: checksum>
//
// All parts are lower-case Crockford base32, so that a double click selects the whole and no header or shell minds any
// of it.
//
//   - User and token id are the primary key: one look-up finds the row, and no index over secrets is needed. They are
//     no secret.
//   - The secret is 32 random bytes. What is stored is its SHA-256: a slow hash protects secrets that people choose,
//     because those can be guessed; 256 random bits cannot, however fast the hash. So every request can check it.
//   - The checksum is the CRC-32 (IEEE) of all that stands before it. It proves nothing. It lets a person's typing
//     mistake be seen without a look-up, and a scanner for leaked secrets be sure of what it found:
//     almanac_[0-9a-hjkmnp-tv-z]{52}_[0-9a-hjkmnp-tv-z]{59}
const (
	tokenPrefix  = "almanac_"
	idLength     = 26
	secretLength = 52
	sumLength    = 7
	secretAt     = len(tokenPrefix) + 2*idLength + 1
	sumAt        = secretAt + secretLength
	tokenLength  = sumAt + sumLength
)

// touchEvery is how exactly the last use of a token is known: one write an hour for each token that is used.
const touchEvery = time.Hour

// MaxRecipients bounds the addresses and domains of a token.
const MaxRecipients = 50

// MaxPaidPerHour bounds what a token may spend where it has a bound of its own.
const MaxPaidPerHour = 1_000_000

// MaxTokenName is the longest name of an API token, in characters.
const MaxTokenName = 100

// TokenInserter keeps new API tokens.
type TokenInserter interface {
	InsertToken(ctx context.Context, token model.APIToken) error
}

// Issuer makes API tokens. All fields must be set.
type Issuer struct {
	Tokens TokenInserter
	Now    func() time.Time
	// NewID returns the token's id.
	NewID func() model.UUID
	// Random is where secrets come from: crypto/rand.Reader outside of tests.
	Random io.Reader
}

// Grant is what a new API token allows.
type Grant struct {
	User model.UserID
	// Name is what the user calls it, 1–MaxTokenName printable characters.
	Name string
	// Scopes are at least one, in any order.
	Scopes []model.Scope
	// ExpiresAt is when it ends; zero: never by itself. It must lie in the future.
	ExpiresAt time.Time
	// Recipients are the addresses, and domains with an @ before them, that it may send e-mail to; none: anybody.
	Recipients []string
	// PaidPerHour is how many questions that cost money it may put an hour, 0–MaxPaidPerHour; nil: no bound of its own.
	PaidPerHour *int32
}

// Issue makes a token and keeps it. The text is given this once: only the hash of its secret is kept. BAD_USER_INPUT
// when the grant is not right.
func (i Issuer) Issue(ctx context.Context, grant Grant) (text string, token model.APIToken, err error) {
	now := i.Now()
	name := strings.TrimSpace(grant.Name)
	if n := utf8.RuneCountInString(name); n == 0 || n > MaxTokenName || !isPrintable(name) {
		return "", model.APIToken{}, model.BadInput("name", "a token's name has 1 to %d printable characters", MaxTokenName)
	}
	scopes, err := normaliseScopes(grant.Scopes)
	if err != nil {
		return "", model.APIToken{}, err
	}
	if !grant.ExpiresAt.IsZero() && !grant.ExpiresAt.After(now) {
		return "", model.APIToken{}, model.BadInput("expiresAt", "a token must end in the future")
	}
	recipients, err := normaliseRecipients(grant.Recipients)
	if err != nil {
		return "", model.APIToken{}, err
	}
	paid, err := normalisePaid(grant.PaidPerHour)
	if err != nil {
		return "", model.APIToken{}, err
	}
	return i.keep(ctx, model.APIToken{UserID: grant.User, Name: name, Scopes: scopes, ExpiresAt: grant.ExpiresAt,
		Recipients: recipients, PaidPerHour: paid})
}

// keep makes the secret of a token and keeps the token with its hash.
func (i Issuer) keep(ctx context.Context, token model.APIToken) (string, model.APIToken, error) {
	var secret [32]byte
	if _, err := io.ReadFull(i.Random, secret[:]); err != nil {
		return "", model.APIToken{}, fmt.Errorf("make a token's secret: %w", err)
	}
	token.ID, token.SecretHash, token.CreatedAt = i.NewID(), sha256.Sum256(secret[:]), i.Now()
	if err := i.Tokens.InsertToken(ctx, token); err != nil {
		return "", model.APIToken{}, fmt.Errorf("keep a token: %w", err)
	}
	return tokenText{user: token.UserID, id: token.ID, secret: secret}.String(), token, nil
}

// normaliseRecipients checks addresses and domains, and writes them in lower case, each once.
func normaliseRecipients(given []string) (recipients []string, err error) {
	if len(given) > MaxRecipients {
		return nil, model.BadInput("recipients", "a token has at most %d recipients", MaxRecipients)
	}
	for _, one := range given {
		one = strings.ToLower(strings.TrimSpace(one))
		name, host, found := strings.Cut(one, "@")
		if !found || host == "" || strings.ContainsAny(one, " ,;<>\"") || strings.Contains(host, "@") ||
			len(one) > maxEmail || !isPrintable(name+host) {
			return nil, model.BadInput("recipients", "%q is neither an address nor a domain like @example.com", clip(one))
		}
		if !slices.Contains(recipients, one) {
			recipients = append(recipients, one)
		}
	}
	return recipients, nil
}

func normalisePaid(given *int32) (model.PaidPerHour, error) {
	switch {
	case given == nil:
		return 0, nil
	case *given == 0:
		return model.PaidNone, nil
	case *given < 0 || *given > MaxPaidPerHour:
		return 0, model.BadInput("paidPerHour", "a token may put 0 to %d questions an hour that cost money", MaxPaidPerHour)
	}
	return int(*given), nil
}

// isPrintable reports whether a text is UTF-8 without control characters, line ends or invisible marks.
func isPrintable(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}

// apiToken looks a token up. What is wrong with it makes no difference to the answer, and as little as possible to the
// time it takes: the secrets are compared, in constant time, also when there is no such token.
func (a *Authenticator) apiToken(ctx context.Context, text string) (model.Caller, error) {
	given, err := parseTokenText(text)
	if err != nil {
		return model.Caller{}, refuse(err)
	}
	kept, err := a.tokens.Token(ctx, given.user, given.id)
	found := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return model.Caller{}, fmt.Errorf("look up an API token: %w", err)
	}
	now := a.now()
	wrong := given.matches(kept, now)
	switch {
	case !found:
		return model.Caller{}, refuse(errors.New("no such API token"))
	case wrong != nil:
		return model.Caller{}, refuse(wrong)
	case len(kept.Scopes) == 0:
		return model.Caller{}, refuse(errors.New("an invitation is no API token"))
	}
	if now.Sub(kept.LastUsedAt) >= touchEvery {
		// A use that cannot be noted is no reason to refuse it: the disk may be full, and reading goes on.
		if err := a.tokens.TouchToken(ctx, given.user, given.id, now.Truncate(touchEvery)); err != nil && a.log != nil {
			a.log.WarnContext(ctx, "the use of an API token was not noted", "cause", err.Error())
		}
	}
	return model.Caller{UserID: kept.UserID, Recipients: kept.Recipients, Subject: kept.UserID.String(),
		Scopes: append([]model.Scope(nil), kept.Scopes...), Token: kept.Name, TokenID: kept.ID,
		PaidPerHour: kept.PaidPerHour, ExpiresAt: kept.ExpiresAt}, nil
}

// tokenText is what the text of an API token says.
type tokenText struct {
	user   model.UserID
	id     model.UUID
	secret [32]byte
}

// matches returns why a text does not open the token that is kept, nil when it does. Secrets are compared in constant
// time.
func (t tokenText) matches(kept model.APIToken, now time.Time) error {
	hash := sha256.Sum256(t.secret[:])
	same := subtle.ConstantTimeCompare(hash[:], kept.SecretHash[:]) == 1
	switch {
	case kept.UserID != t.user || kept.ID != t.id:
		return errors.New("the store gave another API token than was asked for")
	case !same:
		return errors.New("wrong secret of an API token")
	case kept.UserDisabled:
		return errUserDisabled
	case !kept.RevokedAt.IsZero():
		return errors.New("the API token was revoked")
	case !kept.ExpiresAt.IsZero() && !now.Before(kept.ExpiresAt):
		return errors.New("the API token has expired")
	}
	return nil
}

// crockford is the alphabet of ids too; it never changes.
var crockford = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// String returns the text.
func (t tokenText) String() string {
	b := make([]byte, 0, tokenLength)
	b = append(b, tokenPrefix...)
	b = model.UUID(t.user).AppendText(b)
	b = t.id.AppendText(b)
	b = append(b, '_')
	b = crockford.AppendEncode(b, t.secret[:])
	return string(crockford.AppendEncode(b, binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b))))
}

// parseTokenText reads the text. Only what String writes is read, so every token has one text.
func parseTokenText(text string) (tokenText, error) {
	if len(text) != tokenLength || !strings.HasPrefix(text, tokenPrefix) || text[secretAt-1] != '_' {
		return tokenText{}, errors.New("malformed API token")
	}
	user, err := model.ParseUUID(text[len(tokenPrefix) : len(tokenPrefix)+idLength])
	if err != nil {
		return tokenText{}, errors.New("malformed user in an API token")
	}
	id, err := model.ParseUUID(text[len(tokenPrefix)+idLength : secretAt-1])
	if err != nil {
		return tokenText{}, errors.New("malformed id in an API token")
	}
	parsed := tokenText{user: model.UserID(user), id: id}
	if n, err := crockford.Decode(parsed.secret[:], []byte(text[secretAt:sumAt])); err != nil || n != len(parsed.secret) {
		return tokenText{}, errors.New("malformed secret in an API token")
	}
	// This is the checksum, and that the 4 bits that 52 characters have more than 32 bytes are zero.
	if parsed.String() != text {
		return tokenText{}, errors.New("wrong checksum of an API token")
	}
	return parsed, nil
}
