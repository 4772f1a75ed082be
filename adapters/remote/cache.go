package remote

import lru "github.com/hashicorp/golang-lru/v2"

// NewCache makes a cache of at most so many values, at least one, that forgets what was unused for longest. It is safe
// for goroutines.
func NewCache[K comparable, V any](most int) *lru.Cache[K, V] {
	cache, err := lru.New[K, V](max(most, 1))
	if err != nil {
		panic(err) // only of a size below one
	}
	return cache
}

// Cached returns the value of a key, made when there is none. Of several made at once all see the same.
func Cached[K comparable, V any](cache *lru.Cache[K, V], key K, fresh func() V) V {
	if value, ok := cache.Get(key); ok {
		return value
	}
	made := fresh()
	if value, ok, _ := cache.PeekOrAdd(key, made); ok {
		return value
	}
	return made
}
