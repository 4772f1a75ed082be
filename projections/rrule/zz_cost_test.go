package rrule_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/projections/rrule"
)

func TestZZCost(t *testing.T) {
	jer := zone(t, "Asia/Jerusalem")
	seq := func(lo, hi int) string {
		var s []string
		for i := lo; i <= hi; i++ {
			if i != 0 {
				s = append(s, fmt.Sprint(i))
			}
		}
		return strings.Join(s, ",")
	}
	for _, y := range []int{1600, 2026} {
		for _, rule := range []string{
			"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
			"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
			"FREQ=WEEKLY;BYMONTH=2;BYDAY=MO;BYSETPOS=31",
			"FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2",
			"FREQ=DAILY;INTERVAL=7;BYDAY=TU",
			"FREQ=DAILY;COUNT=10000",
			"FREQ=DAILY;COUNT=10000;BYMONTHDAY=29;BYMONTH=2",
			"FREQ=DAILY;COUNT=10000;BYDAY=MO;BYMONTHDAY=1,2,3",
			"FREQ=WEEKLY;COUNT=10000;BYDAY=SU,MO,TU,WE,TH,FR,SA",
			"FREQ=YEARLY;COUNT=10000;BYDAY=" + "SU,MO,TU,WE,TH,FR,SA,1MO",
			"FREQ=YEARLY;COUNT=10000;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=366",
			"FREQ=YEARLY;COUNT=10000;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=" + seq(336, 366),
			"FREQ=YEARLY;BYWEEKNO=53;COUNT=10000",
			"FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=366",
			"FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU,MO,TU,WE,TH,FR,SA;COUNT=10000;BYSETPOS=1",
			"FREQ=YEARLY;BYWEEKNO=1;BYYEARDAY=200",
			"FREQ=YEARLY;BYYEARDAY=" + seq(-50, 50) + ";BYMONTHDAY=30;BYMONTH=2",
			"FREQ=YEARLY;BYYEARDAY=366;BYDAY=MO;BYWEEKNO=20",
			"FREQ=MONTHLY;BYDAY=SU,MO,TU,WE,TH,FR,SA,1MO;BYSETPOS=-366",
			"FREQ=MONTHLY;BYDAY=" + "1SU,2SU,3SU,4SU,5SU,1MO,2MO,3MO,4MO,5MO,1TU,2TU,3TU,4TU,5TU,1WE,2WE,3WE,4WE,5WE;BYSETPOS=" + seq(336, 366),
			"FREQ=WEEKLY;BYMONTH=2;BYDAY=SU,MO,TU,WE,TH,FR,SA;BYSETPOS=" + seq(336, 366),
			"FREQ=DAILY;BYMONTH=2;BYSETPOS=" + seq(336, 366),
			"FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=" + seq(336, 366),
			"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
		} {
			start := rrule.Start{At: time.Date(y, 1, 1, 9, 0, 0, 0, time.UTC), Zone: jer}
			for _, n := range []int{1, 8} {
				var lines []string
				for range n {
					lines = append(lines, "RRULE:"+rule)
				}
				b := time.Now()
				s, err := rrule.Parse(lines, start)
				p := time.Since(b)
				b = time.Now()
				if err == nil {
					s.Between(start.At, time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC), 10000)
				}
				if p > 5*time.Millisecond || n == 1 {
					t.Logf("%d x%d parse %v between %v %.60s err=%v", y, n, p, time.Since(b), rule, err != nil)
				}
			}
		}
	}
}
