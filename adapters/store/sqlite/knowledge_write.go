package sqlite

import (
	"almanac/graph/model"
)

// logged is a change that is to be logged.
type logged struct {
	operation model.Operation
	id        model.UUID
}

// logSaved logs what was done to records of one kind of the graph, in order, and when the graph was changed.
func (f *frame) logSaved(q *session, kind model.ChangeType, changes []logged) error {
	var ids []model.UUID
	for i, change := range changes {
		ids = append(ids, change.id)
		if i+1 < len(changes) && changes[i+1].operation == change.operation {
			continue
		}
		if err := f.log(q, kind, change.operation, ids...); err != nil {
			return err
		}
		ids = ids[:0]
	}
	if len(changes) == 0 {
		return nil
	}
	return f.touchKnowledge(q)
}

// logErased is logSaved for what was deleted.
func (f *frame) logErased(q *session, kind model.ChangeType, ids ...model.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	if err := f.log(q, kind, model.OperationDeleted, ids...); err != nil {
		return err
	}
	return f.touchKnowledge(q)
}

func (f *frame) touchKnowledge(q *session) error {
	_, err := q.write(`UPDATE users SET knowledge_at = ? WHERE user_id = ?`, instantArg(f.at), userArg(f.user))
	return err
}

// indexing gathers what the rows that one method writes have in the index by words, before it and after it, and then
// writes the difference.
type indexing struct {
	before, after map[int64][]string
}

func newIndexing(rows int) *indexing {
	return &indexing{before: make(map[int64][]string), after: make(map[int64][]string, rows)}
}

// change notes that a row that had some entries has others. A row may be changed several times.
func (x *indexing) change(n int64, before, after []string) {
	if _, again := x.after[n]; !again {
		x.before[n] = before
	}
	x.after[n] = after
}

// write brings the index up to date.
func (x *indexing) write(q *session, of *population, user model.UserID) error {
	var gone, come []posting
	for n, after := range x.after {
		before := x.before[n]
		gone = append(gone, postingsBeside(before, after, n)...)
		come = append(come, postingsBeside(after, before, n)...)
	}
	if err := deletePostings(q, of, user, gone); err != nil {
		return err
	}
	return insertPostings(q, of, user, come)
}

// saving is what SaveEntities and SaveFacts have in common.
type saving struct {
	q       *session
	of      *population
	user    model.UserID
	numbers map[model.UUID]int64
	next    int64
	vectors *vectorWriter
	words   *indexing
	changes []logged
}

// beginSaving looks which of the rows are there, and takes a number for each that is not.
func (f *frame) beginSaving(q *session, of *population, ids []model.UUID) (*saving, error) {
	s := &saving{q: q, of: of, user: f.user, numbers: make(map[model.UUID]int64, len(ids)), words: newIndexing(len(ids)),
		changes: make([]logged, 0, len(ids))}
	fresh := 0
	for _, id := range ids {
		if _, known := s.numbers[id]; known {
			continue
		}
		n, _, err := q.number(`SELECT n FROM `+of.rows+` WHERE user_id = ? AND id = ?`, userArg(f.user), idArg(id))
		if err != nil {
			return nil, err
		}
		if s.numbers[id] = n; n == 0 {
			fresh++
		}
	}
	if fresh > 0 {
		last, err := nextNumbers(q, f.user, of.number, fresh)
		if err != nil {
			return nil, err
		}
		s.next = last - int64(fresh) + 1
	}
	var err error
	s.vectors, err = writeVectors(q, of, f.user, len(ids))
	return s, err
}

// created returns the number of a row that is not there yet, and notes that it comes.
func (s *saving) created(id model.UUID) (n int64) {
	n = s.next
	s.next++
	s.numbers[id] = n
	s.changes = append(s.changes, logged{model.OperationCreated, id})
	return n
}

// replaceVector writes the vector that a row shall have: another one, none when what it was made of has changed, or the
// one that it has.
func (s *saving) replaceVector(n int64, e *model.Embedding, same bool) error {
	if len(e.Vector) == 0 && same {
		return nil
	}
	return s.vectors.replace(n, e)
}

// end writes what was gathered.
func (s *saving) end(f *frame, kind model.ChangeType) error {
	if err := s.vectors.done(); err != nil {
		return err
	}
	if err := s.words.write(s.q, s.of, s.user); err != nil {
		return err
	}
	return f.logSaved(s.q, kind, s.changes)
}
