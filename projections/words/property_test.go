package words

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// Whatever is written, and however it is put together, finds itself, and each of its words finds it.
func TestEveryWordFindsItsText(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"password", "בית", "ושבבית", "ל", "צה", "ה", "dana", "s", "e", "1234", "050", "9999999", "999", "02", "21", "11",
		"2026", "0", "972", "12345678901", "00",
		"www.", "https://", "example.com", "@", "東京", "都", "❤", "x", "ä", "ש", "٣",
	}
	joints := []string{" ", " ", " ", "-", ".", "'", "\"", "/", ":", ",", "(", ")", "+", "_", "", "  ", ") ", " (", " - ",
		"\u05be", "\u05f4", "&"}
	random := rand.New(rand.NewPCG(13, 14))
	for range 4_000 {
		var text strings.Builder
		for range 1 + random.IntN(8) {
			text.WriteString(pieces[random.IntN(len(pieces))])
			text.WriteString(joints[random.IntN(len(joints))])
		}
		checkQuery(t, text.String())
	}
}
