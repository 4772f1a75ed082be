//go:build bench

package set

// random is SplitMix64 (Steele, Lea and Flood, 2014), written out so that a set stays the same whatever the library
// does.
type random struct{ state uint64 }

func newRandom(seed uint64) *random { return &random{state: seed*0x9e3779b97f4a7c15 + 0x51ab} }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below returns a number from 0 to n-1.
func (r *random) below(n int) int { return int(r.next() % uint64(n)) }

// digits returns n digits, the first of which is not 0.
func (r *random) digits(n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = byte('0' + r.below(10))
	}
	if text[0] == '0' {
		text[0] = byte('1' + r.below(9))
	}
	return string(text)
}
