package main

import (
	"os"
	"testing"
)

// The table in the package is the one that these sentences give. Machines that round sums otherwise may differ by one.
func TestTheTableIsOfTheseSentences(t *testing.T) {
	t.Parallel()
	sentences, err := readSentences("../..")
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile("../../projections/tagger/table.bin")
	if err != nil {
		t.Fatal(err)
	}
	made := train(sentences).table()
	if len(made) != len(kept) {
		t.Fatalf("the table has %d bytes, not %d: go run ./tools/tagger", len(kept), len(made))
	}
	other := 0
	for i := range made {
		if by := int(int8(made[i])) - int(int8(kept[i])); by < -1 || by > 1 {
			t.Fatalf("weight %d is %d, not %d: go run ./tools/tagger", i, int8(kept[i]), int8(made[i]))
		} else if by != 0 {
			other++
		}
	}
	if other > len(made)/1000 {
		t.Errorf("%d of %d weights differ: go run ./tools/tagger", other, len(made))
	}
}

// A model that has not seen a set reads it nearly as well as one that has.
func TestTheModelReadsWhatItHasNotSeen(t *testing.T) {
	t.Parallel()
	sentences, err := readSentences("../..")
	if err != nil {
		t.Fatal(err)
	}
	learn, held := apart(sentences, func(file string) bool { return len(file) > 8 && file[len(file)-8:] == ".I.jsonl" })
	got := train(learn).judge(held)
	if got.kinds.share() < 0.88 || got.words.share() < 0.94 {
		t.Errorf("%.3f of the kinds and %.3f of the words are right; 0.88 and 0.94 are meant", got.kinds.share(),
			got.words.share())
	}
	if got.kinds.all < 600 || got.words.all < 1500 {
		t.Errorf("only %d kinds and %d words were judged", got.kinds.all, got.words.all)
	}
}
