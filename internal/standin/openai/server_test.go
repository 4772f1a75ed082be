package openai_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/standin/openai"
)

// small are models short enough to look at.
var small = map[string]openai.ModelFacts{"tiny": {Dimensions: 64}, "bendy": {Dimensions: 512, Shorter: true}}

// post sends a body to the stand-in and returns status, headers and body.
func post(t *testing.T, s *openai.Server, body string) (int, http.Header, []byte) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://stand-in/v1/embeddings",
		strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer key")
	answer, err := s.Transport().RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, answer.Header, text
}

type answered struct {
	Object string
	Model  string
	Data   []struct {
		Object    string
		Index     int
		Embedding json.RawMessage
	}
	Usage struct {
		Prompt int `json:"prompt_tokens"`
		Total  int `json:"total_tokens"`
	}
	Error struct {
		Message, Type string
		Param, Code   *string
	}
}

func parse(t *testing.T, body []byte) answered {
	t.Helper()
	var a answered
	if err := json.Unmarshal(body, &a); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return a
}

// A request is refused as OpenAI refuses it, with the status, the code and the parameter.
func TestRequestsAreChecked(t *testing.T) {
	many := `["` + strings.Repeat(`x","`, 2047) + `x"]`
	long := strings.Repeat("word ", 7000)
	for _, c := range []struct {
		name, body string
		status     int
		code       string
		param      string
	}{
		{"one text", `{"model":"bendy","input":"a"}`, 200, "", ""},
		{"texts", `{"model":"bendy","input":["a","b"],"encoding_format":"base64","user":"u"}`, 200, "", ""},
		{"tokens", `{"model":"bendy","input":[1,2,3]}`, 200, "", ""},
		{"lists of tokens", `{"model":"bendy","input":[[1,2],[3]]}`, 200, "", ""},
		{"shorter", `{"model":"bendy","input":"a","dimensions":16}`, 200, "", ""},
		{"as many as may be", `{"model":"tiny","input":` + many + `}`, 200, "", ""},
		{"no JSON", `{"model":"bendy","input":`, 400, "", ""},
		{"two bodies", `{"model":"bendy","input":"a"}{}`, 400, "", ""},
		{"null", `null`, 400, "", ""},
		{"no model", `{"input":"a"}`, 400, "", "model"},
		{"no input", `{"model":"bendy"}`, 400, "", "input"},
		{"an unknown parameter", `{"model":"bendy","input":"a","truncate":true}`, 400, "unknown_parameter", "truncate"},
		{"an empty text", `{"model":"bendy","input":""}`, 400, "", "input"},
		{"an empty text among others", `{"model":"bendy","input":["a",""]}`, 400, "", "input"},
		{"no texts", `{"model":"bendy","input":[]}`, 400, "", "input"},
		{"a null among texts", `{"model":"bendy","input":["a",null]}`, 400, "", "input"},
		{"a number", `{"model":"bendy","input":7}`, 400, "", "input"},
		{"too many", `{"model":"bendy","input":` + many[:len(many)-1] + `,"x"]}`, 400, "", "input"},
		{"too long", `{"model":"bendy","input":"` + long + `"}`, 400, "", ""},
		{"too long together", `{"model":"bendy","input":["` + strings.Repeat(long[:30000]+`","`, 41) + `x"]}`, 400,
			"max_tokens_per_request", ""},
		{"another format", `{"model":"bendy","input":"a","encoding_format":"int8"}`, 400, "", "encoding_format"},
		{"no dimensions", `{"model":"bendy","input":"a","dimensions":0}`, 400, "", "dimensions"},
		{"a fraction of a dimension", `{"model":"bendy","input":"a","dimensions":1.5}`, 400, "", "dimensions"},
		{"null for dimensions", `{"model":"bendy","input":"a","dimensions":null}`, 400, "", "dimensions"},
		{"longer than it is", `{"model":"bendy","input":"a","dimensions":513}`, 400, "", "dimensions"},
		{"a model that cannot be shortened", `{"model":"tiny","input":"a","dimensions":8}`, 400, "", "dimensions"},
		{"another model", `{"model":"huge","input":"a"}`, 404, "model_not_found", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openai.New(openai.Options{Models: small})
			status, _, body := post(t, s, c.body)
			a := parse(t, body)
			code, param := "", ""
			if a.Error.Code != nil {
				code = *a.Error.Code
			}
			if a.Error.Param != nil {
				param = *a.Error.Param
			}
			if status != c.status || code != c.code || param != c.param ||
				(status != 200) != (a.Error.Message != "" && a.Error.Type != "") {
				t.Errorf("%d %q %q, want %d %q %q: %.200s", status, code, param, c.status, c.code, c.param, body)
			}
			if kept := s.Requests(); len(kept) != 1 || kept[0].Status != c.status {
				t.Errorf("it kept %d requests", len(kept))
			}
		})
	}
}

