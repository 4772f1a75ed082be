package gmail

import (
	"encoding/binary"
	"slices"
	"strconv"

	"almanac/internal/standin/wire"
)

// isID reports whether a text has the form of an id of a message or a thread: up to 16 digits of hexadecimal.
func isID(id string) bool {
	const most = 16
	if id == "" || len(id) > most {
		return false
	}
	for i := range len(id) {
		if unhex(id[i]) < 0 {
			return false
		}
	}
	return true
}

// message finds one: 400 for what is no id, 404 for what is not there.
func (r *request) message(id string) (*message, error) {
	if !isID(id) {
		return nil, invalid("Invalid id value")
	}
	m := r.box.Messages[id]
	if m == nil {
		return nil, notFound()
	}
	return m, nil
}

func (r *request) getMessage() (wire.Reply, error) {
	f, headers, err := r.asked()
	if err != nil {
		return wire.Reply{}, err
	}
	m, err := r.message(r.call.Path["id"])
	if err != nil {
		return wire.Reply{}, err
	}
	return reply(r.show(m, f, headers))
}

// selection is what a list is asked for.
type selection struct {
	labels    []string
	spamTrash bool
	query     *query
}

func (r *request) selection() (selection, error) {
	s := selection{labels: r.call.Query["labelIds"], spamTrash: r.call.Query.Get("includeSpamTrash") == "true"}
	text := r.call.Query.Get("q")
	if text != "" && r.onlyMetadata() {
		return s, forbidden("Metadata scope does not support 'q' parameter")
	}
	if len(text) > maxQuery {
		return s, invalid("Invalid value at 'q'")
	}
	for _, id := range s.labels {
		if _, known := r.box.label(id); !known {
			return s, invalid("Invalid label: " + clip(id))
		}
	}
	s.query = readQuery(text, r.box, r.now)
	return s, nil
}

// takes reports whether a message is one of a list.
func (s selection) takes(m *message) bool {
	if m.has(labelSpam) && !s.spamTrash && !s.query.spam || m.has(labelTrash) && !s.spamTrash && !s.query.trash {
		return false
	}
	for _, id := range s.labels {
		if !m.has(id) {
			return false
		}
	}
	return s.query.matches(m)
}

// estimate is Gmail's resultSizeEstimate of a list that is not empty, whatever its length.
const estimate = 201

func (r *request) listMessages() (wire.Reply, error) {
	return r.list("messages", func(m *message, s selection) any {
		if !s.takes(m) {
			return nil
		}
		return object{"id": m.ID, "threadId": m.Thread}
	})
}

// list returns a page of what the messages of the mailbox stand for, in their order, under a name. row returns nil for
// what is not listed.
func (r *request) list(name string, row func(*message, selection) any) (wire.Reply, error) {
	s, err := r.selection()
	if err != nil {
		return wire.Reply{}, err
	}
	most, err := r.pageSize()
	if err != nil {
		return wire.Reply{}, err
	}
	after, err := r.readPage()
	if err != nil {
		return wire.Reply{}, err
	}
	var rows []any
	for _, m := range r.box.inOrder[after.startIn(r.box.inOrder):] {
		one := row(m, s)
		if one == nil {
			continue
		}
		if len(rows) == most {
			return reply(object{name: rows, "nextPageToken": r.page(after), "resultSizeEstimate": estimate})
		}
		rows = append(rows, one)
		after = placeOf(m)
	}
	if len(rows) == 0 {
		return reply(object{"resultSizeEstimate": 0})
	}
	return reply(object{name: rows, "resultSizeEstimate": estimate})
}

// place is a place in the order of a mailbox: that of a message, which need not be there any more.
type place struct {
	date int64
	id   uint64
}

func placeOf(m *message) place {
	id, _ := strconv.ParseUint(m.ID, 16, 64) // the stand-in's own ids are of this form
	return place{date: m.Date, id: id}
}

// startIn is the index of the first message behind a place; the zero place is before all.
func (p place) startIn(order []*message) int {
	if p == (place{}) {
		return 0
	}
	i, found := slices.BinarySearchFunc(order, &message{Date: p.date, ID: hexID(p.id)}, later)
	if found {
		i++
	}
	return i
}

