package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"text/tabwriter"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/app"
	"almanac/internal/auth"
	"almanac/internal/connect"
	"almanac/internal/telemetry"
)

// user is the command with six of its own.
func (p Program) user(ctx context.Context, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return fmt.Errorf("user list, user add, user invite, user disable, user enable or user delete?\n\n%s", usage)
	}
	own := newFlags("user "+args[0], "")
	if args[0] == "list" {
		return p.withStore(ctx, args[1:], own, p.listUsers)
	}
	own.word = "user"
	subject := own.String("user", "", "who: the subject, as a JWT would name it")
	sure := new(bool)
	despite := new(bool)
	do := func(context.Context, database, string) error { return nil }
	switch args[0] {
	case "add":
		do = p.addUser
	case "invite":
		expires := own.Duration("expires", invitedFor, "how long the invitation is good, at most 720h")
		do = func(ctx context.Context, d database, subject string) error {
			return p.invite(ctx, d, subject, *expires)
		}
	case "disable", "enable":
		do = func(ctx context.Context, d database, subject string) error {
			return p.setDisabled(ctx, d, subject, args[0] == "disable")
		}
	case "delete":
		sure = own.Bool("yes", false, "delete; without it, only say what would be")
		despite = own.Bool("despite-remotes", false, "also when a remote system cannot be told")
		do = func(ctx context.Context, d database, subject string) error {
			return p.deleteUser(ctx, d, subject, *sure, *despite)
		}
	default:
		return fmt.Errorf("there is no command user %q\n\n%s", args[0], usage)
	}
	return p.withStore(ctx, args[1:], own, func(ctx context.Context, d database) error {
		if *subject == "" {
			return fmt.Errorf("who? almanac user %s NAME", args[0])
		}
		return do(ctx, d, *subject)
	})
}

const (
	// invitedFor is how long an invitation is good, invitedAtMost how long it may be: it lies in messages and in the
	// histories of browsers.
	invitedFor    = 72 * time.Hour
	invitedAtMost = 30 * 24 * time.Hour
)

// invite makes a link that gives its user one API token.
func (p Program) invite(ctx context.Context, d database, subject string, expires time.Duration) error {
	if expires <= 0 || expires > invitedAtMost {
		return fmt.Errorf("--expires must be more than 0 and at most %v", invitedAtMost)
	}
	if subject == auth.LocalSubject {
		return errors.New("the local user is whoever uses this machine and needs no invitation; name another user")
	}
	user, err := d.ensureUser(ctx, subject)
	if err != nil {
		return err
	}
	if !user.DisabledAt.IsZero() {
		return fmt.Errorf("%s is disabled; almanac user enable %s first", subject, subject)
	}
	ends := d.now().Add(expires)
	invitations := auth.Invitations{Store: d.Store, Now: d.now, NewID: d.ids.New, Random: rand.Reader,
		AuditKept: d.settings.AuditRetention}
	secret, err := invitations.Invite(ctx, user.ID, ends)
	if err == nil {
		err = d.note(ctx, user.ID, auth.AuditInvited, "")
	}
	if err != nil {
		return err
	}
	listener := net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} // nobody listens; it only stands in addresses
	_, err = fmt.Fprintf(p.Out,
		"%s\n\nThis link is shown once. Whoever opens it first, until %s, gets an API token of %s. "+
			"To take it back:\n  almanac token list --user %s\n", d.settings.Base(&listener).JoinPath(connect.PathJoin, secret),
		ends.UTC().Format(time.RFC3339), subject, subject)
	return err
}

// usersAtOnce is how many users are read at once.
const usersAtOnce = 500

func (p Program) listUsers(ctx context.Context, d database) error {
	table := tabwriter.NewWriter(p.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "USER\tE-MAIL\tSINCE\tSTATE\tID") // kept until Flush
	for after, more := (model.UserID{}), true; more; {
		users, err := d.Users(ctx, after, usersAtOnce)
		if err != nil {
			return err
		}
		for _, user := range users {
			state := "enabled"
			if !user.DisabledAt.IsZero() {
				state = "disabled " + user.DisabledAt.Format(time.DateOnly)
			}
			_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", user.Subject, user.Email,
				user.CreatedAt.Format(time.DateOnly), state, user.ID)
			after = user.ID
		}
		more = len(users) == usersAtOnce
	}
	return table.Flush()
}

