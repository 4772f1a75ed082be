package engine

import (
	"container/list"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"
)

// admitted is a document that has passed every rule its text decides, ready to run any number of times. It is shared
// between requests and never written again.
type admitted struct {
	doc   *ast.QueryDocument
	costs *costPlan
	// objectVariables are the variables inside literal objects; nil when there are none.
	objectVariables map[string]bool
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
	order *list.List // of *kept, most recently used first
	byKey map[string]*list.Element
}

type kept struct {
	key   string
	value *admitted
}

func newDocuments(limit int64) *documents {
	return &documents{limit: limit, order: list.New(), byKey: map[string]*list.Element{}}
}

func (d *documents) get(key string) *admitted {
	d.mu.Lock()
	defer d.mu.Unlock()
	element, ok := d.byKey[key]
	if !ok {
		return nil
	}
	d.order.MoveToFront(element)
	return element.Value.(*kept).value
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
	d.byKey[key] = d.order.PushFront(&kept{key: key, value: value})
	for d.used += value.size; d.used > d.limit; {
		last := d.order.Back()
		old := d.order.Remove(last).(*kept)
		delete(d.byKey, old.key)
		d.used -= old.value.size
	}
}
