package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// An answer of some size comes in the coding that the client likes best; it is the same whatever the coding.
func TestCompression(t *testing.T) {
	d := newFront(t, nil)
	const query = `{"query":"{people(first:100){nodes{id name age tags}}}"}`
	plain := d.do(call{body: query})
	if plain.Result().Header.Get("Content-Encoding") != "" || plain.Body.Len() < 4<<10 {
		t.Fatalf("%v, %d bytes", plain.Result().Header, plain.Body.Len())
	}
	decoders := map[string]func(io.Reader) (io.Reader, error){
		"":     func(r io.Reader) (io.Reader, error) { return r, nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
	}
	for accepted, want := range map[string]string{
		"": "", "gzip": "gzip", "GZIP": "gzip", "x-gzip": "gzip", "gzip;q=0": "", "identity": "", "*;q=0": "", "*": "gzip",
		"gzip;q=0, *": "", "gzip;q=x": "", "gzip, deflate, br, zstd": "zstd", "gzip, deflate, br": "br", "deflate": "",
		"br, gzip;q=0.5": "br", "br;q=0.5, gzip": "gzip", "zstd;q=0.1, br;q=0.2": "br", "zstd;q=0, br;q=0, *": "gzip",
		"br;q=0.5, identity": "", "br;q=0.5, identity;q=0.1": "br", "BR ; Q=0.7": "br",
		strings.Repeat("deflate,", 100) + "br": "",
	} {
		for range 2 { // the second time with a used compressor
			w := d.do(call{body: query, header: map[string]string{"Accept-Encoding": accepted}})
			got, length := w.Result().Header.Get("Content-Encoding"), w.Body.Len()
			if got != want || w.Result().Header.Get("Content-Length") != jsonNumber(length) ||
				want != "" && length > plain.Body.Len()/2 {
				t.Errorf("%.80q: %s, %d bytes, %v", accepted, got, length, w.Result().Header)
				continue
			}
			decoder, err := decoders[got](w.Body)
			if err != nil {
				t.Errorf("%.80q: %v", accepted, err)
				continue
			}
			if text, err := io.ReadAll(decoder); err != nil || string(text) != plain.Body.String() {
				t.Errorf("%.80q: %v %.200s", accepted, err, text)
			}
		}
	}
	for _, accepted := range []string{"gzip", "br", "zstd"} {
		if w := d.do(call{body: `{"query":"{hello}"}`,
			header: map[string]string{"Accept-Encoding": accepted}}); w.Result().Header.Get("Content-Encoding") != "" {
			t.Error("a short answer is compressed")
		}
	}
}

// Answers that are compressed at once do not disturb one another.
func TestCompressionAtOnce(t *testing.T) {
	d := newFront(t, nil)
	var all sync.WaitGroup
	for worker := range 12 {
		accepted := []string{"gzip", "br", "zstd"}[worker%3]
		all.Go(func() {
			var first []byte
			for range 20 {
				w := d.do(call{body: `{"query":"{people(first:` + jsonNumber(85+worker) + `){nodes{id name age tags}}}"}`,
					header: map[string]string{"Accept-Encoding": accepted}})
				if first == nil {
					first = w.Body.Bytes()
				}
				if !bytes.Equal(first, w.Body.Bytes()) || w.Result().Header.Get("Content-Encoding") != accepted {
					t.Errorf("%s: %d bytes and %d", accepted, len(first), w.Body.Len())
				}
			}
		})
	}
	all.Wait()
}
