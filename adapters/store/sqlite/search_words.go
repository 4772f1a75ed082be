package sqlite

import (
	"bytes"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/graph/model"
	"almanac/projections/words"
)

// keywords is what the index by words says about a query.
type keywords struct {
	query model.SearchWords
	// found counts, for each term, the rows of the index that any of its forms finds, at most words.Common.
	found []int
	// known has, for each row that was met, the weight of its best form for each term, as far as the index has told.
	known map[int64][]float64
	// unsure are, for each common term, the forms of which not all rows were read.
	unsure [][]unsureForm
	// room is where the next weights of known are put.
	room []float64
}

// unsureForm is a form with more rows than are read: of those older than the oldest that was read it is not known
// whether they have it. Of a beginning it is known of none.
type unsureForm struct {
	weight float64
	oldest int64
}

// span is a stretch of the index, from an entry on, up to but not including another; nil is the end of the index.
type span struct{ from, to []byte }

// spanOf is where the entries of a form lie.
func spanOf(form model.TermForm) span {
	from := []byte(form.Term)
	if !form.Prefix {
		return span{from, append(slices.Clone(from), 0)}
	}
	to := slices.Clone(from)
	for len(to) > 0 {
		if to[len(to)-1]++; to[len(to)-1] != 0 {
			return span{from, to}
		}
		to = to[:len(to)-1]
	}
	return span{from, nil}
}

// union returns stretches that hold what the given ones hold, each entry once, in order.
func union(spans []span) (out []span) {
	slices.SortFunc(spans, func(a, b span) int { return bytes.Compare(a.from, b.from) })
	for _, s := range spans {
		if last := len(out) - 1; last >= 0 && (out[last].to == nil || bytes.Compare(s.from, out[last].to) <= 0) {
			if out[last].to != nil && (s.to == nil || bytes.Compare(s.to, out[last].to) > 0) {
				out[last].to = s.to
			}
			continue
		}
		out = append(out, s)
	}
	return out
}

