package auth

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// InvitationName is what the list of tokens calls an invitation.
const InvitationName = "invitation"

// What the audit log calls the invitation that the owner gave, and the token that was made of it on the server's page.
const (
	AuditInvited        = "INVITED"
	AuditInvitationUsed = "INVITATION_USED"

	fromPage model.ActionSource = "PAGE"
)

// ErrNoInvitation is what a secret gets that opens nothing: it is wrong, was used, has ended, or its user is disabled.
var ErrNoInvitation = errors.New("no such invitation")

// InvitationStore keeps invitations, which are API tokens without scopes, and what is given for them.
type InvitationStore interface {
	store.TokenStore
	store.AuditWriter
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Invitations issues secrets that can be exchanged once for an API token of their user, and are good for nothing
// else. All fields must be set.
type Invitations struct {
	Store InvitationStore
	Now   func() time.Time
	NewID func() model.UUID
	// Random is where secrets come from: crypto/rand.Reader outside of tests.
	Random io.Reader
	// AuditKept is how long entries of the audit log are kept.
	AuditKept time.Duration
}

func (i Invitations) issuer() Issuer {
	return Issuer{Tokens: i.Store, Now: i.Now, NewID: i.NewID, Random: i.Random}
}

// Invite makes an invitation that ends at a time. Its secret is given this once.
func (i Invitations) Invite(ctx context.Context, user model.UserID, expires time.Time) (secret string, err error) {
	if !expires.After(i.Now()) {
		return "", model.BadInput("expiresAt", "an invitation must end in the future")
	}
	secret, _, err = i.issuer().keep(ctx, model.APIToken{UserID: user, Name: InvitationName, ExpiresAt: expires})
	return secret, err
}

// Open returns whose invitation a secret is, and changes nothing. ErrNoInvitation.
func (i Invitations) Open(ctx context.Context, secret string) (model.UserID, error) {
	given, err := parseTokenText(secret)
	if err != nil {
		return model.UserID{}, ErrNoInvitation
	}
	return given.user, i.opens(ctx, given)
}

func (i Invitations) opens(ctx context.Context, given tokenText) error {
	kept, err := i.Store.Token(ctx, given.user, given.id)
	if errors.Is(err, store.ErrNotFound) {
		return ErrNoInvitation
	}
	if err == nil && (len(kept.Scopes) > 0 || given.matches(kept, i.Now()) != nil) {
		return ErrNoInvitation
	}
	return err
}

// Accept exchanges an invitation for a token with all scopes but SEND, which is called as its user says. Of several who
// try at once one gets it. ErrNoInvitation; BAD_USER_INPUT for a name that cannot be, when the invitation stays.
func (i Invitations) Accept(ctx context.Context, secret, name string) (text string, err error) {
	// Nothing is written, not even the row of a user, for a secret that opens nothing.
	if _, err := i.Open(ctx, secret); err != nil {
		return "", err
	}
	given, err := parseTokenText(secret)
	if err != nil {
		return "", ErrNoInvitation
	}
	err = i.Store.Write(ctx, given.user, func(ctx context.Context, _ store.Tx) (err error) {
		if err := i.opens(ctx, given); err != nil {
			return err
		}
		var token model.APIToken
		text, token, err = i.issuer().Issue(ctx, Grant{User: given.user, Name: name,
			Scopes: slices.Clone(invitedTo)})
		if err != nil {
			return err
		}
		now := i.Now()
		return errors.Join(i.Store.RevokeToken(ctx, given.user, given.id, now),
			i.Store.AddAudit(ctx, model.AuditEntry{UserID: given.user, ID: i.NewID(), At: now,
				Kind: AuditInvitationUsed, Outcome: model.AuditOK, Source: fromPage, Token: token.Name,
				ForgetAt: now.Add(i.AuditKept)}))
	})
	if err != nil {
		return "", err
	}
	return text, nil
}

// invitedTo is what a token allows that is given for an invitation: what a JWT allows that says nothing.
var invitedTo = []model.Scope{model.ScopeRead, model.ScopeWrite}
