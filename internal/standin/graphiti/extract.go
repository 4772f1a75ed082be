package graphiti

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// statement is what one sentence says.
type statement struct {
	source, sourceLabel, relation, target, targetLabel, sentence string
}

// pattern reads one form of sentence: two names around some words, the first a person's.
type pattern struct {
	form               *regexp.Regexp
	relation, intoName string
}

// patterns are the sentences that are understood, in English and Hebrew.
func patterns() []pattern {
	about := func(words, relation, into string) pattern {
		return pattern{regexp.MustCompile(`^(.{1,80}?)\s+(?:` + words + `)(.{1,80})$`), relation, into}
	}
	return []pattern{
		about(`works at\s+|works for\s+`, "WORKS_AT", "Organization"),
		about(`lives in\s+|moved to\s+`, "LIVES_IN", "Location"),
		about(`is married to\s+`, "MARRIED_TO", "Person"),
		about(`knows\s+`, "KNOWS", "Person"),
		about(`likes\s+`, "LIKES", "Topic"),
		about(`(?:עובד|עובדת) ב`, "WORKS_AT", "Organization"),
		about(`(?:גר|גרה) ב`, "LIVES_IN", "Location"),
		about(`(?:מכיר|מכירה) את `, "KNOWS", "Person"),
	}
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?]+(?:\s+|$)|\n+`)
	speaker     = regexp.MustCompile(`^[^:\n]{1,40}:\s+`)
)

// mostStatements bounds what is read from one text.
const mostStatements = 200

// extract returns what a text says.
func extract(known []pattern, source, content string) []statement {
	var all []statement
	for _, text := range passages(source, content) {
		for _, sentence := range sentenceEnd.Split(text, -1) {
			sentence = strings.TrimSpace(sentence)
			if source == "message" {
				sentence = speaker.ReplaceAllString(sentence, "")
			}
			for _, p := range known {
				found := p.form.FindStringSubmatch(sentence)
				if found == nil {
					continue
				}
				all = append(all, statement{
					source: strings.TrimSpace(found[1]), sourceLabel: "Person", relation: p.relation,
					target: strings.TrimSpace(found[2]), targetLabel: p.intoName, sentence: sentence,
				})
				break
			}
			if len(all) >= mostStatements {
				return all
			}
		}
	}
	return all
}

// passages are the texts within a content: itself, or the strings of a JSON value.
func passages(source, content string) []string {
	if source != "json" {
		return []string{content}
	}
	var value any
	if json.Unmarshal([]byte(content), &value) != nil {
		return []string{content}
	}
	return stringsIn(value)
}

func stringsIn(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, stringsIn(one)...)
		}
		return all
	case map[string]any:
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		var all []string
		for _, key := range keys {
			all = append(all, stringsIn(v[key])...)
		}
		return all
	default:
		return nil
	}
}
