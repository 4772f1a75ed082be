package exa

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// tomorrow makes an answer one of a later API: fields that nobody knows in every object, and values that nobody knows
// in the places of others. The order of everything stays.
func tomorrow(body []byte, fields bool, replace ...map[string]string) []byte {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var b bytes.Buffer
	w := &rewriter{decoder: decoder, out: &b, fields: fields, replace: replace}
	if err := w.value("", ""); err != nil {
		return body // it is no JSON
	}
	if _, err := decoder.Token(); err != io.EOF { // a decoder gives it as it is
		return body
	}
	return b.Bytes()
}

type rewriter struct {
	decoder *json.Decoder
	out     *bytes.Buffer
	fields  bool
	replace []map[string]string
}

// value rewrites the next value, which stands under a name in an object of a kind.
func (w *rewriter) value(kind, name string) error {
	token, err := w.decoder.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '[' {
			return w.list(name)
		}
		return w.object(name)
	case string:
		for _, values := range w.replace {
			if other, there := values[kind+"."+name]; there {
				t = other
			}
		}
		w.out.Write(encode(t))
	default:
		w.out.Write(encode(t))
	}
	return nil
}

func (w *rewriter) list(name string) error {
	w.out.WriteByte('[')
	for i := 0; w.decoder.More(); i++ {
		if i > 0 {
			w.out.WriteByte(',')
		}
		if err := w.value("", name); err != nil {
			return err
		}
	}
	w.out.WriteByte(']')
	_, err := w.decoder.Token()
	return err
}

// object rewrites an object, whose kind is its field object or else the name under which it stands. That field comes
// early: what stands before it is no choice of words.
func (w *rewriter) object(name string) error {
	kind := name
	w.out.WriteByte('{')
	first := true
	for w.decoder.More() {
		token, err := w.decoder.Token()
		if err != nil {
			return err
		}
		if !first {
			w.out.WriteByte(',')
		}
		first = false
		field, _ := token.(string) // a name is a text
		w.out.Write(encode(field))
		w.out.WriteByte(':')
		from := w.out.Len()
		if err := w.value(kind, field); err != nil {
			return err
		}
		if written := w.out.Bytes()[from:]; field == "object" && written[0] == '"' {
			kind = string(slices.Clone(bytes.Trim(written, `"`)))
		}
	}
	if _, err := w.decoder.Token(); err != nil {
		return err
	}
	if w.fields && name != "metadata" && name != "responseHeaders" { // those are maps of texts, today and tomorrow
		if !first {
			w.out.WriteByte(',')
		}
		w.out.WriteString(`"fromTomorrow":{"level":7,"words":["חדש"]}`)
	}
	w.out.WriteByte('}')
	return nil
}
