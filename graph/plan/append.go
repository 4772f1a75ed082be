package plan

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
)

var (
	errNull     = errors.New("must not be null")
	errNoNumber = errors.New("cannot marshal infinite no NaN float values")
)

// Write implements io.Writer for values that write themselves.
func (w *Writer) Write(p []byte) (int, error) {
	w.buf = append(w.buf, p...)
	return len(p), nil
}

// WriteString implements io.StringWriter.
func (w *Writer) WriteString(s string) (int, error) {
	w.buf = append(w.buf, s...)
	return len(s), nil
}

// Value appends a value that writes itself. Line breaks, which can only be white space between its tokens, become
// spaces.
func (w *Writer) Value(m graphql.Marshaler) {
	start := len(w.buf)
	m.MarshalGQL(w)
	w.repair(start)
}

// repair makes what has been appended one line of valid UTF-8: a store can hold bytes that are no text, and the JSON of
// somebody else can have line breaks.
func (w *Writer) repair(start int) {
	written := w.buf[start:]
	if !utf8.Valid(written) {
		w.buf = append(w.buf[:start], bytes.ToValidUTF8(written, []byte("\ufffd"))...)
		written = w.buf[start:]
	}
	for i, c := range written {
		if c == '\n' || c == '\r' {
			written[i] = ' '
		}
	}
}

// Buffer returns what has been appended, for a value that appends itself, as one line of valid UTF-8; Took takes it
// back.
func (w *Writer) Buffer() []byte { return w.buf }

// Took takes the buffer with what a value has appended to it.
func (w *Writer) Took(buf []byte) { w.buf = buf }

// Name appends the name of a type, or a value of an enum: a string without anything to escape.
func (w *Writer) Name(s string) {
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, s...)
	w.buf = append(w.buf, '"')
}

// Int appends an integer.
func (w *Writer) Int(n int64) { w.buf = strconv.AppendInt(w.buf, n, 10) }

// Bool appends a boolean.
func (w *Writer) Bool(v bool) { w.buf = strconv.AppendBool(w.buf, v) }

// Float appends a number; one that is no JSON is an error.
func (w *Writer) Float(ctx context.Context, f float64) bool {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		w.fail(ctx, errNoNumber)
		return false
	}
	w.buf = strconv.AppendFloat(w.buf, f, 'g', -1, 64)
	return true
}

// Marshal appends what gqlgen made of a value.
func (w *Writer) Marshal(ctx context.Context, m graphql.Marshaler, nonNull bool) bool {
	if m == graphql.Null {
		if nonNull {
			return w.Refuse(ctx)
		}
		return false
	}
	w.Value(m)
	return true
}

// MarshalContext appends a value that may fail to write itself.
func (w *Writer) MarshalContext(ctx context.Context, m graphql.ContextMarshaler) bool {
	start := len(w.buf)
	at, _ := w.at(ctx)
	if err := m.MarshalGQLContext(at, w); err != nil {
		w.buf = w.buf[:start]
		graphql.AddError(at, err)
		return false
	}
	w.repair(start)
	return true
}

const hexDigits = "0123456789ABCDEF"

// String appends a string, escaped as gqlgen does. What is no UTF-8 becomes U+FFFD.
func (w *Writer) String(s string) {
	b := w.buf
	b = append(b, '"')
	start := 0
	i, seen := plainUntil(s, 0, 0)
	for ; i < len(s); i, seen = plainUntil(s, i+1, seen) {
		c := s[i]
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		case '\n':
			b = append(b, `\n`...)
		case '"', '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	if seen&highs != 0 && !utf8.ValidString(s) {
		w.String(strings.ToValidUTF8(s, "\ufffd"))
		return
	}
	b = append(b, s[start:]...)
	b = append(b, '"')
	w.buf = b
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainUntil returns where the next byte that must be escaped stands at or behind the index; the length when there is
// none. It looks at eight bytes at a time, and returns what was seen before together with their bits, of which highs
// are those of bytes that are not ASCII.
func plainUntil(s string, i int, seen uint64) (int, uint64) {
	for ; i+8 <= len(s); i += 8 {
		v := uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
			uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
		// A byte b has its high bit set in (b-n)&^b when b < n; borrowing can only make later bytes look so.
		quote, backslash := v^(ones*'"'), v^(ones*'\\')
		if ((v-ones*' ')&^v|(quote-ones)&^quote|(backslash-ones)&^backslash)&highs != 0 {
			break
		}
		seen |= v
	}
	for ; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return i, seen
		}
		seen |= uint64(c)
	}
	return i, seen
}
