package agenda

import (
	"testing"
	"time"

	"almanac/projections/agenda"
)

// A place of an agenda is what it was when it comes back, and nothing that comes back does harm.
func FuzzAgendaPlace(f *testing.F) {
	f.Add(true, int64(0), 0, "task_01")
	f.Add(false, int64(1_795_334_400_000_000), 3, "")
	f.Add(false, int64(-62_135_596_800_000_000), 1, "event_שלום")
	f.Fuzz(func(t *testing.T, before bool, micros int64, rank int, id string) {
		micros %= 250_000_000_000_000_000 // some 8,000 years
		place := agenda.Place{Before: before, At: time.UnixMicro(micros).UTC(), Rank: int(uint(rank) % 4), ID: id}
		if place.At.IsZero() {
			return // no entry is without a time
		}
		back, ok := decodeAgendaPlace(packAgendaPlace(place))
		if !ok || back.Compare(place) != 0 || back.ID != id {
			t.Errorf("%+v comes back as %+v, %v", place, back, ok)
		}
		if _, ok := decodeAgendaPlace([]byte(id)); ok && len(id) < 26 {
			t.Errorf("%q is a place", id)
		}
	})
}
