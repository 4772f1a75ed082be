package google

import "container/list"

// lru keeps the most recently used values under their keys, at most a number of them. It is not safe for goroutines.
type lru[K comparable, V any] struct {
	most  int
	order list.List // front: used last
	items map[K]*list.Element
}

type lruItem[K comparable, V any] struct {
	key   K
	value V
}

// get gives the value of a key, made when there is none; then the one that was unused for longest may go.
func (l *lru[K, V]) get(key K, fresh func() V) V {
	if element, ok := l.items[key]; ok {
		l.order.MoveToFront(element)
		return element.Value.(*lruItem[K, V]).value //nolint:errcheck // only such items are put in
	}
	if l.items == nil {
		l.items = map[K]*list.Element{}
	}
	item := &lruItem[K, V]{key: key, value: fresh()}
	l.items[key] = l.order.PushFront(item)
	if l.order.Len() > l.most {
		last := l.order.Back()
		delete(l.items, l.order.Remove(last).(*lruItem[K, V]).key) //nolint:errcheck // only such items are put in
	}
	return item.value
}
