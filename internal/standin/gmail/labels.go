package gmail

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/internal/standin/wire"
)

// The system's labels that the stand-in itself acts on.
const (
	labelInbox  = "INBOX"
	labelUnread = "UNREAD"
	labelSent   = "SENT"
	labelDraft  = "DRAFT"
	labelSpam   = "SPAM"
	labelTrash  = "TRASH"
	labelChat   = "CHAT"
)

const (
	maxLabels     = 10_000
	maxLabelName  = 225
	maxLabelsSide = 100
)

// systemLabels are those of every mailbox, in Google's order; hidden ones carry their visibilities.
func systemLabels() []label {
	hidden := func(id string) label { return label{ID: id, Name: id, List: "labelHide", Messages: "hide"} }
	shown := func(id string) label { return label{ID: id, Name: id} }
	return []label{
		hidden(labelChat), shown(labelSent), shown(labelInbox), hidden("IMPORTANT"), hidden(labelTrash), shown(labelDraft),
		hidden(labelSpam),
		hidden("CATEGORY_FORUMS"), hidden("CATEGORY_UPDATES"), hidden("CATEGORY_PERSONAL"), hidden("CATEGORY_PROMOTIONS"),
		hidden("CATEGORY_SOCIAL"), shown("STARRED"), shown(labelUnread),
	}
}

// label is a label; of a mailbox's own, the name may change.
type label struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// List and Messages are labelListVisibility and messageListVisibility.
	List       string `json:"list,omitempty"`
	Messages   string `json:"messages,omitempty"`
	Text       string `json:"text,omitempty"`
	Background string `json:"background,omitempty"`
}

func (l label) isSystem() bool { return !strings.HasPrefix(l.ID, "Label_") }

func (l label) body() object {
	o := object{"id": l.ID, "name": l.Name, "type": "user"}
	if l.isSystem() {
		o["type"] = "system"
	}
	if l.List != "" {
		o["labelListVisibility"], o["messageListVisibility"] = l.List, l.Messages
	}
	if l.Text != "" {
		o["color"] = object{"textColor": l.Text, "backgroundColor": l.Background}
	}
	return o
}

// label finds one by its id.
func (a *account) label(id string) (label, bool) {
	if own := a.Labels[id]; own != nil {
		return *own, true
	}
	for _, l := range systemLabels() {
		if l.ID == id {
			return l, true
		}
	}
	return label{}, false
}

func (r *request) listLabels() (wire.Reply, error) {
	var all []any
	for _, l := range systemLabels() {
		all = append(all, l.body())
	}
	own := slices.SortedFunc(maps.Values(r.box.Labels), func(a, b *label) int { return strings.Compare(a.Name, b.Name) })
	for _, l := range own {
		all = append(all, l.body())
	}
	return reply(object{"labels": all})
}

// theLabel is the one that the path names.
func (r *request) theLabel() (label, error) {
	l, known := r.box.label(r.call.Path["id"])
	if !known {
		return label{}, notFound()
	}
	return l, nil
}

func (r *request) getLabel() (wire.Reply, error) {
	l, err := r.theLabel()
	if err != nil {
		return wire.Reply{}, err
	}
	o := l.body()
	var messages, unread int
	threads, unreadThreads := map[string]bool{}, map[string]bool{}
	for _, m := range r.box.inOrder {
		if !m.has(l.ID) {
			continue
		}
		messages++
		threads[m.Thread] = true
		if m.has(labelUnread) {
			unread++
			unreadThreads[m.Thread] = true
		}
	}
	o["messagesTotal"], o["messagesUnread"], o["threadsTotal"], o["threadsUnread"] = messages, unread, len(threads),
		len(unreadThreads)
	return reply(o)
}

func (r *request) createLabel() (wire.Reply, error) {
	if len(r.box.Labels) >= maxLabels {
		return wire.Reply{}, invalid("Too many labels")
	}
	l := label{List: "labelShow", Messages: "show"}
	if err := r.write(&l, r.call.Body); err != nil {
		return wire.Reply{}, err
	}
	r.box.LabelsMade++
	l.ID = "Label_" + strconv.Itoa(r.box.LabelsMade)
	r.box.Labels[l.ID] = &l
	return reply(l.body())
}

func (r *request) patchLabel() (wire.Reply, error) {
	return r.changeLabel(func(*label) {})
}

// updateLabel replaces: what is not sent goes back to what it is at first.
func (r *request) updateLabel() (wire.Reply, error) {
	return r.changeLabel(func(l *label) { *l = label{ID: l.ID, List: "labelShow", Messages: "show"} })
}

func (r *request) changeLabel(before func(*label)) (wire.Reply, error) {
	l, err := r.theLabel()
	if err != nil {
		return wire.Reply{}, err
	}
	if l.isSystem() {
		return wire.Reply{}, invalid("Invalid update of a system label")
	}
	if id := textOf(r.call.Body, "id"); id != "" && id != l.ID {
		return wire.Reply{}, invalid("Label id in the body does not match the path")
	}
	before(&l)
	if err := r.write(&l, r.call.Body); err != nil {
		return wire.Reply{}, err
	}
	r.box.Labels[l.ID] = &l
	return reply(l.body())
}

