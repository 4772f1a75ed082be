package openai

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// Waits double up to a bound, and never leave their range whatever the jitter.
func TestBackoff(t *testing.T) {
	for failed := 1; failed < 70; failed++ {
		full := min(100*time.Millisecond*time.Duration(math.Pow(2, min(float64(failed-1), 20))), 8*time.Second)
		for _, jitter := range []float64{0, 0.5, 0.999} {
			if got := backoff(failed, jitter, 100*time.Millisecond, 8*time.Second); got < full/2 || got > full {
				t.Errorf("after %d failures: %v, want from %v to %v", failed, got, full/2, full)
			}
		}
	}
}

// Both headers, in all their forms.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	stamp := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	for _, c := range []struct {
		header map[string]string
		want   time.Duration
	}{
		{nil, 0},
		{map[string]string{"Retry-After": "7"}, 7 * time.Second},
		{map[string]string{"Retry-After": " 0.5 "}, 500 * time.Millisecond},
		{map[string]string{"Retry-After": "-3"}, 0},
		{map[string]string{"Retry-After": "NaN"}, 0},
		{map[string]string{"Retry-After": "99999999"}, time.Hour},
		{map[string]string{"Retry-After": "soon"}, 0},
		{map[string]string{"Retry-After": stamp(30 * time.Second)}, 30 * time.Second},
		{map[string]string{"Retry-After": stamp(-30 * time.Second)}, 0},
		{map[string]string{"Retry-After": stamp(30 * time.Second), "Date": stamp(20 * time.Second)}, 10 * time.Second},
		{map[string]string{"Retry-After-Ms": "250", "Retry-After": "9"}, 250 * time.Millisecond},
		{map[string]string{"Retry-After-Ms": "x", "Retry-After": "9"}, 9 * time.Second},
	} {
		header := http.Header{}
		for k, v := range c.header {
			header.Set(k, v)
		}
		if got := retryAfter(header, func() time.Time { return now }); got != c.want {
			t.Errorf("%v: %v, want %v", c.header, got, c.want)
		}
	}
}

// A cut text is a beginning in whole characters that has no more tokens than allowed, and as many as fit.
func FuzzCut(f *testing.F) {
	f.Add("hello world, שלום עולם 12345 😀", uint16(5))
	f.Add(strings.Repeat("א", 100), uint16(50))
	f.Add("\xff\xfe", uint16(1))
	f.Add("", uint16(0))
	f.Fuzz(func(t *testing.T, text string, tokens uint16) {
		got := cut(text, int(tokens))
		if !strings.HasPrefix(text, got) {
			t.Fatalf("%q does not begin with %q", text, got)
		}
		if got != "" && estimate(got) > int(tokens) && got != text {
			t.Fatalf("%q has %d tokens of %d", got, estimate(got), tokens)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Fatalf("%q ends within a character", got)
		}
		if got != text {
			_, size := utf8.DecodeRuneInString(text[len(got):])
			if estimate(text[:len(got)+size]) <= int(tokens) {
				t.Fatalf("%q could be longer", got)
			}
		}
	})
}

// Bodies of errors may be anything; nothing but a name comes out of them.
func FuzzProblem(f *testing.F) {
	for _, body := range []string{
		`{"error":{"message":"m","type":"t","param":null,"code":"c"}}`, `{"error":"text"}`, `{"detail":"too long"}`, `{"detail":[{"loc":[]}]}`, `[1]`, `null`, ``,
		`{"error":{"code":404}}`, `<html>`, `{"error":null,"code":"x"}`, `{"error":{"code":"sk-0123456789"}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p := readProblem(body, "0123456789")
		if p.code != identifier(p.code, "0123456789") || strings.ContainsAny(p.code, " \n\"<>") || len(p.code) > 60 {
			t.Fatalf("%q gives the code %q", body, p.code)
		}
	})
}

// The ways in which servers say that a text is too long, and some sentences that say something else.
func TestTooLongIsKnown(t *testing.T) {
	for message, want := range map[string]bool{
		"This model's maximum context length is 8192 tokens, however you requested 9000 tokens": true,
		"Invalid 'input': maximum context length is 8192 tokens.":                               true,
		"Requested 416735 tokens, max 300000 tokens per request":                                true,
		"input is too large to process. increase the physical batch size":                       true,
		"the input length exceeds the context length":                                           true,
		"`inputs` must have less than 512 tokens. Given: 600":                                   true,
		"input (600 tokens) is larger than the max context size (512 tokens)":                   true,
		"This model does not support specifying dimensions.":                                    false,
		"Incorrect API key provided":                                                            false,
		"The server is overloaded":                                                              false,
	} {
		if got := isTooLong(message); got != want {
			t.Errorf("%q: %v", message, got)
		}
	}
}
