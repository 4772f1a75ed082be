package plan

import "testing"

// All patterns can be compiled, which is not seen before they are asked for.
func TestPatternsCompile(t *testing.T) {
	t.Parallel()
	patterns := 0
	for _, all := range [][]rephrased{rephrasings, tails, passives} {
		for _, way := range all {
			_ = way.said()
			patterns++
		}
	}
	for _, all := range [][]rewording{fillers, rewordings} {
		for _, way := range all {
			patterns += len(way.said())
		}
	}
	for _, way := range spellings {
		_ = way.said()
		patterns++
	}
	if patterns < 500 {
		t.Errorf("only %d patterns", patterns)
	}
}
