package exa

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

func (l *lru[K, V]) get(key K) (value V, ok bool) {
	element, ok := l.items[key]
	if !ok {
		return value, false
	}
	l.order.MoveToFront(element)
	return element.Value.(*lruItem[K, V]).value, true //nolint:errcheck // only such items are put in
}

// put keeps a value, in the place of the one that was unused for longest when there are too many.
func (l *lru[K, V]) put(key K, value V) {
	l.drop(key)
	if l.items == nil {
		l.items = map[K]*list.Element{}
	}
	l.items[key] = l.order.PushFront(&lruItem[K, V]{key: key, value: value})
	if l.order.Len() > max(l.most, 1) {
		last := l.order.Back()
		delete(l.items, l.order.Remove(last).(*lruItem[K, V]).key) //nolint:errcheck // only such items are put in
	}
}

func (l *lru[K, V]) drop(key K) {
	if element, ok := l.items[key]; ok {
		l.order.Remove(element)
		delete(l.items, key)
	}
}
