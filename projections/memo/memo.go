// Package memo knows what is in a memory: its metadata, what names it, and how it is written out.
//
// It promises that metadata comes out as it went in, known field or not, and that two memories a person would call the
// same have the same identity.
package memo

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/fold"
)

// Key is the content as it is compared: folded, so that case, points, kinds of quotation marks and white space make no
// difference.
func Key(content string) string { return fold.Text(content) }

// Tags cleans labels as they are kept: in lower case, without accents, points and hidden characters, each once (see
// TagKey), sorted bytewise; nil for none. Hebrew final letters stay, so that a label reads as it was written.
// BAD_USER_INPUT without a path when there are more than model.MaxMemoryTags different ones, or one is blank or longer
// than model.MaxMemoryTag characters.
func Tags(tags []string) ([]string, error) {
	// Far more than can be different tags are no slip of the pen and not worth folding.
	if len(tags) > 10*model.MaxMemoryTags {
		return nil, tooManyTags(len(tags))
	}
	out := make([]string, 0, len(tags))
	for _, tag := range tags {
		if len(tag) > 16*model.MaxMemoryTag {
			return nil, tagTooLong(tag)
		}
		clean := cleanTag(tag)
		if clean == "" {
			return nil, model.BadInput("", "a tag needs at least one character that can be seen")
		}
		if utf8.RuneCountInString(clean) > model.MaxMemoryTag {
			return nil, tagTooLong(clean)
		}
		out = append(out, clean)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	seen := make(map[string]bool, len(out))
	out = slices.DeleteFunc(out, func(tag string) bool {
		key := TagKey(tag)
		again := seen[key]
		seen[key] = true
		return again
	})
	if len(out) > model.MaxMemoryTags {
		return nil, tooManyTags(len(out))
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, nil
}

// TagKey is a label as it is compared: final letters make no difference either.
func TagKey(tag string) string { return fold.Text(tag) }

// finals are the Hebrew final letters.
const finals = "ךםןףץ"

// cleanTag folds a label, all but its final letters. Cleaning a clean one changes nothing.
func cleanTag(tag string) string {
	tag = fold.Unmarked(tag) // a final letter and its point may be one character
	if !strings.ContainsAny(tag, finals) {
		return fold.Text(tag)
	}
	const wall = "א" // holds the spaces at the ends of a piece
	var out strings.Builder
	for tag != "" {
		end := strings.IndexAny(tag, finals)
		if end < 0 {
			end = len(tag)
		}
		piece := fold.Text(wall + tag[:end] + wall)
		out.WriteString(piece[len(wall) : len(piece)-len(wall)])
		if tag = tag[end:]; tag != "" {
			out.WriteString(tag[:len("ם")])
			tag = tag[len("ם"):]
		}
	}
	return strings.TrimSpace(out.String())
}

func tooManyTags(n int) error {
	return model.BadInput("", "a memory has at most %d tags, not %d", model.MaxMemoryTags, n)
}

func tagTooLong(tag string) error {
	return model.BadInput("", "the tag %q is longer than %d characters", model.Clip(tag), model.MaxMemoryTag)
}

// Limits of what is embedded, in characters. The models of the OpenAI interface read 8,192 tokens, and Hebrew may take
// one and a half for a letter.
const (
	// MaxText is how long Text may be.
	MaxText = 5_000
	// maxTold is how much of it the metadata may take.
	maxTold = 1_000
)

// Text is what is embedded of a memory, at most MaxText characters: its summary, its content, its tags, and what its
// metadata says that the content does not. Memories with the same text have the same vector.
func Text(m model.Memory) string {
	var tail strings.Builder
	if len(m.Tags) > 0 {
		tail.WriteString("\n")
		tail.WriteString(strings.Join(m.Tags, ", "))
	}
	for _, line := range told(m) {
		tail.WriteString("\n")
		tail.WriteString(line)
	}
	head := m.Content
	if m.Summary != "" && !strings.Contains(m.Content, m.Summary) {
		head = m.Summary + "\n" + m.Content
	}
	end := fold.Head(tail.String(), MaxText/2)
	return fold.Head(head, MaxText-utf8.RuneCountInString(end)) + end
}

// told are what metadata says and the content does not, as lines.
func told(m model.Memory) []string {
	var lines []string
	left := maxTold
	for _, s := range sayings(m.Type, m.Metadata) {
		line := s.value
		if s.key != "" {
			line = strings.TrimSuffix(s.key+": "+line, ": ")
		}
		if s.value != "" && strings.Contains(m.Content, s.value) || !strings.ContainsFunc(line, isWordy) {
			continue
		}
		if line = fold.Head(line, left); line == "" {
			break
		}
		left -= utf8.RuneCountInString(line)
		lines = append(lines, line)
	}
	return lines
}

func isWordy(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// Texts are what metadata says, for finding it by words: the texts and numbers in it, and the keys that are the user's
// own, in the order of the keys. Of the known fields of a type only the values; of a note's source nothing when it is a
// single word, for then it says how the note came, not what it is about.
func Texts(t model.MemoryType, metadata string) []string {
	var texts []string
	for _, s := range sayings(t, metadata) {
		if s.key != "" {
			texts = append(texts, s.key)
		}
		if s.value != "" {
			texts = append(texts, s.value)
		}
	}
	return texts
}

// saying is one value of metadata, under a key that is not known by itself; the key is empty where it is, and the value
// where it has been given or is no text or number.
type saying struct{ key, value string }

func sayings(t model.MemoryType, metadata string) []saying {
	if metadata == "" {
		return nil
	}
	var all []saying
	var walk func(key string, n node)
	walk = func(key string, n node) {
		switch n.form {
		case text, number:
			all = append(all, saying{key, n.text})
		case list:
			for _, item := range n.items {
				walk(key, item)
				key = "" // said once
			}
		case object:
			if key != "" {
				all = append(all, saying{key: key})
			}
			for i, inner := range n.items {
				walk(n.keys[i], inner)
			}
		default:
			if key != "" {
				all = append(all, saying{key: key})
			}
		}
	}
	n := read(metadata)
	for i, item := range n.items {
		key := n.keys[i]
		if t == model.MemoryNote && key == "source" && item.form == text && isOneWord(item.text) {
			continue
		}
		if isKnown(t, key) {
			key = ""
		}
		walk(key, item)
	}
	return all
}

func isKnown(t model.MemoryType, key string) bool {
	return slices.Contains(textFields(t), key) || t == model.MemoryNote && key == "entities" ||
		t == model.MemoryKV && key == "value"
}

func isOneWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '_' })
}
