package sqlite

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestClearUnused: only what lies between the list of rows and the first row of a tree's page is cleared.
func TestClearUnused(t *testing.T) {
	tree := func(at int, kind byte, rows, first int) []byte {
		content := bytes.Repeat([]byte{0xaa}, 1024)
		content[at] = kind
		binary.BigEndian.PutUint16(content[at+3:], uint16(rows))
		binary.BigEndian.PutUint16(content[at+5:], uint16(first))
		return content
	}
	for name, c := range map[string]struct {
		number   int64
		content  []byte
		from, to int
	}{
		"a leaf of a table":           {7, tree(0, 13, 5, 600), 18, 600},
		"a leaf of an index":          {7, tree(0, 10, 0, 1024), 8, 1024},
		"an inner page of a table":    {7, tree(0, 5, 5, 600), 22, 600},
		"an inner page of an index":   {7, tree(0, 2, 1, 30), 14, 30},
		"the first page":              {1, tree(100, 13, 5, 600), 118, 600},
		"a full page":                 {7, tree(0, 13, 300, 608), 0, 0},
		"rows that reach too far":     {7, tree(0, 13, 5, 2000), 0, 0},
		"rows before their list":      {7, tree(0, 13, 50, 60), 0, 0},
		"a page that is no tree's":    {7, tree(0, 0, 5, 600), 0, 0},
		"one whose mark is not known": {7, tree(0, 12, 5, 600), 0, 0},
		"too short a page":            {7, tree(0, 13, 5, 600)[:100], 0, 0},
		"no first row said":           {7, tree(0, 13, 5, 0), 0, 0},
	} {
		want := bytes.Clone(c.content)
		clear(want[c.from:c.to])
		if dirty := clearUnused(c.number, c.content); dirty != (c.to > 0) || !bytes.Equal(c.content, want) {
			t.Errorf("%s: dirty %v, cleared otherwise than %d–%d", name, dirty, c.from, c.to)
		}
		if clearUnused(c.number, c.content) {
			t.Errorf("%s: is dirty again", name)
		}
	}
}
