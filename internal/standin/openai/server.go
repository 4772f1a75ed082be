package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/internal/standin/faults"
)

// Options are what a stand-in is made with.
type Options struct {
	// Key is the one it accepts; empty: it asks for none, as servers of one's own do.
	Key string
	// Models are those it has; OpenAI's when nil.
	Models map[string]ModelFacts
	// ChatModels are those that answer; OpenAI's when nil.
	ChatModels map[string]ChatFacts
	// Say is what they answer; Read when nil.
	Say func(Chat) string
	// Call is what they ask to be called where they are offered tools, nil to answer in text; Obey when it is nil.
	Call func(Chat) []ToolCall
	// MaxTokens is how many tokens a text may have, by its own count; OpenAI's 8,192 when 0.
	MaxTokens int
	// Wait makes slow answers slow; on a timer when nil.
	Wait func(context.Context, time.Duration) error
}

// Server is the stand-in, an http.Handler. It is safe for goroutines.
type Server struct {
	options Options
	facts   facts
	chats   chatFacts
	lexicon lexicon
	faults  faults.Set[Fault]

	mu       sync.Mutex
	requests []Request
}

// New makes a stand-in.
func New(options Options) *Server {
	known, meanings := known()
	s := &Server{options: options, facts: known, chats: knownChats(), lexicon: newLexicon(meanings)}
	if options.Models != nil {
		s.facts.Models = maps.Clone(options.Models)
	}
	if options.ChatModels != nil {
		s.chats.Models = maps.Clone(options.ChatModels)
	}
	if s.options.Wait == nil {
		s.options.Wait = faults.Wait
	}
	return s
}

// Requests returns what was asked so far, in order.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Chats returns what models were asked to answer so far, in order, refused questions too.
func (s *Server) Chats() []Chat {
	var all []Chat
	for _, r := range s.Requests() {
		if r.Chat != nil {
			all = append(all, *r.Chat)
		}
	}
	return all
}

// Inputs is how many texts were asked for so far, over all requests, refused ones too.
func (s *Server) Inputs() int {
	n := 0
	for _, r := range s.Requests() {
		n += len(r.Inputs)
	}
	return n
}

// Vector is what it answers for a text, in unit length.
func (s *Server) Vector(model, text string) []float64 {
	return s.lexicon.vector(model, text, s.facts.Models[model].Dimensions)
}

// texts are those that came with a request.
func (r *Request) texts() []string {
	all := slices.Clone(r.Inputs)
	if r.Chat != nil {
		for _, m := range r.Chat.Messages {
			all = append(all, m.Text)
		}
	}
	return all
}

func (r *Request) contains(part string) bool {
	return slices.ContainsFunc(r.texts(), func(text string) bool { return strings.Contains(text, part) })
}

// maxBody bounds a request, in bytes; OpenAI's own bound is not published.
const maxBody = 32 << 20

// What is served.
const (
	embeddingsPath = "/v1/embeddings"
	chatPath       = "/v1/chat/completions"
)

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, h *http.Request) {
	r := &Request{Authorization: h.Header.Get("Authorization")}
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, *r)
	}()
	refused := s.check(h, r)
	fault, _ := s.faults.Choose(func(f *Fault) bool { return f.fits(r) })
	if fault.Hang {
		<-h.Context().Done()
	}
	if fault.Latency > 0 && s.options.Wait(h.Context(), fault.Latency) != nil || fault.Reset || fault.Hang {
		faults.Break()
	}
	w.Header().Set("Content-Type", "application/json")
	if fault.Status != 0 {
		s.fail(w, r, fault)
		return
	}
	if refused != nil {
		r.Status = refused.Status
		writeProblem(w, refused)
		return
	}
	var body []byte
	if r.Chat != nil {
		body = s.answerChat(r, fault)
	} else {
		body = s.answer(r, fault)
	}
	r.Status = http.StatusOK
	if fault.Garbage {
		w.Header().Set("Content-Type", "text/html")
		body = []byte("<html><body>Bad gateway, dear " + r.Authorization + "</body></html>")
	}
	if fault.Truncate {
		faults.Half(w, body)
	}
	_, _ = w.Write(body)
}

