package sqlite

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"almanac/graph/model"
)

// posting is a row of the index by words.
type posting struct {
	term string
	n    int64
}

// insertPostings adds rows to the index by words of a population; those that are there stay.
func insertPostings(q *session, of *population, user model.UserID, postings []posting) error {
	return writePostings(q, `INSERT INTO `+of.terms+` (user_id, term, n) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, user,
		postings)
}

// deletePostings takes rows out of the index by words of a population.
func deletePostings(q *session, of *population, user model.UserID, postings []posting) error {
	return writePostings(q, `DELETE FROM `+of.terms+` WHERE user_id = ? AND term = ? AND n = ?`, user, postings)
}

// writePostings inserts or deletes rows of the index by words, in the index's order: each of its pages is then found,
// and written to the log, once.
func writePostings(q *session, sql string, user model.UserID, postings []posting) error {
	slices.SortFunc(postings, func(a, b posting) int {
		return cmp.Or(strings.Compare(a.term, b.term), cmp.Compare(a.n, b.n))
	})
	for i := range postings {
		if _, err := q.write(sql, userArg(user), bytesArg([]byte(postings[i].term)), intArg(postings[i].n)); err != nil {
			return err
		}
	}
	return nil
}

// postingsBeside are the postings of a row for those of its entries that are not among the others.
func postingsBeside(entries, others []string, n int64) (postings []posting) {
	known := make(map[string]struct{}, len(others))
	for _, other := range others {
		known[other] = struct{}{}
	}
	for _, entry := range entries {
		if _, both := known[entry]; !both {
			postings = append(postings, posting{entry, n})
		}
	}
	return postings
}

// packEntries writes entries one after another, each behind its length.
func packEntries(entries []string) []byte {
	size := 0
	for _, entry := range entries {
		size += binary.MaxVarintLen32 + len(entry)
	}
	packed := make([]byte, 0, size)
	for _, entry := range entries {
		packed = binary.AppendUvarint(packed, uint64(len(entry)))
		packed = append(packed, entry...)
	}
	return packed
}

// errEntries says that a row's entries are not what packEntries wrote.
var errEntries = errors.New("sqlite: the entries of a row cannot be read")

// entriesOf reads what packEntries wrote. The entries share the memory of one text.
func entriesOf(packed []byte) ([]string, error) {
	text := string(packed)
	entries := make([]string, 0, 1+len(packed)/8)
	for at := 0; at < len(packed); {
		length, width := binary.Uvarint(packed[at:])
		if width <= 0 || length > uint64(len(packed)-at-width) {
			return nil, errEntries
		}
		at += width
		entries = append(entries, text[at:at+int(length)])
		at += int(length)
	}
	return entries, nil
}
