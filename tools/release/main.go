// Command release builds what is published: an archive of the program for each target, a list of what is in it (SBOM),
// and their checksums.
//
// It promises that the same source, version and toolchain make the same bytes on any machine, and that the SBOM of an
// archive is what its program says of itself.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"almanac/tools/components"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one version of the program.
type release struct {
	root, out, version string
	// made is the time of everything in the archives: that of the commit.
	made time.Time
	all  []components.Component
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ExitOnError)
	version := flags.String("version", "", "what the program says its version is")
	out := flags.String("out", "bin/release", "the folder to write to; it must not be there")
	only := flags.String("targets", "", "some targets only, as linux/amd64,darwin/arm64")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *version == "" {
		return fmt.Errorf("name the version: -version 1.2.3")
	}
	targets, err := chosen(*only)
	if err != nil {
		return err
	}
	if _, err := os.Stat(*out); err == nil {
		return fmt.Errorf("%s is there already; remove it, or choose another with -out", *out)
	}
	r := release{root: ".", out: *out, version: *version}
	if r.made, err = commitTime(ctx); err != nil {
		return err
	}
	if r.all, err = components.All(ctx, r.root); err != nil {
		return err
	}
	if err := os.MkdirAll(r.out, 0o755); err != nil { //nolint:gosec // what is published may be read
		return err
	}
	for _, target := range targets {
		fmt.Println("building", target)
		if err := r.target(ctx, target); err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	return writeSums(r.out)
}

// chosen are the targets that are named, or all.
func chosen(only string) ([]components.Target, error) {
	if only == "" {
		return components.Targets(), nil
	}
	var targets []components.Target
	for name := range strings.SplitSeq(only, ",") {
		system, arch, found := strings.Cut(name, "/")
		if !found {
			return nil, fmt.Errorf("%q is not a target such as linux/amd64", name)
		}
		targets = append(targets, components.Target{OS: system, Arch: arch})
	}
	return targets, nil
}

// commitTime is when the source was committed, or SOURCE_DATE_EPOCH
// (https://reproducible-builds.org/specs/source-date-epoch).
func commitTime(ctx context.Context) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := exec.CommandContext(ctx, "git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("when was the source committed? Set SOURCE_DATE_EPOCH, or build in a clone: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// target builds the program for a target and writes its archive and its SBOM.
func (r release) target(ctx context.Context, target components.Target) error {
	work, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work) //nolint:errcheck // it is the system's own place for what nobody needs any more
	name := "almanac"
	if target.OS == "windows" {
		name += ".exe"
	}
	program := filepath.Join(work, name)
	if err := r.build(ctx, target, program); err != nil {
		return err
	}
	inside, err := componentsOf(program, r.all)
	if err != nil {
		return err
	}
	base := filepath.Join(r.out, fmt.Sprintf("almanac_%s_%s_%s", r.version, target.OS, target.Arch))
	if err := r.writeSBOM(base+".cdx.json", target, inside); err != nil {
		return err
	}
	files := []entry{{name, program, 0o755}}
	for _, text := range []string{"LICENSE", "NOTICE", "THIRD_PARTY.txt", "README.md", "CHANGELOG.md"} {
		files = append(files, entry{text, filepath.Join(r.root, text), 0o644})
	}
	if target.OS == "windows" {
		return r.zip(base+".zip", files)
	}
	return r.tarball(base+".tar.gz", files)
}

// build makes the program, as `make build` and the Dockerfile do.
func (r release) build(ctx context.Context, target components.Target, program string) error {
	command := exec.CommandContext(ctx, "go", "build", "-tags", components.Tags, "-buildvcs=false", "-trimpath",
		"-gcflags=all=-dwarf=false", "-ldflags", "-s -w -X main.built="+r.version, "-o", program, ".")
	command.Dir = r.root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOOS="+target.OS, "GOARCH="+target.Arch,
		"GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=")
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	return command.Run()
}
