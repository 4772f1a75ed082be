package agent

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/naming"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// The results of lists.
type (
	agentLists struct {
		Status string      `json:"status"`
		Count  int         `json:"count"`
		Lists  []agentList `json:"lists"`
	}
	agentList struct {
		ListID string      `json:"list_id"`
		Name   string      `json:"name"`
		Items  []agentItem `json:"items,omitempty"`
	}
	agentItem struct {
		Text    string `json:"text"`
		Checked bool   `json:"checked"`
	}
)

// mostLists is how many lists are shown by their names.
const mostLists = 100

func (t *turn) listsOf(lists ...model.List) (agentLists, []model.ID) {
	out := agentLists{Status: agentDone, Count: len(lists), Lists: make([]agentList, len(lists))}
	ids := make([]model.ID, len(lists))
	for i, list := range lists {
		ids[i] = model.ID{Kind: model.KindList, UUID: list.ID}
		out.Lists[i] = agentList{ListID: t.ownID(ids[i]), Name: list.Name}
		for _, item := range list.Items {
			out.Lists[i].Items = append(out.Lists[i].Items, agentItem{item.Text, item.Checked})
		}
	}
	return out, ids
}

func (t *turn) noList(name string) string {
	return t.say("You have no list called %s.", "אין רשימה בשם %s.", quote(name))
}

func listTarget(name string) *graph.ListTargetInput {
	return &graph.ListTargetInput{Match: &graph.ListMatchInput{Name: name}}
}

// readLists shows a list, or the names of all.
func (t *turn) readLists(ctx context.Context, meant plan.List) {
	if meant.Name == "" && meant.Has != "" {
		t.itemAnywhere(ctx, meant.Has)
		return
	}
	lists, err := t.domains.Lists.FindLists(ctx, t.v, meant.Name, mostLists)
	switch {
	case err != nil:
		t.fail(ctx, err)
		return
	case meant.Name != "" && len(lists) == 0:
		sentence := t.noList(meant.Name)
		t.out.UserErrors = append(t.out.UserErrors, model.NotFound("input.text", "%s", sentence).UserError())
		t.failed(sentence, sentence)
		return
	case meant.Name != "" && len(lists) > 1:
		sentence := t.say("Which list is meant?", "לאיזו רשימה הכוונה?")
		for _, list := range lists {
			sentence += "\n- " + core.OneLine(list.Name)
		}
		t.out.UserErrors = append(t.out.UserErrors, model.BadInput("input.text", "%s", sentence).UserError())
		t.failed(sentence, sentence)
		return
	}
	var summary string
	switch {
	case meant.Name != "":
		summary = t.shownList(lists[0], meant)
	case len(lists) == 0:
		summary = t.say("No lists found.", "לא נמצאו רשימות.")
	default:
		summary = t.say("Found %d lists:", "נמצאו %d רשימות:", len(lists))
		for _, list := range lists {
			summary += "\n- " + core.OneLine(list.Name)
		}
		if t.planned.Ask != nil {
			t.answer(strconv.Itoa(len(lists)))
		}
	}
	result, ids := t.listsOf(lists...)
	t.told(summary, result, ids...)
}

// shownList is a list with its items, and whether it has the one that was asked about.
func (t *turn) shownList(list model.List, meant plan.List) string {
	summary := t.say("%s has %d items:", "ברשימה %s יש %d פריטים:", quote(list.Name), len(list.Items))
	if len(list.Items) == 0 {
		summary = t.say("%s is empty.", "הרשימה %s ריקה.", quote(list.Name))
	}
	for _, item := range list.Items {
		box := "☐ "
		if item.Checked {
			box = "☑ "
		}
		summary += "\n" + box + core.OneLine(item.Text)
	}
	if t.planned.Ask != nil {
		t.answer(strconv.Itoa(len(list.Items)))
	}
	if meant.Has != "" {
		is := t.say("No, %s is not on it.", "לא, %s אינו ברשימה.", quote(meant.Has))
		asked := naming.New(meant.Has, naming.Item)
		for _, item := range list.Items {
			if asked.Names(item.Text) {
				is = t.say("Yes: %s.", "כן: %s.", quote(item.Text))
				break
			}
		}
		t.answer(is)
		summary = is + "\n" + summary
	}
	return summary
}