// The key, the method and the address are checked before the body is.
func TestTheDoor(t *testing.T) {
	s := openai.New(openai.Options{Key: "key"})
	for _, c := range []struct {
		method, path, key string
		status            int
		code              string
	}{
		{http.MethodPost, "/v1/embeddings", "Bearer other", 401, "invalid_api_key"},
		{http.MethodPost, "/v1/embeddings", "", 401, "invalid_api_key"},
		{http.MethodGet, "/v1/embeddings", "Bearer key", 405, "method_not_supported"},
		{http.MethodPost, "/v1/completions", "Bearer key", 404, "unknown_url"},
		{http.MethodPost, "/v1/embeddings", "Bearer key", 400, ""},
	} {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader("{}"))
		r.Header.Set("Authorization", c.key)
		r.Header.Set("Content-Type", "application/json")
		s.ServeHTTP(w, r)
		a := parse(t, w.Body.Bytes())
		if w.Code != c.status || c.code != "" && (a.Error.Code == nil || *a.Error.Code != c.code) {
			t.Errorf("%s %s with %q: %d %s", c.method, c.path, c.key, w.Code, w.Body)
		}
	}
}

// Both encodings give the same numbers, each vector has unit length and its index, and tokens are counted.
func TestAnswers(t *testing.T) {
	s := openai.New(openai.Options{Models: small})
	_, _, plain := post(t, s, `{"model":"tiny","input":["the car","wifi"]}`)
	_, _, packed := post(t, s, `{"model":"tiny","input":["the car","wifi"],"encoding_format":"base64"}`)
	a, b := parse(t, plain), parse(t, packed)
	if a.Object != "list" || a.Model != "tiny" || len(a.Data) != 2 || a.Usage.Prompt != 3 || a.Usage.Total != 3 ||
		a.Data[1].Object != "embedding" {
		t.Fatalf("%s", plain)
	}
	for i := range a.Data {
		var numbers []float64
		var text string
		if json.Unmarshal(a.Data[i].Embedding, &numbers) != nil || json.Unmarshal(b.Data[i].Embedding, &text) != nil ||
			a.Data[i].Index != i {
			t.Fatalf("%s\n%s", plain, packed)
		}
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(numbers) != 64 || len(raw) != 4*64 {
			t.Fatalf("%d numbers, %d bytes, %v", len(numbers), len(raw), err)
		}
		sum := 0.0
		for j, x := range numbers {
			sum += x * x
			if got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*j:])); got != float32(x) {
				t.Errorf("%v and %v", x, got)
			}
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("the square of its length is %v", sum)
		}
	}
}

func cosine(a, b []float64) float64 {
	var dot float64
	for i := range a {
		dot += a[i] * b[i]
	}
	return dot
}

// Texts about the same things are near each other, in either language and without a word in common; others are not.
func TestMeanings(t *testing.T) {
	s := openai.New(openai.Options{})
	const model = "text-embedding-3-small"
	for _, c := range []struct {
		a, b  string
		least float64
		most  float64
	}{
		{"automobile", "car", 0.99, 1.01},
		{"the automobile", "מכונית", 0.95, 1.01},
		{"המכונית במוסך", "car repair", 0.95, 1.01},
		{"ולמכונית", "vehicles", 0.99, 1.01},
		{"מְכוֹנִית", "car", 0.99, 1.01},
		{"My automobile is at the garage", "car", 0.6, 0.8},
		{"password of the wifi", "סיסמה לאינטרנט", 0.95, 1.01},
		{"car", "cat", -0.15, 0.15},
		{"a physician", "the garage", -0.2, 0.2},
		{"xyzzy", "plugh", -0.15, 0.15},
		{"xyzzy", "xyzzy!", 0.99, 1.01},
	} {
		if got := cosine(s.Vector(model, c.a), s.Vector(model, c.b)); got < c.least || got > c.most {
			t.Errorf("%q and %q: %.3f, want %.2f to %.2f", c.a, c.b, got, c.least, c.most)
		}
	}
	if got := cosine(s.Vector(model, "car"), openai.New(openai.Options{}).Vector(model, "car")); got < 1-1e-9 {
		t.Errorf("two stand-ins differ: %v", got)
	}
	other := s.Vector("text-embedding-3-large", "car")[:1536]
	if got := cosine(s.Vector(model, "car"), other); math.Abs(got) > 0.2 {
		t.Errorf("two models agree: %v", got)
	}
}

