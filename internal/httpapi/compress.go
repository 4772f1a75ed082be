package httpapi

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// minCompressed is the smallest answer that is compressed: below it the bytes saved are fewer than a packet.
const minCompressed = 4 << 10

// coding is a content coding (RFC 9110, section 8.4.1).
type coding uint8

// The codings that are served. Where a client takes several alike, the first is chosen: zstd takes least processor time
// of those that make less than gzip does.
const (
	codingZstd coding = iota
	codingBrotli
	codingGzip
	codingCount
	codingNone = codingCount
)

// String returns the coding's name in headers.
func (c coding) String() string {
	return [...]string{codingZstd: "zstd", codingBrotli: "br", codingGzip: "gzip", codingNone: "identity"}[c]
}

const (
	// brotliLevel makes the smallest answers in no more time than gzip at its fastest.
	brotliLevel = 3
	// zstdWindow is how far back is looked for repetition, in bytes: far less than the 8 MiB that clients must have
	// (RFC 9659).
	zstdWindow = 256 << 10
)

// compressed is an answer that is being compressed, with what compresses it.
type compressed struct {
	out bytes.Buffer
	// stream is nil for zstd until it is needed: whole answers do without.
	stream interface {
		io.WriteCloser
		Flush() error
		Reset(to io.Writer)
	}
}

// compressors keep what compresses for the next answer.
type compressors struct {
	streams [codingCount]pool[compressed]
	// zstd compresses whole answers, any number at once.
	zstd *zstd.Encoder
}

func newCompressors() *compressors {
	encoder, _ := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(zstdWindow),
		zstd.WithLowerEncoderMem(true)) // fails only for options that do not exist
	c := &compressors{zstd: encoder}
	c.streams[codingZstd].fresh = func() *compressed { return &compressed{} }
	c.streams[codingBrotli].fresh = func() *compressed {
		z := &compressed{}
		z.stream = brotli.NewWriterLevel(&z.out, brotliLevel)
		return z
	}
	c.streams[codingGzip].fresh = func() *compressed {
		z := &compressed{}
		z.stream, _ = gzip.NewWriterLevel(&z.out, gzip.BestSpeed) // fails only for a level that does not exist
		return z
	}
	return c
}

// stream returns an answer in parts, to be compressed in a coding other than codingNone. Whoever has it puts it back.
func (c *compressors) stream(how coding) *compressed {
	z := c.streams[how].get()
	if z.stream == nil {
		z.stream, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(zstdWindow),
			zstd.WithLowerEncoderMem(true), zstd.WithEncoderConcurrency(1)) // fails only for options that do not exist
	}
	z.out.Reset()
	z.stream.Reset(&z.out)
	return z
}

// compress returns a body in a coding other than codingNone. It is valid until release is called.
func (c *compressors) compress(how coding, body []byte) (short []byte, release func()) {
	z := c.streams[how].get()
	z.out.Reset()
	if how == codingZstd {
		z.out.Write(c.zstd.EncodeAll(body, z.out.AvailableBuffer()))
	} else {
		z.stream.Reset(&z.out)
		_, _ = z.stream.Write(body) // writing to memory does not fail
		_ = z.stream.Close()
	}
	return z.out.Bytes(), func() {
		if z.out.Cap() <= maxPooled {
			c.streams[how].put(z)
		}
	}
}

// codingFor returns the coding that a client likes best (RFC 9110, section 12.5.3).
func codingFor(header http.Header) coding {
	const unsaid = -1.0
	quality := [codingCount + 1]float64{unsaid, unsaid, unsaid, unsaid}
	other := unsaid
	count := 0
	for _, value := range header.Values("Accept-Encoding") {
		for part := range strings.SplitSeq(value, ",") {
			if count++; count > maxAcceptRanges {
				break
			}
			name, params, _ := strings.Cut(part, ";")
			q := 1.0
			if key, text, ok := strings.Cut(strings.TrimSpace(params), "="); ok && strings.EqualFold(key, "q") {
				var err error
				if q, err = strconv.ParseFloat(text, 64); err != nil {
					continue
				}
			}
			switch name = strings.ToLower(strings.TrimSpace(name)); name {
			case "*":
				other = max(other, q)
			case "x-gzip":
				quality[codingGzip] = max(quality[codingGzip], q)
			default:
				for c := range codingNone + 1 {
					if c.String() == name {
						quality[c] = max(quality[c], q)
					}
				}
			}
		}
	}
	if quality[codingGzip] == unsaid {
		quality[codingGzip] = other // who takes anything takes what everybody knows
	}
	best, most := codingNone, max(quality[codingNone], 0)
	for c := range codingCount {
		if q := quality[c]; q > most || q == most && q > 0 && best == codingNone {
			best, most = c, q
		}
	}
	return best
}
