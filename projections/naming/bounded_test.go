package naming_test

import (
	"fmt"
	"strings"
	"testing"

	"almanac/projections/naming"
)

func BenchmarkDecide(b *testing.B) {
	names := make([]string, 50_000)
	for i := range names {
		names[i] = fmt.Sprintf("%s the %s about invoice %d", []string{"Call", "Write to", "Ask", "לשאול את"}[i%4],
			[]string{"plumber", "accountant", "school", "garage", "neighbours"}[i%5], i)
	}
	all := candidates(names...)
	for name, text := range map[string]string{
		"few": "renew passport", "none": "buy a boat", "half": "call mom", "hebrew": "לחדש דרכון", "one": "invoice 777",
		"long":   strings.Repeat("boat yacht sail ", 80),
		"same":   strings.Repeat("call ", 250),
		"letter": strings.Repeat("a b c d ", 60),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				naming.Decide(naming.New(text, naming.Task), all, naming.Rules{})
			}
		})
	}
	hostile := strings.Repeat("aab abb bba baa abab baba ", 76)
	same := make([]string, 1_000)
	for i := range same {
		same[i] = hostile
	}
	b.Run("hostile", func(b *testing.B) {
		for b.Loop() {
			naming.Decide(naming.New("x"+hostile, naming.Task), candidates(same...), naming.Rules{})
		}
	})
}
