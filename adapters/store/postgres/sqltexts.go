package postgres

import "sync"

// maxTexts bounds the SQL texts that are kept: as many as a connection keeps prepared statements, and some.
const maxTexts = 1024

// sqlTexts keeps the text of statements by their shape: which columns, conditions and parameters they have. Putting a
// text together costs as much as writing out some rows.
type sqlTexts struct {
	mu      sync.RWMutex
	byShape map[any]string
}

// find returns the text of a shape, which is a comparable value of a type of its own for each kind of statement.
func (t *sqlTexts) find(shape any) (string, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	text, found := t.byShape[shape]
	return text, found
}

// keep keeps a text; when there are too many, all others are forgotten.
func (t *sqlTexts) keep(shape any, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byShape == nil || len(t.byShape) >= maxTexts {
		t.byShape = make(map[any]string)
	}
	t.byShape[shape] = text
}
