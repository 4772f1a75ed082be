// Package cli is the almanac program: its commands, and how it is told to stop.
//
// It promises that settings are checked before anything is opened, and that a command says what is wrong in words that
// name the flag.
package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/graph/sdl"
	"almanac/internal/app"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/telemetry"
)

// Version is what a release build has set, or what the build knows of its source.
func Version(built string) string {
	if built != "" {
		return built
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

const usage = `Almanac: one GraphQL API for everything a personal assistant knows and does.

usage: almanac [command] [flags]

  serve                 answer requests (the default); --demo adds sample data
  migrate               make the database, or bring it up to this program, and stop
  user list             the users of this server
  user add NAME         make a user, before they have ever come
  user invite NAME      make a link that gives them an API token, once: --expires 72h
  user disable NAME     refuse a user from now on; user enable lets them in again
  user delete NAME      erase everything of a user, for good: --yes
  audit export FILE     what the audit log has of a user, as JSON Lines: --user
  token create          make an API token: --user, --name, --scopes READ,WRITE, --expires 720h
  token list            a user's tokens: --user
  token revoke          end a token at once: --user, --id
  seed                  lay the sample data for a user: --user
  export FILE           write everything a user has as JSON Lines: --user; without FILE to standard output
  import FILE           take what an export has in again: --user; without FILE from standard input
  backup FILE           copy the embedded database, also while a server uses it: --keys, --passphrase-file
  restore FILE          make the embedded database of a backup, or tell a restored PostgreSQL: --passphrase-file
  release               let reminders and scheduled e-mails go that wait since a backup was restored
  graphiti-standin      serve a stand-in for a Graphiti server, to try ALMANAC_GRAPHITI_URL with: --addr, --stdio
  health                ask the server on this machine whether it is ready; exit status 0 if it is
  schema                print the GraphQL schema in one file, for code generators
  version               print the version

Every command takes the server's settings: as flags, as ALMANAC_* variables, or from the file almanac.env in the data
folder (or --env-file). docs/settings.md lists them, and so does: almanac serve --help
`

// Program is the almanac command with everything it touches.
type Program struct {
	Version     string
	Environ     []string
	Out, ErrOut *os.File
	// Clock is the clock of the server; nil is the machine's.
	Clock clock.Clock
}

// Main runs until the command is done or the process is told to stop, and returns the exit status. Being told twice
// ends it at once, whatever still drains.
func (p Program) Main(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	err := p.Run(ctx, args)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(p.ErrOut, "almanac:", err)
	return 1
}

// Run runs a command to its end; serve is the one that needs no name.
func (p Program) Run(ctx context.Context, args []string) error {
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	switch name {
	case "serve":
		return p.explain(p.serve(ctx, args))
	case "migrate":
		return p.migrate(ctx, args)
	case "token":
		return p.token(ctx, args)
	case "user":
		return p.user(ctx, args)
	case "audit":
		return p.audit(ctx, args)
	case "seed":
		return p.seed(ctx, args)
	case "export":
		return p.export(ctx, args)
	case "import":
		return p.importAll(ctx, args)
	case "backup":
		return p.backup(ctx, args)
	case "restore":
		return p.restore(ctx, args)
	case "release":
		return p.release(ctx, args)
	case "graphiti-standin":
		return p.explain(p.graphitiStandIn(ctx, args))
	case "health":
		return p.health(ctx, args)
	case "schema":
		executable := graph.NewPlannedSchema(graph.Config{})
		_, err := io.WriteString(p.Out, sdl.Text(executable.Schema()))
		return err
	case "version":
		_, err := fmt.Fprintln(p.Out, "almanac", p.Version)
		return err
	case "help":
		_, err := io.WriteString(p.Out, usage)
		return err
	default:
		return fmt.Errorf("there is no command %q\n\n%s", name, usage)
	}
}

// explain prints the help that was asked for.
func (p Program) explain(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		if _, printErr := io.WriteString(p.Out, usage+"\nSettings:\n\n"); printErr != nil {
			return printErr
		}
		if printErr := config.Usage(p.Out); printErr != nil {
			return printErr
		}
	}
	return err
}

// opening opens the database of the settings.
type opening func(ctx context.Context, settings config.Config, log *slog.Logger, now func() time.Time) (app.Store,
	error)

// withStore loads the settings, says which database they name, and runs fn on it. It makes no database: one that is
// made by a command is mostly not the one that the server uses.
func (p Program) withStore(ctx context.Context, args []string, own flags,
	fn func(ctx context.Context, d database) error) error {
	err := p.onStore(ctx, args, own, app.OpenExisting, fn)
	if errors.Is(err, app.ErrNoDatabase) {
		return fmt.Errorf("%w. Start the server first, or run `almanac migrate`; if the server uses another database, this "+
			"command needs the same settings: as flags, as variables, or in the file almanac.env", err)
	}
	return err
}

// onStore is withStore with a way of opening.
func (p Program) onStore(ctx context.Context, args []string, own flags, open opening,
	fn func(ctx context.Context, d database) error) error {
	settings, err := p.settings(args, own)
	if err != nil {
		return err
	}
	log := telemetry.NewLogger(p.ErrOut, max(settings.LogLevel, slog.LevelWarn)) // a command's answer is what it prints
	fmt.Fprintln(p.ErrOut, "database:", app.StoreName(settings))
	now := clock.System{}.Now
	opened, err := open(ctx, settings, log, now)
	if err != nil {
		return err
	}
	d := database{Store: opened, settings: settings, now: now, ids: clock.NewIDs(now, rand.Reader)}
	return errors.Join(fn(ctx, d), opened.Close())
}

// database is what a command works on.
type database struct {
	app.Store
	settings config.Config
	now      func() time.Time
	ids      *clock.IDs
}

// ensureUser returns the user's record, made when there is none.
func (d database) ensureUser(ctx context.Context, subject string) (model.User, error) {
	return app.EnsureUser(ctx, d.Store, d.settings, subject, d.now())
}

// migrate brings the database up to this program, and makes it if there is none.
func (p Program) migrate(ctx context.Context, args []string) error {
	own := newFlags("migrate", "")
	return p.onStore(ctx, args, own, app.OpenStore, func(_ context.Context, d database) error {
		_, err := fmt.Fprintln(p.Out, "up to date:", app.StoreName(d.settings))
		return err
	})
}
