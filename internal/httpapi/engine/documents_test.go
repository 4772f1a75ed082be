package engine_test

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"almanac/internal/httpapi/engine"
)

func TestAdmittedDocumentsAreKeptWithinABound(t *testing.T) {
	const bound = 200_000
	s := newServer(t, func(cfg *engine.Config) { cfg.Limits.DocumentBytes = bound })
	for i := range 500 {
		if _, errs, refused := s.run(t, fmt.Sprintf("query q%d{hello(name:%q) person(id:1){name}}", i, repeat(i, "x")),
			""); refused {
			t.Fatal(show(errs))
		}
		if used, n := s.KeptBytes(); used > bound || n == 0 {
			t.Fatalf("%d documents of %d bytes", n, used)
		}
	}
	if _, _, refused := s.run(t, "{hello(name:\""+repeat(bound, "x")+"\")}", ""); refused {
		t.Error("a document too large to be kept must still run")
	}
}

func TestRefusedDocumentsAreNotKept(t *testing.T) {
	s := newServer(t, nil)
	for _, query := range []string{"{", "{nothing}", nested(16),
		"query($n:Int!){people(first:$n){nodes{friends{nodes{friends{nodes{id}}}}}}}"} {
		s.run(t, query, `{"n":500}`)
	}
	if used, n := s.KeptBytes(); used != 0 || n != 0 {
		t.Errorf("%d documents of %d bytes", n, used)
	}
}

func TestAKeptDocumentIsRefusedWhenItsVariablesCostTooMuch(t *testing.T) {
	s := newServer(t, nil)
	query := "query($n:Int!){people(first:$n){nodes{friends(first:$n){nodes{id}}}}}"
	for n, refusedWanted := range map[int]bool{2: false, 1000: true} {
		for range 2 {
			if _, errs, refused := s.run(t, query, fmt.Sprintf(`{"n":%d}`, n)); refused != refusedWanted {
				t.Errorf("%d: %s", n, show(errs))
			}
		}
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// TestDocumentMemory measures what a kept document comes to, against what it is counted for.
func TestDocumentMemory(t *testing.T) {
	for name, query := range map[string]string{
		"fields":    "query q%d{person(id:1){" + repeat(400, "id name age tags ") + "}}",
		"nested":    "query q%d{person(id:1){" + repeat(150, "friends(first:1){nodes{id name}}") + "}}",
		"arguments": "query q%d{person(id:1){" + repeat(300, "friends(first:1,after:\"abc\"){totalCount}") + "}}",
		"values":    "query q%d{echoes(strings:[" + repeat(1500, "\"abc\" ") + "])}",
		"fragments": "query q%d{person(id:1){" + repeat(700, "...f ") + "}}fragment f on Person{id}",
	} {
		s := newServer(t, func(cfg *engine.Config) { cfg.Executor = true })
		before := heap()
		const count = 5
		for i := range count {
			if _, errs := s.Prepare(everything(), engine.Request{Query: fmt.Sprintf(query, i)}); len(errs) > 0 {
				t.Fatalf("%s: %s", name, show(errs))
			}
		}
		after := heap()
		used, n := s.KeptBytes()
		if n != count {
			t.Fatalf("%s: %d kept", name, n)
		}
		t.Logf("%-10s %7d bytes each, counted for %7d", name, (after-before)/count, used/count)
		if int64(after-before) > used {
			t.Errorf("%s: %d bytes, counted for %d", name, after-before, used)
		}
		runtime.KeepAlive(s)
	}
}

func TestOneDocumentManyRequests(t *testing.T) {
	s := newServer(t, nil)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 50 {
				n := (worker + i) % 5
				data, errs, _ := s.run(t,
					"query($n:Int,$c:Int){people(first:$n){nodes{id}} echo(input:{text:\"a\",count:$c}){count}}",
					fmt.Sprintf(`{"n":%d}`, n))
				if len(errs) > 0 || len(data) < 10 {
					t.Errorf("%s %s", data, show(errs))
				}
			}
		})
	}
	all.Wait()
}

// A store that repeats a transaction runs its operation again.
func TestAnOperationCanBeRepeated(t *testing.T) {
	s := newServer(t, nil)
	op, errs := s.Prepare(everything(), engine.Request{Query: "mutation{increment}"})
	if len(errs) > 0 {
		t.Fatal(show(errs))
	}
	for _, want := range []string{`{"increment":1}`, `{"increment":2}`} {
		if response := op.Execute(everything()); string(response.Data) != want {
			t.Errorf("%s, want %s", response.Data, want)
		}
	}
}
