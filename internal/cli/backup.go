package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"almanac/internal/app"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/telemetry"
)

// backup is the command of that name: a copy of the embedded database, also while a server uses it.
func (p Program) backup(ctx context.Context, args []string) error {
	own := newFlags("backup", "out")
	to := own.String("out", "", "the file to write, which must not exist")
	keys := own.Bool("keys", true, "with the server's own secrets; false: cursors end, and accounts must be linked again")
	file := own.String("passphrase-file", "", "encrypt with the passphrase in this file, in the format of age")
	settings, passphrase, err := p.ofBackup(args, own, file)
	if err != nil {
		return err
	}
	if *to == "" {
		return errors.New("which file is to be written? almanac backup FILE")
	}
	if err := app.Backup(ctx, settings, *to, app.BackupOptions{WithoutKeys: !*keys, Passphrase: passphrase}); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.Out, "written:", *to)
	return err
}

// restore is the command of that name: it makes the database of a backup, or is told that PostgreSQL's programs did.
func (p Program) restore(ctx context.Context, args []string) error {
	own := newFlags("restore", "in")
	from := own.String("in", "", "the backup to read; none with PostgreSQL, after pg_restore")
	file := own.String("passphrase-file", "", "the passphrase that it was encrypted with")
	settings, passphrase, err := p.ofBackup(args, own, file)
	if err != nil {
		return err
	}
	if *from == "" && !settings.DatabaseURL.IsSet() {
		return errors.New("which backup is to be read? almanac restore FILE")
	}
	log := telemetry.NewLogger(p.ErrOut, max(settings.LogLevel, slog.LevelWarn))
	now := clock.System{}.Now
	if err := app.Restore(ctx, settings, *from, app.BackupOptions{Passphrase: passphrase}, log, now); err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.Out, "restored:", app.StoreName(settings)+"\n"+
		"Reminders and scheduled e-mails wait, since they may have gone out after the backup. When they may: almanac release")
	return err
}

// ofBackup reads the settings of a command about backups, and its passphrase.
func (p Program) ofBackup(args []string, own flags, file *string) (config.Config, string, error) {
	settings, err := p.settings(args, own)
	if err != nil || *file == "" {
		return settings, "", err
	}
	text, err := os.ReadFile(*file)
	if err != nil {
		return settings, "", err
	}
	passphrase := strings.TrimRight(string(text), "\r\n")
	if passphrase == "" {
		return settings, "", fmt.Errorf("%s is empty", *file)
	}
	return settings, passphrase, nil
}

// release is the command of that name: what was due when a backup was restored is done from now on.
func (p Program) release(ctx context.Context, args []string) error {
	own := newFlags("release", "")
	return p.withStore(ctx, args, own, func(ctx context.Context, d database) error {
		since, err := d.Held(ctx)
		if err != nil {
			return err
		}
		if since.IsZero() {
			_, err := fmt.Fprintln(p.Out, "nothing is held")
			return err
		}
		if err := d.EndHold(ctx); err != nil {
			return err
		}
		_, err = fmt.Fprintln(p.Out, "released: what is due is done from now on; it was held since",
			since.Format(time.RFC3339))
		return err
	})
}
