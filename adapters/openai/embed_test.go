package openai_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"almanac/adapters/openai"
	"almanac/graph/model"
	standin "almanac/internal/standin/openai"
)

// Each text has the vector that is its own, whatever order the answer has; blank texts have none and are not sent.
func TestEachTextHasItsVector(t *testing.T) {
	for name, fault := range map[string]standin.Fault{"in order": {}, "shuffled": {Shuffle: true}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, standin.Options{Key: secretKey})
			w.standin.Inject(fault)
			texts := []string{"the car", "", "סיסמה", " \n\t", "wifi", "the car"}
			got, err := w.embed(texts...)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				if strings.TrimSpace(text) == "" {
					if got[i] != nil {
						t.Errorf("%q has a vector", text)
					}
				} else if !same(got[i], w.standin.Vector("tiny", text)) {
					t.Errorf("the vector of %q is another's", text)
				}
			}
			asked := w.standin.Requests()
			if len(asked) != 1 || len(asked[0].Inputs) != 4 || asked[0].Dimensions != 0 || asked[0].Format != "float" ||
				asked[0].User != "" || asked[0].Authorization != "Bearer "+secretKey {
				t.Errorf("asked was %+v", asked)
			}
			if w.results() != "ok" {
				t.Errorf("told was %s", w.results())
			}
		})
	}
}

// Nothing to ask is not asked.
func TestNothing(t *testing.T) {
	w := newWorld(t, standin.Options{})
	for _, texts := range [][]string{nil, {""}, {" ", "\u2003"}} {
		got, err := w.embed(texts...)
		if err != nil || len(got) != len(texts) {
			t.Errorf("%q: %v %v", texts, got, err)
		}
	}
	if n := len(w.standin.Requests()); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// Shorter vectors are asked for only when that is wanted; a server without a key is sent none.
func TestDimensionsAndKey(t *testing.T) {
	w := newWorld(t, standin.Options{})
	w.client.Endpoint.Key = ""
	got, err := w.client.Embed(t.Context(), openai.Ask{Model: "bendy", Dimensions: 16, Expect: 16}, []string{"car"})
	if err != nil || len(got[0]) != 16 {
		t.Fatalf("%v %v", got, err)
	}
	if r := w.standin.Requests()[0]; r.Dimensions != 16 || r.Authorization != "" {
		t.Errorf("asked was %+v", r)
	}
	any, err := w.client.Embed(t.Context(), openai.Ask{Model: "bendy"}, []string{"car"})
	if err != nil || len(any[0]) != 128 {
		t.Errorf("%v %v", any, err)
	}
}

// OpenAI itself is asked for base64, which is read as well as numbers are.
func TestBase64(t *testing.T) {
	w := newWorld(t, standin.Options{})
	w.client.Endpoint.URL = mustParse(t, openai.DefaultURL)
	got, err := w.embed("car")
	if err != nil || !same(got[0], w.standin.Vector("tiny", "car")) || w.standin.Requests()[0].Format != "base64" {
		t.Errorf("%v %v %+v", got, err, w.standin.Requests())
	}
	w.standin.Inject(standin.Fault{NaN: true})
	_, err = w.embed(secretText)
	w.check(err, model.CodeUpstreamRejected, "vectors")
}

// An answer whose vectors are not those that were asked for is refused as a whole.
func TestUnusableVectors(t *testing.T) {
	for name, c := range map[string]struct {
		fault  standin.Fault
		reason string
	}{
		"one fewer":          {standin.Fault{Drop: true}, "vectors"},
		"one twice":          {standin.Fault{Double: true}, "vectors"},
		"another length":     {standin.Fault{Dimensions: 63}, "dimensions"},
		"a longer one":       {standin.Fault{Dimensions: 65}, "dimensions"},
		"zeros":              {standin.Fault{Zero: true}, "vectors"},
		"not a number":       {standin.Fault{NaN: true}, "vectors"},
		"more than are kept": {standin.Fault{Dimensions: 4001}, "dimensions"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, standin.Options{})
			w.standin.Inject(c.fault)
			ask := openai.Ask{Model: "tiny", Expect: 64}
			if c.fault.Dimensions > 4000 {
				ask.Expect = 0
			}
			got, err := w.client.Embed(t.Context(), ask, []string{secretText, "b", "c"})
			if got != nil {
				t.Errorf("gave %v", got)
			}
			w.check(err, model.CodeUpstreamRejected, c.reason)
			if n := len(w.standin.Requests()); n != 1 {
				t.Errorf("it was asked %d times", n)
			}
		})
	}
}

