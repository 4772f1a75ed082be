package config

import (
	"strings"
	"testing"
)

const apiKey = "sk-a-secret-of-openai"

// A model that cannot be asked as it is set is refused with one sentence for each thing that is wrong, which says what
// to set.
func TestHalfAnEmbedder(t *testing.T) {
	key, small, local := "ALMANAC_OPENAI_API_KEY="+apiKey, "ALMANAC_EMBEDDING_MODEL=text-embedding-3-small",
		"ALMANAC_OPENAI_BASE_URL=http://localhost:11434/v1"
	for _, c := range []struct {
		variables []string
		// want are parts of the problems, one each.
		want [][]string
	}{
		{[]string{small}, [][]string{{"ALMANAC_OPENAI_API_KEY", "ALMANAC_OPENAI_BASE_URL", "text-embedding-3-small"}}},
		{[]string{key, "ALMANAC_EMBEDDING_MODEL=nomic-embed-text"},
			[][]string{{"nomic-embed-text", "Set ALMANAC_EMBEDDING_DIMENSIONS", "text-embedding-3-large"}}},
		{[]string{"ALMANAC_EMBEDDING_DIMENSIONS=256"},
			[][]string{{"ALMANAC_EMBEDDING_DIMENSIONS is set", "without ALMANAC_EMBEDDING_MODEL"}}},
		{[]string{"ALMANAC_EMBEDDING_SHORTEN=on"}, [][]string{{"without ALMANAC_EMBEDDING_MODEL"}}},
		{[]string{key, small, "ALMANAC_EMBEDDING_SHORTEN=on"}, [][]string{{"ALMANAC_EMBEDDING_DIMENSIONS is not set"}}},
		{[]string{key, small, "ALMANAC_EMBEDDING_DIMENSIONS=3072"}, [][]string{{"3072", "have 1536"}}},
		{[]string{key, small, "ALMANAC_EMBEDDING_DIMENSIONS=256", "ALMANAC_EMBEDDING_SHORTEN=off"},
			[][]string{{"ALMANAC_EMBEDDING_SHORTEN is off", "1536", "256"}}},
		{[]string{key, "ALMANAC_EMBEDDING_MODEL=text-embedding-ada-002", "ALMANAC_EMBEDDING_DIMENSIONS=256"},
			[][]string{{"256", "have 1536"}}},
		{[]string{"ALMANAC_OPENAI_BASE_URL=http://ollama:11434/v1"},
			[][]string{{"http://ollama:11434/v1", "ALMANAC_OPENAI_ALLOW_HTTP=true"}}},
		{[]string{local, "ALMANAC_EMBEDDING_MODEL=m", "ALMANAC_EMBEDDING_DIMENSIONS=8", "ALMANAC_EMBEDDING_FLOOR=0.9"},
			[][]string{{"ALMANAC_EMBEDDING_NEAR is 0.85", "0.9"}}},
		{[]string{"ALMANAC_EMBEDDING_FLOOR=0.5", "ALMANAC_EMBEDDING_NEAR=0.4"},
			[][]string{{"ALMANAC_EMBEDDING_NEAR is 0.4"}}},
		// What was refused for its value is not also said to be missing.
		{[]string{small, "ALMANAC_OPENAI_API_KEY=a key"}, [][]string{{"ALMANAC_OPENAI_API_KEY is refused"}}},
		{[]string{small, "ALMANAC_OPENAI_BASE_URL=x"}, [][]string{{"ALMANAC_OPENAI_BASE_URL is"}}},
		{[]string{"ALMANAC_EMBEDDING_MODEL=a model", "ALMANAC_EMBEDDING_DIMENSIONS=256"},
			[][]string{{"ALMANAC_EMBEDDING_MODEL is"}}},
		{[]string{key, "ALMANAC_EMBEDDING_MODEL=m", "ALMANAC_EMBEDDING_DIMENSIONS=x"},
			[][]string{{"ALMANAC_EMBEDDING_DIMENSIONS is"}}},
	} {
		_, err := loadTest(nil, c.variables...)
		problems := problemsOf(t, err)
		if len(problems) != len(c.want) {
			t.Errorf("%q: %d problems, want %d: %q", c.variables, len(problems), len(c.want), problems)
			continue
		}
		for i, parts := range c.want {
			for _, part := range parts {
				if !strings.Contains(problems[i], part) {
					t.Errorf("%q: %q does not say %q", c.variables, problems[i], part)
				}
			}
		}
		if strings.Contains(err.Error(), apiKey) {
			t.Errorf("%q: the key shows in %v", c.variables, err)
		}
	}
}

