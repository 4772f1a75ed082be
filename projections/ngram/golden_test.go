package ngram

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"
)

// TestGolden holds the vectors of this version of the model to the bit. Vectors that were kept are compared with new
// ones by the model's name alone, so when this test fails, Embed is another model: give it a new name, and then these
// new values.
func TestGolden(t *testing.T) {
	t.Parallel()
	if Model().Name != "local-ngram-1" {
		t.Fatalf("%s is another model: these are the vectors of local-ngram-1", Model().Name)
	}
	for text, want := range map[string]string{
		"milk": "ad71e8c6dcabd4c3",
		"חלב":  "7d66c0d2e4371347",
		"לחלב": "7d66c0d2e4371347",
		"Dr. Cohen's clinic moved to 14 Weizmann street":  "5058ef6a7338e2a4",
		"התור אצל רופא השיניים נדחה ל-3 במרץ בשמונה וחצי": "d8288b9e5662c86c",
		"Jones - Phone: 050-999-9999":                     "7b417d746304b2a8",
		"wifi password: Lavender-Rooftop-82":              "57240580106fdc0d",
		"הפגישה עם Sarah מ-Acme נדחתה ל-Q3":               "70ba504af49a4822",
		"12.5.2026 18:30 1,250.00":                        "fce66b0769bd5dbe",
		"naïve café, Größe":                               "f5ea8163221b7cb0",
		"привет мир":                                      "9ebf44dc27055187",
		"東京タワー 😀":                                         "167bcb7ac6721ff1",
		"ג'ורג' וצה\"ל":                                   "42cfb37125bc51bf",
		"the of and":                                      "199b1d85b0bf89b9",
		"a":                                               "7e6f60a029d47b2b",
		"very very very very long":                        "f15ed1888c59e704",
	} {
		if got := fingerprint(Embed(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// fingerprint is the beginning of the SHA-256 of a vector's bits.
func fingerprint(v []float32) string {
	h := sha256.New()
	for _, x := range v {
		h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
