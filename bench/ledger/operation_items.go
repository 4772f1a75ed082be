//go:build bench

package main

import (
	"encoding/json"
	"fmt"
	"slices"
)

// itemSteps is the input of updateListItems, as far as it is used here.
type itemSteps struct {
	ID     string     `json:"id"`
	Add    []itemText `json:"add"`
	Check  []byID     `json:"check"`
	Remove []byID     `json:"remove"`
	Move   []itemMove `json:"move"`
}

type itemText struct {
	Text string `json:"text"`
}

type itemMove struct {
	Item byID `json:"item"`
	To   int  `json:"to"`
}

// changeItems adds an item at the end and, now and then, checks, removes or moves others, in the order in which the
// server does them.
func (s *script) changeItems(key string) operation {
	list := s.book.lists[s.list]
	text := textFor(key)
	steps := itemSteps{ID: s.list, Add: []itemText{{text}}, Check: []byID{}, Remove: []byID{}, Move: []itemMove{}}
	after := append(slices.Clone(list.items), itemEntry{text: text})
	last := len(list.items) // where the new one stands, as long as nothing before it is taken away
	if i := s.unchecked(list); i >= 0 && s.random.IntN(2) == 0 {
		steps.Check = append(steps.Check, byID{list.items[i].id})
		after[i].checked = true
	}
	if len(list.items) > 2 && s.random.IntN(5) == 0 {
		i := s.random.IntN(len(list.items))
		steps.Remove = append(steps.Remove, byID{list.items[i].id})
		after = slices.Delete(after, i, i+1)
		last--
	}
	if len(after) > 2 && s.random.IntN(5) == 0 {
		i := s.random.IntN(len(after) - 1) // never the new one, whose id is not known yet
		moved := after[i]
		steps.Move = append(steps.Move, itemMove{Item: byID{moved.id}, To: 0})
		after = slices.Insert(slices.Delete(after, i, i+1), 0, moved)
	}
	wanted := 1 + len(steps.Check) + len(steps.Remove) + len(steps.Move)
	return s.operation(key,
		`mutation ($input: UpdateListItemsInput!) { updateListItems(input: $input) { outcomes { action status item { id }
			code message } userErrors { code message } } }`,
		input{steps}, func(data json.RawMessage) error {
			var got struct {
				UpdateListItems struct {
					Outcomes []struct {
						Status string
						Item   *thing
					}
				}
			}
			if err := json.Unmarshal(data, &got); err != nil {
				return err
			}
			outcomes := got.UpdateListItems.Outcomes
			if len(outcomes) != wanted {
				return fmt.Errorf("%d outcomes for %d steps", len(outcomes), wanted)
			}
			for _, outcome := range outcomes {
				if outcome.Item == nil || outcome.Status == "FAILED" {
					return fmt.Errorf("a step did not succeed: %s", data)
				}
			}
			after[last].id = outcomes[0].Item.ID
			list.items = after
			s.book.change(kindList, "UPDATED", steps.ID)
			return nil
		})
}

// unchecked returns the place of an item that is not checked, -1 when chance finds none.
func (s *script) unchecked(list *listEntry) int {
	if len(list.items) == 0 {
		return -1
	}
	if i := s.random.IntN(len(list.items)); !list.items[i].checked {
		return i
	}
	return -1
}
