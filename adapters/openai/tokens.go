package openai

import "unicode/utf8"

// What OpenAI's manual says of one request to /v1/embeddings, for all of its models
// (https://platform.openai.com/docs/api-reference/embeddings/create).
const (
	// maxInputs is how many texts one request may have.
	maxInputs = 2048
	// maxRequestTokens is how many tokens they may have together (300,000), less a third, since tokens are only estimated
	// here.
	maxRequestTokens = 200_000
	// DefaultMaxTokens is how many tokens one text may have (8,192), less what the estimate may be short.
	DefaultMaxTokens = 8_000
)

// Tokens are counted in eighths, by what the tokenizer of OpenAI's embedding models (cl100k_base) makes of each kind of
// character, on the safe side for prose: some 4 English letters share one, a Hebrew letter has about one, signs of
// three and more bytes one to three. Texts that are denser than prose (keys in base64, say) may have up to twice as
// many; see Client.Embed about what happens then.
func eighths(r rune) int {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == ' ':
		return 3
	case r >= '0' && r <= '9':
		return 4
	case r < utf8.RuneSelf:
		return 8
	case r < 0x800:
		return 10
	case r < 0x10000:
		return 16
	default:
		return 24
	}
}

// estimate is how many tokens a text has, about.
func estimate(text string) int {
	n := 0
	for _, r := range text {
		n += eighths(r)
	}
	return n/8 + 1
}

// cut returns as much of the text's beginning as has so many tokens, in whole characters.
func cut(text string, tokens int) string {
	if len(text)*8 <= tokens { // no byte has more than eight eighths
		return text
	}
	n := 0
	for i, r := range text {
		if n += eighths(r); n/8+1 > tokens {
			return text[:i]
		}
	}
	return text
}

// Tokens is how many tokens a text has, by an estimate on the safe side for prose.
func Tokens(text string) int { return estimate(text) }

// Beginning returns as much of a text's beginning as has so many tokens by that estimate, in whole characters; at least
// one.
func Beginning(text string, tokens int) string {
	head := cut(text, tokens)
	if head == "" && text != "" {
		_, size := utf8.DecodeRuneInString(text)
		head = text[:size]
	}
	return head
}
