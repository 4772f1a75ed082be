package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"almanac/adapters/store/sqlite"
	"almanac/internal/config"

	"filippo.io/age"
)

// errNotEmbedded is returned where only the embedded database can be meant.
var errNotEmbedded = errors.New("the database is PostgreSQL's: back it up with pg_dump, as docs/backup.md says")

// BackupOptions say how a backup is written and read.
type BackupOptions struct {
	// WithoutKeys leaves the server's own secrets out, so that what is sealed in the backup can be read by nobody.
	WithoutKeys bool
	// Passphrase, when set, encrypts the backup with it, in the format of age (age-encryption.org/v1).
	Passphrase string
}

// Backup copies the embedded database into a new file, also while a server uses it: as it is at one moment.
func Backup(ctx context.Context, settings config.Config, to string, options BackupOptions) error {
	if settings.DatabaseURL.IsSet() {
		return errNotEmbedded
	}
	from := filepath.Join(settings.DataDir, databaseFile)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s", ErrNoDatabase, from)
	}
	if options.Passphrase == "" {
		return sqlite.Backup(ctx, from, to, !options.WithoutKeys)
	}
	plain := to + ".plain"
	if err := sqlite.Backup(ctx, from, plain, !options.WithoutKeys); err != nil {
		return err
	}
	return errors.Join(encrypt(plain, to, options.Passphrase), os.Remove(plain))
}

// Restore makes the embedded database from a backup, brings it up to this program, and holds what is due until Release:
// see store.Restorer. The data folder must have no database. With PostgreSQL, whose own programs have put the database
// back, from is empty, and it is told only.
func Restore(ctx context.Context, settings config.Config, from string, options BackupOptions, log *slog.Logger,
	now func() time.Time) error {
	if settings.DatabaseURL.IsSet() {
		if from != "" {
			return errNotEmbedded
		}
		opened, err := OpenExisting(ctx, settings, log, now)
		if err != nil {
			return err
		}
		return errors.Join(opened.MarkRestored(ctx, now()), opened.Close())
	}
	to := filepath.Join(settings.DataDir, databaseFile)
	for _, path := range []string{to, to + "-wal", to + "-shm"} {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there; stop the server and move it away first", path)
		}
	}
	if err := os.MkdirAll(settings.DataDir, 0o700); err != nil {
		return err
	}
	folder, err := os.MkdirTemp(settings.DataDir, "restore")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // the database has moved out of it, or it is of no use
	part := filepath.Join(folder, databaseFile)
	if err := decrypt(from, part, options.Passphrase); err != nil {
		return fmt.Errorf("read the backup %s: %w", from, err)
	}
	if err := mark(ctx, part, log, now); err != nil {
		return fmt.Errorf("read the backup %s: %w", from, err)
	}
	return os.Rename(part, to)
}

// mark brings a restored file up to this program and marks it.
func mark(ctx context.Context, path string, log *slog.Logger, now func() time.Time) error {
	if err := sqlite.Check(path); err != nil {
		return err
	}
	opened, err := sqlite.Open(ctx, sqlite.Options{Path: path, Now: now, Logger: log})
	if err != nil {
		return err
	}
	if fresh, err := opened.Fresh(ctx); err != nil || fresh {
		return errors.Join(err, errors.New("it is no database of Almanac"), opened.Close())
	}
	err = opened.Migrate(ctx)
	if err == nil {
		err = opened.MarkRestored(ctx, now())
	}
	return errors.Join(err, opened.Close())
}

// encrypt writes a file's content, encrypted, into a new one that only its owner may read.
func encrypt(from, to, passphrase string) error {
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return err
	}
	return copyFile(from, to, func(in io.Reader, out io.Writer) error {
		sealed, err := age.Encrypt(out, recipient)
		if err != nil {
			return err
		}
		_, err = io.Copy(sealed, in)
		return errors.Join(err, sealed.Close())
	})
}

// decrypt is the way back; without a passphrase it copies.
func decrypt(from, to, passphrase string) error {
	return copyFile(from, to, func(in io.Reader, out io.Writer) error {
		if passphrase != "" {
			identity, err := age.NewScryptIdentity(passphrase)
			if err != nil {
				return err
			}
			if in, err = age.Decrypt(in, identity); err != nil {
				return err
			}
		}
		_, err := io.Copy(out, in)
		return err
	})
}

// copyFile copies into a new file that only its owner may read, which is removed when that fails.
func copyFile(from, to string, way func(in io.Reader, out io.Writer) error) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it is only read
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if err = errors.Join(way(in, out), out.Sync(), out.Close()); err != nil {
		err = errors.Join(err, os.Remove(to))
	}
	return err
}
