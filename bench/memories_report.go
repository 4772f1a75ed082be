//go:build bench

package main

import (
	"fmt"
	"io"
	"slices"
	"time"

	"almanac/projections/ngram"
)

// write says what is measured.
func (l *library) write(w io.Writer, o options) {
	fmt.Fprintf(w,
		"\n### Memories: speed\n\n%d memories of one user, texts and queries of bench/recall/set (templates with values; "+
			"half Hebrew), vectors of %d numbers by the local embedder `%s`; "+
			"on PostgreSQL %d more of other users with %d each, who have the same vectors and %d words of each text. A search "+
			"gives %d hits with whole rows, "+
			"from a query vector that is ready. %d queries, rounds: %d, one search at a time; the ways take turns in an order "+
			"of chance. Load average %s.\n",
		len(l.memories), ngram.Model().Dimensions, ngram.Model().Name, o.others, min(othersEach, max(o.others, 1)),
		othersTerms, wantedHits, len(l.queries), o.rounds, loadAverage())
}

// write writes what was measured on one store.
func (s *shelf) write(w io.Writer) {
	fmt.Fprintf(w, "\n#### %s\n\n%s Load average now %s.\n\n", s.name(), s.sentence(), loadAverage())
	fmt.Fprintln(w, "| what | |\n|---|--:|")
	fmt.Fprintf(w, "| adding %d, %d a call | %.0f a second |\n", len(s.memories), insertedAtOnce,
		rate(len(s.memories), s.laid))
	fmt.Fprintf(w, "| adding %d more at the end, with the searches' index there | %.0f a second |\n", len(s.late),
		rate(len(s.late), s.laidLate))
	if s.bare != nil {
		fmt.Fprintf(w, "| laying the memories of others by SQL | %.1f s |\n", s.laidOthers.Seconds())
		what := "making the index (Sweep)"
		if s.bare.index == "" {
			what = "Sweep, which made no index"
		}
		fmt.Fprintf(w, "| %s | %.2f s |\n", what, s.built.Seconds())
		fmt.Fprintf(w, "| size of the index | %s MiB |\n", mebibytes(s.bare.size))
	}
	fmt.Fprintf(w, "| first search after opening | %s ms |\n", inMillis(s.first))
	fmt.Fprintf(w, "| resident: opened, after the first search, after all | %s, %s, %s MiB |\n",
		mebibytes(s.opened.resident), mebibytes(s.indexed.resident), mebibytes(s.asked.resident))
	fmt.Fprintf(w, "| private: the same | %s, %s, %s MiB |\n", mebibytes(s.opened.private), mebibytes(s.indexed.private),
		mebibytes(s.asked.private))
	fmt.Fprintf(w,
		"\nThe memory is that of the measuring process, which holds the texts, and the vectors for the scan, as well.\n\n| "+
			"search | p50 ms | p95 ms | p50 against %s |\n|---|--:|--:|--:|\n", wayScan)
	for _, one := range s.ways {
		var all []time.Duration
		for _, round := range s.rounds {
			all = append(all, round[one.name]...)
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", one.name, inMillis(percentile(all, 50)), inMillis(percentile(all, 95)),
			spread(s.against(one.name, wayScan)))
	}
	fmt.Fprintf(w, "\nHybrid against the slower leg, p50: %s (floor 1.5, aim 1.1); p95: %s.\n", spread(s.hybrid(50)),
		spread(s.hybrid(95)))
	if s.bare != nil && s.bare.index != "" {
		fmt.Fprintf(w, "Vector alone against the bare statement by the index, p50: %s.\n",
			spread(s.against(wayVector, wayBareIndex)))
	}
	if s.bare != nil {
		fmt.Fprintf(w, "Vector alone against the bare exact statement, p50: %s.\n",
			spread(s.against(wayVector, wayBareExact)))
	}
	fmt.Fprintln(w, "\n| searched by vector | recall@10 against exact |\n|---|--:|")
	for _, one := range s.found {
		fmt.Fprintf(w, "| %s | %.4f |\n", one.name, one.recall)
	}
	if len(s.plans) == 0 {
		return
	}
	fmt.Fprintln(w, "\n| search | scans of the index | served |\n|---|--:|---|")
	for _, p := range s.plans {
		served := "by the index"
		if p.scans == 0 {
			served = "exact, over what passes"
		}
		fmt.Fprintf(w, "| %s | %d in %d searches | %s |\n", p.name, p.scans, p.searches, served)
	}
}

func rate(count int, took time.Duration) float64 { return float64(count) / max(took.Seconds(), 1e-9) }

func inMillis(d time.Duration) string {
	return fmt.Sprintf("%.2f", float64(d)/float64(time.Millisecond))
}

// percentile returns the value that so many of a hundred do not exceed; zero without values.
func percentile(values []time.Duration, of int) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max((len(sorted)*of+99)/100, 1)-1]
}

// against divides the medians of two ways, round by round.
func (s *shelf) against(name, other string) []float64 {
	var out []float64
	for _, round := range s.rounds {
		if below := percentile(round[other], 50); below > 0 {
			out = append(out, float64(percentile(round[name], 50))/float64(below))
		}
	}
	return out
}

// hybrid divides a percentile of the hybrid search by that of the slower leg, round by round.
func (s *shelf) hybrid(of int) []float64 {
	var out []float64
	for _, round := range s.rounds {
		if slower := max(percentile(round[wayVector], of), percentile(round[wayWords], of)); slower > 0 {
			out = append(out, float64(percentile(round[wayHybrid], of))/float64(slower))
		}
	}
	return out
}
