//go:build bench

package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"
)

// writeReport writes what was measured as Markdown.
func (r *runner) writeReport(w io.Writer) {
	fmt.Fprintf(w,
		"\n### Requests\n\nMedians of %d rounds of %v. × is throughput, CPU × the server's processor time for each request, "+
			"against `%s`: the median of the rounds' ratios, "+
			"in brackets the lowest and the highest round.\n\n", r.options.rounds, r.options.length, r.yardstick())
	fmt.Fprintln(w,
		"| case | connections | server | req/s | × | p50 ms | p99 ms | CPU µs | CPU × | PG CPU µs | KB |\n"+
			"|---|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, c := range r.cases {
		for _, connections := range r.options.connections {
			for _, s := range r.servers {
				r.writeRow(w, slot{caseName: c.name, connections: connections, server: s.name})
			}
		}
	}
	r.writeDepth(w)
	r.writeMemory(w)
}

// yardstick is the server that the others are held against.
func (r *runner) yardstick() string {
	for _, s := range r.servers {
		if s.name == "hand" {
			return s.name
		}
	}
	return r.servers[len(r.servers)-1].name
}

func serverCPU(s sample) time.Duration { return s.cpu }

func perSecond(s sample) float64 { return s.perSecond }

func (r *runner) writeRow(w io.Writer, at slot) {
	samples := r.samples[at]
	against := at
	against.server = r.yardstick()
	fmt.Fprintf(w, "| %s | %d | %s | %.0f | %s | %s | %s | %s | %s | %s | %.1f |\n", at.caseName, at.connections,
		at.server,
		median(each(samples, perSecond)), spread(ratios(samples, r.samples[against], perSecond)),
		millis(samples, func(s sample) time.Duration { return s.p50 }),
		millis(samples, func(s sample) time.Duration { return s.p99 }),
		micros(samples, serverCPU), spread(ratios(samples, r.samples[against], func(s sample) float64 {
			return float64(s.cpu)
		})), micros(samples, func(s sample) time.Duration { return s.database }),
		median(each(samples, func(s sample) float64 { return s.bytes }))/1000)
}

// spread writes the median of ratios with the lowest and the highest.
func spread(values []float64) string {
	if len(values) == 0 {
		return "–"
	}
	low, high := values[0], values[0]
	for _, v := range values {
		low, high = min(low, v), max(high, v)
	}
	if low == high {
		return fmt.Sprintf("%.2f", low)
	}
	return fmt.Sprintf("%.2f (%.2f–%.2f)", median(values), low, high)
}

func millis(samples []sample, figure func(sample) time.Duration) string {
	return fmt.Sprintf("%.2f", median(each(samples,
		func(s sample) float64 { return float64(figure(s)) / float64(time.Millisecond) })))
}

// micros writes a time for each request; a dash where it could not be read.
func micros(samples []sample, figure func(sample) time.Duration) string {
	value := median(each(samples, func(s sample) float64 { return float64(figure(s)) / float64(time.Microsecond) }))
	if value == 0 {
		return "–"
	}
	return fmt.Sprintf("%.0f", value)
}

// writeDepth writes what a late page costs against the first.
func (r *runner) writeDepth(w io.Writer) {
	var lines strings.Builder
	for _, s := range r.servers {
		for _, connections := range r.options.connections {
			late := r.samples[slot{caseName: "page1000", connections: connections, server: s.name}]
			early := r.samples[slot{caseName: "page1", connections: connections, server: s.name}]
			if len(late) == 0 || len(early) == 0 {
				continue
			}
			latency := func(s sample) float64 { return float64(s.p50) }
			cpu := func(s sample) float64 { return float64(s.cpu + s.database) }
			fmt.Fprintf(&lines, "| %s | %d | %s | %s |\n", s.name, connections, spread(ratios(late, early, latency)),
				spread(ratios(late, early, cpu)))
		}
	}
	if lines.Len() > 0 {
		fmt.Fprintf(w,
			"\n### Page 1,000 against page 1\n\n| server | connections | p50 | CPU of server and database |\n"+
				"|---|--:|--:|--:|\n"+
				"%s", lines.String())
	}
}

// writeMemory writes what the servers hold after the load.
func (r *runner) writeMemory(w io.Writer) {
	fmt.Fprintln(w,
		"\n### Memory after the load\n\n| server | resident MiB | highest MiB | private now MiB |\n|---|--:|--:|--:|")
	for _, s := range r.servers {
		held := memory(s.pid())
		fmt.Fprintf(w, "| %s | %s | %s | %s |\n", s.name, mebibytes(held.resident), mebibytes(held.peak),
			mebibytes(held.private))
	}
}

func mebibytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/(1<<20)) }

// writeMachine says where and how this was measured.
func writeMachine(w io.Writer, now time.Time, database, command string) {
	fmt.Fprintf(w, "Command: `%s`\n\n", command)
	fmt.Fprintf(w,
		"%s, %s, %s/%s, %d processors (%s); client, server and database on this one machine; load average at the start %s. "+
			"%s.\n",
		now.Format("2006-01-02 15:04 MST"), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor(),
		loadAverage(), database)
}

// writeWorld says what data there is, and who is compared.
func writeWorld(w io.Writer, o options) {
	fmt.Fprintf(w, "\n%d users with %d tasks each, %d more to write to, one user with %d tasks.\n\nServers:\n\n", o.users,
		perPerson, o.writers(), o.deep)
	for _, name := range o.servers {
		fmt.Fprintf(w, "- `%s`: %s\n", name, kinds()[name])
	}
}
