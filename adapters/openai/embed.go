package openai

import (
	"context"
	"errors"
	"math"
	"strings"

	sdk "github.com/openai/openai-go/v3"

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

// Embed gives a vector of unit length for each text, at the same place; a text of nothing but white space has none
// (nil) and is not sent. Texts are sent in as many requests as the limits of the API ask for, one after another; when
// one fails nothing is given.
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
	r.service = sdk.NewEmbeddingService(c.Endpoint.options()...)
	var batch []int
	tokens := 0
	for i, text := range texts {
		if strings.TrimSpace(text) == "" {
			continue
		}
		text = cut(strings.ToValidUTF8(text, "\uFFFD"), positive(c.MaxTokens, DefaultMaxTokens))
		r.texts[i] = text
		more := estimate(text)
		if len(batch) > 0 && (len(batch) >= min(positive(c.MaxInputs, DefaultMaxInputs), maxInputs) ||
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
	service sdk.EmbeddingService
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
		lost, ok := errors.AsType[*failure](err)
		if !ok || !lost.said.tooLong || lost.kind != kindRejected {
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

// request sends one request and puts what it gives in its places.
func (r *round) request(ctx context.Context, places []int) error {
	params := sdk.EmbeddingNewParams{Model: r.ask.Model, EncodingFormat: r.format()}
	for _, i := range places {
		params.Input.OfArrayOfStrings = append(params.Input.OfArrayOfStrings, r.texts[i])
	}
	if r.ask.Dimensions > 0 {
		params.Dimensions = sdk.Int(int64(r.ask.Dimensions))
	}
	answer, err := r.service.New(ctx, params)
	if err != nil {
		return err
	}
	if answer == nil || len(answer.Data) != len(places) {
		return unusable(reasonVectors, "%d of them for %d texts", dataOf(answer), len(places))
	}
	got := make([][]float32, len(places))
	for _, one := range answer.Data {
		switch {
		case !one.JSON.Index.Valid() || one.Index < 0 || one.Index >= int64(len(places)):
			return unusable(reasonVectors, "one belongs to no text")
		case got[one.Index] != nil:
			return unusable(reasonVectors, "two belong to one text")
		}
		if got[one.Index], err = r.checked(one); err != nil {
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

func dataOf(answer *sdk.CreateEmbeddingResponse) int {
	if answer == nil {
		return 0
	}
	return len(answer.Data)
}

// format is how vectors are asked for. As base64 they have a third of the size, and are read without parsing numbers;
// not every server that speaks the API does so, and all of them write numbers.
func (r *round) format() sdk.EmbeddingNewParamsEncodingFormat {
	if strings.EqualFold(r.Endpoint.URL.Hostname(), "api.openai.com") {
		return sdk.EmbeddingNewParamsEncodingFormatBase64
	}
	return sdk.EmbeddingNewParamsEncodingFormatFloat
}

// checked gives a vector in unit length, if it is one.
func (r *round) checked(one sdk.Embedding) ([]float32, error) {
	n := len(one.Embedding)
	switch raw := one.JSON.Embedding.Raw(); {
	case !one.JSON.Embedding.Valid() || n == 0:
		return nil, unusable(reasonVectors, "one is no list of numbers")
	case raw[0] == '[' && strings.Contains(raw, "null"): // how some servers write what is not a number
		return nil, unusable(reasonVectors, "one has no number where one should be")
	case r.ask.Expect > 0 && n != r.ask.Expect:
		return nil, unusable(reasonDimensions,
			"they have %d dimensions, not %d; whoever runs this server has to correct its settings", n, r.ask.Expect)
	case n > model.MaxEmbeddingDimensions:
		return nil, unusable(reasonDimensions, "they have %d dimensions, more than the %d that can be kept", n,
			model.MaxEmbeddingDimensions)
	}
	v := make([]float32, n)
	for i, x := range one.Embedding {
		v[i] = float32(x)
		if math.IsNaN(x) || math.IsInf(float64(v[i]), 0) {
			return nil, unusable(reasonVectors, "one has a number that is not finite")
		}
	}
	if !vector.Unit(v) {
		return nil, unusable(reasonVectors, "one is all zeros")
	}
	return v, nil
}
