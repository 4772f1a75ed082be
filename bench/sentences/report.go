//go:build bench

package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// tally counts what came of sentences.
type tally struct {
	total    int
	verdicts [verdicts]int
	// accepted are those asked that the set takes for right too.
	accepted, wrote int
}

func count(all []result) (t tally) {
	for _, one := range all {
		t.total++
		t.verdicts[one.verdict]++
		if one.accepted {
			t.accepted++
		}
		if one.wrote {
			t.wrote++
		}
	}
	return t
}

func (t tally) share(n int) float64 { return 100 * float64(n) / float64(max(t.total, 1)) }

// report prints the counts and shares by file, and by file with domain.
func report(out io.Writer, all []result) {
	fmt.Fprintln(out, "| file | of | sentences | right | asked | of these accepted | refused | silently wrong | wrote |")
	fmt.Fprintln(out, "|---|---|--:|--:|--:|--:|--:|--:|--:|")
	line := func(file, of string, some []result) {
		t := count(some)
		fmt.Fprintf(out, "| %s | %s | %d |", file, of, t.total)
		for _, n := range []int{t.verdicts[right], t.verdicts[asked], t.accepted, t.verdicts[refused], t.verdicts[wrong],
			t.wrote} {
			fmt.Fprintf(out, " %d (%.1f %%) |", n, t.share(n))
		}
		fmt.Fprintln(out)
	}
	groups := byFile(all)
	for _, file := range sorted(groups) {
		line(file, "**all**", groups[file])
		domains := map[string][]result{}
		for _, one := range groups[file] {
			of := one.Expect.Domain
			if one.Class == "question" {
				of = one.Lang + " " + of
			}
			domains[of] = append(domains[of], one)
		}
		for _, domain := range sorted(domains) {
			line(file, domain, domains[domain])
		}
	}
	line("**all**", "", all)
	fmt.Fprintln(out)
}

// sorted are the names of groups in order.
func sorted(groups map[string][]result) []string { return slices.Sorted(maps.Keys(groups)) }

// failures prints what was not judged right.
func failures(out io.Writer, all []result) {
	for _, one := range all {
		if one.verdict == right {
			continue
		}
		verdict := one.verdict.String()
		if one.verdict == wrong {
			verdict = "WRONG"
		}
		if one.accepted {
			verdict += " (accepted)"
		}
		fmt.Fprintf(out, "%s %s: %s\n    %s\n    expected %s\n    got      %s\n", one.ID, verdict, one.Text, one.why,
			one.Expect.text, one.got)
	}
}

// belowFloors says which floors are not held: of all files together, by class.
func belowFloors(all []result) error {
	var failed []error
	whole := count(all)
	if share := whole.share(whole.verdicts[wrong]); share > 0.5 {
		failed = append(failed, fmt.Errorf("%.1f %% are silently wrong, not 0.5 %%", share))
	}
	if whole.wrote > 0 {
		failed = append(failed, fmt.Errorf("%d that read have written", whole.wrote))
	}
	for class, floor := range map[string]float64{"everyday": 60, "calendar": 75} {
		some := slices.DeleteFunc(slices.Clone(all), func(r result) bool { return !strings.HasPrefix(r.Class, class) })
		if t := count(some); t.total > 0 && t.share(t.verdicts[right]) < floor {
			failed = append(failed, fmt.Errorf("%.1f %% of %s are right, not %.0f %%", t.share(t.verdicts[right]), class, floor))
		}
	}
	return errors.Join(failed...)
}
