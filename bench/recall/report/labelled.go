//go:build bench

package report

import (
	"context"
	"fmt"
	"io"
	"slices"

	"almanac/bench/recall/set"
)

// Labelled measures a labelled set with both legs on an empty, migrated store, and writes a table; with verbose also
// each query whose first hit is wrong.
func Labelled(ctx context.Context, s Store, name string, of set.Set, verbose bool, out io.Writer) error {
	rows, err := measureLabelled(ctx, s, name, of, func(q set.Query, hits []int) {
		if verbose && (len(q.Answers) == 0) != (len(hits) == 0) || verbose && len(hits) > 0 &&
			!slices.Contains(q.Answers, hits[0]) {
			fmt.Fprintf(out, "%s %s %q: %s\n", q.Kind, q.Language, q.Text, rankOf(q, hits))
			if len(hits) > 0 {
				fmt.Fprintf(out, "    first: %s\n", of.Memories[hits[0]].Content)
			}
			for _, at := range q.Answers {
				fmt.Fprintf(out, "    right: %s\n", of.Memories[at].Content)
			}
		}
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(out,
		"\n### The written set %q\n\n%d memories, %d queries. Precision of the first: of the queries that found "+
			"anything, those whose first hit is right.\n\n| queries | | recall@10 | MRR | first right | precision of the first "+
			"| nothing found |\n|---|--:|--:|--:|--:|--:|--:|\n", name, len(of.Memories), len(of.Queries))
	names := []string{"all", "asked in en", "asked in he"}
	for _, kind := range set.LabelledKinds() {
		names = append(names, string(kind)+" en", string(kind)+" he")
	}
	for _, row := range names {
		if f := rows[row]; f != nil {
			f.write(out, row)
		}
	}
	return nil
}

// measureLabelled asks all queries of a labelled set, with both legs, and returns the figures by the names of their
// rows.
func measureLabelled(ctx context.Context, s Store, name string, of set.Set,
	answered func(q set.Query, hits []int)) (map[string]*labelledFigures, error) {
	k, err := keep(ctx, s, "recall "+name, of.Memories, vectorsOf(of.Memories))
	if err != nil {
		return nil, err
	}
	rows := make(map[string]*labelledFigures)
	for _, q := range of.Queries {
		hits, err := k.search(ctx, q.Text, legs()[2].weights)
		if err != nil {
			return nil, fmt.Errorf("search %q: %w", q.Text, err)
		}
		for _, row := range []string{"all", "asked in " + string(q.Language), string(q.Kind) + " " + string(q.Language)} {
			if rows[row] == nil {
				rows[row] = &labelledFigures{}
			}
			rows[row].add(q, hits)
		}
		answered(q, hits)
	}
	return rows, nil
}

func rankOf(q set.Query, hits []int) string {
	for i, at := range hits {
		if slices.Contains(q.Answers, at) {
			return fmt.Sprintf("right at %d of %d", i+1, len(hits))
		}
	}
	return fmt.Sprintf("none right of %d", len(hits))
}

// labelledFigures are sums over queries of which some have no answer.
type labelledFigures struct {
	figures
	// asked are all queries, first those whose first hit is right, found those with a hit.
	asked, first, found float64
}

func (f *labelledFigures) add(q set.Query, hits []int) {
	f.asked++
	if len(hits) > 0 {
		f.found++
	}
	if len(q.Answers) == 0 {
		return
	}
	f.figures = f.plus(judge(q, hits))
	if len(hits) > 0 && slices.Contains(q.Answers, hits[0]) {
		f.first++
	}
}

func (f *labelledFigures) write(w io.Writer, name string) {
	share := func(part, whole float64) string {
		if whole == 0 {
			return "–"
		}
		return fmt.Sprintf("%.3f", part/whole)
	}
	fmt.Fprintf(w, "| %s | %.0f | %s | %s | %s | %s | %s |\n", name, f.asked, share(f.recall, f.queries),
		share(f.reciprocal, f.queries), share(f.first, f.queries), share(f.first, f.found), share(f.asked-f.found, f.asked))
}
