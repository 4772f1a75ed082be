package cli

import (
	"errors"
	"flag"
	"fmt"

	"almanac/internal/config"
)

// flags are those of a command beside the settings.
type flags struct {
	*flag.FlagSet
	// word names the flag whose value may be given as a word without a flag; empty when the command takes no words.
	word string
}

func newFlags(command, word string) flags {
	return flags{flag.NewFlagSet(command, flag.ContinueOnError), word}
}

// settings loads the settings of a command that has flags of its own, and gives its word to the flag it is short for.
func (p Program) settings(args []string, own flags) (config.Config, error) {
	settings, words, err := config.LoadCommand(args, p.Environ, own.FlagSet)
	if err == nil {
		err = own.takeWords(words)
	}
	return settings, p.explain(err)
}

func (f flags) takeWords(words []string) error {
	switch {
	case len(words) == 0:
		return nil
	case f.word == "":
		return fmt.Errorf("%q is not expected here: everything is a flag", words[0])
	case len(words) > 1:
		return fmt.Errorf("%q is not expected here: one word is enough, as in almanac %s %s", words[1], f.Name(), words[0])
	case words[0] == "":
		return errors.New("the word after the command is empty")
	}
	given := false
	f.Visit(func(set *flag.Flag) { given = given || set.Name == f.word })
	if given {
		return fmt.Errorf("%q and --%s say the same thing twice; leave one of them out", words[0], f.word)
	}
	return f.Set(f.word, words[0])
}
