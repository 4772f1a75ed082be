package gmail

import (
	"slices"
	"strings"

	"almanac/internal/standin/wire"
)

// theDraft is the message of a draft.
func (r *request) theDraft(id string) (*message, error) {
	if !strings.HasPrefix(id, "r") {
		return nil, invalid("Invalid id value")
	}
	m := r.box.Messages[r.box.Drafts[id]]
	if m == nil {
		return nil, notFound()
	}
	return m, nil
}

func (r *request) getDraft() (wire.Reply, error) {
	f, _, err := r.asked()
	if err != nil {
		return wire.Reply{}, err
	}
	m, err := r.theDraft(r.call.Path["id"])
	if err != nil {
		return wire.Reply{}, err
	}
	return reply(object{"id": r.call.Path["id"], "message": r.show(m, f, nil)})
}

func (r *request) listDrafts() (wire.Reply, error) {
	return r.list("drafts", func(m *message, s selection) any {
		draft, is := r.box.draftOf[m.ID]
		if !is || !s.takes(m) {
			return nil
		}
		return object{"id": draft, "message": object{"id": m.ID, "threadId": m.Thread}}
	})
}

func (r *request) createDraft() (wire.Reply, error) {
	g, err := r.draftGiven()
	if err != nil {
		return wire.Reply{}, err
	}
	return r.keepDraft(r.state.newDraftID(r.box), g)
}

// updateDraft puts another message in the place of a draft's.
func (r *request) updateDraft() (wire.Reply, error) {
	id := r.call.Path["id"]
	old, err := r.theDraft(id)
	if err != nil {
		return wire.Reply{}, err
	}
	g, err := r.draftGiven()
	if err != nil {
		return wire.Reply{}, err
	}
	r.erase(r.box, old, r.now)
	return r.keepDraft(id, g)
}

// draftGiven reads the message of a body or an upload, for which there is room.
func (r *request) draftGiven() (given, error) {
	g, err := r.message5322(objectOf(r.call.Body, "message"))
	if err == nil {
		err = checkHeader(g.raw)
	}
	if err == nil {
		const added = 1000 // what compose adds at most
		err = r.room(r.box, len(withCRLF(g.raw))+added)
	}
	return g, err
}

func (r *request) keepDraft(id string, g given) (wire.Reply, error) {
	m, err := r.store(r.box, incoming{raw: r.compose(r.box, g.raw, r.now), labels: []string{labelDraft}, thread: g.thread},
		r.now)
	if err != nil {
		return wire.Reply{}, err
	}
	r.box.Drafts[id], r.box.draftOf[m.ID] = m.ID, id
	return reply(object{"id": id, "message": r.row(m)})
}

func (r *request) deleteDraft() (wire.Reply, error) {
	m, err := r.theDraft(r.call.Path["id"])
	if err != nil {
		return wire.Reply{}, err
	}
	r.erase(r.box, m, r.now)
	return noContent()
}

// sendDraft sends a draft as it is, or as the body or the upload has it.
func (r *request) sendDraft() (wire.Reply, error) {
	id := textOf(r.call.Body, "id")
	if id == "" {
		return wire.Reply{}, invalid("Missing draft id")
	}
	draft, err := r.theDraft(id)
	if err != nil {
		return wire.Reply{}, err
	}
	g := given{raw: slices.Clone(draft.Raw), thread: draft.Thread}
	if changed := objectOf(r.call.Body, "message"); textOf(changed, "raw") != "" || r.call.Media != nil {
		if g, err = r.message5322(changed); err != nil {
			return wire.Reply{}, err
		}
		if g.thread == "" {
			g.thread = draft.Thread
		}
	}
	m, err := r.send(g, id)
	if err != nil {
		return wire.Reply{}, err
	}
	return reply(r.row(m))
}
