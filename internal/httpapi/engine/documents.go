package engine

import (
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// admitted is a document that has passed every rule its text decides, ready to run any number of times. It is shared
// between requests; only its plans and its size are written again.
type admitted struct {
	doc   *ast.QueryDocument
	costs *costPlan
	// objectVariables are the variables inside literal objects; nil when there are none.
	objectVariables map[string]bool
	// deprecated is what is deprecated of the schema and used, by operation.
	deprecated map[string][]string
	// needs are the scopes that its operations need, by name.
	needs map[string]needs
	// plans are how its operations run.
	plans plans
	// size is what keeping it costs in bytes, by estimate.
	size int64
}

// bytesPerToken is what a token comes to in memory once the document is parsed, validated and planned, measured by
// TestDocumentMemory and rounded up. The text itself comes on top, twice: as the key and as the document's names.
const bytesPerToken = 300

// documents keeps admitted documents by their text, the least recently used going first, within a bound of memory.
type documents struct {
	mu    sync.Mutex
	limit int64
	used  int64
	byKey map[string]*kept
	// ring is the sentinel of a ring of all kept documents: its next is the most recently used, its previous the least.
	ring kept
}

type kept struct {
	key            string
	value          *admitted
	previous, next *kept
}

func newDocuments(limit int64) *documents {
	d := &documents{limit: limit, byKey: map[string]*kept{}}
	d.ring.previous, d.ring.next = &d.ring, &d.ring
	return d
}

func (d *documents) get(key string) *admitted {
	d.mu.Lock()
	defer d.mu.Unlock()
	k, ok := d.byKey[key]
	if !ok {
		return nil
	}
	k.unlink()
	d.link(k)
	return k.value
}

// add keeps the document. One that is larger than the whole bound is not kept.
func (d *documents) add(key string, value *admitted) {
	if value.size > d.limit {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.byKey[key]; ok {
		return
	}
	k := &kept{key: key, value: value}
	d.byKey[key] = k
	d.link(k)
	d.charge(value.size)
}

// grow adds to the size of a document, unless it is not kept.
func (d *documents) grow(key string, value *admitted, by int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if k, ok := d.byKey[key]; ok && k.value == value {
		value.size += by
		d.charge(by)
	}
}

func (d *documents) charge(size int64) {
	for d.used += size; d.used > d.limit; {
		last := d.ring.previous
		last.unlink()
		delete(d.byKey, last.key)
		d.used -= last.value.size
	}
}

func (d *documents) link(k *kept) {
	k.previous, k.next = &d.ring, d.ring.next
	k.previous.next, k.next.previous = k, k
}

func (k *kept) unlink() {
	k.previous.next, k.next.previous = k.next, k.previous
}
