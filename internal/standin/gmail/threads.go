package gmail

import (
	"slices"
	"strconv"

	"almanac/internal/standin/wire"
)

// thread finds the messages of one, the oldest first.
func (r *request) thread() ([]*message, error) {
	id := r.call.Path["id"]
	if !isID(id) {
		return nil, invalid("Invalid id value")
	}
	all := r.box.threads[id]
	if len(all) == 0 {
		return nil, notFound()
	}
	return slices.Clone(all), nil
}

// threadHistory is the last record of any of its messages.
func threadHistory(all []*message) string {
	last := uint64(0)
	for _, m := range all {
		last = max(last, m.History)
	}
	return strconv.FormatUint(last, 10)
}

func (r *request) listThreads() (wire.Reply, error) {
	return r.list("threads", func(m *message, s selection) any {
		all := r.box.threads[m.Thread] // which is listed in the place of its newest message
		if all[len(all)-1] != m || !slices.ContainsFunc(all, s.takes) {
			return nil
		}
		return object{"id": m.Thread, "snippet": speaking(all).searchable().snippet, "historyId": threadHistory(all)}
	})
}

// speaking is the message whose snippet a thread shows: the latest that is no draft.
func speaking(all []*message) *message {
	for _, m := range slices.Backward(all) {
		if !m.has(labelDraft) {
			return m
		}
	}
	return all[len(all)-1]
}

func (r *request) getThread() (wire.Reply, error) {
	f, headers, err := r.asked()
	if err != nil {
		return wire.Reply{}, err
	}
	all, err := r.thread()
	if err != nil {
		return wire.Reply{}, err
	}
	messages := make([]any, len(all))
	for i, m := range all {
		messages[i] = r.show(m, f, headers)
	}
	return reply(object{"id": r.call.Path["id"], "historyId": threadHistory(all), "messages": messages})
}

func (r *request) modifyThread() (wire.Reply, error) {
	all, err := r.thread()
	if err != nil {
		return wire.Reply{}, err
	}
	add, remove, err := r.labelChange()
	if err != nil {
		return wire.Reply{}, err
	}
	return r.moveThread(all, add, remove)
}

func (r *request) trashThread() (wire.Reply, error) {
	all, err := r.thread()
	if err != nil {
		return wire.Reply{}, err
	}
	return r.moveThread(all, []string{labelTrash}, []string{labelInbox})
}

func (r *request) untrashThread() (wire.Reply, error) {
	all, err := r.thread()
	if err != nil {
		return wire.Reply{}, err
	}
	return r.moveThread(all, nil, []string{labelTrash})
}

func (r *request) moveThread(all []*message, add, remove []string) (wire.Reply, error) {
	rows := make([]any, len(all))
	for i, m := range all {
		r.relabel(r.box, m, add, remove, r.now)
		rows[i] = r.row(m)
	}
	return reply(object{"id": r.call.Path["id"], "messages": rows})
}

func (r *request) deleteThread() (wire.Reply, error) {
	all, err := r.thread()
	if err != nil {
		return wire.Reply{}, err
	}
	for _, m := range all {
		r.erase(r.box, m, r.now)
	}
	return noContent()
}
