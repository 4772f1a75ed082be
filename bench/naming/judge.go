//go:build bench

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"almanac/projections/fold"
	"almanac/projections/naming"
)

// verdict is what came of a text.
type verdict int

const (
	// right: the one thing that is meant was acted on.
	right verdict = iota
	// wrong: another was, or one where several or none may be meant.
	wrong
	// asked: it was asked, and what is meant, if it is there, was among what was shown.
	asked
	// lost: it was asked, and what is meant was not shown.
	lost
	// missed: nothing was found.
	missed
	verdicts
)

type judged struct {
	one
	verdict verdict
	shown   []string
}

// judge decides on every text of a set.
func judge(set []one, rules naming.Rules) []judged {
	var out []judged
	for _, s := range set {
		candidates := make([]naming.Candidate[int], len(s.stored))
		for i, name := range s.stored {
			candidates[i] = naming.Candidate[int]{ID: i, Name: name, Same: fold.Text(name)}
		}
		d := naming.Decide(naming.New(s.query, kindsByName[s.kind]), candidates, rules)
		j := judged{one: s, verdict: missed}
		for _, m := range d.Matches {
			j.shown = append(j.shown, s.stored[m.ID])
		}
		switch d.Outcome {
		case naming.Found, naming.Many:
			j.verdict = wrong
			if len(s.want) == 1 && d.Matches[0].ID == s.want[0] {
				j.verdict = right
			}
		case naming.Ask:
			j.verdict = asked
			for _, want := range s.want {
				if !slices.ContainsFunc(d.Matches, func(m naming.Match[int]) bool { return m.ID == want }) {
					j.verdict = lost
				}
			}
		case naming.None:
		}
		out = append(out, j)
	}
	return out
}

// report prints the counts and shares by class, and by class with kind and with language.
func report(out io.Writer, all []judged) {
	fmt.Fprintln(out, "| class | of | texts | acted right | acted wrongly | asked | asked without it | not found |")
	fmt.Fprintln(out, "|---|---|--:|--:|--:|--:|--:|--:|")
	groups := map[string]*[verdicts]int{}
	var order []string
	add := func(name string, v verdict) {
		if groups[name] == nil {
			groups[name] = new([verdicts]int)
			order = append(order, name)
		}
		groups[name][v]++
	}
	for _, j := range all {
		add(j.class+" | **all**", j.verdict)
		add(j.class+" | "+j.kind, j.verdict)
		add(j.class+" | "+j.lang, j.verdict)
	}
	slices.Sort(order)
	for _, name := range order {
		counts := groups[name]
		total := 0
		for _, n := range counts {
			total += n
		}
		fmt.Fprintf(out, "| %s | %d |", name, total)
		for _, n := range counts {
			fmt.Fprintf(out, " %d (%.1f %%) |", n, 100*float64(n)/float64(total))
		}
		fmt.Fprintln(out)
	}
	fmt.Fprintln(out)
}

// failures prints what was not judged right: of what is there, what was not acted on; of the rest, what was.
func failures(out io.Writer, all []judged) {
	names := [verdicts]string{"right", "WRONG", "asked", "asked without it", "not found"}
	for _, j := range all {
		if j.class == "present" && j.verdict == right || j.class != "present" && j.verdict != wrong &&
			(j.class != "ambiguous" || j.verdict == asked) {
			continue
		}
		var want []string
		for _, i := range j.want {
			want = append(want, j.stored[i])
		}
		fmt.Fprintf(out, "%s %s %s %s: %q\n    meant %q\n    shown %q\n", j.id, j.class, j.kind, names[j.verdict], j.query,
			strings.Join(want, " | "), strings.Join(j.shown, " | "))
	}
}
