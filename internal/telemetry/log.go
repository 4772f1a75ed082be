package telemetry

import (
	"encoding"
	"fmt"
	"io"
	"log/slog"
)

// NewLogger writes records of at least that level as JSON, one a line, with times in UTC. Only the attributes in the
// table of allowed keys are written, and only with values of their form; everything else is replaced by Redacted.
// Messages and free texts are scrubbed of what looks like a secret or an e-mail address. Of values that are not plain
// (structs, maps, byte slices) only the type is written.
func NewLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level, ReplaceAttr: redactAttr}))
}

// redactAttr is called for every attribute that is not a group, with the names of the groups around it.
func redactAttr(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) == 0 {
		// The handler's own attributes, which callers' attributes of the same name do not pass for.
		_, isLevel := attr.Value.Any().(slog.Level)
		switch {
		case attr.Key == slog.TimeKey && attr.Value.Kind() == slog.KindTime:
			return slog.Time(attr.Key, attr.Value.Time().UTC())
		case attr.Key == slog.LevelKey && isLevel:
			return attr
		case attr.Key == slog.MessageKey:
			return slog.Attr{Key: attr.Key, Value: slog.StringValue(scrub(attr.Value.String()))}
		}
	}
	if _, known := allowed[attr.Key]; !known || len(groups) > 0 {
		return slog.String(attr.Key, Redacted)
	}
	return slog.Attr{Key: attr.Key, Value: plain(attr.Key, attr.Value)}
}

// plain turns the value of an allowed key into one that can be written.
func plain(key string, value slog.Value) slog.Value {
	switch value.Kind() {
	case slog.KindString:
		return slog.StringValue(admit(key, value.String()))
	case slog.KindAny:
		return plainAny(key, value.Any())
	default: // numbers, booleans, times and durations
		return value
	}
}

// plainAny prefers Error to String and MarshalText, where a value has several of them.
func plainAny(key string, value any) slog.Value {
	switch v := value.(type) {
	case nil:
		return slog.AnyValue(nil)
	case error:
		return slog.StringValue(admit(key, textOf(v, v.Error)))
	case fmt.Stringer:
		return slog.StringValue(admit(key, textOf(v, v.String)))
	case encoding.TextMarshaler:
		return slog.StringValue(admit(key, textOf(v, func() string {
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
			texts = append(texts, admit(key, text))
		}
		return slog.AnyValue(texts)
	default:
		return slog.StringValue(fmt.Sprintf("(%T)", v))
	}
}

// textOf calls a value's own method, which may panic on a nil pointer; a log record must not end the process.
func textOf(value any, method func() string) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("(%T)", value)
		}
	}()
	return method()
}
