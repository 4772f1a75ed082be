// Command almanac serves one typed GraphQL API for everything a personal assistant knows and does.
package main

//go:generate go run ./tools/gqlgen -executor bench
//go:generate go run ./tools/licences
//go:generate go run ./tools/sdl

import (
	"os"

	"almanac/internal/cli"
)

// built is the version that a release build sets with -ldflags "-X main.built=1.2.3".
var built string //nolint:gochecknoglobals // the linker can set nothing else

func main() {
	program := cli.Program{Version: cli.Version(built), Environ: os.Environ(), Out: os.Stdout, ErrOut: os.Stderr}
	os.Exit(program.Main(os.Args[1:]))
}
