//go:build bench

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// result is what came of a scenario.
type result struct {
	scenario scenario
	lasted   time.Duration
	tally    *tally
	breaches breaches
	// rows are lines of the change logs, heard what all listeners heard of them, over so many connections.
	rows, heard, connections, reads int
	ends, marks, logs, readClasses  map[string]int
	faults                          int
	recovery                        *recovery
	terms                           []termination
	// violations are histories that no order explains; histories says how many were checked, if any.
	violations int
	histories  string
	// lines replace the ledger's words for what is no ledger.
	lines []string
}

func newResult(sc scenario) *result {
	return &result{scenario: sc, tally: newTally(), ends: map[string]int{}, logs: map[string]int{}, recovery: &recovery{}}
}

func (r *result) write(out io.Writer) {
	fmt.Fprintf(out, "\n## %s: %s\n\n", r.scenario.name, r.scenario.what)
	switch {
	case r.histories != "":
		r.writeHistories(out)
	case r.lines == nil:
		r.writeLedger(out)
	}
	for _, text := range r.lines {
		fmt.Fprintln(out, text)
	}
	if r.breaches.total() == 0 {
		fmt.Fprintln(out, "every promise held")
	}
	for _, example := range r.breaches.examples {
		fmt.Fprintf(out, "BREACH %s\n", example)
	}
}

func (r *result) writeLedger(out io.Writer) {
	t := r.tally
	fmt.Fprintf(out,
		"%d writes acknowledged in %.0f s (%.0f/s), %d faults; lost %d, doubled %d, gaps in the log %d, listeners that "+
			"misheard %d, other %d\n",
		t.acks, r.lasted.Seconds(), float64(t.acks)/r.lasted.Seconds(), r.faults, r.breaches.lost, r.breaches.doubled,
		r.breaches.gaps, r.breaches.misheard, r.breaches.other)
	fmt.Fprintf(out, "changes in the log %d; heard by listeners %d over %d connections\n", r.rows, r.heard, r.connections)
	fmt.Fprintf(out,
		"answered from the record %d (of those %d after an attempt whose outcome the client could not know); same write "+
			"twice at once %d, later again %d, key used for another request %d\n",
		t.replays, t.cutOff, t.twins, t.repeats, t.misuses)
	writeCounts(out, "faults", r.marks)
	writeCounts(out, "failed attempts, as clients saw them", t.classes)
	fmt.Fprintf(out, "reads answered %d\n", r.reads)
	writeCounts(out, "failed reads", r.readClasses)
	if len(t.messages) > 0 {
		fmt.Fprintf(out, "messages: %s\n", strings.Join(slices.Sorted(maps.Keys(t.messages)), " | "))
	}
	writeCounts(out, "how listeners' connections ended", r.ends)
	if len(r.recovery.took) > 0 {
		fmt.Fprintf(out, "first write acknowledged after a fault: %s; not before the next fault: %d\n",
			spread(r.recovery.took), r.recovery.missed)
	}
	if len(r.terms) > 0 {
		var took []time.Duration
		for _, one := range r.terms {
			took = append(took, one.took)
		}
		fmt.Fprintf(out, "from SIGTERM to the end of the process: %s\n", spread(took))
	}
	writeCounts(out, "servers' logs from WARN up", r.logs)
}

func (r *result) writeHistories(out io.Writer) {
	fmt.Fprintln(out, r.histories)
	fmt.Fprintf(out, "%d writes acknowledged in %.0f s, %d faults; lost %d, doubled %d, other %d\n", r.tally.acks,
		r.lasted.Seconds(), r.faults, r.breaches.lost, r.breaches.doubled, r.breaches.other)
	fmt.Fprintf(out, "answered from the record %d; same write twice at once %d\n", r.tally.replays, r.tally.twins)
	writeCounts(out, "faults", r.marks)
	writeCounts(out, "failed attempts, as clients saw them", r.tally.classes)
	writeCounts(out, "servers' logs from WARN up", r.logs)
}

func writeCounts(out io.Writer, title string, counts map[string]int) {
	if len(counts) == 0 {
		return
	}
	var parts []string
	for _, name := range slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return counts[b] - counts[a] }) {
		parts = append(parts, fmt.Sprintf("%s %d", name, counts[name]))
	}
	fmt.Fprintf(out, "%s: %s\n", title, strings.Join(parts, ", "))
}

// spread says how long things took.
func spread(took []time.Duration) string {
	if len(took) == 0 {
		return "never"
	}
	sorted := slices.Sorted(slices.Values(took))
	at := func(share float64) time.Duration {
		return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("p50 %v, p90 %v, p99 %v, longest %v (%d)", at(.5), at(.9), at(.99),
		sorted[len(sorted)-1].Round(100*time.Microsecond), len(sorted))
}

// writeSummary adds up all scenarios.
func writeSummary(out io.Writer, all []*result) {
	var acks, rows, faults, breaks, violations int
	marks := map[string]int{}
	var sum breaches
	for _, r := range all {
		acks += r.tally.acks
		rows += r.rows
		faults += r.faults
		breaks += r.breaches.total()
		violations += r.violations
		sum.lost += r.breaches.lost
		sum.doubled += r.breaches.doubled
		sum.gaps += r.breaches.gaps
		sum.misheard += r.breaches.misheard
		for name, n := range r.marks {
			marks[name] += n
		}
	}
	fmt.Fprintf(out,
		"\n## Together\n\n%d acknowledged writes, %d changes, %d faults: lost %d, doubled %d, gaps %d, misheard %d, "+
			"histories without an order %d; breaches in all %d\n", acks, rows, faults, sum.lost, sum.doubled, sum.gaps,
		sum.misheard, violations, breaks)
	writeCounts(out, "faults", marks)
	for _, r := range all { // again, for whoever sees the end alone
		for _, example := range r.breaches.examples {
			fmt.Fprintf(out, "BREACH %s: %s\n", r.scenario.name, example)
		}
	}
}
