package httpapi

import (
	"bytes"
	"fmt"
	"testing"
)

// FuzzNotes: whatever is stored, reading it neither panics nor makes up more than is there; and what is read and
// written again reads the same.
func FuzzNotes(f *testing.F) {
	f.Add([]byte{})
	f.Add(packNote(nil, "send", []byte(`{"by":30}`)))
	f.Add(packNote(packNote(packNote(nil, "", nil), "א", []byte{0, 0xff}), "b.c[0]", bytes.Repeat([]byte("x"), 200)))
	f.Add([]byte{notesVersion, 0x80, 0x00, 0x81, 0x00, 'x'})
	f.Add([]byte{notesVersion, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Add([]byte{notesVersion + 1})
	f.Fuzz(func(t *testing.T, packed []byte) {
		before := bytes.Clone(packed)
		noted, err := unpackNotes(packed)
		if !bytes.Equal(packed, before) {
			t.Fatal("reading changed what is read")
		}
		if err != nil {
			return
		}
		size, again := 0, []byte(nil)
		for name, what := range noted {
			size += len(name) + len(what)
			again = packNote(again, name, what)
		}
		if size > len(packed) {
			t.Fatalf("%d bytes came of %d", size, len(packed))
		}
		same, err := unpackNotes(again)
		if err != nil || fmt.Sprintf("%q", same) != fmt.Sprintf("%q", noted) {
			t.Fatalf("written again: %q, %v; was %q", same, err, noted)
		}
	})
}