// A shorter vector is the beginning of the long one, in unit length.
func TestShorter(t *testing.T) {
	s := openai.New(openai.Options{Models: small})
	_, _, body := post(t, s, `{"model":"bendy","input":"car","dimensions":16}`)
	var got []float64
	if err := json.Unmarshal(parse(t, body).Data[0].Embedding, &got); err != nil || len(got) != 16 {
		t.Fatalf("%v %s", err, body)
	}
	full := s.Vector("bendy", "car")
	for i := range got {
		if math.Abs(got[i]/got[0]-full[i]/full[0]) > 1e-9 {
			t.Fatalf("%v is not the beginning of %v", got, full[:16])
		}
	}
}

// Every fault does what it says, so often as it says.
func TestFaults(t *testing.T) {
	const body = `{"model":"tiny","input":["a","b","c"]}`
	s := openai.New(openai.Options{Models: small})
	s.Inject(openai.Fault{Status: 429, RetryAfter: 2 * time.Second, After: 1, Times: 1, Model: "tiny"})
	for i, want := range []int{200, 429, 200} {
		status, header, _ := post(t, s, body)
		if status != want || (header.Get("Retry-After") == "2") != (want == 429) {
			t.Errorf("request %d: %d %v", i, status, header)
		}
	}
	s.Inject(openai.Fault{Status: 503, RetryAfter: 50 * time.Millisecond, Body: "oh",
		Header: http.Header{"X-Should-Retry": {"false"}}})
	if status, header, text := post(t, s, body); status != 503 || string(text) != "oh" ||
		header.Get("Retry-After-Ms") != "50" || header.Get("X-Should-Retry") != "false" {
		t.Errorf("%d %s %v", status, text, header)
	}
	s.Clear()
	indices := func(f openai.Fault) string {
		s.Inject(f)
		defer s.Clear()
		_, _, text := post(t, s, body)
		var out []string
		for _, d := range parse(t, text).Data {
			out = append(out, fmt.Sprint(d.Index))
		}
		return strings.Join(out, " ")
	}
	for want, f := range map[string]openai.Fault{
		"2 1 0": {Shuffle: true}, "0 1": {Drop: true}, "0 1 0": {Double: true}, "0 1 2": {Containing: "z", Drop: true},
	} {
		if got := indices(f); got != want {
			t.Errorf("%+v gives %s, want %s", f, got, want)
		}
	}
	for name, c := range map[string]struct {
		fault openai.Fault
		want  string
	}{
		"zero": {openai.Fault{Zero: true}, `"embedding":[0,0,`}, "NaN": {openai.Fault{NaN: true}, `"embedding":[null,`},
		"garbage": {openai.Fault{Garbage: true}, `<html>`}, "pad": {openai.Fault{Pad: 9}, "}         "},
	} {
		s.Inject(c.fault)
		if _, _, text := post(t, s, body); !bytes.Contains(text, []byte(c.want)) {
			t.Errorf("%s: %.100s", name, text)
		}
		s.Clear()
	}
}

// A broken connection is an error of the transport; a hanging one ends with its context; a slow one takes its time.
func TestBrokenConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openai.New(openai.Options{Models: small})
		send := func(ctx context.Context) error {
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://stand-in/v1/embeddings",
				strings.NewReader(`{"model":"tiny","input":"a"}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			answer, err := s.Transport().RoundTrip(r)
			if err != nil {
				return err
			}
			defer answer.Body.Close()
			_, err = io.ReadAll(answer.Body)
			return err
		}
		for _, f := range []openai.Fault{{Reset: true}, {Truncate: true}, {Hang: true}} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			s.Inject(f)
			if err := send(ctx); err == nil {
				t.Errorf("%+v gave an answer", f)
			}
			s.Clear()
			cancel()
		}
		s.Inject(openai.Fault{Latency: time.Minute})
		began := time.Now()
		if err := send(t.Context()); err != nil || time.Since(began) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		synctest.Wait()
	})
}
