package openai

import (
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/adapters/remote"
)

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
		`{"error":{"message":"m","type":"t","param":null,"code":"c"}}`, `{"error":"text"}`, `{"detail":"too long"}`,
		`{"detail":[{"loc":[]}]}`, `[1]`, `null`, ``,
		`{"error":{"code":404}}`, `<html>`, `{"error":null,"code":"x"}`, `{"error":{"code":"sk-0123456789"}}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		p := readProblem(body, "0123456789")
		if p.code != remote.Identifier(p.code, "0123456789") || strings.ContainsAny(p.code, " \n\"<>") || len(p.code) > 60 {
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
