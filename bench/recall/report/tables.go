//go:build bench

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"almanac/bench/recall/set"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/ngram"
	"almanac/projections/vector"
)

// group is a part of the queries.
type group struct {
	name string
	pass func(q set.Query) bool
}

// groups are the parts that a report tells of.
func groups() []group {
	all := []group{
		{"**all**", func(set.Query) bool { return true }},
		{"written by hand", func(q set.Query) bool { return !q.Made }},
		{"made from templates", func(q set.Query) bool { return q.Made }},
		{"asked in English", func(q set.Query) bool { return q.Language == set.English }},
		{"asked in Hebrew", func(q set.Query) bool { return q.Language == set.Hebrew }},
	}
	for _, kind := range set.Kinds() {
		all = append(all, group{string(kind), func(q set.Query) bool { return q.Kind == kind }})
	}
	return all
}

func writeRecall(w io.Writer, s set.Set, outcomes []outcome) {
	fmt.Fprintf(w,
		"\n### Memories: what is found\n\n%d memories, %d queries; recall@10 / mean reciprocal rank, of the half of the "+
			"queries that was used for tuning (dev) and of the other one (test).\n\n"+
			"| queries | dev | meaning | words | both | test | meaning | words | both |\n"+
			"|---|--:|--:|--:|--:|--:|--:|--:|--:|\n",
		len(s.Memories), len(s.Queries))
	for _, g := range groups() {
		fmt.Fprintf(w, "| %s ", g.name)
		for _, test := range []bool{false, true} {
			for at := range legs() {
				sum := total(outcomes, at, func(q set.Query) bool { return q.Test == test && g.pass(q) })
				if at == 0 {
					fmt.Fprintf(w, "| %.0f ", sum.queries)
				}
				recall, reciprocal := sum.mean()
				fmt.Fprintf(w, "| %.3f / %.3f ", recall, reciprocal)
			}
		}
		fmt.Fprintln(w, "|")
	}
}

// formula is a way to make one score of two.
type formula struct {
	name  string
	score func(s scored) float64
}

// formulas are the contract's with several weights, and some others.
func formulas() []formula {
	var all []formula
	for _, w := range []weights{{0.5, 0.5}, {0.6, 0.4}, {0.7, 0.3}, {0.8, 0.2}, {0.9, 0.1}} {
		all = append(all, formula{fmt.Sprintf("%.1f · similarity + %.1f · keyword", w.similarity, w.keyword), w.score})
	}
	stretched := func(similarity float64) float64 { return min(max(similarity, 0)/0.6, 1) }
	all = append(all,
		formula{"0.7 · min(similarity / 0.6, 1) + 0.3 · keyword",
			func(s scored) float64 { return 0.7*stretched(s.similarity) + 0.3*s.keyword }},
		formula{"the larger of similarity and keyword / 2", func(s scored) float64 { return max(s.similarity, s.keyword/2) }},
	)
	return all
}

func writeWeights(w io.Writer, queries []set.Query, b *brute) {
	sums := make([][2]figures, len(formulas()))
	for _, q := range queries {
		all := b.score(q.Text)
		for i, f := range formulas() {
			half := 0
			if q.Test {
				half = 1
			}
			sums[i][half] = sums[i][half].plus(judge(q, rankBy(all, f.score)))
		}
	}
	fmt.Fprint(w, "\n#### Other ways to make one score of two\n\n| score | dev | test |\n|---|--:|--:|\n")
	for i, f := range formulas() {
		dev, devRank := sums[i][0].mean()
		test, testRank := sums[i][1].mean()
		fmt.Fprintf(w, "| %s | %.3f / %.3f | %.3f / %.3f |\n", f.name, dev, devRank, test, testRank)
	}
}

