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
	if Model().Name != "local-ngram-5" {
		t.Fatalf("%s is another model: these are the vectors of local-ngram-5", Model().Name)
	}
	for text, want := range map[string]string{
		"milk": "1634b9829505812b",
		"חלב":  "df6d32fd39753e91",
		"לחלב": "df6d32fd39753e91",
		"Dr. Cohen's clinic moved to 14 Weizmann street":  "65515328e9e3ffbc",
		"התור אצל רופא השיניים נדחה ל-3 במרץ בשמונה וחצי": "1e7f92577120af31",
		"Jones - Phone: 050-999-9999":                     "123fe027ff624a5e",
		"wifi password: Lavender-Rooftop-82":              "d82242fa3d99afb1",
		"הפגישה עם Sarah מ-Acme נדחתה ל-Q3":               "bfef89ce5751240f",
		"12.5.2026 18:30 1,250.00":                        "e1fd4f772a749a15",
		"naïve café, Größe":                               "7c6b99e72d856fc1",
		"привет мир":                                      "c6db8f707146da52",
		"東京タワー 😀":                                         "5af744a2ab8706df",
		"ג'ורג' וצה\"ל":                                   "79dadc5f346c1158",
		"the of and":                                      "4dd0c92f695400e9",
		"a":                                               "fd1978fda4437314",
		"very very very very long":                        "8eeb6d92c09bd1a3",
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
