package main

import (
	"cmp"
	"slices"
	"sync"

	"almanac/projections/ngram/meanings"
)

// related is a word that means nearly the same as another.
type related struct {
	place    int
	likeness float64
}

const (
	// everyday is up to which rank an English word is said for another, if it is not in the documents, and near from which
	// cosine on.
	everyday, near = 15_000, 0.5
	// translated is how much nearer a word of the other language is that is said of the same things.
	translated = 0.4
	// leastSaid is the weight of a word that says enough to be said for another.
	leastSaid = 0.4
)

// relate finds the related words of all entries, which have unit length: for each the nearest of each language.
func relate(all []*entry) [][]related {
	vectors := make([][]float32, len(all))
	var candidates []int
	for i, e := range all {
		vectors[i] = make([]float32, len(e.sum))
		for j, x := range e.sum {
			vectors[i][j] = float32(x)
		}
		if e.text != "" && e.weight >= leastSaid && (e.hebrew || e.rank <= everyday || e.said) {
			candidates = append(candidates, i)
		}
	}
	out := make([][]related, len(all))
	var work sync.WaitGroup
	for part := range 2 {
		work.Go(func() {
			for i := part; i < len(all); i += 2 {
				out[i] = nearest(all, vectors, candidates, i)
			}
		})
	}
	work.Wait()
	return out
}

// likenessOf is the cosine of two vectors of unit length; in four sums, which a processor adds up beside each other.
func likenessOf(x, y []float32) float32 {
	var a, b, c, d float32
	y = y[:len(x)]
	for i := 0; i+3 < len(x); i += 4 {
		a += float32(x[i] * y[i])
		b += float32(x[i+1] * y[i+1])
		c += float32(x[i+2] * y[i+2])
		d += float32(x[i+3] * y[i+3])
	}
	return a + b + c + d
}

func nearest(all []*entry, vectors [][]float32, candidates []int, at int) []related {
	var found [2][]related
	if all[at].text == "" {
		return nil
	}
	for _, i := range candidates {
		if i == at {
			continue
		}
		likeness := likenessOf(vectors[i], vectors[at])
		if likeness < near-translated {
			continue
		}
		if together := all[at].with[all[i]]; together > 0 {
			likeness += float32(translated * together)
		}
		if likeness >= near {
			language := 0
			if all[i].hebrew {
				language = 1
			}
			found[language] = append(found[language], related{i, float64(min(likeness, 1))})
		}
	}
	var out []related
	for _, some := range found {
		slices.SortStableFunc(some, func(a, b related) int { return cmp.Compare(b.likeness, a.likeness) })
		out = append(out, some[:min(len(some), meanings.MostRelated/2)]...)
	}
	return out
}
