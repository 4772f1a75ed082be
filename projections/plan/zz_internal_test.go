package plan

import (
	"os"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

func TestZZ(t *testing.T) {
	zone, _ := time.LoadLocation("Asia/Jerusalem")
	at := when.Moment{Now: time.Date(2026, 11, 21, 12, 0, 0, 0, zone), Zone: zone, WeekStart: model.Sunday, Locale: "en"}
	raw, _ := os.ReadFile("/tmp/say/zz.txt")
	for line := range strings.SplitSeq(strings.TrimSpace(string(raw)), "\n") {
		other, ok := reworded(line, at)
		t.Logf("%s => %v %q", line, ok, other)
	}
	raw, _ = os.ReadFile("/tmp/say/all.txt")
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	for _, l := range lines[:200] {
		Understand(l, at)
	}
	began := time.Now()
	for _, l := range lines {
		Understand(l, at)
	}
	t.Logf("%d in %v: %v", len(lines), time.Since(began), time.Since(began)/time.Duration(len(lines)))
}
