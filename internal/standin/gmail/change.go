package gmail

import (
	"slices"
	"strings"
	"time"
)

// record is one step of a mailbox's history.
type record struct {
	ID uint64 `json:"id,string"`
	// At is in seconds since 1970.
	At      int64  `json:"at"`
	Message string `json:"message"`
	Thread  string `json:"thread"`
	// Labels are the message's after the step, or when it was deleted.
	Labels  []string `json:"labels,omitempty"`
	Added   []string `json:"added,omitempty"`
	Removed []string `json:"removed,omitempty"`
	New     bool     `json:"new,omitempty"`
	Gone    bool     `json:"gone,omitempty"`
}

// maxRecords bounds the history of a mailbox, however young.
const maxRecords = 100_000

// note writes a step down and forgets those that are too old.
func (s *Service) note(box *account, m *message, step record, now time.Time) {
	m.History = s.state.nextHistory(box)
	step.ID, step.At, step.Message, step.Thread, step.Labels = m.History, now.Unix(), m.ID, m.Thread,
		slices.Clone(m.Labels)
	box.History = append(box.History, step)
	oldest := now.Add(-s.switches.historyLife()).Unix()
	gone := 0
	for gone < len(box.History) && (box.History[gone].At < oldest || len(box.History)-gone > maxRecords) {
		box.HistoryFloor = box.History[gone].ID
		gone++
	}
	if gone > 0 {
		box.History = slices.Delete(box.History, 0, gone)
	}
}

// incoming is a message on its way into a mailbox.
type incoming struct {
	raw    []byte
	labels []string
	// received is when it comes, and date the internal date; the zero values are now, and when it comes.
	received, date time.Time
	// thread is one that is there; empty begins one, or with byReferences looks for the one it answers.
	thread       string
	byReferences bool
}

// store puts a message into a mailbox. It fails when there is no room.
func (s *Service) store(box *account, in incoming, now time.Time) (*message, error) {
	if err := s.room(box, len(in.raw)); err != nil {
		return nil, err
	}
	if in.received.IsZero() {
		in.received = now
	}
	if in.date.IsZero() {
		in.date = in.received
	}
	m := &message{
		ID: s.state.newID(box, in.received), Date: in.date.UnixMilli(), Received: in.received.UnixMilli(), Raw: in.raw,
		Labels: sortedSet(in.labels),
	}
	root := m.parts()
	m.RFC, m.Subject = bareID(root.get("Message-ID")), baseSubject(decoded(root.get("Subject")))
	if m.Thread = in.thread; m.Thread == "" && in.byReferences {
		m.Thread = box.answered(root, m.Subject)
	}
	if m.Thread == "" {
		m.Thread = m.ID
	}
	box.keep(m)
	s.state.bytes += int64(len(m.Raw))
	s.note(box, m, record{New: true}, now)
	return m, nil
}

func (s *Service) room(box *account, size int) error {
	switch {
	case size > MaxMessage:
		return tooLarge()
	case len(box.Messages) >= s.switches.maxMessages() || s.state.bytes+int64(size) > s.switches.maxBytes():
		return mailboxFull()
	}
	return nil
}

// erase deletes a message for good.
func (s *Service) erase(box *account, m *message, now time.Time) {
	box.drop(m)
	s.state.bytes -= int64(len(m.Raw))
	s.note(box, m, record{Gone: true}, now)
}

// relabel adds and removes labels; a message that has them already is left alone.
func (s *Service) relabel(box *account, m *message, add, remove []string, now time.Time) {
	var step record
	for _, id := range sortedSet(add) {
		if !m.has(id) {
			step.Added = append(step.Added, id)
		}
	}
	for _, id := range sortedSet(remove) {
		if m.has(id) {
			step.Removed = append(step.Removed, id)
		}
	}
	if len(step.Added)+len(step.Removed) == 0 {
		return
	}
	left := slices.DeleteFunc(slices.Clone(m.Labels), func(id string) bool { return slices.Contains(step.Removed, id) })
	m.Labels = sortedSet(append(left, step.Added...))
	s.note(box, m, step, now)
}

func sortedSet(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// answered finds the thread that a message belongs to on the side of who receives it: that of a message it refers to,
// when the subject is the same.
func (a *account) answered(root *part, subject string) string {
	const most = 1000
	references := bareIDs(strings.Join(append(root.all("References"), root.all("In-Reply-To")...), " "), most)
	for _, id := range slices.Backward(references) {
		for _, m := range slices.Backward(a.byRFC[id]) {
			if m.Subject == subject {
				return m.Thread
			}
		}
	}
	return ""
}

// bareID returns the first id of a field without brackets.
func bareID(text string) string {
	if ids := bareIDs(text, 1); len(ids) > 0 {
		return ids[0]
	}
	return strings.TrimSpace(text)
}

// bareIDs reads "<a@b> <c@d>".
func bareIDs(text string, most int) []string {
	var ids []string
	for len(ids) < most {
		_, rest, found := strings.Cut(text, "<")
		if !found {
			break
		}
		id, after, closed := strings.Cut(rest, ">")
		if !closed {
			break
		}
		ids, text = append(ids, strings.TrimSpace(id)), after
	}
	return ids
}

// baseSubject is a subject without what answers and forwards put before it, without regard to case and spaces.
func baseSubject(subject string) string {
	subject = strings.ToLower(strings.Join(strings.Fields(subject), " "))
	for {
		before, after, found := strings.Cut(subject, ":")
		if !found || !slices.Contains([]string{"re", "fw", "fwd", "aw", "sv", "השב", "תגובה", "הועבר"},
			strings.TrimSpace(before)) {
			return subject
		}
		subject = strings.TrimSpace(after)
	}
}
