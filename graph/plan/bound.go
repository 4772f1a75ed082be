package plan

// countEvery is how many bytes a writer appends between two looks at what all have appended.
const countEvery = 4 << 10

// within counts what the writer has appended since it last did, where that is at least so much, and reports whether the
// answer is within its bound.
func (w *Writer) within(least int) bool {
	more := len(w.buf) - w.counted
	if more < least || w.run.Bound == nil {
		return true
	}
	w.counted = len(w.buf)
	if w.run.written.Add(int64(more)) <= w.run.MaxBytes {
		return true
	}
	w.run.Bound.Beyond()
	return false
}
