package tagger_test

import (
	"testing"

	"almanac/projections/tagger"
)

// What reading a sentence takes: its kind, and the words of its name.
func BenchmarkReading(b *testing.B) {
	const text = "hi could you please move the dentist appointment to half past five because I can't get there by four"
	b.ReportAllocs()
	for b.Loop() {
		tokens := tagger.Tokens(text, nil)
		if tagger.KindOf(tokens)[tagger.EventChange] < 0.5 || len(tagger.Names(tokens, tagger.EventChange)) == 0 {
			b.Fatal("another kind")
		}
	}
}