// readKeywords looks the words of a query up. Of a term it reads at most words.Common rows, and of a common one as many
// for each of its forms.
func readKeywords(q *session, of *population, user model.UserID, query model.SearchWords) (*keywords, error) {
	k := &keywords{query: query, found: make([]int, len(query.Terms)), known: make(map[int64][]float64),
		unsure: make([][]unsureForm, len(query.Terms))}
	for i := range query.Terms {
		if err := k.readTerm(q, of, user, i); err != nil {
			return nil, err
		}
	}
	settled, again := words.Settle(query, k.found)
	k.query = settled
	for _, i := range again {
		if err := k.readTerm(q, of, user, i); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// row is a row of the index by words.
type row struct {
	term string
	n    int64
}

func (k *keywords) readTerm(q *session, of *population, user model.UserID, i int) error {
	term := &k.query.Terms[i]
	spans := make([]span, len(term.Forms))
	for j, form := range term.Forms {
		spans[j] = spanOf(form)
	}
	var read []row
	for _, s := range union(spans) {
		if err := readSpan(q, of, user, s, "term, n", words.Common+1-len(read), &read); err != nil {
			return err
		}
		if len(read) > words.Common {
			k.found[i] = words.Common
			return k.readCommon(q, of, user, i)
		}
	}
	k.found[i] = len(read)
	k.note(i, *term, read)
	return nil
}

// readCommon reads the newest rows of each form of a common term.
func (k *keywords) readCommon(q *session, of *population, user model.UserID, i int) error {
	for _, form := range k.query.Terms[i].Forms {
		order := "n DESC"
		if form.Prefix {
			order = "term, n" // the newest of many words would have to be sorted first
		}
		var read []row
		if err := readSpan(q, of, user, spanOf(form), order, words.Common+1, &read); err != nil {
			return err
		}
		if len(read) > words.Common {
			read = read[:words.Common]
			unsure := unsureForm{weight: form.Weight, oldest: read[len(read)-1].n}
			if form.Prefix {
				unsure.oldest = 1<<63 - 1
			}
			k.unsure[i] = append(k.unsure[i], unsure)
		}
		k.note(i, model.SearchTerm{Forms: []model.TermForm{form}}, read)
	}
	return nil
}

// readSpan appends at most limit rows of a stretch of the index.
func readSpan(q *session, of *population, user model.UserID, s span, order string, limit int, read *[]row) error {
	last, buffer := "", make([]byte, 0, 128)
	add := func(stmt *sqlite.Stmt) error {
		// Rows of one entry follow each other: its text is kept once.
		buffer = slices.Grow(buffer[:0], stmt.ColumnLen(0))
		buffer = buffer[:stmt.ColumnBytes(0, buffer[:cap(buffer)])]
		if string(buffer) != last {
			last = string(buffer)
		}
		*read = append(*read, row{last, stmt.ColumnInt64(1)})
		return nil
	}
	switch {
	// one entry: its rows lie in the order of n
	case len(s.to) == len(s.from)+1 && bytes.HasPrefix(s.to, s.from) && s.to[len(s.from)] == 0:
		return q.readSQL(`SELECT term, n FROM `+of.terms+` WHERE user_id = ? AND term = ? ORDER BY `+order+` LIMIT ?`, add,
			userArg(user), bytesArg(s.from), intArg(limit))
	case s.to == nil:
		return q.readSQL(`SELECT term, n FROM `+of.terms+` WHERE user_id = ? AND term >= ? ORDER BY `+order+` LIMIT ?`, add,
			userArg(user), bytesArg(s.from), intArg(limit))
	}
	return q.readSQL(`SELECT term, n FROM `+of.terms+` WHERE user_id = ? AND term >= ? AND term < ? ORDER BY `+order+
		` LIMIT ?`, add, userArg(user), bytesArg(s.from), bytesArg(s.to), intArg(limit))
}

// note keeps what rows tell of a term. What a form is worth in a row is the most that it is worth in one of its entries
// (see words.Match), so each entry can be judged by itself.
func (k *keywords) note(i int, term model.SearchTerm, read []row) {
	judged := model.SearchWords{Terms: []model.SearchTerm{term}}
	entry, weight := "", 0.0
	for _, r := range read {
		if r.term != entry {
			entry, weight = r.term, words.Match(judged, []string{r.term})[0]
		}
		best := k.weights(r.n)
		best[i] = max(best[i], weight)
	}
}

// weights are what is known of a row, at first nothing. There are many and they are short, so they share their room.
func (k *keywords) weights(n int64) []float64 {
	best := k.known[n]
	if best == nil {
		width := len(k.query.Terms)
		if len(k.room) < width {
			k.room = make([]float64, 256*width)
		}
		best, k.room = k.room[:width:width], k.room[width:]
		k.known[n] = best
	}
	return best
}

// addNewest makes rows candidates of which nothing is known, and of which the unsure forms are to be looked up. It
// returns those that were no candidates before.
func (k *keywords) addNewest(ns []int64) (fresh []int64) {
	for _, n := range ns {
		if _, known := k.known[n]; !known {
			k.weights(n)
			fresh = append(fresh, n)
		}
	}
	return fresh
}

// isUnsure reports whether forms of some terms were not read to their end.
func (k *keywords) isUnsure() bool {
	return slices.ContainsFunc(k.unsure, func(forms []unsureForm) bool { return len(forms) > 0 })
}

// hasUnsureBeginning reports whether the rows of a beginning were not read to their end, so that the newest that have
// it may not be among what was read.
func (k *keywords) hasUnsureBeginning() bool {
	return slices.ContainsFunc(k.unsure, func(forms []unsureForm) bool {
		return slices.ContainsFunc(forms, func(form unsureForm) bool { return form.oldest == 1<<63-1 })
	})
}

// most returns the weights of a row's best forms; those that are not known for sure as high as they can be, and then
// sure is false. The weights must not be changed.
func (k *keywords) most(n int64) (best []float64, sure bool) {
	known := k.known[n]
	best, sure = known, true
	for i, forms := range k.unsure {
		for _, form := range forms {
			if n >= form.oldest || i < len(known) && known[i] >= form.weight {
				continue
			}
			if sure {
				best, sure = make([]float64, len(k.query.Terms)), false
				copy(best, known)
			}
			best[i] = max(best[i], min(form.weight, 1))
		}
	}
	return best, sure
}
