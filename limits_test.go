package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"almanac/internal/httpapi"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/sse"
	"almanac/internal/httpapi/ws"
)

var update = flag.Bool("update", false, "write what is made into the files that hold it")

// The docs publish the limits; this holds them to the code.
func TestLimitsAreInTheDocs(t *testing.T) {
	text, err := os.ReadFile("docs/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), "-update -->\n")
	_, after, ended := strings.Cut(rest, "<!-- end of limits -->")
	if !found || !ended {
		t.Fatal("docs/limits.md has no place for the limits")
	}
	made := before + "-update -->\n" + limitsTable() + "<!-- end of limits -->" + after
	if made == string(text) {
		return
	}
	if !*update {
		t.Fatal("the limits in docs/limits.md are not those of the code; run: go test . -run TestLimitsAreInTheDocs -update")
	}
	if err := os.WriteFile("docs/limits.md", []byte(made), 0o600); err != nil {
		t.Fatal(err)
	}
}

func limitsTable() string {
	table := httpapi.Limits(engine.Limits{})
	table = append(table, ws.Limits{}.Table()...)
	table = append(table, sse.Limits{}.Table()...)
	var out strings.Builder
	out.WriteString("| limit | number | refused | answer |\n|---|---|---|---|\n")
	for _, limit := range table {
		answer := string(limit.Code)
		if limit.Status != 0 {
			answer = strings.TrimSpace(fmt.Sprintf("%d %s", limit.Status, limit.Code))
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", limit.Name, grouped(limit.Max), limit.Refused, answer)
	}
	return out.String()
}

// grouped writes a number with a comma for each thousand.
func grouped(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