// createList adds a list with its items.
func (t *turn) createList(ctx context.Context, meant plan.List) {
	done, err := t.domains.Lists.CreateList(ctx,
		graph.CreateListInput{Name: meant.Name, IsChecklist: true, Items: meant.Items})
	if err != nil || t.settled(ctx, done.UserErrors, nil, err, "") {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	list := done.List.Record()
	summary := t.say("Created list: %s", "נוצרה רשימה: %s", core.OneLine(list.Name))
	for _, item := range list.Items {
		summary += "\n☐ " + core.OneLine(item.Text)
	}
	t.wroteList(summary, list)
}

func (t *turn) wroteList(summary string, list model.List) {
	result, ids := t.listsOf(list)
	t.told(t.readBack(summary, true), result, ids...)
}

// listWithAll returns the name of the one list that has all items; empty where there is none, or more than one.
func (t *turn) listWithAll(ctx context.Context, items []string) string {
	named, err := t.domains.Lists.FindLists(ctx, t.v, "", mostListsRead)
	if err != nil {
		return ""
	}
	name := ""
	for _, one := range named {
		whole, err := t.domains.Lists.FindLists(ctx, t.v, one.Name, mostListsRead)
		if err != nil || len(whole) != 1 {
			continue
		}
		hasAll := !slices.ContainsFunc(items, func(item string) bool {
			asked := naming.New(item, naming.Item)
			return !slices.ContainsFunc(whole[0].Items, func(on model.ListItem) bool { return asked.Names(on.Text) })
		})
		switch {
		case hasAll && name != "":
			return ""
		case hasAll:
			name = whole[0].Name
		}
	}
	return name
}

// updateList adds, checks or removes items.
func (t *turn) updateList(ctx context.Context, meant plan.List) {
	if meant.Name == "" {
		if meant.Name = t.listWithAll(ctx, slices.Concat(meant.Check, meant.Remove)); meant.Name == "" {
			sentence := t.say("Which list is meant? Say its name.", "לאיזו רשימה הכוונה? אפשר לומר את שמה.")
			t.out.UserErrors = append(t.out.UserErrors, model.BadInput("input.text", "%s", sentence).UserError())
			t.failed(sentence, sentence)
			return
		}
	}
	if len(meant.Items) > 0 && !t.agreed(ctx, t.say("Add this to %s?", "להוסיף את זה לרשימה %s?", quote(meant.Name)),
		strings.Join(meant.Items, ", ")) {
		return
	}
	in := graph.UpdateListItemsInput{Target: listTarget(meant.Name), Confirm: t.confirm}
	for _, text := range meant.Items {
		in.Add = append(in.Add, graph.AddListItemInput{Text: text})
	}
	for _, text := range meant.Check {
		in.Check = append(in.Check, graph.ListItemRefInput{Text: &text})
	}
	for _, text := range meant.Remove {
		in.Remove = append(in.Remove, graph.ListItemRefInput{Text: &text})
	}
	done, err := t.domains.Lists.UpdateListItems(ctx, in)
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, t.noList(meant.Name)) {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	list := done.List.Record()
	var did, failed []string
	for _, one := range done.Outcomes {
		asked := [][]string{meant.Items, meant.Check,
			meant.Remove}[btoi(one.Action == model.ItemCheck)+2*btoi(one.Action == model.ItemRemove)]
		switch {
		case one.Status == model.ItemFailed:
			line := t.say("%s was not found on it", "%s לא נמצא בה", quote(asked[one.Index]))
			if len(one.Candidates) > 0 {
				names := make([]string, len(one.Candidates))
				for i, item := range one.Candidates {
					names[i] = quote(item.Text())
				}
				line += t.say("; which is meant: %s?", "; לאיזה הכוונה: %s?", strings.Join(names, ", "))
			}
			failed = append(failed, line)
		case one.Item != nil:
			did = append(did, core.OneLine(one.Item.Text()))
		}
	}
	name := quote(list.Name)
	summary := ""
	if len(did) > 0 {
		switch {
		case meant.Items != nil:
			summary = t.say("Added to %s: %s", "נוספו ל-%s: %s", name, strings.Join(did, ", "))
		case meant.Check != nil:
			summary = t.say("Checked on %s: %s", "סומנו ב-%s: %s", name, strings.Join(did, ", "))
		default:
			summary = t.say("Removed from %s: %s", "הוסרו מ-%s: %s", name, strings.Join(did, ", "))
		}
	}
	for _, line := range failed {
		summary = strings.TrimPrefix(summary+"\n"+name+": "+line, "\n")
	}
	if len(did) == 0 {
		t.out.UserErrors = append(t.out.UserErrors, model.NotFound("input.text", "%s", summary).UserError())
		t.failed(summary, summary)
		return
	}
	t.wroteList(summary, list)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// deleteList deletes the list that is meant.
func (t *turn) deleteList(ctx context.Context, meant plan.List) {
	done, err := t.domains.Lists.DeleteList(ctx, graph.DeleteListInput{Target: listTarget(meant.Name), Confirm: t.confirm})
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, t.noList(meant.Name)) {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	list := done.List.Record()
	t.wroteList(t.say("Deleted list: %s (%d items)", "הרשימה נמחקה: %s (%d פריטים)", core.OneLine(list.Name),
		len(list.Items)), list)
	t.nodes = nil
}