// Answers that no stand-in with manners gives.
func TestStrangeAnswers(t *testing.T) {
	datum := func(index, embedding string) string {
		return fmt.Sprintf(
			`{"object":"list","model":"m","data":[{"object":"embedding","index":%s,"embedding":%s}],"usage":{"prompt_tokens":1,"total_tokens":1}}`, index, embedding)
	}
	for name, c := range map[string]struct {
		body   string
		code   model.ErrorCode
		reason string
	}{
		"good":                  {datum("0", "[3,4]"), "", ""},
		"good and very large":   {datum("0", "[3e37,4e37]"), "", ""},
		"beyond float32":        {datum("0", "[1e39,1]"), model.CodeUpstreamRejected, "vectors"},
		"no index":              {`{"data":[{"embedding":[3,4]}]}`, model.CodeUpstreamRejected, "vectors"},
		"a strange index":       {datum("7", "[3,4]"), model.CodeUpstreamRejected, "vectors"},
		"a negative index":      {datum("-1", "[3,4]"), model.CodeUpstreamRejected, "vectors"},
		"no list":               {datum("0", `{"a":1}`), model.CodeUpstreamRejected, "vectors"},
		"bad base64":            {datum("0", `"###"`), model.CodeUpstreamRejected, "vectors"},
		"base64 of half a one":  {datum("0", `"AAAA"`), model.CodeUpstreamRejected, "vectors"},
		"empty list":            {datum("0", `[]`), model.CodeUpstreamRejected, "vectors"},
		"null":                  {datum("0", `null`), model.CodeUpstreamRejected, "vectors"},
		"an object without any": {`{}`, model.CodeUpstreamRejected, "vectors"},
		"an error with 200":     {`{"error":{"message":"no"}}`, model.CodeUpstreamRejected, "vectors"},
		"a list":                {`[]`, model.CodeUpstreamUnavailable, ""},
		"null alone":            {`null`, model.CodeUpstreamRejected, "vectors"},
		"half of it":            {`{"data":[{"embedding":[3,`, model.CodeUpstreamUnavailable, ""},
		"nothing":               {``, model.CodeUpstreamUnavailable, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, standin.Options{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(c.body))
			}))
			defer server.Close()
			transport := openai.NewTransport()
			defer transport.CloseIdleConnections()
			w.client.Endpoint.URL, w.client.Endpoint.Base = mustParse(t, server.URL+"/v1"), transport
			got, err := w.client.Embed(t.Context(), openai.Ask{Model: "m"}, []string{secretText})
			if c.code != "" {
				w.check(err, c.code, c.reason)
				return
			}
			if err != nil || math.Abs(float64(got[0][0])-0.6) > 1e-6 || math.Abs(float64(got[0][1])-0.8) > 1e-6 {
				t.Errorf("%v %v", got, err)
			}
		})
	}
}

// More texts than one request may have, or more tokens, go in several, and none is lost.
func TestBatches(t *testing.T) {
	w := newWorld(t, standin.Options{})
	var texts []string
	for i := range 600 {
		texts = append(texts, fmt.Sprint("text ", i))
	}
	got, err := w.embed(texts...)
	if err != nil || len(w.standin.Requests()) != 3 {
		t.Fatalf("%v after %d requests", err, len(w.standin.Requests()))
	}
	for i := range got {
		if !same(got[i], w.standin.Vector("tiny", texts[i])) {
			t.Fatalf("text %d has another's vector", i)
		}
	}

	w = newWorld(t, standin.Options{})
	w.client.MaxInputs = 1 << 20
	long := strings.Repeat("מכונית ", 900) // about 8,000 tokens
	got, err = w.embed(strings.Split(strings.Repeat(long+"|", 40), "|")[:40]...)
	if err != nil || len(got) != 40 || len(w.standin.Requests()) != 2 {
		t.Errorf("%d vectors, %v, %d requests", len(got), err, len(w.standin.Requests()))
	}
}

