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
	if Model().Name != "local-ngram-6" {
		t.Fatalf("%s is another model: these are the vectors of local-ngram-6", Model().Name)
	}
	for text, want := range map[string]string{
		"milk": "0921ea800de850ff",
		"חלב":  "0a93886801592f84",
		"לחלב": "0a93886801592f84",
		"Dr. Cohen's clinic moved to 14 Weizmann street":  "d8568e5960790575",
		"התור אצל רופא השיניים נדחה ל-3 במרץ בשמונה וחצי": "70a1deb49b27784e",
		"Jones - Phone: 050-999-9999":                     "843a3fd8dc98fa67",
		"wifi password: Lavender-Rooftop-82":              "75b1a7787a64c444",
		"הפגישה עם Sarah מ-Acme נדחתה ל-Q3":               "286e7af0af813d04",
		"12.5.2026 18:30 1,250.00":                        "e1fd4f772a749a15",
		"naïve café, Größe":                               "f22b0eee0ae0b7ea",
		"привет мир":                                      "c6db8f707146da52",
		"東京タワー 😀":                                         "5af744a2ab8706df",
		"ג'ורג' וצה\"ל":                                   "423a08348a3bfbc0",
		"the of and":                                      "4dd0c92f695400e9",
		"a":                                               "33740af0ba9840fd",
		"very very very very long":                        "bc0c43f55e5bf67a",
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
