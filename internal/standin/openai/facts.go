package openai

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed embeddings.json
var embeddingsJSON []byte

//go:embed meanings.json
var meaningsJSON []byte

//go:embed chat.json
var chatJSON []byte

// parameter is what is known of one.
type parameter struct {
	Required bool     `json:"required"`
	Values   []string `json:"values"`
	Minimum  int64    `json:"minimum"`
}

// facts are what embeddings.json holds.
type facts struct {
	Parameters          map[string]parameter  `json:"parameters"`
	MaxInputs           int                   `json:"maxInputs"`
	MaxTokensPerInput   int                   `json:"maxTokensPerInput"`
	MaxTokensPerRequest int                   `json:"maxTokensPerRequest"`
	Models              map[string]ModelFacts `json:"models"`
	Errors              map[string]kindOfError
}

// chatFacts are what chat.json holds.
type chatFacts struct {
	Parameters map[string]parameter `json:"parameters"`
	Roles      []string             `json:"roles"`
	Models     map[string]ChatFacts `json:"models"`
	Schema     schemaRules          `json:"schema"`
}

// ModelFacts is what is known of a model.
type ModelFacts struct {
	// Dimensions is the length of its vectors, Shorter whether it gives shorter ones when asked.
	Dimensions int  `json:"dimensions"`
	Shorter    bool `json:"shorter"`
}

type kindOfError struct {
	Status int     `json:"status"`
	Type   string  `json:"type"`
	Code   *string `json:"code"`
}

// meanings are what meanings.json holds.
type meanings struct {
	Groups [][]string `json:"groups"`
	Light  []string   `json:"light"`
}

// known reads the data once. That it can be read is tested.
var known = sync.OnceValues(func() (f facts, m meanings) {
	if err := json.Unmarshal(embeddingsJSON, &f); err != nil {
		panic(err)
	}
	if err := json.Unmarshal(meaningsJSON, &m); err != nil {
		panic(err)
	}
	return f, m
})

// knownChats reads what is known of chats, once.
var knownChats = sync.OnceValue(func() (f chatFacts) {
	if err := json.Unmarshal(chatJSON, &f); err != nil {
		panic(err)
	}
	return f
})
