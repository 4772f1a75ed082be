package openai

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strings"

	"almanac/adapters/remote"
	"almanac/graph/model"
	"almanac/projections/vector"
)

// Client makes vectors at an endpoint. Its fields are set before the first use; only Endpoint is needed. It is safe for
// goroutines.
type Client struct {
	Endpoint *Endpoint
	// MaxTokens is how many tokens of a text are sent, by estimate; what is beyond them is cut off. 0: DefaultMaxTokens.
	MaxTokens int
	// MaxInputs is how many texts one request has at most, up to 2048; 0: DefaultMaxInputs. It bounds how large an answer
	// gets.
	MaxInputs int
}

// DefaultMaxInputs is how many texts go into one request: with the longest vectors that are kept, its answer has some
// 20 MB.
const DefaultMaxInputs = 256

// Ask names what is asked for.
type Ask struct {
	// Model is the name that the endpoint knows.
	Model string
	// Dimensions is the length that the endpoint is asked to give; 0: it is not asked for one, which is all that most
	// models take.
	Dimensions int
	// Expect is the length that the vectors must have; 0: any, up to model.MaxEmbeddingDimensions.
	Expect int
}

// Embed returns a vector of unit length for each text, at the same place; a text of nothing but white space has none
// (nil) and is not sent. Texts are sent in as many requests as the limits of the API ask for, one after another; when
// one fails none is returned.
//
// What is longer than MaxTokens, by estimate, is cut. When the endpoint finds texts too long all the same, they are
// sent in halves of the batch, and a single text is cut in half, three times at most.
//
// Errors are those of Classify. UPSTREAM_REJECTED has the Reason "dimensions" for vectors of another length than
// expected, and "vectors" for others that cannot be used.
func (c *Client) Embed(ctx context.Context, ask Ask, texts []string) ([][]float32, error) {
	if ask.Model == "" || ask.Dimensions < 0 || ask.Expect < 0 || c.Endpoint == nil {
		return nil, errors.New("openai: a model and an endpoint must be named")
	}
	if err := c.Endpoint.Check(); err != nil {
		return nil, err
	}
	r := &round{Client: c, ask: ask, texts: make([]string, len(texts)), vectors: make([][]float32, len(texts))}
	var batch []int
	tokens := 0
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		text = cut(strings.ToValidUTF8(text, "\uFFFD"), remote.Or(c.MaxTokens, DefaultMaxTokens))
		r.texts[i] = text
		more := estimate(text)
		if len(batch) > 0 && (len(batch) >= min(remote.Or(c.MaxInputs, DefaultMaxInputs), maxInputs) ||
			tokens+more > maxRequestTokens) {
			if err := r.send(ctx, batch); err != nil {
				return nil, err
			}
			batch, tokens = nil, 0
		}
		batch, tokens = append(batch, i), tokens+more
	}
	if err := r.send(ctx, batch); err != nil {
		return nil, err
	}
	return r.vectors, nil
}

// round is one Embed.
type round struct {
	*Client
	ask     Ask
	texts   []string
	vectors [][]float32
}

const (
	// maxCuts is how often a text that is found too long is cut in half.
	maxCuts = 3
	// minTokens is what no text is cut below: an endpoint that does not take even that refuses for another reason.
	minTokens = 32
)

// send asks for the vectors of the texts at these places, in parts where they are too long together.
func (r *round) send(ctx context.Context, places []int) error {
	for cuts := 0; ; cuts++ {
		if len(places) == 0 {
			return nil
		}
		err := r.request(ctx, places)
		lost, ok := errors.AsType[*remote.Failure](err)
		if !ok || !problemOf(lost).tooLong || lost.Kind != remote.KindRejected {
			return Classify(err)
		}
		if len(places) > 1 {
			half := len(places) / 2
			if err := r.send(ctx, places[:half]); err != nil {
				return err
			}
			places, cuts = places[half:], -1
			continue
		}
		tokens := estimate(r.texts[places[0]]) / 2
		if cuts >= maxCuts || tokens < minTokens {
			return Classify(err)
		}
		r.texts[places[0]] = cut(r.texts[places[0]], tokens)
	}
}

