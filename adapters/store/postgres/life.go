package postgres

import "sync"

// life counts what is under way, so that an end can be waited for. Unlike with a lock, who comes after the end is
// turned away at once.
type life struct {
	mu    sync.Mutex
	count int
	// ended is made by end and closed when the last one has left.
	ended chan struct{}
}

// enter counts one in; false after the end.
func (l *life) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended != nil {
		return false
	}
	l.count++
	return true
}

func (l *life) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count--
	if l.ended != nil && l.count == 0 {
		close(l.ended)
	}
}

// end lets nobody in any more and waits for those who are.
func (l *life) end() {
	l.mu.Lock()
	l.ended = make(chan struct{})
	if l.count == 0 {
		close(l.ended)
	}
	l.mu.Unlock()
	<-l.ended
}