// Texts that are too long are cut before they are sent; where the endpoint's limit is another one, batches are halved
// and texts cut until they fit, and a refusal that goes on is one.
func TestTooLong(t *testing.T) {
	w := newWorld(t, standin.Options{})
	if _, err := w.embed(strings.Repeat("כ", 20_000)); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(w.standin.Requests()[0].Inputs[0])); n < 6_000 || n > 8_000 {
		t.Errorf("%d letters were sent", n)
	}

	w = newWorld(t, standin.Options{MaxTokens: 500})
	long := strings.Repeat("car ", 1000) // 1,000 tokens by the stand-in's count
	got, err := w.embed("wifi", long, "סיסמה")
	if err != nil || !same(got[0], w.standin.Vector("tiny", "wifi")) || !same(got[2], w.standin.Vector("tiny", "סיסמה")) {
		t.Fatalf("%v", err)
	}
	if !same(got[1], w.standin.Vector("tiny", "car")) {
		t.Error("the long text has another vector")
	}

	w = newWorld(t, standin.Options{})
	w.standin.Inject(standin.Fault{Status: 500,
		Body: `{"error":{"code":500,"message":"input is too large to process. increase the physical batch size","type":"server_error"}}`, Containing: secretText})
	_, err = w.embed(strings.Repeat(secretText+" ", 500))
	w.check(err, model.CodeUpstreamRejected, "server_error")
	if n := len(w.standin.Requests()); n != 4 {
		t.Errorf("it was asked %d times", n)
	}
}

// What is asked in a wrong way is not asked.
func TestMisuse(t *testing.T) {
	w := newWorld(t, standin.Options{})
	for _, ask := range []openai.Ask{{}, {Model: "m", Dimensions: -1}, {Model: "m", Expect: -1}} {
		if _, err := w.client.Embed(t.Context(), ask, []string{"a"}); err == nil {
			t.Errorf("%+v was asked", ask)
		}
	}
	for address, good := range map[string]bool{
		"https://model.example/v1": true, "http://127.0.0.1:11434/v1": true, "http://localhost/v1": true,
		"http://[::1]:8080/v1":    true,
		"http://model.example/v1": false, "http://10.0.0.7/v1": false, "ftp://model.example": false, "https://": false,
		"https://user:pass@model.example": false, "https://model.example?x=1": false, "http://localhost.example": false,
	} {
		w.client.Endpoint.URL = mustParse(t, address)
		err := w.client.Endpoint.Check()
		if (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
		_, err = w.embed("car")
		if (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
	e := &openai.Endpoint{URL: mustParse(t, "http://ollama:11434/v1"), AllowHTTP: true}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	if err := (&openai.Endpoint{}).Check(); err == nil {
		t.Error("no address is one")
	}
	if _, err := (&openai.Client{}).Embed(t.Context(), openai.Ask{Model: "m"}, nil); err == nil ||
		errors.Is(err, http.ErrAbortHandler) {
		t.Error("no endpoint is one")
	}
}

// The client library's variables of the environment have no say.
func TestTheEnvironmentHasNoSay(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
	t.Setenv("OPENAI_ORG_ID", "org")
	w := newWorld(t, standin.Options{})
	w.client.Endpoint.Key = ""
	if _, err := w.embed("car"); err != nil {
		t.Fatal(err)
	}
	if r := w.standin.Requests()[0]; r.Authorization != "" {
		t.Errorf("sent was %q", r.Authorization)
	}
}
