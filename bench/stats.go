//go:build bench

package main

import (
	"cmp"
	"slices"
)

// median returns the middle of the values, the mean of the two middle ones when their number is even; zero without
// values.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.SortedFunc(slices.Values(values), cmp.Compare[float64])
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// each returns one figure of all samples.
func each[S any](samples []S, figure func(S) float64) []float64 {
	out := make([]float64, len(samples))
	for i, s := range samples {
		out[i] = figure(s)
	}
	return out
}

// ratios divides two rows of samples round by round, so that what disturbs a round disturbs both sides of its ratio.
func ratios[S any](of, to []S, figure func(S) float64) []float64 {
	var out []float64
	for i, above := range of {
		if i == len(to) {
			break
		}
		if below := figure(to[i]); below > 0 {
			out = append(out, figure(above)/below)
		}
	}
	return out
}
