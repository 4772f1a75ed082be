//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// metrics are the lines of /metrics by their names with labels.
type metrics map[string]float64

func readMetrics(ctx context.Context, address, token string) (metrics, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/metrics", http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+token)
	transport := &http.Transport{DisableKeepAlives: true}
	response, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("/metrics: status %d", response.StatusCode)
	}
	return parseMetrics(string(text)), nil
}

func parseMetrics(text string) metrics {
	m := metrics{}
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(strings.TrimSpace(line), " ")
		if number, err := strconv.ParseFloat(value, 64); found && err == nil && !strings.HasPrefix(line, "#") {
			m[name] = number
		}
	}
	return m
}

// level is what a server holds on to when nobody asks anything of it.
type level struct {
	goroutines, files int
	// live is the heap that the last collection found alive, resident the memory that no file stands behind; bytes.
	live, resident int64
}

func (l level) String() string {
	const mib = 1 << 20
	return fmt.Sprintf("%d goroutines, %d file descriptors, live heap %.2f MiB, resident %.1f MiB", l.goroutines, l.files,
		float64(l.live)/mib, float64(l.resident)/mib)
}

var errBusy = errors.New("the server does not come to rest")

// rest waits until a server has let go of all clients and has collected its garbage twice, and returns what it holds on
// to. Collections come with allocations, so questions are asked until they have come.
func rest(ctx context.Context, one *server, token string) (level, error) {
	deadline := time.Now().Add(2 * time.Minute)
	var first metrics
	var wire wire
	defer wire.close()
	question := requestBytes(one.address, token, "",
		[]byte(`{"query":"{ tasks(first: 50) { nodes { id text category createdAt itemContext { isToday } } } }"}`))
	for time.Now().Before(deadline) && ctx.Err() == nil {
		now, err := readMetrics(ctx, one.address, token)
		if err != nil {
			return level{}, err
		}
		quiet := now["almanac_sockets"] == 0 && now["almanac_streams"] == 0 && now["almanac_http_in_flight"] <= 1
		switch {
		case !quiet:
			first = nil
			pause(ctx, 50*time.Millisecond)
			continue
		case first == nil:
			first = now
		case now["go_gc_duration_seconds_count"] >= first["go_gc_duration_seconds_count"]+3:
			wire.close()
			return settled(ctx, one, token)
		}
		for range 200 {
			if _, err := wire.do(ctx, one.address, question, 10*time.Second, 0); err != nil {
				return level{}, err
			}
		}
	}
	return level{}, errBusy
}

// settled takes the least of some looks, since a look itself costs a connection and its goroutines.
func settled(ctx context.Context, one *server, token string) (level, error) {
	var least level
	for i := range 10 {
		pause(ctx, 100*time.Millisecond)
		m, err := readMetrics(ctx, one.address, token)
		if err != nil {
			return least, err
		}
		now := level{
			goroutines: int(m["go_goroutines"]), files: openFiles(one.pid()), resident: residentOf(one.pid()),
			live: int64(m["go_memstats_next_gc_bytes"] / (1 + m["go_gc_gogc_percent"]/100)),
		}
		if i == 0 {
			least = now
			continue
		}
		least = level{min(least.goroutines, now.goroutines), min(least.files, now.files), min(least.live, now.live),
			min(least.resident, now.resident)}
	}
	return least, nil
}
