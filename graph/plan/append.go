package plan

import (
	"context"
	"errors"
	"math"
	"strconv"

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

// Append appends a value that appends itself.
func (w *Writer) Append(v interface{ AppendGQL(b []byte) []byte }) { w.buf = v.AppendGQL(w.buf) }

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
	m.MarshalGQL(w)
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
	return true
}

const hexDigits = "0123456789ABCDEF"

// String appends a string, escaped as gqlgen does.
func (w *Writer) String(s string) {
	b := append(w.buf, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
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
	b = append(b, s[start:]...)
	w.buf = append(b, '"')
}
