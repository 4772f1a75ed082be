//go:build bench

package load_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"almanac/bench/load"
)

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

var request = []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")

func TestReadsBodiesInBothFramings(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("0123456789"), 30_000)
	for name, write := range map[string]func(w http.ResponseWriter){
		"length": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", strconv.Itoa(len(long)))
			_, _ = w.Write(long)
		},
		"chunks": func(w http.ResponseWriter) {
			for part := long; len(part) > 0; part = part[min(len(part), 7_777):] {
				_, _ = w.Write(part[:min(len(part), 7_777)])
				_ = http.NewResponseController(w).Flush()
			}
		},
	} {
		conn, err := load.Dial(t.Context(), serve(t, func(w http.ResponseWriter, _ *http.Request) { write(w) }))
		if err != nil {
			t.Fatal(err)
		}
		for range 3 { // the connection is kept
			status, body, err := conn.Do(request)
			if err != nil || status != 200 || !bytes.Equal(body, long) {
				t.Errorf("%s: %d, %d bytes, %v", name, status, len(body), err)
			}
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestGivesTheStatus(t *testing.T) {
	t.Parallel()
	conn, err := load.Dial(t.Context(), serve(t,
		func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusConflict) }))
	if err != nil {
		t.Fatal(err)
	}
	status, body, err := conn.Do(request)
	if err != nil || status != http.StatusConflict || string(body) != "no\n" {
		t.Error(status, string(body), err)
	}
	if err := conn.Close(); err != nil {
		t.Error(err)
	}
}

func TestRunCountsWhatCameBack(t *testing.T) {
	t.Parallel()
	var served, gauges atomic.Int64
	address := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		served.Add(1)
		_, _ = w.Write([]byte("four"))
	})
	gauge := func() { gauges.Add(1) }
	result, err := load.Run(t.Context(), load.Plan{
		Address: address, Connections: 3, Length: time.Second, Begin: gauge, End: gauge,
		Next:  func(int) []byte { return request },
		Check: func(int, []byte) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	if gauges.Load() != 2 {
		t.Error("the gauges were read", gauges.Load(), "times")
	}
	// What arrives after the end was served and does not count.
	if n := int64(result.Requests); n == 0 || n > served.Load() || served.Load()-n > 3 || result.Bytes != 4*n ||
		len(result.Latencies) != int(n) {
		t.Error(n, served.Load(), result.Bytes, len(result.Latencies))
	}
}

func TestAWrongAnswerEndsTheRun(t *testing.T) {
	t.Parallel()
	wrong := errors.New("wrong")
	_, err := load.Run(t.Context(), load.Plan{
		Address: serve(t, func(http.ResponseWriter, *http.Request) {}), Connections: 2, Length: time.Hour,
		Next:  func(int) []byte { return request },
		Check: func(int, []byte) error { return wrong },
	})
	if !errors.Is(err, wrong) {
		t.Error(err)
	}
}

func TestPercentiles(t *testing.T) {
	t.Parallel()
	var r load.Result
	if r.Percentile(50) != 0 || r.PerSecond() != 0 {
		t.Error("figures out of nothing")
	}
	for i := 1; i <= 100; i++ {
		r.Latencies = append(r.Latencies, time.Duration(i))
	}
	r.Requests, r.Elapsed = 100, 2*time.Second
	for p, want := range map[float64]time.Duration{50: 50, 99: 99, 100: 100, 0.5: 1} {
		if got := r.Percentile(p); got != want {
			t.Errorf("p%v is %d, want %d", p, got, want)
		}
	}
	if r.PerSecond() != 50 {
		t.Error(r.PerSecond())
	}
}
