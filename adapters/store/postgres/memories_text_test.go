package postgres

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/pgtest"
	"almanac/projections/vector"
)

// TestHalvesComeBack: every half that a vector may have goes to the server as text and comes back in binary as it was.
func TestHalvesComeBack(t *testing.T) {
	t.Parallel()
	s := migratedStore(t)
	var all []float32
	for bits := range 1 << 16 {
		if x := vector.Float(uint16(bits)); !math.IsInf(float64(x), 0) && !math.IsNaN(float64(x)) {
			all = append(all, x)
		}
	}
	for some := range slices.Chunk(all, model.MaxEmbeddingDimensions) {
		text, ok := halvesText(some)
		if !ok {
			t.Fatal("the halves have no direction")
		}
		var got []float32
		b := newBatch()
		b.query("SELECT halfvec_send($1::text::halfvec)", func(r *row) { got = r.halves() }, text)
		if err := s.run(t.Context(), b); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, some) {
			for i := range some {
				if got[i] != some[i] {
					t.Fatalf("%v came back as %v", some[i], got[i])
				}
			}
		}
	}
	for _, bad := range [][]float32{{0, 0}, {1e-9}, {float32(math.NaN()), 1}, {float32(math.Inf(-1))}, {70_000}} {
		if text, ok := halvesText(bad); ok {
			t.Errorf("%v became %s", bad, text)
		}
	}
}

// TestArrayTextIsRead: lists of any texts come back as they were.
func TestArrayTextIsRead(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Options{URL: pgtest.URL(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{`"`, `\`, `{`, `}`, `,`, " ", "NULL", "null", "שָׁלוֹם", "\n", "a", "😀", "'", "$1", ""}
	for range 200 {
		list := make([]string, random.IntN(5))
		for i := range list {
			for range random.IntN(6) {
				list[i] += pieces[random.IntN(len(pieces))]
			}
		}
		var got []string
		b := newBatch()
		b.query("SELECT $1::text::text[]", func(r *row) { got = r.texts() }, arrayText(list))
		if err := s.run(t.Context(), b); err != nil {
			t.Fatalf("%q: %v", list, err)
		}
		if !slices.Equal(got, list) {
			t.Errorf("%q came back as %q", list, got)
		}
	}
}

func TestAfterIsTheEndOfARange(t *testing.T) {
	for prefix, want := range map[string]string{
		"a": "b", "az": "a{", "wשל": "wשם", "": "", "a\U0010ffff": "b", "\U0010ffff": "", "a\ud7ff": "a\ue000",
		"a\u007f": "a\u0080", "a\u07ff": "a\u0800", "a\uffff": "a\U00010000",
	} {
		got := after(prefix)
		if got != want {
			t.Errorf("after %q comes %q, want %q", prefix, got, want)
		}
		if got != "" && (got <= prefix || strings.HasPrefix(got, prefix) || got <= prefix+"\U0010ffff\U0010ffff") {
			t.Errorf("%q is not after all that begin like %q", got, prefix)
		}
	}
}

// TestFormsAreCountedOnce: rows that several forms of a term find belong to the widest.
func TestFormsAreCountedOnce(t *testing.T) {
	exact := func(term string) model.TermForm { return model.TermForm{Term: term, Weight: 1} }
	prefix := func(term string) model.TermForm { return model.TermForm{Term: term, Prefix: true, Weight: 0.5} }
	for _, c := range []struct {
		forms []model.TermForm
		want  []bool
	}{
		{[]model.TermForm{exact("a"), exact("b")}, []bool{true, true}},
		{[]model.TermForm{exact("a"), exact("a")}, []bool{true, false}},
		{[]model.TermForm{exact("ab"), prefix("a"), prefix("abc")}, []bool{false, true, false}},
		{[]model.TermForm{prefix("a"), exact("a"), prefix("a")}, []bool{true, false, false}},
		{[]model.TermForm{exact("a"), prefix("ab")}, []bool{true, true}},
	} {
		var got []bool
		for _, form := range formsOf(model.SearchWords{Terms: []model.SearchTerm{{Forms: c.forms}, {Forms: c.forms}}}) {
			got = append(got, form.counted)
		}
		if want := append(slices.Clone(c.want), c.want...); !slices.Equal(got, want) {
			t.Errorf("%v: %v, want %v", c.forms, got, want)
		}
	}
}

// FuzzFieldsOf: whatever the bytes are, the fields of a row are within them.
func FuzzFieldsOf(f *testing.F) {
	field := func(value string) []byte {
		b := binary.BigEndian.AppendUint32(nil, 25)
		return append(binary.BigEndian.AppendUint32(b, uint32(len(value))), value...)
	}
	f.Add([]byte{})
	f.Add([]byte{0, 0, 0, 1})
	f.Add(append([]byte{0, 0, 0, 2}, append(field("a"), field("")...)...))
	f.Add([]byte{0, 0, 0, 1, 0, 0, 0, 25, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 25, 0, 0, 0, 9})
	f.Fuzz(func(t *testing.T, value []byte) {
		total := 0
		for _, one := range fieldsOf(value) {
			total += len(one) + 8
		}
		if total > len(value) {
			t.Errorf("%d bytes of fields in %d", total, len(value))
		}
	})
}