func (p Program) addUser(ctx context.Context, d database, subject string) error {
	_, err := d.User(ctx, model.UserIDOf(subject))
	if err == nil {
		return fmt.Errorf("there is a user %s already", subject)
	}
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	user, err := d.ensureUser(ctx, subject)
	if err == nil {
		err = d.note(ctx, user.ID, model.AuditUserAdded, "")
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.Out, "added %s (%s); a token for them: almanac token create --user %s --name …\n", subject,
		user.ID, subject)
	return err
}

func (p Program) setDisabled(ctx context.Context, d database, subject string, disable bool) error {
	if subject == auth.LocalSubject && disable {
		return errors.New("the local user is whoever uses this machine and is asked for no token; a server " +
			"that accepts JWTs (ALMANAC_JWT_SECRET, ALMANAC_OIDC_ISSUER) has none")
	}
	at, kind, done := time.Time{}, model.AuditUserEnabled, "enabled"
	if disable {
		at, kind, done = d.now(), model.AuditUserDisabled, "disabled; every token is refused from now on, and streams end"
	}
	id := model.UserIDOf(subject)
	if err := d.DisableUser(ctx, id, at); errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("there is no user %q", subject)
	} else if err != nil {
		return err
	}
	if err := d.note(ctx, id, kind, ""); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.Out, subject, "is", done)
	return err
}

func (p Program) deleteUser(ctx context.Context, d database, subject string, sure, despite bool) error {
	id := model.UserIDOf(subject)
	rows, err := d.RowsOf(ctx, id)
	if err != nil {
		return err
	}
	erased := len(rows) == 0
	if n := rows[store.AuditTable.Name]; len(rows) == 1 && n == 1 {
		erased = true
	}
	if erased {
		return fmt.Errorf("there is nothing of a user %q", subject)
	}
	if !sure {
		return p.sayDeletion(ctx, d, subject, rows)
	}
	listener := net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} // nobody listens; it only stands in addresses
	server, err := app.New(ctx, app.Options{Settings: d.settings, Base: d.settings.Base(&listener), Version: p.Version,
		Log: telemetry.NewLogger(p.ErrOut, max(d.settings.LogLevel, slog.LevelWarn)), Clock: p.Clock})
	if err != nil {
		return err
	}
	err = server.EraseUser(ctx, id, app.Erasure{Despite: despite,
		Say: func(sentence string) { _, _ = fmt.Fprintln(p.Out, sentence) }})
	if err = errors.Join(err, server.Close(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.Out, "deleted", subject)
	return err
}

// sayDeletion says what deleting a user would erase.
func (p Program) sayDeletion(ctx context.Context, d database, subject string, rows map[string]int) error {
	id := model.UserIDOf(subject)
	sum := 0
	for _, n := range rows {
		sum += n
	}
	connections, err := d.Connections(ctx, id)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s has %d rows in %d tables.\n", subject, sum, len(rows))
	for _, connection := range connections {
		text += fmt.Sprintf("The grant of %s (%s) would be revoked; what is in the account stays.\n", connection.Account,
			connection.Provider)
	}
	_, err = fmt.Fprintf(p.Out, "%sNothing was done. To delete all of it, for good: almanac user delete %s --yes\n",
		text, subject)
	return err
}

// note adds to the audit log what a command did.
func (d database) note(ctx context.Context, user model.UserID, kind, token string) error {
	now := d.now()
	return d.AddAudit(ctx, model.AuditEntry{UserID: user, ID: d.ids.New(), At: now, Kind: kind, Outcome: model.AuditOK,
		Source: model.SourceCommand, Token: token, ForgetAt: now.Add(d.settings.AuditRetention)})
}
