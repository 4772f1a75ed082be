package summary

import (
	"slices"

	"almanac/graph/model"
)

// ofList says what became of a list; before is nil for a new one.
func ofList(before, after *model.List, words vocabulary) []phrase {
	if before == nil {
		if len(after.Items) == 0 {
			return []phrase{{verb: "list added", name: after.Name}}
		}
		return []phrase{{verb: "list added with", name: after.Name, rest: []string{words.items(len(after.Items))}}}
	}
	var said []phrase
	if before.Name != after.Name {
		said = append(said, phrase{verb: "list renamed", name: before.Name, rest: []string{after.Name}})
	}
	was := make(map[model.UUID]model.ListItem, len(before.Items))
	for _, item := range before.Items {
		was[item.ID] = item
	}
	var order, now []model.UUID
	for _, item := range after.Items {
		old, known := was[item.ID]
		delete(was, item.ID)
		if !known {
			said = append(said, phrase{verb: "item added", name: item.Text, rest: []string{after.Name}})
			continue
		}
		now = append(now, item.ID)
		switch {
		case item.Checked && !old.Checked:
			said = append(said, phrase{verb: "item checked", name: item.Text, rest: []string{after.Name}})
		case old.Checked && !item.Checked:
			said = append(said, phrase{verb: "item unchecked", name: item.Text, rest: []string{after.Name}})
		}
	}
	for _, item := range before.Items {
		if _, gone := was[item.ID]; gone {
			said = append(said, phrase{verb: "item removed", name: item.Text, rest: []string{after.Name}})
		} else {
			order = append(order, item.ID)
		}
	}
	if !slices.Equal(order, now) {
		said = append(said, phrase{verb: "items ordered", name: after.Name})
	}
	if len(said) == 0 {
		said = append(said, phrase{verb: "list changed", name: after.Name})
	}
	return said
}
