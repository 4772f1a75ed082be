package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
)

// token is the command with three of its own.
func (p Program) token(ctx context.Context, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("token create, token list or token revoke?\n\n%s", usage)
	}
	own := newFlags("token "+args[0], "")
	user := own.String("user", auth.LocalSubject, "whose token: the subject, as a JWT would name it")
	switch args[0] {
	case "create":
		name := own.String("name", "", "what to call it")
		scopes := own.String("scopes", "READ,WRITE",
			"what it allows: READ, WRITE, SEND, or of single domains as docs/users.md lists them: TASKS_READ, …")
		expires := own.Duration("expires", 0, "how long it is valid; 0: until it is revoked")
		paid := own.Int("paid-per-hour", -1,
			"how many questions to systems that cost money it may put an hour; 0: none, -1: no bound of its own")
		return p.withStore(ctx, args[1:], own, func(ctx context.Context, d database) error {
			grant := auth.Grant{User: model.UserIDOf(*user), Name: *name}
			switch {
			case *paid < -1 || *paid > auth.MaxPaidPerHour:
				return fmt.Errorf("--paid-per-hour must be -1 to %d", auth.MaxPaidPerHour)
			case *paid >= 0:
				grant.PaidPerHour = new(int32(*paid))
			}
			return p.createToken(ctx, d, *user, grant, *scopes, *expires)
		})
	case "list":
		return p.withStore(ctx, args[1:], own,
			func(ctx context.Context, d database) error { return p.listTokens(ctx, d, *user) })
	case "revoke":
		id := own.String("id", "", "the id that token list shows")
		return p.withStore(ctx, args[1:], own,
			func(ctx context.Context, d database) error { return p.revokeToken(ctx, d, *user, *id) })
	default:
		return fmt.Errorf("there is no command token %q\n\n%s", args[0], usage)
	}
}

func (p Program) createToken(ctx context.Context, d database, subject string, grant auth.Grant, scopes string,
	expires time.Duration) error {
	if subject == "" {
		return errors.New("--user must not be empty")
	}
	if expires < 0 {
		return errors.New("--expires must not be negative")
	}
	// The token can be given out before the user has ever come.
	if _, err := d.ensureUser(ctx, subject); err != nil {
		return err
	}
	if expires > 0 {
		grant.ExpiresAt = d.now().Add(expires)
	}
	var text string
	var token model.APIToken
	var err error
	if grant.Scopes, err = auth.ParseScopes(scopes); err == nil {
		text, token, err = auth.Issuer{Tokens: d.Store, Now: d.now, NewID: d.ids.New, Random: rand.Reader}.Issue(ctx, grant)
	}
	if refused := new(model.Error); errors.As(err, &refused) {
		return fmt.Errorf("--%s: %s", strings.Join(refused.Field, "."), refused.Message)
	}
	if err != nil {
		return err
	}
	if err := d.note(ctx, grant.User, model.AuditTokenMade, token.Name); err != nil {
		return err
	}
	suffix := string(token.ID.AppendText(nil))
	_, err = fmt.Fprintf(p.Out,
		"%s\n\nThis is shown once. It is %s's token %s; end it with:\n  almanac token revoke --user %s --id %s\n", text,
		subject, suffix, subject, suffix)
	return err
}

func (p Program) listTokens(ctx context.Context, d database, subject string) error {
	tokens, err := d.Tokens(ctx, model.UserIDOf(subject))
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ID\tNAME\tSCOPES\tCREATED\tSTATE") // kept until Flush
	for _, token := range tokens {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%v\t%s\t%s\n", token.ID.AppendText(nil), token.Name, token.Scopes,
			token.CreatedAt.Format(time.DateOnly), state(token, d.now()))
	}
	return table.Flush()
}

func state(token model.APIToken, now time.Time) string {
	switch {
	case !token.RevokedAt.IsZero():
		return "revoked " + token.RevokedAt.Format(time.DateOnly)
	case token.ExpiresAt.IsZero():
		return "valid"
	case now.Before(token.ExpiresAt):
		return "valid until " + token.ExpiresAt.Format(time.DateTime) + "Z"
	default:
		return "expired " + token.ExpiresAt.Format(time.DateOnly)
	}
}

func (p Program) revokeToken(ctx context.Context, d database, subject, text string) error {
	id, err := model.ParseUUID(text)
	if err != nil {
		return fmt.Errorf("--id %q is not the id of a token; token list shows them", text)
	}
	user := model.UserIDOf(subject)
	token, err := d.Token(ctx, user, id)
	if err == nil {
		err = d.RevokeToken(ctx, user, id, d.now())
	}
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("%s has no token %s", subject, text)
	}
	if err == nil {
		err = d.note(ctx, user, model.AuditTokenRevoked, token.Name)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.Out, "revoked", text)
	return err
}