// write sets what a body says of a label, checked.
func (r *request) write(l *label, body object) error {
	if given, has := body["name"]; has || l.Name == "" {
		text, _ := given.(string) // The front has judged the type.
		name, err := r.box.labelName(text, l.ID)
		if err != nil {
			return err
		}
		l.Name = name
	}
	if value := textOf(body, "labelListVisibility"); value != "" {
		l.List = value
	}
	if value := textOf(body, "messageListVisibility"); value != "" {
		l.Messages = value
	}
	if color := objectOf(body, "color"); color != nil {
		text, background := textOf(color, "textColor"), textOf(color, "backgroundColor")
		for _, given := range []string{text, background} {
			if !strings.Contains(palette, strings.ToLower(given)+" ") || len(given) != len("#000000") {
				return invalid(fmt.Sprintf("Label color %s is not on the allowed color palette", clip(given)))
			}
		}
		l.Text, l.Background = text, background
	}
	return nil
}

// labelName checks the name that the label with an id is to have.
func (a *account) labelName(name, id string) (string, error) {
	name = strings.TrimSpace(name)
	bad := name == "" || utf8.RuneCountInString(name) > maxLabelName || strings.HasPrefix(name, "/") ||
		strings.HasSuffix(name, "/") ||
		strings.Contains(name, "//") || strings.ContainsAny(name, "\r\n\t\x00^") || isReserved(name)
	if bad {
		return "", invalid("Invalid label name")
	}
	for _, other := range a.Labels {
		if other.ID != id && strings.EqualFold(other.Name, name) {
			return "", labelConflict()
		}
	}
	return name, nil
}

// isReserved reports whether a name is the system's, under any of the names that people see.
func isReserved(name string) bool {
	name = strings.ToUpper(name)
	known := slices.ContainsFunc(systemLabels(), func(l label) bool { return l.ID == name })
	return known || slices.Contains([]string{"DRAFTS", "SENT MAIL", "BIN", "ALL MAIL", "CHATS", "MUTED", "SNOOZED",
		"SCHEDULED"}, name)
}

func (r *request) deleteLabel() (wire.Reply, error) {
	l, err := r.theLabel()
	if err != nil {
		return wire.Reply{}, err
	}
	if l.isSystem() {
		return wire.Reply{}, invalid("Invalid delete of a system label")
	}
	delete(r.box.Labels, l.ID)
	for _, m := range slices.Clone(r.box.inOrder) {
		r.relabel(r.box, m, nil, []string{l.ID}, r.now)
	}
	return noContent()
}

// labelChange reads addLabelIds and removeLabelIds.
func (r *request) labelChange() (add, remove []string, err error) {
	add, remove = texts(r.call.Body, "addLabelIds"), texts(r.call.Body, "removeLabelIds")
	switch {
	case len(add)+len(remove) == 0:
		return nil, nil, invalid("No label add or removes specified")
	case len(add) > maxLabelsSide || len(remove) > maxLabelsSide:
		return nil, nil, invalid("Too many labels")
	}
	for _, id := range slices.Concat(add, remove) {
		_, known := r.box.label(id)
		if !known || id == labelSent || id == labelDraft || id == labelChat {
			return nil, nil, invalid("Invalid label: " + clip(id))
		}
		if slices.Contains(add, id) && slices.Contains(remove, id) {
			return nil, nil, invalid("Cannot both add and remove the same label")
		}
	}
	return add, remove, nil
}

// palette are the colours that a label may have, in the words of the API's description.
const palette = "#000000 #434343 #666666 #999999 #cccccc #efefef #f3f3f3 #ffffff #fb4c2f #ffad47 #fad165 #16a766 " +
	"#43d692 #4a86e8 #a479e2 " +
	"#f691b3 #f6c5be #ffe6c7 #fef1d1 #b9e4d0 #c6f3de #c9daf8 #e4d7f5 #fcdee8 #efa093 #ffd6a2 #fce8b3 #89d3b2 #a0eac9 " +
	"#a4c2f4 " +
	"#d0bcf1 #fbc8d9 #e66550 #ffbc6b #fcda83 #44b984 #68dfa9 #6d9eeb #b694e8 #f7a7c0 #cc3a21 #eaa041 #f2c960 #149e60 " +
	"#3dc789 " +
	"#3c78d8 #8e63ce #e07798 #ac2b16 #cf8933 #d5ae49 #0b804b #2a9c68 #285bac #653e9b #b65775 #822111 #a46a21 #aa8831 " +
	"#076239 " +
	"#1a764d #1c4587 #41236d #83334c #464646 #e7e7e7 #0d3472 #b6cff5 #0d3b44 #98d7e4 #3d188e #e3d7ff #711a36 #fbd3e0 " +
	"#8a1c0a " +
	"#f2b2a8 #7a2e0b #ffc8af #7a4706 #ffdeb5 #594c05 #fbe983 #684e07 #fdedc1 #0b4f30 #b3efd3 #04502e #a2dcc1 #c2c2c2 " +
	"#4986e7 " +
	"#2da2bb #b99aff #994a64 #f691b2 #ff7537 #ffad46 #662e37 #ebdbde #cca6ac #094228 #42d692 #16a765 #757575 #1e53b8 " +
	"#007286 " +
	"#7858c3 #c2185b #d93025 #54240e #633e04 #521d28 #202124 #083018 "
