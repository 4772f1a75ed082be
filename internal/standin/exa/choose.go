package exa

// hunt is what a search looks for, and where.
type hunt struct {
	kind  string
	query string
	// among limits it to these; nil: the whole world.
	among []thing
	// without are addresses that it leaves out.
	without map[string]bool
	// all has it go on when it has enough, to tell how many there would be.
	all bool
}

// chaffEvery is the share of what a search takes though it is not what was asked for: one in so many.
const chaffEvery = 8

// choose returns up to count things in the order in which a search finds them: those that hold what the query asks, and
// now and then one that holds nothing of it, so that criteria have something to tell apart. The same hunt gives the
// same things. It also tells how many there would be, where the hunt wants to know.
func (w *world) choose(h hunt, count int) (chosen []thing, total int) {
	q := w.understand(h.query)
	asks := q.asks()
	chaff := count / chaffEvery
	if h.among != nil || asks == 0 {
		chaff = 0 // whoever names the things to look through gets what fits, and everything holds nothing
	}
	var good, bad []thing
	// look reports whether to go on.
	look := func(t thing, f *facts) bool {
		met := w.met(q, t, f)
		switch {
		case met == asks:
			total++
			if len(good) < count && !h.without[w.url(t)] {
				good = append(good, t)
			}
		case met == 0 && len(bad) < chaff && !h.without[w.url(t)]:
			bad = append(bad, t)
		}
		return h.all || len(good) < count || len(bad) < chaff
	}
	w.walk(h, look)
	for len(chosen) < count && len(good) > 0 {
		from := &good
		if len(bad) > 0 && (len(chosen)+1)%chaffEvery == 0 {
			from = &bad
		}
		chosen = append(chosen, (*from)[0])
		*from = (*from)[1:]
	}
	return chosen, total
}

// walk shows what is to be looked through, until enough was seen.
func (w *world) walk(h hunt, look func(thing, *facts) bool) {
	if h.among != nil {
		for _, t := range h.among {
			if f := w.facts(t); !look(t, &f) {
				return
			}
		}
		return
	}
	// A walk through all of them that begins where the query says: 7919 is a prime that the size is no multiple of.
	n, known := int(mixText(h.query)%worldSize), w.known[h.kind]()
	for range worldSize {
		if !look(thing{kind: h.kind, n: n}, &known[n]) {
			return
		}
		n = (n + 7919) % worldSize
	}
}
