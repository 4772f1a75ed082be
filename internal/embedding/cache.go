package embedding

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

// cacheKey names what was looked for without keeping its text.
type cacheKey struct {
	model string
	text  [sha256.Size]byte
}

func keyOf(model, text string) cacheKey { return cacheKey{model, sha256.Sum256([]byte(text))} }

// cache keeps the vectors of what was looked for last, so that the next page of a search costs no question. It is in
// memory only, and safe for goroutines.
type cache struct {
	most int

	mu    sync.Mutex
	order list.List // front: used last
	items map[cacheKey]*list.Element
}

type cacheItem struct {
	key    cacheKey
	vector []float32
}

// get returns a vector, which nobody may change, or nil.
func (c *cache) get(key cacheKey) []float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.items[key]
	if !ok {
		return nil
	}
	c.order.MoveToFront(element)
	return element.Value.(cacheItem).vector //nolint:errcheck // only such items are put in
}

// put keeps a vector; the one that was unused for longest may go.
func (c *cache) put(key cacheKey, vector []float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element, ok := c.items[key]; ok {
		c.order.MoveToFront(element)
		element.Value = cacheItem{key, vector}
		return
	}
	if c.items == nil {
		c.items = map[cacheKey]*list.Element{}
	}
	c.items[key] = c.order.PushFront(cacheItem{key, vector})
	if c.order.Len() > c.most {
		delete(c.items, c.order.Remove(c.order.Back()).(cacheItem).key) //nolint:errcheck // only such items are put in
	}
}
