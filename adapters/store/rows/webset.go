package rows

import (
	"time"

	"almanac/adapters/store"
)

// ForgetWebsetEvents is from when on events that were taken at a time need not be known any more.
func ForgetWebsetEvents(at time.Time) time.Time { return at.Add(store.WebsetEventsKept) }

// DistinctTexts returns the texts in the order of their first appearance, each once.
func DistinctTexts(texts []string) []string {
	seen := make(map[string]struct{}, len(texts))
	out := make([]string, 0, len(texts))
	for _, text := range texts {
		if _, again := seen[text]; !again {
			seen[text] = struct{}{}
			out = append(out, text)
		}
	}
	return out
}
