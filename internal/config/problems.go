package config

import "strings"

// Problems are the reasons why the settings are refused, one sentence each, in the order of the table.
type Problems []string

// Error returns the sentences as a list.
func (p Problems) Error() string {
	if len(p) == 1 {
		return p[0]
	}
	return "the settings need mending:\n  - " + strings.Join(p, "\n  - ")
}

// clip shortens a value for a message and replaces control characters.
func clip(text string) string {
	const most = 80
	cleaned := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	runes := []rune(cleaned)
	if len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return cleaned
}

// nearest returns the candidate closest to a mistyped name, "" when none is close.
func nearest(name string, candidates []string) string {
	const longest = 64
	if len(name) > longest {
		return ""
	}
	best, bestDistance := "", 1+max(2, len(name)/3)
	for _, candidate := range candidates {
		if d := editDistance(name, candidate); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// editDistance is Levenshtein's, over bytes: the names compared are ASCII.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
