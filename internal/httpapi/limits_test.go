package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
)

func TestLimitsTable(t *testing.T) {
	var rows strings.Builder
	for _, l := range httpapi.Limits(engine.Limits{}) {
		fmt.Fprintf(&rows, "| %s | %d | %s | %d | `%s` |\n", l.Name, l.Max, l.Refused, l.Status, l.Code)
	}
	table := rows.String()
	for _, row := range []string{
		"| body | 1048576 | a request body of more bytes | 413 | `BAD_USER_INPUT` |",
		"| tokens | 5000 |", "| depth | 15 |", "| aliases | 30 |", "| rootFields | 20 |", "| directives | 50 |",
		"| cost | 10000 |",
		"| inFlight | 256 | more requests at once, when the queue is full too | 503 | `RATE_LIMITED` |",
	} {
		if !strings.Contains(table, row) {
			t.Errorf("no %s in\n%s", row, table)
		}
	}
	seen := map[string]bool{}
	for _, limit := range httpapi.Limits(engine.Limits{Depth: 7}) {
		if seen[limit.Name] || limit.Max <= 0 || limit.Refused == "" ||
			limit.Status < 400 && (limit.Status != 200 || limit.Code == "") {
			t.Errorf("%+v", limit)
		}
		seen[limit.Name] = true
		if limit.Name == "depth" && limit.Max != 7 {
			t.Errorf("the number in force is 7: %+v", limit)
		}
	}
}