// embeddingRequest and embeddings are the API's own
// (https://platform.openai.com/docs/api-reference/embeddings/create).
type embeddingRequest struct {
	Model      string   `json:"model"`
	Input      []string `json:"input"`
	Dimensions int      `json:"dimensions,omitempty"`
	Format     string   `json:"encoding_format"`
}

type embeddings struct {
	Data []embedding `json:"data"`
}

type embedding struct {
	Index *int `json:"index"`
	// Vector is a list of numbers, or their bytes as base64.
	Vector json.RawMessage `json:"embedding"`
}

// request sends one request and puts the vectors of its answer in their places.
func (r *round) request(ctx context.Context, places []int) error {
	body := embeddingRequest{Model: r.ask.Model, Dimensions: r.ask.Dimensions, Format: r.format()}
	for _, i := range places {
		body.Input = append(body.Input, r.texts[i])
	}
	answer, err := post[embeddings](ctx, r.Endpoint, pathEmbeddings, body)
	if err != nil {
		return err
	}
	if len(answer.Data) != len(places) {
		return unusable(reasonVectors, "%d of them for %d texts", len(answer.Data), len(places))
	}
	got := make([][]float32, len(places))
	for _, one := range answer.Data {
		switch {
		case one.Index == nil || *one.Index < 0 || *one.Index >= len(places):
			return unusable(reasonVectors, "one belongs to no text")
		case got[*one.Index] != nil:
			return unusable(reasonVectors, "two belong to one text")
		}
		if got[*one.Index], err = r.checked(one.Vector); err != nil {
			return err
		}
	}
	for i, v := range got {
		if len(v) != len(got[0]) {
			return unusable(reasonVectors, "they have different lengths")
		}
		r.vectors[places[i]] = v
	}
	return nil
}

// format is how vectors are asked for. As base64 they have a third of the size, and are read without parsing numbers;
// not every server that speaks the API does so, and all of them write numbers.
func (r *round) format() string {
	if strings.EqualFold(r.Endpoint.URL.Hostname(), "api.openai.com") {
		return "base64"
	}
	return "float"
}

// checked is a vector in unit length, if it is one.
func (r *round) checked(raw json.RawMessage) ([]float32, error) {
	v, ok := numbers(raw)
	switch n := len(v); {
	case !ok || n == 0:
		return nil, unusable(reasonVectors, "one is no list of numbers")
	case raw[0] == '[' && bytes.Contains(raw, []byte("null")): // how some servers write what is not a number
		return nil, unusable(reasonVectors, "one has no number where one should be")
	case r.ask.Expect > 0 && n != r.ask.Expect:
		return nil, unusable(reasonDimensions,
			"they have %d dimensions, not %d; whoever runs this server has to correct its settings", n, r.ask.Expect)
	case n > model.MaxEmbeddingDimensions:
		return nil, unusable(reasonDimensions, "they have %d dimensions, more than the %d that can be kept", n,
			model.MaxEmbeddingDimensions)
	}
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return nil, unusable(reasonVectors, "one has a number that is not finite")
		}
	}
	if !vector.Unit(v) {
		return nil, unusable(reasonVectors, "one is all zeros")
	}
	return v, nil
}

// numbers reads a vector in either form.
func numbers(raw json.RawMessage) ([]float32, bool) {
	var packed []byte
	if json.Unmarshal(raw, &packed) == nil && len(packed)%4 == 0 && bytes.HasPrefix(raw, []byte(`"`)) {
		v := make([]float32, len(packed)/4)
		for i := range v {
			v[i] = math.Float32frombits(binary.LittleEndian.Uint32(packed[4*i:]))
		}
		return v, true
	}
	var v []float32
	return v, json.Unmarshal(raw, &v) == nil
}
