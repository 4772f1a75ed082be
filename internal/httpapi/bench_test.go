package httpapi_test

import (
	"net/http/httptest"
	"testing"
)

// BenchmarkHandler is a whole request through the front door, without the network.
func BenchmarkHandler(b *testing.B) {
	for name, query := range map[string]string{"one field": "{hello}",
		"50 rows": "{people(first:50){nodes{id name age tags}}}"} {
		b.Run(name, func(b *testing.B) {
			d := newFront(b, nil)
			c := call{body: `{"query":"` + query + `"}`}
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				d.ServeHTTP(w, c.request())
				if w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
