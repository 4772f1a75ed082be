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
	if Model().Name != "local-ngram-3" {
		t.Fatalf("%s is another model: these are the vectors of local-ngram-3", Model().Name)
	}
	for text, want := range map[string]string{
		"milk": "e0715efd6198e95f",
		"חלב":  "1b6376c95345090c",
		"לחלב": "1b6376c95345090c",
		"Dr. Cohen's clinic moved to 14 Weizmann street":  "6e38e023df74f9a4",
		"התור אצל רופא השיניים נדחה ל-3 במרץ בשמונה וחצי": "edf82a830c301087",
		"Jones - Phone: 050-999-9999":                     "037a039d083c87bf",
		"wifi password: Lavender-Rooftop-82":              "e89d2dbfccd259db",
		"הפגישה עם Sarah מ-Acme נדחתה ל-Q3":               "5227b8ff4e37374e",
		"12.5.2026 18:30 1,250.00":                        "e1fd4f772a749a15",
		"naïve café, Größe":                               "54376b5537032177",
		"привет мир":                                      "c6db8f707146da52",
		"東京タワー 😀":                                         "5af744a2ab8706df",
		"ג'ורג' וצה\"ל":                                   "ab1e3148c12ab574",
		"the of and":                                      "4dd0c92f695400e9",
		"a":                                               "a24bae68df2737b3",
		"very very very very long":                        "b092df5cdb8d927c",
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
