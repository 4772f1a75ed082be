package config

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
)

// defaultOpenAI is OpenAI's own endpoint.
const defaultOpenAI = "https://api.openai.com/v1"

// localEmbedding names the model that is built in.
const localEmbedding = "local"

// openAIDimensions are the lengths of the vectors of OpenAI's own models
// (https://platform.openai.com/docs/guides/embeddings).
func openAIDimensions() map[string]int {
	return map[string]int{"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
}

func embedding() []Setting {
	return []Setting{{
		Name: "openai-base-url",
		Meaning: "The endpoint with OpenAI's API: OpenAI, or your own server, such as Ollama, llama.cpp, vLLM or LM " +
			"Studio. It is called for vectors when `ALMANAC_EMBEDDING_MODEL` is set, and for extraction when " +
			"`ALMANAC_CHAT_MODEL` is.",
		Allowed: "an https URL without query, fragment or user, with the API's version if it has one; http only on a " +
			"loopback host, or with `ALMANAC_OPENAI_ALLOW_HTTP`",
		Default: defaultOpenAI,
		Example: "http://localhost:11434/v1",
		set:     func(d *draft, v string) (err error) { d.OpenAIBaseURL, err = parsePublicURL(v); return err },
	}, {
		Name:    "openai-api-key",
		Meaning: "The key for that endpoint. OpenAI requires one, your own servers mostly do not.",
		Allowed: "from 1 to 512 characters without spaces",
		Default: "not set: none is sent",
		Example: "file:/run/secrets/openai",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.OpenAIAPIKey, err = parseAPIKey(v); return err },
	}, switchOf("openai-allow-http",
		"Allows an endpoint on another machine without TLS, for private networks only: requests and the key can be read on "+
			"the network.",
		func(d *draft) *bool { return &d.OpenAIAllowHTTP }), {
		Name: "embedding-model",
		Meaning: "The model of the vectors for semantic search of memories, entities and facts. Their texts and the " +
			"queries are sent to the endpoint. After a change, new vectors are made in the background, and the old ones are " +
			"used until then, as long as the endpoint still has the old model.",
		Allowed: "local, or the name of a model as the endpoint knows it: up to 120 of letters, digits and `. _ - / : @ " +
			"+`, not ending with `@` and a number",
		Special: "`local` is built in and sends nothing: it compares texts by their words and letters, in English and " +
			"Hebrew. A key or a URL alone sends nothing either.",
		Default: localEmbedding,
		Example: "text-embedding-3-small",
		set:     func(d *draft, v string) (err error) { d.EmbeddingModel, err = parseEmbeddingModel(v); return err },
	}, {
		Name: "embedding-dimensions",
		Meaning: "The number of dimensions of the model's vectors. Required for models other than OpenAI's. For OpenAI's " +
			"third generation, a smaller number than the model's own makes vectors that are smaller and slightly less exact. " +
			"Vectors of another length are refused.",
		Allowed: fmt.Sprintf("a number from 8 to %d", model.MaxEmbeddingDimensions),
		Default: "1536 for text-embedding-3-small and text-embedding-ada-002, 3072 for text-embedding-3-large",
		Example: "768",
		set: func(d *draft, v string) (err error) {
			d.EmbeddingDimensions, err = parseInt(v, minDimensions, model.MaxEmbeddingDimensions)
			return err
		},
	}, {
		Name: "embedding-shorten",
		Meaning: "Whether to request vectors of `ALMANAC_EMBEDDING_DIMENSIONS` from the endpoint, which only some models " +
			"support. Otherwise that is the number which the model returns by itself.",
		Allowed: "auto, on, off",
		Special: "`auto` is on for OpenAI's third generation with a smaller number than its own, off otherwise.",
		Default: "auto",
		Example: "on",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.shorten, err = parseAuto(v); return err },
	}, {
		Name: "embedding-max-tokens",
		Meaning: "How many tokens of a text are sent to the model, as estimated; the rest is not part of the vector, and " +
			"is found by words only.",
		Allowed: "a number from 64 to 100000",
		Default: "8000",
		Example: "512",
		set:     func(d *draft, v string) (err error) { d.EmbeddingMaxTokens, err = parseInt(v, 64, 100_000); return err },
	}, {
		Name:    "embedding-floor",
		Meaning: "The minimum similarity of semantic hits, for searches that name none. It differs much between models.",
		Allowed: "a number from 0 to 1",
		Default: "0.3 for models of an endpoint; the built-in one has its own",
		Example: "0.5",
		set:     func(d *draft, v string) (err error) { d.EmbeddingFloor, err = parseShare(v); return err },
	}, {
		Name:    "embedding-near",
		Meaning: "The similarity from which a new contact or key-value may be an existing one, so that the user is asked.",
		Allowed: "a number from 0 to 1, not below `ALMANAC_EMBEDDING_FLOOR`",
		Default: "0.85 for models of an endpoint; the built-in one has its own",
		Example: "0.9",
		set:     func(d *draft, v string) (err error) { d.EmbeddingNear, err = parseShare(v); return err },
	}}
}

