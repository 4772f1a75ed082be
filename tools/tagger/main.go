// Command tagger trains the model of projections/tagger on the written sentences of bench/sentences, and writes its
// table.
//
//	go run ./tools/tagger                      # writes projections/tagger/table.bin
//	go run ./tools/tagger -without '\.I\.'     # leaves sets out, says how the model reads them, and writes nothing
//
// The same sentences always give the same table on one kind of machine.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "tagger:", err)
		os.Exit(1)
	}
}

func run() error {
	without := flag.String("without", "", "files of sentences that are left out, as a regular expression")
	out := flag.String("out", "", "where the table goes; by default into the package, or nowhere with -without")
	flag.Parse()
	left, err := regexp.Compile(*without)
	if err != nil {
		return err
	}
	sentences, err := readSentences(".")
	if err != nil {
		return err
	}
	learn, held := apart(sentences, func(file string) bool { return *without != "" && left.MatchString(file) })
	made := train(learn)
	if *without != "" {
		got := made.judge(held)
		fmt.Printf("kinds: %d of %d right\nknowing what is named: %d of %d right\nwords of names: %d of %d right\n",
			got.kinds.right, got.kinds.all, got.things.right, got.things.all, got.words.right, got.words.all)
	}
	switch {
	case *out != "":
	case *without == "":
		*out = "projections/tagger/table.bin"
	default:
		return nil
	}
	return os.WriteFile(*out, made.table(), 0o644) //nolint:gosec // a file of the source tree
}

// apart returns the sentences of files that are not held back, and those that are.
func apart(sentences []sentence, hold func(file string) bool) (learn, held []sentence) {
	for _, one := range sentences {
		if hold(one.file) {
			held = append(held, one)
		} else {
			learn = append(learn, one)
		}
	}
	return learn, held
}
