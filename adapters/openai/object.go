package openai

import (
	"encoding/json"
	"strings"
)

// maxBroken is how many openings of an object that turn out to be none are looked at, which bounds the work for any
// answer.
const maxBroken = 16

// objectIn finds the JSON object in an answer: all of it, or what stands in a fence of Markdown, behind the model's
// thoughts or between its words. Of several it is the longest.
func objectIn(text string) (string, bool) {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
		return text, true
	}
	if _, rest, ok := strings.Cut(text, "</think>"); ok { // what a model thinks may hold drafts of its answer
		if object, ok := longestObject(rest); ok {
			return object, true
		}
	}
	return longestObject(text)
}

func longestObject(text string) (longest string, found bool) {
	for broken := 0; broken < maxBroken; {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			break
		}
		text = text[at:]
		decoder := json.NewDecoder(strings.NewReader(text))
		var object json.RawMessage
		if decoder.Decode(&object) != nil {
			broken++
			text = text[1:]
			continue
		}
		if len(object) > len(longest) {
			longest, found = string(object), true
		}
		text = text[decoder.InputOffset():]
	}
	return longest, found
}
