//go:build bench

package set

import (
	"embed"
	"fmt"
	"strings"
)

// The sets whose queries name all their right answers by label; testdata/README.md says who wrote them.
//
//go:embed testdata/*.txt
var labelled embed.FS

// The labelled sets.
const (
	// Dev is for tuning.
	Dev = "dev"
	// Dev2 is a second set for tuning.
	Dev2 = "dev2"
	// Dev3 is a third one, to see what transfers.
	Dev3 = "dev3"
	// Dev4 is a fourth one, measured once before it was tuned with.
	Dev4 = "dev4"
	// Second, Third and Fourth were held out until decision 72, and are for tuning since.
	Second = "second"
	Third  = "third"
	Fourth = "fourth"
	// Fresh is measured before a change of the search and once after it.
	Fresh = "fresh"
)

// The kinds that only the labelled sets have.
const (
	// Para: in other words of the same language.
	Para Kind = "para"
	// None: nothing in the set answers it.
	None Kind = "none"
)

// LabelledKinds are the kinds of queries of the labelled sets.
func LabelledKinds() []Kind {
	return []Kind{Exact, Para, Inflected, Typo, Date, Number, Script, Cross, None}
}

// Labelled returns a labelled set.
func Labelled(name string) (Set, error) {
	text, err := labelled.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		return Set{}, err
	}
	return ReadLabelled(string(text))
}

// ReadLabelled reads the form that the first lines of fresh.txt describe.
func ReadLabelled(text string) (Set, error) {
	var s Set
	at := make(map[string]int)
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if query, found := strings.CutPrefix(line, "? "); found {
			q, err := readQuery(query, at)
			if err != nil {
				return Set{}, fmt.Errorf("line %d: %w", number, err)
			}
			s.Queries = append(s.Queries, q)
			continue
		}
		head, said, _ := strings.Cut(line, ": ")
		parts := strings.Fields(head)
		if len(parts) != 3 {
			return Set{}, fmt.Errorf("line %d: no kind, language and label before a colon", number)
		}
		m, err := memoryOf(parts[0], said)
		if err != nil {
			return Set{}, fmt.Errorf("line %d: %w", number, err)
		}
		if _, known := at[parts[2]]; known {
			return Set{}, fmt.Errorf("line %d: the label %q is there twice", number, parts[2])
		}
		at[parts[2]] = s.add(m)
	}
	return s, nil
}

func readQuery(line string, at map[string]int) (Query, error) {
	head, said, found := strings.Cut(line, ": ")
	kind, language, both := strings.Cut(head, " ")
	text, answers, judged := strings.Cut(said, " => ")
	if !found || !both || !judged {
		return Query{}, fmt.Errorf("%q is no query", line)
	}
	q := Query{Text: text, Kind: Kind(kind), Language: Language(language)}
	if q.Kind == "infl" {
		q.Kind = Inflected
	}
	if q.Kind == None {
		return q, nil
	}
	for label := range strings.FieldsSeq(answers) {
		place, known := at[label]
		if !known {
			return Query{}, fmt.Errorf("no memory is labelled %q", label)
		}
		q.Answers = append(q.Answers, place)
	}
	return q, nil
}
