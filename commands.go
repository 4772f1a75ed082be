package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"

	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/telemetry"
)

// built is the version that a release build sets with -ldflags "-X main.built=1.2.3".
var built string //nolint:gochecknoglobals // the linker can set nothing else

// version is the release, or what the build knows of its source.
func version() string {
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

  serve                 answer requests (the default); --demo lays sample data for the local user
  migrate               bring the database up to this program and stop
  token create          make an API token: --user, --name, --scopes READ,WRITE, --expires 720h
  token list            a user's tokens: --user
  token revoke          end a token at once: --user, --id
  seed                  lay the sample data for a user: --user
  export                write everything a user has as JSON Lines: --user, --out
  import                take the memories of an export in again: --user, --in
  graphiti-standin      serve a stand-in for a Graphiti server, to try ALMANAC_GRAPHITI_URL with: --addr, --stdio
  version               print the version

Every command takes the settings it needs as flags or ALMANAC_* variables; docs/settings.md lists them,
and so does: almanac serve --help
`

// run is the program: its command, with everything it touches handed in.
func run(ctx context.Context, args, environ []string, out, errOut *os.File) error {
	name := "serve"
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	c := command{environ: environ, out: out, errOut: errOut}
	switch name {
	case "serve":
		return c.explain(serve(ctx, args, environ, out, errOut))
	case "migrate":
		return c.migrate(ctx, args)
	case "token":
		return c.token(ctx, args)
	case "seed":
		return c.seed(ctx, args)
	case "export":
		return c.export(ctx, args)
	case "import":
		return c.importMemories(ctx, args)
	case "graphiti-standin":
		return c.explain(c.graphitiStandIn(ctx, args))
	case "version":
		_, err := fmt.Fprintln(out, "almanac", version())
		return err
	case "help":
		_, err := io.WriteString(out, usage)
		return err
	default:
		return fmt.Errorf("there is no command %q\n\n%s", name, usage)
	}
}

// command is what the commands share.
type command struct {
	environ     []string
	out, errOut *os.File
}

// explain prints the help that was asked for.
func (c command) explain(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		if _, printErr := io.WriteString(c.out, usage+"\nSettings:\n\n"); printErr != nil {
			return printErr
		}
		if printErr := config.Usage(c.out); printErr != nil {
			return printErr
		}
	}
	return err
}

// withStore loads the settings, opens and migrates the database, and runs fn on it.
func (c command) withStore(ctx context.Context, args []string, own *flag.FlagSet,
	fn func(ctx context.Context, h desk) error) error {
	settings, words, err := config.LoadCommand(args, c.environ, own)
	if err != nil {
		return c.explain(err)
	}
	if len(words) > 0 {
		return fmt.Errorf("%q is not expected here: everything is a flag", words[0])
	}
	log := telemetry.NewLogger(c.errOut, max(settings.LogLevel, slog.LevelWarn)) // a command's answer is what it prints
	now := clock.System{}
	opened, err := open(ctx, settings, log, now.Now)
	if err != nil {
		return err
	}
	return errors.Join(fn(ctx, desk{settings: settings, store: opened, clock: now}), opened.Close())
}

// desk is what a command works with.
type desk struct {
	settings config.Config
	store    openStore
	clock    clock.System
}

// migrate brings the database up to this program.
func (c command) migrate(ctx context.Context, args []string) error {
	return c.withStore(ctx, args, flag.NewFlagSet("migrate", flag.ContinueOnError), func(_ context.Context, d desk) error {
		_, err := fmt.Fprintln(c.out, "up to date:", where(d.settings))
		return err
	})
}
