package knowledge

import (
	"bytes"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// moment is a small number as a moment; 0 is none.
func moment(n int) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Date(2000+n, 1, 1, 0, 0, 0, 0, time.UTC)
}

// TestPeriods compares what is said of periods with what holds at each moment of a small world, in which all bounds lie
// between 1 and 5.
func TestPeriods(t *testing.T) {
	t.Parallel()
	const last = 5
	var all []period
	for from := range last {
		for to := range last {
			if from == 0 || to == 0 || from <= to {
				all = append(all, period{moment(from), moment(to)})
			}
		}
	}
	for _, p := range all {
		for _, q := range all {
			both, either, union := false, false, p.union(q)
			for n := -1; n <= last+1; n++ {
				at := moment(1).AddDate(n-1, 6, 0)
				if n >= 1 {
					at = moment(n)
				}
				inP, inQ := p.holds(at), q.holds(at)
				if fact := (model.Fact{ValidAt: p.from, InvalidAt: p.to}); fact.HoldsAt(at) != inP {
					t.Fatalf("%v holds at %v: %v", p, at, inP)
				}
				both = both || inP && inQ
				either = either || inP
				if (inP || inQ) && !union.holds(at) {
					t.Fatalf("the union of %v and %v is %v", p, q, union)
				}
			}
			if p.empty() == either {
				t.Fatalf("%v is empty: %v", p, p.empty())
			}
			if !p.empty() && !q.empty() && p.overlaps(q) != both {
				t.Fatalf("%v and %v overlap: %v", p, q, p.overlaps(q))
			}
			if p.overlaps(q) != q.overlaps(p) || !p.overlaps(p) {
				t.Fatalf("%v and %v overlap on one side only, or not themselves", p, q)
			}
			if p.empty() && !q.empty() && p.overlaps(q) != q.holds(p.from) {
				t.Fatalf("%v stands in %v: %v", p, q, p.overlaps(q))
			}
		}
	}
}

func TestStoredMoments(t *testing.T) {
	t.Parallel()
	fine := time.Date(2026, 11, 21, 14, 0, 0, 1_234_567, time.FixedZone("", 7200))
	if got, want := stored(fine), time.Date(2026, 11, 21, 12, 0, 0, 1_234_000, time.UTC); !got.Equal(want) ||
		got.Location() != time.UTC {
		t.Errorf("%v, want %v", got, want)
	}
	if !stored(time.Time{}).IsZero() || !earliest(time.Time{}, fine).Equal(fine) ||
		!earliest(fine, time.Time{}).Equal(fine) || !earliest(fine, fine.Add(1)).Equal(fine) {
		t.Error("what is not known is not a moment")
	}
}

func TestAttributesAreAdded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ there, more, want string }{
		{"", "", ""},
		{"", `{"a":1}`, `{"a":1}`},
		{`{"a":1}`, "", `{"a":1}`},
		{`{"a":1}`, `{"a":2}`, `{"a":1}`},
		{`{"b":[1,{"x":1.50}]}`, `{"a":"<ש>","b":2,"c":null}`, `{"a":"<ש>","b":[1,{"x":1.50}],"c":null}`},
		{`{"a":1}`, `not JSON`, `{"a":1}`},
		{`{"a":1}`, `null`, `{"a":1}`},
	} {
		if got := withAttributes(c.there, c.more); got != c.want {
			t.Errorf("%s with %s is %s, want %s", c.there, c.more, got, c.want)
		}
	}
}

func FuzzPlaces(f *testing.F) {
	id := model.UUID{1, 2, 3}
	f.Add(writeNamePlace(store.EntityPlace{Name: "דנה", ID: id}))
	f.Add(writeTimePlace(store.TimePlace{At: moment(3), ID: id}))
	f.Add(writeTimePlace(store.TimePlace{ID: id}))
	f.Add(writeRank(999))
	f.Add([]byte{})
	f.Add([]byte("n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if b == nil {
			b = []byte{}
		}
		readable := 0
		if p, err := readNamePlace(b); err == nil {
			readable++
			if !bytes.Equal(writeNamePlace(*p), b) {
				t.Errorf("%q is %v, which is another place", b, p)
			}
		}
		if p, err := readTimePlace(b); err == nil {
			readable++
			if !bytes.Equal(writeTimePlace(*p), b) {
				t.Errorf("%q is %v, which is another place", b, p)
			}
		}
		if rank, err := readRank(b); err == nil {
			readable++
			if rank < 0 || rank > model.MaxSearchDepth {
				t.Errorf("%q is rank %d", b, rank)
			}
		}
		if readable > 1 {
			t.Errorf("%q is several places", b)
		}
	})
}
