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
		Meaning: "The model that reads episodes, and takes entities and facts from them. Episodes, and what is known of " +
			"the names in them, are sent to the endpoint `ALMANAC_OPENAI_BASE_URL` for that. Sentences for the agent that the " +
			"built-in grammar does not understand are sent there too. What was queued while a model was set waits until one " +
			"is set again.",
		Allowed: "the name of a model as the endpoint knows it: up to 120 of letters, digits and `. _ - / : @ +`",
		Special: "A key or an address alone sends nothing.",
		Default: "not set: episodes are kept word for word, and nothing is sent",
		Example: "gpt-5-mini",
		set:     func(d *draft, v string) (err error) { d.ChatModel, err = parseModel(v); return err },
	}, {
		Name: "chat-max-tokens",
		Meaning: "How long an answer of that model may be, in tokens. A model that thinks before it answers needs some " +
			"thousands more than the answer has. What was cut off is asked for again in smaller parts.",
		Allowed: fmt.Sprintf("a number from %d to %d", minAnswerTokens, maxAnswerTokens),
		Default: "8000",
		Example: "4000",
		set: func(d *draft, v string) (err error) {
			d.ChatMaxTokens, err = parseInt(v, minAnswerTokens, maxAnswerTokens)
			return err
		},
	}, {
		Name: "extract-part-tokens",
		Meaning: "How many tokens of an episode are read at once, as estimated; longer ones are read in parts. The model " +
			"must have room for this, some 3,000 tokens of instructions and of what is known, and the answer. " +
			"Ollama gives its models little room unless told otherwise (`OLLAMA_CONTEXT_LENGTH`).",
		Allowed: fmt.Sprintf("a number from %d to %d", minPartTokens, maxPartTokens),
		Default: "2000",
		Example: "6000",
		set: func(d *draft, v string) (err error) {
			d.ExtractPartTokens, err = parseInt(v, minPartTokens, maxPartTokens)
			return err
		},
	}, {
		Name:    "extract-parallel",
		Meaning: "How many episodes this process reads at once. Several replicas may read: each episode is read by one.",
		Allowed: fmt.Sprintf("a number from 0 to %d", maxParallel),
		Special: "0: this process reads none; another one must.",
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