// writeCurves writes what the two thresholds of the embedder are made of.
func writeCurves(w io.Writer, s set.Set, b *brute) {
	related, others := similarities(s, b)
	fmt.Fprintf(w,
		"\n#### Similarities of the local embedder\n\nOf a query and a right memory, and of a query written by hand and any "+
			"other memory. The model's floor is %.2f.\n\n"+
			"| similarity | others below it | right ones at or above it |\n|--:|--:|--:|\n", floor())
	for _, at := range []float64{0.10, 0.15, 0.20, 0.25, 0.30, 0.35, 0.40} {
		fmt.Fprintf(w, "| %.2f | %.2f %% | %.1f %% |\n", at, 100*below(others, at), 100*(1-below(related, at)))
	}
	fmt.Fprintf(w,
		"\nOf contacts and key-values with another number or value, and what was known before: how many of the known that "+
			"are so near are the right one (precision), and how many right ones are so near (recall). "+
			"The model's bound for near is %.2f.\n\n| similarity | precision | recall |\n|--:|--:|--:|\n", near())
	ones := changedOnes(s, b)
	for _, at := range []float64{0.65, 0.70, 0.75, 0.80, 0.82, 0.85, 0.90} {
		precision, recall := ones.at(at)
		fmt.Fprintf(w, "| %.2f | %.3f | %.3f |\n", at, precision, recall)
	}
}

// floor and near are the thresholds of the local embedder.
func floor() float64 { return ngram.Model().Floor }
func near() float64  { return ngram.Model().Near }

// similarities are those of queries and their answers, and of the queries written by hand and all else, ascending.
// Templates make memories that are much alike, so their queries are no measure of the latter.
func similarities(s set.Set, b *brute) (related, others []float64) {
	for _, q := range s.Queries {
		query := ngram.Embed(q.Text)
		for at, v := range b.vectors {
			similarity := vector.Cosine(query, v)
			switch {
			case slices.Contains(q.Answers, at):
				related = append(related, similarity)
			case !q.Made:
				others = append(others, similarity)
			}
		}
	}
	slices.Sort(related)
	slices.Sort(others)
	return related, others
}

// below is the share of ascending numbers below a bound.
func below(ascending []float64, bound float64) float64 {
	at, _ := slices.BinarySearch(ascending, bound)
	return float64(at) / float64(len(ascending))
}

// nearOnes are the similarities of changed memories to what they were, and to others.
type nearOnes struct{ right, wrong []float64 }

// at returns precision and recall of a bound.
func (n nearOnes) at(bound float64) (precision, recall float64) {
	right := (1 - below(n.right, bound)) * float64(len(n.right))
	wrong := (1 - below(n.wrong, bound)) * float64(len(n.wrong))
	if right == 0 {
		return 1, 0
	}
	return right / (right + wrong), right / float64(len(n.right))
}

// changedEach is of how many memories one is changed.
const changedEach = 3

// changedOnes returns a third of the contacts and key-values that have digits other digits, and holds them against all
// memories of their type. One that says the same but for digits is neither right nor wrong.
func changedOnes(s set.Set, b *brute) nearOnes {
	var n nearOnes
	for i, m := range s.Memories {
		changed := m
		changed.Content, changed.Metadata = otherDigits(m.Content, i), otherDigits(m.Metadata, i)
		if m.Type == model.MemoryNote || changed.Content == m.Content || i%changedEach != 0 {
			continue
		}
		v := ngram.Embed(memo.Text(changed))
		for at, other := range s.Memories {
			switch similarity := vector.Cosine(v, b.vectors[at]); {
			case at == i:
				n.right = append(n.right, similarity)
			case other.Type == m.Type && withoutDigits(other.Content) != withoutDigits(m.Content):
				n.wrong = append(n.wrong, similarity)
			}
		}
	}
	slices.Sort(n.right)
	slices.Sort(n.wrong)
	return n
}

func (f indexFigures) write(w io.Writer) {
	fmt.Fprintf(w,
		"\n#### The index against looking at everything\n\n%d memories of one user with the local embedder's vectors, %d "+
			"queries, the ten most similar.\n\n| among | recall@10 | median |\n|---|--:|--:|\n"+
			"| all | %.4f | %s |\n| 1 %% of them, by a tag | %.4f | %s |\n", f.memories, f.asked, f.whole,
		f.wholeTook.Round(10*time.Microsecond), f.part, f.partTook.Round(10*time.Microsecond))
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// otherDigits changes every digit.
func otherDigits(text string, by int) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return '0' + (r-'0'+rune(1+by%9))%10
		}
		return r
	}, text)
}

// withoutDigits leaves digits out, and what phone numbers have between them.
func withoutDigits(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' || r == '+' || r == '-' {
			return -1
		}
		return r
	}, text))
}