// readPage reads pageToken; absent is the zero place. A token belongs to the list it was given for.
func (r *request) readPage() (place, error) {
	text := r.call.Query.Get("pageToken")
	if text == "" {
		return place{}, nil
	}
	raw, ok := r.openToken(text)
	const size = 16
	if !ok || len(raw) != size {
		return place{}, invalid("Invalid pageToken")
	}
	return place{date: int64(binary.BigEndian.Uint64(raw)), id: binary.BigEndian.Uint64(raw[8:])}, nil
}

func (r *request) page(p place) string {
	return r.sealToken(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(p.date)), p.id))
}

func (r *request) modifyMessage() (wire.Reply, error) {
	m, err := r.message(r.call.Path["id"])
	if err != nil {
		return wire.Reply{}, err
	}
	add, remove, err := r.labelChange()
	if err != nil {
		return wire.Reply{}, err
	}
	r.relabel(r.box, m, add, remove, r.now)
	return reply(r.row(m))
}

func (r *request) trashMessage() (wire.Reply, error) {
	return r.moveMessage([]string{labelTrash}, []string{labelInbox})
}

func (r *request) untrashMessage() (wire.Reply, error) {
	return r.moveMessage(nil, []string{labelTrash})
}

func (r *request) moveMessage(add, remove []string) (wire.Reply, error) {
	m, err := r.message(r.call.Path["id"])
	if err != nil {
		return wire.Reply{}, err
	}
	r.relabel(r.box, m, add, remove, r.now)
	return reply(r.row(m))
}

func (r *request) deleteMessage() (wire.Reply, error) {
	m, err := r.message(r.call.Path["id"])
	if err != nil {
		return wire.Reply{}, err
	}
	r.erase(r.box, m, r.now)
	return noContent()
}

// many reads the ids of a batch. Those of messages that are not there are passed over, as there is no report.
func (r *request) many() ([]*message, error) {
	const most = 1000
	ids := texts(r.call.Body, "ids")
	switch {
	case len(ids) == 0:
		return nil, invalid("No message ids specified")
	case len(ids) > most:
		return nil, invalid("Too many message ids specified")
	}
	var found []*message
	for _, id := range ids {
		if !isID(id) {
			return nil, invalid("Invalid ids value")
		}
		if m := r.box.Messages[id]; m != nil && !slices.Contains(found, m) {
			found = append(found, m)
		}
	}
	return found, nil
}

func (r *request) batchModify() (wire.Reply, error) {
	all, err := r.many()
	if err != nil {
		return wire.Reply{}, err
	}
	add, remove, err := r.labelChange()
	if err != nil {
		return wire.Reply{}, err
	}
	for _, m := range all {
		r.relabel(r.box, m, add, remove, r.now)
	}
	return noContent()
}

func (r *request) batchDelete() (wire.Reply, error) {
	all, err := r.many()
	if err != nil {
		return wire.Reply{}, err
	}
	for _, m := range all {
		r.erase(r.box, m, r.now)
	}
	return noContent()
}

func (r *request) insertMessage() (wire.Reply, error) { return r.put("receivedTime", nil) }

func (r *request) importMessage() (wire.Reply, error) {
	return r.put("dateHeader", []string{labelInbox, labelUnread})
}

// put is insert and import: the message is kept as it is, and sent to nobody.
func (r *request) put(source string, labels []string) (wire.Reply, error) {
	given, err := r.message5322(r.call.Body)
	if err != nil {
		return wire.Reply{}, err
	}
	if r.call.Query.Get("deleted") == "true" {
		return wire.Reply{}, failedPrecondition("Only Google Workspace accounts have messages that are deleted at once")
	}
	if ids := texts(r.call.Body, "labelIds"); len(ids) > 0 {
		labels = ids
	}
	for _, id := range labels {
		if _, known := r.box.label(id); !known || id == labelDraft || id == labelChat {
			return wire.Reply{}, invalid("Invalid label: " + clip(id))
		}
	}
	in := incoming{raw: given.raw, thread: given.thread, labels: labels, byReferences: true}
	if value := r.call.Query.Get("internalDateSource"); value != "" {
		source = value
	}
	if source == "dateHeader" {
		in.date = headerDate(parse(given.raw))
	}
	m, err := r.store(r.box, in, r.now)
	if err != nil {
		return wire.Reply{}, err
	}
	return reply(r.row(m))
}
