//go:build bench

// Command naming measures what texts name: how often the right thing is acted on, how often another, and how often it
// is asked without need.
//
// It reads sets of lines "id class kind lang query stored want note", parted by tabs; the stored names are parted by
// " | ", and want are the numbers of those that are meant, from 1, or nothing where none is. README.md says how to read
// the report.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"almanac/projections/naming"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "naming:", err)
		os.Exit(1)
	}
}

func run(args []string, out, diagnostics io.Writer) error {
	flags := flag.NewFlagSet("naming", flag.ContinueOnError)
	flags.SetOutput(diagnostics)
	cases := flags.Bool("cases", false, "also print every case that was not judged right")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return fmt.Errorf("give the files to judge")
	}
	for _, path := range flags.Args() {
		set, err := readSet(path)
		if err != nil {
			return err
		}
		for _, rules := range []naming.Rules{{}, {Strict: true}} {
			name := "ordinary rule"
			if rules.Strict {
				name = "strict rule"
			}
			judged := judge(set, rules)
			fmt.Fprintf(out, "### %s, %s\n\n", path, name)
			report(out, judged)
			if *cases {
				failures(out, judged)
			}
		}
	}
	return nil
}