const (
	minDimensions = 8
	// remoteFloor and remoteNear hold for models of an endpoint when nothing else is said. OpenAI's third generation gives
	// texts that have nothing to do with each other 0.1 to 0.2, and a question and its answer 0.3 to 0.6.
	remoteFloor = 0.3
	remoteNear  = 0.85
)

// lengthForm is how a length is written behind a model's name where vectors are told apart.
var lengthForm = regexp.MustCompile(`@[0-9]+$`)

func parseAPIKey(text string) (Secret, error) {
	const most = 512
	switch {
	case len(text) > most:
		return Secret{}, fmt.Errorf("has %d characters", len(text))
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Secret{}, errors.New("has a character that no key has")
	}
	return NewSecret(text), nil
}

// parseEmbeddingModel returns "" for the built-in model, also under the names of its versions.
func parseEmbeddingModel(text string) (string, error) {
	switch {
	case strings.EqualFold(text, localEmbedding):
		return "", nil
	case !modelForm.MatchString(text) || lengthForm.MatchString(text):
		return "", errors.New("is not the name of a model")
	case strings.HasPrefix(text, localEmbedding+"-"):
		return "", errors.New("begins as the names of built-in models do, of which there is one, local")
	}
	return text, nil
}

func parseShare(text string) (*float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return nil, errors.New("is not a number")
	case !(x >= 0 && x <= 1): // so that what is no number is refused too
		return nil, errors.New("is out of bounds")
	}
	return &x, nil
}

