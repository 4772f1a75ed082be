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
	if Model().Name != "local-ngram-4" {
		t.Fatalf("%s is another model: these are the vectors of local-ngram-4", Model().Name)
	}
	for text, want := range map[string]string{
		"milk": "7ea285c828ef65aa",
		"חלב":  "3233a8ca3a74edd2",
		"לחלב": "3233a8ca3a74edd2",
		"Dr. Cohen's clinic moved to 14 Weizmann street":  "9b4b06dce6eee402",
		"התור אצל רופא השיניים נדחה ל-3 במרץ בשמונה וחצי": "5fb9a1d3f6bf2d73",
		"Jones - Phone: 050-999-9999":                     "c041430160850a52",
		"wifi password: Lavender-Rooftop-82":              "2f681bdac7070a1c",
		"הפגישה עם Sarah מ-Acme נדחתה ל-Q3":               "2c517676f2cabf4e",
		"12.5.2026 18:30 1,250.00":                        "e1fd4f772a749a15",
		"naïve café, Größe":                               "1a0d7dbf1cc8a853",
		"привет мир":                                      "c6db8f707146da52",
		"東京タワー 😀":                                         "5af744a2ab8706df",
		"ג'ורג' וצה\"ל":                                   "a53d4ccb2b4c0969",
		"the of and":                                      "4dd0c92f695400e9",
		"a":                                               "abcea6f223b4e815",
		"very very very very long":                        "fae9a5e913de9c88",
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
