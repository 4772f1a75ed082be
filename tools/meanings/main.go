// Command meanings writes projections/ngram/meanings/meanings.bin: what words mean, as directions in one space for
// English and Hebrew. README.md says of what and how.
//
// It promises that it reads the very files whose hashes are in sources.sha256, and that the same files make the same
// table.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"almanac/projections/ngram/meanings"
)

const written = "projections/ngram/meanings/meanings.bin"

func main() {
	from := flag.String("from", "", "the folder in which npm has installed the packages: it has node_modules in it")
	flag.Parse()
	if err := run(*from); err != nil {
		fmt.Fprintln(os.Stderr, "meanings:", err)
		os.Exit(1)
	}
}

func run(from string) error {
	dir := filepath.Join(from, "node_modules")
	if err := check(dir); err != nil {
		return err
	}
	net, err := readWordNet(dir)
	if err != nil {
		return err
	}
	english, err := readVectors(filepath.Join(dir, vectorsFile))
	if err != nil {
		return err
	}
	pairs, err := readPairs(dir)
	if err != nil {
		return err
	}
	s := newSpace(english, net, pairs)
	s.retrofit(net, pairs)
	s.learn(net)
	s.reduce(meanings.Dimensions)
	t := newTable()
	t.addEnglish(s, net, pairs)
	t.addHebrew(s, pairs)
	t.addExpressions(s, pairs.matters)
	t.gather(pairs.matters)
	t.addForms(pairs.forms)
	fmt.Printf("%d words and expressions of English, %d of Hebrew, %d other forms\n", t.english, t.hebrew, len(t.forms))
	return os.WriteFile(written, t.encode(), 0o644) //nolint:gosec // everybody may read it
}