// embeddings checks that a model can be asked as it is set, and derives what was left out.
func (d *draft) embeddings() {
	remote, answers := d.EmbeddingModel != "", d.ChatModel != ""
	model := d.broken["embedding-model"]
	if d.OpenAIBaseURL == nil {
		d.OpenAIBaseURL = &url.URL{Scheme: "https", Host: "api.openai.com", Path: "/v1"} // defaultOpenAI
		for _, one := range [...]struct{ variable, value string }{
			{"ALMANAC_EMBEDDING_MODEL", d.EmbeddingModel}, {"ALMANAC_CHAT_MODEL", d.ChatModel},
		} {
			if one.value != "" && !d.OpenAIAPIKey.IsSet() && !d.broken["openai-base-url"] && !d.broken["openai-api-key"] {
				d.problem(
					"%s is %q, but neither ALMANAC_OPENAI_API_KEY nor ALMANAC_OPENAI_BASE_URL is set: OpenAI wants a key. Set the "+
						"key, or the address of another endpoint.", one.variable, clip(one.value))
			}
		}
	}
	if set := d.OpenAIAPIKey.IsSet() || d.OpenAIBaseURL.String() != defaultOpenAI; set && !remote && !answers && !model &&
		!d.broken["chat-model"] {
		d.Warnings = append(d.Warnings,
			"An endpoint for models is set (ALMANAC_OPENAI_BASE_URL, ALMANAC_OPENAI_API_KEY), but neither "+
				"ALMANAC_EMBEDDING_MODEL nor ALMANAC_CHAT_MODEL is, so nothing is sent there.")
	}
	if u := d.OpenAIBaseURL; u.Scheme == "http" && !isLoopbackHost(u.Hostname()) {
		if !d.OpenAIAllowHTTP {
			d.problem(
				"ALMANAC_OPENAI_BASE_URL is %q, which is neither https nor on this machine: what is sent there, and the key, "+
					"could be read by everybody on the way. "+
					"Use https, or set ALMANAC_OPENAI_ALLOW_HTTP=true where the network is private.", clip(u.String()))
		} else if remote || answers {
			d.Warnings = append(d.Warnings,
				"ALMANAC_OPENAI_BASE_URL is plain http to another machine: what is sent there, and the key, can be read by "+
					"everybody on the way.")
		}
	}
	if !model {
		d.needs("embedding-dimensions", d.EmbeddingDimensions != 0, "embedding-model", remote)
		d.needs("embedding-shorten", d.shorten != nil && *d.shorten, "embedding-model", remote)
	}
	if remote {
		d.embeddingLength()
		d.EmbeddingFloor, d.EmbeddingNear = shareOr(d.EmbeddingFloor, remoteFloor), shareOr(d.EmbeddingNear, remoteNear)
	}
	if d.EmbeddingFloor != nil && d.EmbeddingNear != nil && *d.EmbeddingNear < *d.EmbeddingFloor &&
		!d.broken["embedding-near"] && !d.broken["embedding-floor"] {
		d.problem(
			"ALMANAC_EMBEDDING_NEAR is %v, below ALMANAC_EMBEDDING_FLOOR, which is %v: what is the same would not even be "+
				"found. Raise the one or lower the other.", *d.EmbeddingNear, *d.EmbeddingFloor)
	}
}

func shareOr(given *float64, otherwise float64) *float64 {
	if given != nil {
		return given
	}
	return &otherwise
}

// embeddingLength checks and completes the length of a model's vectors.
func (d *draft) embeddingLength() {
	own, known := openAIDimensions()[d.EmbeddingModel]
	if d.EmbeddingDimensions == 0 {
		if !known && !d.broken["embedding-dimensions"] {
			d.problem(
				"ALMANAC_EMBEDDING_MODEL is %q, and how long its vectors are is not known here. Set ALMANAC_EMBEDDING_DIMENSIONS "+
					"to what its documentation says (known are %s).",
				clip(d.EmbeddingModel), strings.Join(slices.Sorted(maps.Keys(openAIDimensions())), ", "))
		}
		if d.shorten != nil && *d.shorten {
			d.problem("ALMANAC_EMBEDDING_SHORTEN is on, but ALMANAC_EMBEDDING_DIMENSIONS is not set. Set both, or neither.")
		}
		d.EmbeddingDimensions = own
		return
	}
	shorter := known && d.EmbeddingDimensions < own && d.EmbeddingModel != "text-embedding-ada-002"
	if known && d.EmbeddingDimensions != own && !shorter {
		d.problem("ALMANAC_EMBEDDING_DIMENSIONS is %d, but vectors of %s have %d. Leave it out.", d.EmbeddingDimensions,
			d.EmbeddingModel, own)
	}
	d.EmbeddingShorten = shorter
	if d.shorten == nil {
		return
	}
	if d.EmbeddingShorten = *d.shorten; shorter && !*d.shorten {
		d.problem(
			"ALMANAC_EMBEDDING_SHORTEN is off, but vectors of %s have %d dimensions, not %d. Leave ALMANAC_EMBEDDING_SHORTEN "+
				"out, or ALMANAC_EMBEDDING_DIMENSIONS.", d.EmbeddingModel, own, d.EmbeddingDimensions)
	}
}
