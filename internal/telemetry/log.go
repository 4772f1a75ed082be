package telemetry

import (
	"encoding"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"
)

// NewLogger writes lines of at least that level as JSON, with times in UTC. Attributes with the names of secrets or of
// users' words are redacted, in groups too; texts and errors are scrubbed of what looks like a secret; of values that
// are not plain (structs, maps, byte slices) only the type is written, since nobody can tell what is in them.
func NewLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: redactAttr}))
}

// redactAttr is called for every attribute that is not a group, with the names of the groups around it.
func redactAttr(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) == 0 {
		switch attr.Key {
		case slog.TimeKey:
			if attr.Value.Kind() == slog.KindTime {
				return slog.Time(attr.Key, attr.Value.Time().UTC())
			}
			return attr
		case slog.LevelKey, slog.SourceKey:
			return attr
		}
	}
	if sensitiveName(attr.Key) && !isMeasure(attr.Value) || slices.ContainsFunc(groups, sensitiveName) {
		return slog.String(attr.Key, Redacted)
	}
	return slog.Attr{Key: attr.Key, Value: plain(attr.Value)}
}

// isMeasure tells numbers and the like: "tokens" may be how many there were.
func isMeasure(value slog.Value) bool {
	switch value.Kind() {
	case slog.KindBool, slog.KindInt64, slog.KindUint64, slog.KindFloat64, slog.KindDuration, slog.KindTime:
		return true
	default:
		return false
	}
}

// plain turns a value into one that can be written as it is.
func plain(value slog.Value) slog.Value {
	switch value.Kind() {
	case slog.KindString:
		return slog.StringValue(scrub(value.String()))
	case slog.KindAny:
		return plainAny(value.Any())
	default: // numbers, booleans, times and durations
		return value
	}
}

// Of the texts that a value can give of itself, an error's comes first: it is what errors are for.
func plainAny(value any) slog.Value {
	switch v := value.(type) {
	case nil:
		return slog.AnyValue(nil)
	case error:
		return slog.StringValue(scrub(textOf(v, v.Error)))
	case fmt.Stringer:
		return slog.StringValue(scrub(textOf(v, v.String)))
	case encoding.TextMarshaler:
		return slog.StringValue(scrub(textOf(v, func() string {
			text, err := v.MarshalText()
			if err != nil {
				return fmt.Sprintf("(%T)", v)
			}
			return string(text)
		})))
	case []string:
		const most = 50
		texts := make([]string, 0, min(len(v), most))
		for _, text := range v[:min(len(v), most)] {
			texts = append(texts, scrub(text))
		}
		return slog.AnyValue(texts)
	case []time.Duration:
		return slog.AnyValue(v)
	default:
		return slog.StringValue(fmt.Sprintf("(%T)", v))
	}
}

// textOf calls a value's own method, which may panic on a nil pointer; a log line must not end the process.
func textOf(value any, method func() string) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("(%T)", value)
		}
	}()
	return method()
}
