package rrule_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"almanac/projections/rrule"
)

// quickRule makes a rule of the forms that have a quick way, and some that nearly do.
func quickRule(r *rand.Rand) string {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	days := pick("", ";BYDAY=MO", ";BYDAY=SU,SA", ";BYDAY=FR,MO,WE", ";BYDAY=MO,TU,WE,TH,FR")
	rule := "RRULE:" + pick("FREQ=DAILY", "FREQ=WEEKLY"+days, "FREQ=MONTHLY", "FREQ=YEARLY",
		fmt.Sprintf("FREQ=MONTHLY;BYMONTHDAY=%d", 1+r.IntN(31)), "FREQ=MONTHLY;BYMONTHDAY=-1",
		fmt.Sprintf("FREQ=YEARLY;BYMONTH=%d;BYMONTHDAY=%d", 1+r.IntN(12), 1+r.IntN(31)), "FREQ=YEARLY;BYMONTH=2",
		"FREQ=DAILY;BYMONTH=3", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYDAY=-1FR", "FREQ=MONTHLY;BYDAY=5SU",
		"FREQ=MONTHLY;BYDAY=-5MO", "FREQ=MONTHLY;BYDAY=1MO,3MO", "FREQ=YEARLY;BYDAY=2TU")
	if r.IntN(2) == 0 {
		rule += fmt.Sprintf(";INTERVAL=%d", 1+r.IntN(14))
	}
	return rule + pick("", "", ";WKST=SU", ";WKST=WE")
}

// TestTheQuickWayIsTheEngines compares the arithmetic with the engine, from the start on and from later.
func TestTheQuickWayIsTheEngines(t *testing.T) {
	t.Parallel()
	compared := map[bool]int{}
	for seed := range uint64(2_000) {
		r := rand.New(rand.NewPCG(seed, 38))
		start := randomStart(t, r)
		text := quickRule(r)
		set, err := rrule.Parse([]string{text}, start)
		if err != nil {
			continue // a 31st of February
		}
		from := set.Wall()
		if r.IntN(2) == 0 {
			from = from.Add(time.Duration(r.IntN(20*365*24*60)) * time.Minute)
		}
		searched, quick := set.Walks(from)
		compared[quick[0] != nil]++
		if quick[0] == nil {
			continue
		}
		for range 60 {
			want, there := searched[0]()
			got, found := quick[0]()
			if found != there || !got.Equal(want) {
				t.Fatalf("seed %d: %s from %v, starting %v: %v %v, want %v %v", seed, text, from, set.Wall(), got, found, want,
					there)
			}
			if !there {
				break
			}
		}
	}
	if compared[true] < 1_000 || compared[false] < 200 {
		t.Errorf("compared %v", compared)
	}
}

// TestTheQuickWayEndsWithTheHorizon: as the engine does.
func TestTheQuickWayEndsWithTheHorizon(t *testing.T) {
	t.Parallel()
	start := rrule.Start{At: time.Date(2024, 2, 29, 9, 0, 0, 0, time.UTC)}
	for _, text := range []string{"RRULE:FREQ=YEARLY;INTERVAL=400", "RRULE:FREQ=MONTHLY;BYMONTHDAY=31;INTERVAL=999",
		"RRULE:FREQ=DAILY;INTERVAL=9999", "RRULE:FREQ=WEEKLY;BYDAY=MO;INTERVAL=9000", "RRULE:FREQ=YEARLY;INTERVAL=9999"} {
		set, err := rrule.Parse([]string{text}, start)
		if err != nil {
			t.Fatal(err)
		}
		searched, quick := set.Walks(set.Wall())
		for n := 0; ; n++ {
			want, there := searched[0]()
			got, found := quick[0]()
			if found != there || !got.Equal(want) {
				t.Fatalf("%s: %v %v, want %v %v", text, got, found, want, there)
			}
			if !there {
				break
			}
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	for name, line := range map[string]string{"daily": "RRULE:FREQ=DAILY",
		"weekdays": "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "monthly": "RRULE:FREQ=MONTHLY", "second Tuesday": "RRULE:FREQ=MONTHLY;BYDAY=2TU"} {
		b.Run(name, func(b *testing.B) {
			set, err := rrule.Parse([]string{line}, rrule.Start{At: time.Date(2020, 1, 6, 9, 0, 0, 0, time.UTC),
				Zone: zone(b, "Asia/Jerusalem")})
			if err != nil {
				b.Fatal(err)
			}
			at := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
			b.ReportAllocs()
			for b.Loop() {
				next := set.From(at)
				if _, ok := next(); !ok {
					b.Fatal("no occurrence")
				}
			}
		})
	}
}