// What is set is what holds, and what follows from it is derived.
func TestEmbedders(t *testing.T) {
	type made struct {
		model, address string
		dimensions     int
		shorten        bool
		floor, near    float64 // -1: the model's own
		warnings       int
	}
	key, local := "ALMANAC_OPENAI_API_KEY="+apiKey, "ALMANAC_OPENAI_BASE_URL=HTTP://LocalHost:11434/v1/"
	const openAI, ollama = "https://api.openai.com/v1", "http://localhost:11434/v1"
	for _, c := range []struct {
		variables []string
		want      made
	}{
		{nil, made{"", openAI, 0, false, -1, -1, 0}},
		{[]string{"ALMANAC_EMBEDDING_MODEL=Local"}, made{"", openAI, 0, false, -1, -1, 0}},
		{[]string{"ALMANAC_EMBEDDING_FLOOR=0", "ALMANAC_EMBEDDING_NEAR=1"}, made{"", openAI, 0, false, 0, 1, 0}},
		{[]string{"ALMANAC_OPENAI_API_KEY=file:/run/secrets/openai"}, made{"", openAI, 0, false, -1, -1, 1}},
		{[]string{local}, made{"", ollama, 0, false, -1, -1, 1}},
		{[]string{key, "ALMANAC_EMBEDDING_MODEL=text-embedding-3-small"},
			made{"text-embedding-3-small", openAI, 1536, false, 0.3, 0.85, 0}},
		{[]string{key, "ALMANAC_EMBEDDING_MODEL=text-embedding-3-large", "ALMANAC_EMBEDDING_DIMENSIONS=3072"},
			made{"text-embedding-3-large", openAI, 3072, false, 0.3, 0.85, 0}},
		{[]string{key, "ALMANAC_EMBEDDING_MODEL=text-embedding-3-large", "ALMANAC_EMBEDDING_DIMENSIONS=256"},
			made{"text-embedding-3-large", openAI, 256, true, 0.3, 0.85, 0}},
		{[]string{key, "ALMANAC_EMBEDDING_MODEL=text-embedding-ada-002"},
			made{"text-embedding-ada-002", openAI, 1536, false, 0.3, 0.85, 0}},
		{[]string{local, "ALMANAC_EMBEDDING_MODEL=nomic-embed-text:latest", "ALMANAC_EMBEDDING_DIMENSIONS=768",
			"ALMANAC_EMBEDDING_FLOOR=0.5"}, made{"nomic-embed-text:latest", ollama, 768, false, 0.5, 0.85, 0}},
		{[]string{local, "ALMANAC_EMBEDDING_MODEL=@cf/baai/bge-m3", "ALMANAC_EMBEDDING_DIMENSIONS=512",
			"ALMANAC_EMBEDDING_SHORTEN"}, made{"@cf/baai/bge-m3", ollama, 512, false, 0.3, 0.85, 0}},
		{[]string{local, "ALMANAC_EMBEDDING_MODEL=qwen3-embedding:0.6b", "ALMANAC_EMBEDDING_DIMENSIONS=512",
			"ALMANAC_EMBEDDING_SHORTEN=on"}, made{"qwen3-embedding:0.6b", ollama, 512, true, 0.3, 0.85, 0}},
		{[]string{"ALMANAC_OPENAI_BASE_URL=http://ollama:11434/v1", "ALMANAC_OPENAI_ALLOW_HTTP=true",
			"ALMANAC_EMBEDDING_MODEL=m", "ALMANAC_EMBEDDING_DIMENSIONS=8"},
			made{"m", "http://ollama:11434/v1", 8, false, 0.3, 0.85, 1}},
	} {
		config := mustLoad(t, nil, c.variables...)
		got := made{config.EmbeddingModel, config.OpenAIBaseURL.String(), config.EmbeddingDimensions, config.EmbeddingShorten,
			-1, -1, len(config.Warnings)}
		if config.EmbeddingFloor != nil {
			got.floor = *config.EmbeddingFloor
		}
		if config.EmbeddingNear != nil {
			got.near = *config.EmbeddingNear
		}
		if got != c.want {
			t.Errorf("%q: got %+v, want %+v", c.variables, got, c.want)
		}
		if strings.Contains(strings.Join(config.Warnings, ""), apiKey) {
			t.Errorf("%q: the key shows in %q", c.variables, config.Warnings)
		}
	}
}
