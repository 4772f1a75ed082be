package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// wholeOf is whole of a record that need not be taken apart, since none of its lists has elements; false for others.
// It makes the JSON of those fields alone that are compared.
func (by layout) wholeOf(record any) (hashed string, is bool, err error) {
	v := reflect.ValueOf(record)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return "", false, nil
	}
	v = v.Elem()
	fields := fieldsOf(v.Type())
	if fields == nil {
		return "", false, nil
	}
	var room, gathered [512]byte
	hashes := gathered[:0]
	for i := range fields {
		one := &fields[i]
		if _, list := by.lists[one.name]; list {
			if field := v.Field(one.index); field.Kind() == reflect.Slice && field.Len() > 0 {
				return "", false, nil
			}
			if text, err := one.append(room[:0], v); err != nil || !isEmptyList(text) {
				return "", false, err
			}
			continue
		}
		if slices.Contains(by.left, one.name) || !by.compared(one.name) {
			continue
		}
		text, err := one.append(room[:0], v)
		if err != nil {
			return "", false, err
		}
		hashes = appendHash(append(append(hashes, one.name...), 0), text)
	}
	return hash(hashes), true, nil
}

// part is a field of a record's type.
type part struct {
	name  string
	index int
	// empty is whether it is null in JSON when it is nil.
	empty bool
}

// knownFields are the fields of each type of records, by name.
var knownFields sync.Map

// fieldsOf returns the fields of a type in the order of their names; nil for one whose JSON is not simply that of its
// fields.
func fieldsOf(of reflect.Type) []part {
	if found, known := knownFields.Load(of); known {
		fields, _ := found.([]part)
		return fields
	}
	fields := make([]part, 0, of.NumField())
	custom := reflect.TypeFor[json.Marshaler]()
	for field := range of.Fields() {
		if field.Anonymous || !field.IsExported() || field.Tag != "" {
			fields = nil
			break
		}
		kind := field.Type.Kind()
		fields = append(fields, part{name: field.Name, index: field.Index[0], empty: kind == reflect.Pointer ||
			kind == reflect.Slice && !field.Type.Implements(custom) && !reflect.PointerTo(field.Type).Implements(custom)})
	}
	if reflect.PointerTo(of).Implements(custom) {
		fields = nil
	}
	slices.SortFunc(fields, func(a, b part) int { return strings.Compare(a.name, b.name) })
	knownFields.Store(of, fields)
	return fields
}

// append appends what json.Marshal writes for the field of a record.
func (p *part) append(to []byte, record reflect.Value) ([]byte, error) {
	field := record.Field(p.index)
	if p.empty && field.IsNil() {
		return append(to, "null"...), nil
	}
	address := field.Addr().Interface()
	switch value := address.(type) {
	case *string:
		if isPlain(*value) {
			return append(append(append(to, '"'), *value...), '"'), nil
		}
	case *int:
		return strconv.AppendInt(to, int64(*value), 10), nil
	case *time.Duration:
		return strconv.AppendInt(to, int64(*value), 10), nil
	case *time.Time:
		text, err := value.AppendText(append(to, '"'))
		if err != nil {
			return nil, fmt.Errorf("take a record apart: %w", err)
		}
		return append(text, '"'), nil
	}
	text, err := json.Marshal(address)
	if err != nil {
		return nil, fmt.Errorf("take a record apart: %w", err)
	}
	return append(to, text...), nil
}

// isPlain reports whether a text stands in JSON as it is.
func isPlain(text string) bool {
	ascii := true
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b < ' ', b == '"', b == '\\', b == '<', b == '>', b == '&', b == 0xe2: // U+2028 and U+2029 begin with that
			return false
		case b >= utf8.RuneSelf:
			ascii = false
		}
	}
	return ascii || utf8.ValidString(text)
}

// appendHash appends the hash of a part. What most fields of most records are is known.
func appendHash(to, part []byte) []byte {
	for i := range usual {
		if bytes.Equal(part, usual[i].part) {
			return append(to, usual[i].hash...)
		}
	}
	return appendSum(to, part)
}

var usual = func() (known [4]struct{ part, hash []byte }) {
	for i, text := range [...]string{`null`, `""`, `0`, `"0001-01-01T00:00:00Z"`} {
		known[i].part, known[i].hash = []byte(text), appendSum(nil, []byte(text))
	}
	return known
}()
