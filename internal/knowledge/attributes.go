package knowledge

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"almanac/graph/model"
	"almanac/projections/memo"
)

// withAttributes adds entries to attributes, both canonical JSON objects or empty. Entries that are there stay; of
// those to be added, in the order of their keys, as many as fit into what attributes may be.
func withAttributes(there, more string) string {
	if more == "" {
		return there
	}
	have, add := entriesOf(there), entriesOf(more)
	fresh := slices.DeleteFunc(slices.Sorted(maps.Keys(add)), func(key string) bool {
		_, known := have[key]
		return known
	})
	for len(fresh) > 0 {
		all := maps.Clone(have)
		size := len(there)
		taken := 0
		for _, key := range fresh {
			// At least as long as it is going to be but for escapes, which the check below knows.
			if size+len(key)+len(add[key])+4 > model.MaxAttributes {
				continue
			}
			size += len(key) + len(add[key]) + 4
			all[key] = add[key]
			taken++
		}
		if taken == 0 {
			break
		}
		if out, ok := canonical(all); ok {
			return out
		}
		// Rarer than rare: too many small entries.
		fresh = fresh[:len(fresh)/2]
	}
	return there
}

// entriesOf reads a canonical object; none when it is no object.
func entriesOf(object string) map[string]json.RawMessage {
	entries := map[string]json.RawMessage{}
	if object != "" && json.Unmarshal([]byte(object), &entries) != nil || entries == nil {
		return map[string]json.RawMessage{}
	}
	return entries
}

// canonical writes an object as the store keeps it; false when it is more than attributes may be.
func canonical(entries map[string]json.RawMessage) (string, bool) {
	var out bytes.Buffer
	write := json.NewEncoder(&out)
	write.SetEscapeHTML(false)
	if write.Encode(entries) != nil {
		return "", false
	}
	text, err := memo.Metadata("", model.JSON(out.String()))
	return text, err == nil
}
