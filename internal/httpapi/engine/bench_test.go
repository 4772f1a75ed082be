package engine_test

import (
	"testing"

	"almanac/internal/httpapi/engine"
)

// BenchmarkPrepare is what admission costs a request: of a document that is kept, and of one that is new.
func BenchmarkPrepare(b *testing.B) {
	req := engine.Request{
		Query: "query Board($n:Int){people(first:$n){totalCount nodes{id name age tags friends(first:1){nodes{id}}}}}"}
	for name, bytes := range map[string]int64{"kept": 0, "new": 1} {
		b.Run(name, func(b *testing.B) {
			s := newServer(b, func(cfg *engine.Config) { cfg.Limits.DocumentBytes = bytes })
			b.ReportAllocs()
			for b.Loop() {
				if _, errs := s.Prepare(everything(), req); len(errs) > 0 {
					b.Fatal(show(errs))
				}
			}
		})
	}
}
