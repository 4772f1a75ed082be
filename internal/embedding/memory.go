package embedding

import (
	"sync"
	"time"
)

// until remembers things for a while: what has been refused and need not be asked again soon. It keeps a bounded number
// of them, and forgets all when there are more, which costs some questions and nothing else. It is safe for goroutines.
type until[K comparable] struct {
	most int

	mu    sync.Mutex
	times map[K]time.Time
}

func (u *until[K]) remember(key K, end time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.times == nil || len(u.times) >= u.most {
		u.times = map[K]time.Time{}
	}
	u.times[key] = end
}

func (u *until[K]) has(key K, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	end, ok := u.times[key]
	if ok && !now.Before(end) {
		delete(u.times, key)
		return false
	}
	return ok
}