// check reads a request and finds what is wrong with it.
func (s *Server) check(h *http.Request, r *Request) *problem {
	body, err := io.ReadAll(io.LimitReader(h.Body, maxBody+1))
	switch {
	case h.URL.Path != embeddingsPath && h.URL.Path != chatPath:
		return s.problem("unknownAddress", "", "Unknown request URL: %s %s.", h.Method, h.URL.Path)
	case h.Method != http.MethodPost:
		return s.problem("wrongMethod", "", "Not allowed to %s on %s.", h.Method, h.URL.Path)
	case s.options.Key != "" && r.Authorization != "Bearer "+s.options.Key:
		// OpenAI quotes the key it was given, with its middle blotted out.
		return s.problem("invalidKey", "", "Incorrect API key provided: %s.", strings.TrimPrefix(r.Authorization, "Bearer "))
	case err != nil || len(body) > maxBody || !strings.HasPrefix(h.Header.Get("Content-Type"), "application/json"):
		return s.problem("badJSON", "", "We could not parse the JSON body of your request.")
	}
	if h.URL.Path == chatPath {
		return s.readChat(body, r)
	}
	if refused := s.read(body, r); refused != nil {
		return refused
	}
	model, ok := s.facts.Models[r.Model]
	switch {
	case !ok:
		return s.problem("unknownModel", "", "The model `%s` does not exist or you do not have access to it.", r.Model)
	case r.Dimensions > 0 && !model.Shorter:
		return s.problem("invalid", "dimensions", "This model does not support specifying dimensions.")
	case r.Dimensions > model.Dimensions:
		return s.problem("invalid", "dimensions", "Invalid value for 'dimensions' = %d. Must be less than or equal to %d.",
			r.Dimensions, model.Dimensions)
	}
	return nil
}

// fail answers with a fault's error.
func (s *Server) fail(w http.ResponseWriter, r *Request, fault Fault) {
	r.Status = fault.Status
	setRetryAfter(w.Header(), fault.RetryAfter)
	maps.Copy(w.Header(), fault.Header)
	if fault.Body != "" {
		w.WriteHeader(fault.Status)
		_, _ = io.WriteString(w, fault.Body)
		return
	}
	p := s.problem(cmp.Or(fault.Error, usual(fault.Status)), "", "Made to fail, with texts such as %q and %s.", r.texts(),
		r.Authorization)
	p.Status = fault.Status
	writeProblem(w, p)
}

// usual is the error that goes with a status when a fault names none.
func usual(status int) string {
	switch {
	case status == http.StatusTooManyRequests:
		return "tooFast"
	case status == http.StatusUnauthorized:
		return "invalidKey"
	case status == http.StatusNotFound:
		return "unknownModel"
	case status >= http.StatusInternalServerError:
		return "broken"
	default:
		return "invalid"
	}
}

// writeProblem writes OpenAI's envelope.
func writeProblem(w http.ResponseWriter, p *problem) {
	var param *string
	if p.param != "" {
		param = &p.param
	}
	w.WriteHeader(p.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"error": map[string]any{"message": p.message, "type": p.Type, "param": param, "code": p.Code}})
}

// answer makes the body, with what the fault does to it.
func (s *Server) answer(r *Request, fault Fault) []byte {
	type datum struct {
		Object    string `json:"object"`
		Index     int    `json:"index"`
		Embedding any    `json:"embedding"`
	}
	data := make([]datum, len(r.tokenCounts))
	total := 0
	for i, n := range r.tokenCounts {
		total += n
		data[i] = datum{Object: "embedding", Index: i, Embedding: encoded(s.vectorOf(r, i, fault), r.Format)}
	}
	switch {
	case fault.Shuffle:
		slices.Reverse(data)
	case fault.Drop:
		data = data[:len(data)-1]
	case fault.Double:
		data[len(data)-1].Index = 0
	}
	usage := map[string]int{"prompt_tokens": total, "total_tokens": total}
	body, err := json.Marshal(map[string]any{"object": "list", "model": r.Model, "data": data, "usage": usage})
	if err != nil {
		panic(err)
	}
	if fault.NaN && r.Format != "base64" { // JSON has no such number; some servers write null
		body = bytes.ReplaceAll(body, []byte(`"embedding":[`), []byte(`"embedding":[null,`))
	}
	return append(body, bytes.Repeat([]byte(" "), fault.Pad)...)
}

// vectorOf is what is answered for one input, already shortened where a shorter one was asked for: its beginning, in
// unit length.
func (s *Server) vectorOf(r *Request, i int, fault Fault) []float64 {
	full := s.facts.Models[r.Model].Dimensions
	text := "tokens"
	if r.Inputs != nil {
		text = r.Inputs[i]
	}
	v := s.lexicon.vector(r.Model, text, max(full, fault.Dimensions))
	if n := cmp.Or(fault.Dimensions, r.Dimensions, full); n < len(v) {
		v = unit(v[:n])
	}
	if fault.Zero {
		clear(v)
	}
	if fault.NaN && r.Format == "base64" {
		v[0] = math.NaN()
	} else if fault.NaN {
		v = v[1:] // a null takes its place
	}
	return v
}

// encoded returns a vector as numbers, or as base64 of little-endian float32.
func encoded(v []float64, format string) any {
	if format != "base64" {
		return v
	}
	raw := make([]byte, 0, 4*len(v))
	for _, x := range v {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(x)))
	}
	return base64.StdEncoding.EncodeToString(raw)
}
