//go:build bench

package set

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"almanac/graph/model"
)

// The memories and queries that were written by hand.
//
//go:embed core.txt
var coreText string

// written is a memory of coreText with its queries.
type written struct {
	memory  model.Memory
	queries []Query
}

// readCore reads the form that coreText describes in its first lines.
func readCore(text string) ([]written, error) {
	var all []written
	number := 0
	for line := range strings.Lines(text) {
		number++
		body := strings.TrimSpace(line)
		if body == "" || strings.HasPrefix(line, "#") {
			continue
		}
		head, said, found := strings.Cut(body, ": ")
		kind, language, both := strings.Cut(head, " ")
		if !found || !both {
			return nil, fmt.Errorf("line %d: no kind and language before a colon", number)
		}
		if strings.HasPrefix(line, "  ") {
			q := Query{Text: said, Kind: Kind(kind), Language: Language(language)}
			if len(all) == 0 || !slices.Contains(Kinds(), q.Kind) {
				return nil, fmt.Errorf("line %d: a query of kind %q", number, kind)
			}
			last := &all[len(all)-1]
			last.queries = append(last.queries, q)
			continue
		}
		m, err := memoryOf(kind, said)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		all = append(all, written{memory: m})
	}
	return all, nil
}

// memoryOf makes a memory of what a line says.
func memoryOf(kind, said string) (model.Memory, error) {
	switch kind {
	case "note":
		var tags []string
		for {
			at := strings.LastIndexByte(said, ' ')
			if at < 0 || !strings.HasPrefix(said[at+1:], "#") {
				break
			}
			tags = append(tags, said[at+2:])
			said = strings.TrimSpace(said[:at])
		}
		slices.Sort(tags)
		return model.Memory{Type: model.MemoryNote, Content: said, Tags: tags}, nil
	case "kv":
		subject, value, found := strings.Cut(said, " = ")
		if !found {
			return model.Memory{}, fmt.Errorf("a key-value without =")
		}
		return model.Memory{Type: model.MemoryKV, Content: subject + ": " + value,
			Metadata: object([2]string{"subject", subject}, [2]string{"value", value})}, nil
	case "contact":
		parts := strings.Split(said, ";")
		if len(parts) != 4 {
			return model.Memory{}, fmt.Errorf("a contact with %d parts", len(parts))
		}
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		name, phone, email, who := parts[0], parts[1], parts[2], parts[3]
		content := name + " – " + who
		for _, more := range []string{phone, email} {
			if more != "" {
				content += ", " + more
			}
		}
		return model.Memory{Type: model.MemoryContact, Content: content, Metadata: object([2]string{"name", name},
			[2]string{"phone", phone}, [2]string{"email", email}, [2]string{"description", who})}, nil
	}
	return model.Memory{}, fmt.Errorf("%q is no type", kind)
}

// object is a JSON object of names and values, those without a value left out, in canonical form.
func object(pairs ...[2]string) string {
	fields := make(map[string]string)
	for _, pair := range pairs {
		if pair[1] != "" {
			fields[pair[0]] = pair[1]
		}
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(fields); err != nil { // strings are always JSON
		return ""
	}
	return strings.TrimSpace(text.String())
}
