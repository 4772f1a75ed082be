package config

import (
	"errors"
	"fmt"
	"regexp"
)

// Bounds of the settings of the model that answers.
const (
	minAnswerTokens, maxAnswerTokens = 256, 128_000
	minPartTokens, maxPartTokens     = 256, 50_000
	maxParallel                      = 64
)

func chatting() []Setting {
	return []Setting{{
		Name: "chat-model",
		Meaning: "The model that extracts entities and facts from episodes. Episodes, and what is known about the names in " +
			"them, are sent to the endpoint `ALMANAC_OPENAI_BASE_URL`. Sentences for the agent that the built-in grammar does " +
			"not understand are sent there too. Episodes that were queued while a model was set wait until one is set again.",
		Allowed: "the name of a model as the endpoint knows it: up to 120 of letters, digits and `. _ - / : @ +`",
		Special: "A key or a URL alone sends nothing.",
		Default: "not set: episodes are stored verbatim, and nothing is sent",
		Example: "gpt-5-mini",
		set:     func(d *draft, v string) (err error) { d.ChatModel, err = parseModel(v); return err },
	}, {
		Name: "chat-max-tokens",
		Meaning: "The maximum length of that model's response, in tokens. A reasoning model needs some thousands more than " +
			"the response has. A response that was cut off is requested again in smaller parts.",
		Allowed: fmt.Sprintf("a number from %d to %d", minAnswerTokens, maxAnswerTokens),
		Default: "8000",
		Example: "4000",
		set: func(d *draft, v string) (err error) {
			d.ChatMaxTokens, err = parseInt(v, minAnswerTokens, maxAnswerTokens)
			return err
		},
	}, {
		Name: "extract-part-tokens",
		Meaning: "How many tokens of an episode are sent at once, as estimated; longer ones are sent in parts. The model's " +
			"context must have room for this, some 3,000 tokens of instructions and of what is known, and the answer. Ollama " +
			"gives its models little room unless told otherwise (`OLLAMA_CONTEXT_LENGTH`).",
		Allowed: fmt.Sprintf("a number from %d to %d", minPartTokens, maxPartTokens),
		Default: "2000",
		Example: "6000",
		set: func(d *draft, v string) (err error) {
			d.ExtractPartTokens, err = parseInt(v, minPartTokens, maxPartTokens)
			return err
		},
	}, {
		Name: "extract-parallel",
		Meaning: "How many episodes this process extracts at once. Several replicas may do it: each episode is extracted " +
			"by one.",
		Allowed: fmt.Sprintf("a number from 0 to %d", maxParallel),
		Special: "0: this process extracts none; another one must.",
		Default: "2",
		Example: "8",
		set:     func(d *draft, v string) (err error) { d.ExtractParallel, err = parseInt(v, 0, maxParallel); return err },
	}}
}

var modelForm = regexp.MustCompile(`^[A-Za-z0-9@][A-Za-z0-9._/:@+-]{0,119}$`)

func parseModel(text string) (string, error) {
	if !modelForm.MatchString(text) {
		return "", errors.New("is not the name of a model")
	}
	return text, nil
}
