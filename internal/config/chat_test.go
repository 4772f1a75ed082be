package config

import (
	"strings"
	"testing"
)

// A model that reads needs an endpoint that it can be asked at, and makes one worth setting; where texts go in the
// clear that is said.
func TestChatModel(t *testing.T) {
	key, chat := "ALMANAC_OPENAI_API_KEY="+apiKey, "ALMANAC_CHAT_MODEL=gpt-5-mini"
	for _, c := range []struct {
		name      string
		variables []string
		// problem and warning are parts of the one there is; empty for none.
		problem, warning string
	}{
		{"nothing", nil, "", ""},
		{"with a key", []string{chat, key}, "", ""},
		{"with an address", []string{chat, "ALMANAC_OPENAI_BASE_URL=http://localhost:11434/v1"}, "", ""},
		{"alone", []string{chat}, "ALMANAC_CHAT_MODEL is \"gpt-5-mini\", but neither", ""},
		{"a key alone", []string{key}, "", "nothing is sent there"},
		{"a key and a wrong model", []string{key, "ALMANAC_CHAT_MODEL=a model"}, "ALMANAC_CHAT_MODEL is", ""},
		{"in the clear", []string{chat, "ALMANAC_OPENAI_BASE_URL=http://ollama:11434/v1"}, "ALMANAC_OPENAI_ALLOW_HTTP=true",
			""},
		{"in the clear, wanted", []string{chat, "ALMANAC_OPENAI_BASE_URL=http://ollama:11434/v1",
			"ALMANAC_OPENAI_ALLOW_HTTP=true"}, "", "plain http"},
		{"numbers without a model", []string{"ALMANAC_CHAT_MAX_TOKENS=500", "ALMANAC_EXTRACT_PARALLEL=0",
			"ALMANAC_EXTRACT_PART_TOKENS=256"}, "", ""},
	} {
		config, err := loadTest(nil, c.variables...)
		if c.problem == "" && err != nil || c.problem != "" &&
			(err == nil || !strings.Contains(err.Error(), c.problem) || len(problemsOf(t, err)) != 1) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil {
			if strings.Contains(err.Error(), apiKey) {
				t.Errorf("%s: the key shows in %v", c.name, err)
			}
			continue
		}
		said := strings.Join(config.Warnings, "\n")
		if c.warning == "" && said != "" || !strings.Contains(said, c.warning) || strings.Contains(said, apiKey) {
			t.Errorf("%s: warnings are %q", c.name, said)
		}
	}
}
