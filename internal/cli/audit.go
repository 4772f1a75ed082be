package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
)

// audit is the command with one of its own.
func (p Program) audit(ctx context.Context, args []string) error {
	if len(args) == 0 || args[0] != "export" {
		return fmt.Errorf("audit export?\n\n%s", usage)
	}
	own := newFlags("audit export", "out")
	subject := own.String("user", auth.LocalSubject, "whose entries: the subject, as a JWT would name it")
	path := own.String("out", "-", "the file to write, which must not exist; - for standard output")
	return p.withStore(ctx, args[1:], own, func(ctx context.Context, d database) error {
		if *path == "-" {
			return writeAudit(ctx, p.Out, d, model.UserIDOf(*subject))
		}
		file, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(writeAudit(ctx, file, d, model.UserIDOf(*subject)), file.Close()); err != nil {
			return errors.Join(err, os.Remove(*path)) // half an export must not look like one
		}
		return nil
	})
}

// auditLine is one line of the export. at is RFC 3339 in UTC.
type auditLine struct {
	ID      string `json:"id"`
	At      string `json:"at"`
	User    string `json:"user"`
	Kind    string `json:"kind"`
	Outcome string `json:"outcome"`
	Source  string `json:"source"`
	Token   string `json:"token,omitempty"`
	Client  string `json:"client,omitempty"`
	Address string `json:"address,omitempty"`
}

// writeAudit writes the entries of a user, newest first: also those of one who was deleted.
func writeAudit(ctx context.Context, out io.Writer, from store.AuditReader, user model.UserID) error {
	buffered := bufio.NewWriter(out)
	encoder := json.NewEncoder(buffered)
	encoder.SetEscapeHTML(false)
	for after, more := (model.UUID{}), true; more; {
		entries, err := from.Audit(ctx, user, after, exportPage)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := encoder.Encode(auditLine{ID: string(e.ID.AppendText(nil)), At: e.At.UTC().Format(time.RFC3339Nano),
				User: user.String(),
				Kind: e.Kind, Outcome: e.Outcome, Source: string(e.Source), Token: e.Token, Client: e.Client,
				Address: e.Address}); err != nil {
				return err
			}
			after = e.ID
		}
		more = len(entries) == exportPage
	}
	return buffered.Flush()
}
