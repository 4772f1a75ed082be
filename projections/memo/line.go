package memo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph/model"
	"almanac/projections/match"
)

// lineTime is how times are written in lines: RFC 3339 in UTC, always with microseconds.
const lineTime = "2006-01-02T15:04:05.000000Z"

// maxLineDepth is how deep a line may be nested: a version is an object in a list in the line, and metadata goes on
// from there.
const maxLineDepth = 3 + model.MaxMetadataDepth

// Encode writes a memory with its history as one line of JSON Lines (https://jsonlines.org), without the newline: a
// JSON object with the fields id, type, content, summary, tags, metadata, createdAt, updatedAt, expiresAt, version,
// overridden and history (the versions before, newest first: version, type, content, summary, tags, metadata,
// expiresAt, overridden, writtenAt, replacedAt, reason), in this order. What is empty is left out. The id is in its
// public form; times are RFC 3339 in UTC with microseconds, to which finer ones are cut. The vector is not part of it.
// No character in the line could pass for the end of a line. An error when a time lies outside the years 2–9999 or the
// metadata is not JSON, which no stored memory has.
func Encode(m model.Memory) ([]byte, error) {
	w := lineWriter{b: make([]byte, 0, 256+len(m.Content)+len(m.Metadata))}
	w.open()
	if m.ID != (model.UUID{}) {
		w.text("id", model.ID{Kind: model.KindMemory, UUID: m.ID}.String())
	}
	w.body(m.Type, m.Content, m.Summary, m.Tags, m.Metadata)
	w.time("createdAt", m.CreatedAt)
	w.time("updatedAt", m.UpdatedAt)
	w.time("expiresAt", m.ExpiresAt)
	w.count("version", m.Version)
	w.flag("overridden", m.Overridden)
	if len(m.History) > 0 {
		w.key("history")
		w.b = append(w.b, '[')
		for i, v := range m.History {
			w.between(i)
			w.open()
			w.count("version", v.Version)
			w.body(v.Type, v.Content, v.Summary, v.Tags, v.Metadata)
			w.time("expiresAt", v.ExpiresAt)
			w.flag("overridden", v.Overridden)
			w.time("writtenAt", v.WrittenAt)
			w.time("replacedAt", v.ReplacedAt)
			w.text("reason", string(v.Reason))
			w.b = append(w.b, '}')
		}
		w.b = append(w.b, ']')
	}
	return append(w.b, '}'), w.err
}

// lineWriter writes the fields of objects. It keeps the first error.
type lineWriter struct {
	b   []byte
	err error
}

func (w *lineWriter) open() { w.b = append(w.b, '{') }

// between separates the items of a list.
func (w *lineWriter) between(i int) {
	if i > 0 {
		w.b = append(w.b, ',')
	}
}

func (w *lineWriter) key(key string) {
	if w.b[len(w.b)-1] != '{' {
		w.b = append(w.b, ',')
	}
	w.b = append(appendText(w.b, key), ':')
}

func (w *lineWriter) text(key, value string) {
	if value != "" {
		w.key(key)
		w.b = appendText(w.b, value)
	}
}

func (w *lineWriter) body(t model.MemoryType, content, summary string, tags []string, metadata string) {
	w.text("type", string(t))
	w.key("content")
	w.b = appendText(w.b, content)
	w.text("summary", summary)
	if len(tags) > 0 {
		w.key("tags")
		w.b = append(w.b, '[')
		for i, tag := range tags {
			w.between(i)
			w.b = appendText(w.b, tag)
		}
		w.b = append(w.b, ']')
	}
	if metadata == "" {
		return
	}
	n, err := parse(metadata, maxRead)
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("write the metadata of a memory: %w", err)
	}
	w.key("metadata")
	w.b = appendNode(w.b, n)
}

func (w *lineWriter) time(key string, t time.Time) {
	if t.IsZero() {
		return
	}
	if t = t.UTC(); (t.Year() < 2 || t.Year() > 9999) && w.err == nil {
		w.err = fmt.Errorf("write %s of a memory: the year %d has no place in RFC 3339", key, t.Year())
	}
	w.key(key)
	w.b = append(w.b, '"')
	w.b = append(t.AppendFormat(w.b, lineTime), '"')
}

func (w *lineWriter) count(key string, n int) {
	if n != 0 {
		w.key(key)
		w.b = strconv.AppendInt(w.b, int64(n), 10)
	}
}

func (w *lineWriter) flag(key string, set bool) {
	if set {
		w.key(key)
		w.b = append(w.b, "true"...)
	}
}

// Decode reads what Encode wrote, and what a person may write in its place: all but the content may be left out or
// null, and stays empty then, but the type, which is NOTE. Types may be in lower case, times have any offset. Tags and
// metadata are checked by Tags and Metadata; what the texts may be, and how the versions go together, is left to the
// caller. BAD_USER_INPUT with the path of what is wrong within the line; an unknown field is refused with the one that
// is most like it.
func Decode(line []byte) (model.Memory, error) {
	n, err := parse(string(line), maxLineDepth)
	if err != nil {
		return model.Memory{}, err
	}
	if n.form != object {
		return model.Memory{}, at(nil, `a memory is one JSON object, such as { "content": "The gate code is 4821" }`)
	}
	r := fields{n: n}
	r.only("id", "type", "content", "summary", "tags", "metadata", "createdAt", "updatedAt", "expiresAt", "version",
		"overridden", "history")
	var m model.Memory
	m.ID = r.id("id")
	m.Type, m.Content, m.Summary, m.Tags, m.Metadata = r.body()
	m.CreatedAt, m.UpdatedAt, m.ExpiresAt = r.time("createdAt"), r.time("updatedAt"), r.time("expiresAt")
	m.Version, m.Overridden = r.count("version"), r.flag("overridden")
	history := r.list("history")
	if r.err == nil && len(history) > model.MaxMemoryVersions {
		r.refuse("history", "a memory keeps at most %d earlier versions, not %d", model.MaxMemoryVersions, len(history))
	}
	for i, item := range history {
		if r.err != nil {
			break
		}
		var v model.MemoryVersion
		if v, r.err = decodeVersion(item, []string{"history", strconv.Itoa(i)}); r.err == nil {
			v.Memory = m.ID
			m.History = append(m.History, v)
		}
	}
	if r.err != nil {
		return model.Memory{}, r.err
	}
	return m, nil
}

func decodeVersion(n node, path []string) (model.MemoryVersion, error) {
	if n.form != object {
		return model.MemoryVersion{}, at(path, "a version is a JSON object")
	}
	r := fields{n: n, path: path}
	r.only("version", "type", "content", "summary", "tags", "metadata", "expiresAt", "overridden", "writtenAt",
		"replacedAt", "reason")
	var v model.MemoryVersion
	v.Version = r.count("version")
	v.Type, v.Content, v.Summary, v.Tags, v.Metadata = r.body()
	v.ExpiresAt, v.Overridden = r.time("expiresAt"), r.flag("overridden")
	v.WrittenAt, v.ReplacedAt = r.time("writtenAt"), r.time("replacedAt")
	v.Reason = model.MemoryReason(r.oneOf("reason", string(model.MemoryUpdated), string(model.MemoryOverridden),
		string(model.MemoryRestored)))
	for _, needed := range [...]string{"version", "writtenAt", "replacedAt"} {
		if value, _ := n.get(needed); value.form == null {
			r.refuse(needed, "a version needs %s", needed)
		}
	}
	return v, r.err
}

// fields reads the fields of an object. It keeps the first error, after which it returns zero values.
type fields struct {
	n    node
	path []string
	err  error
}

func (r *fields) refuse(field, format string, args ...any) {
	if r.err == nil {
		r.err = at(append(slices.Clone(r.path), field), format, args...)
	}
}

// only refuses fields that are not among the known ones.
func (r *fields) only(known ...string) {
	for _, key := range r.n.keys {
		if slices.Contains(known, key) {
			continue
		}
		if near := nearest(key, known); near != "" {
			r.refuse(key, "there is no field %q; did you mean %s?", model.Clip(key), near)
			return
		}
		r.refuse(key, "there is no field %q; the fields are %s", model.Clip(key), strings.Join(known, ", "))
		return
	}
}

// maxNearKey is the longest unknown name, in bytes, that is compared with the known ones.
const maxNearKey = 32

func nearest(key string, known []string) string {
	if len(key) > maxNearKey {
		return ""
	}
	candidates := make([]match.Candidate[string], 0, len(known))
	for _, name := range known {
		if strings.EqualFold(strings.ReplaceAll(key, "_", ""), name) { // created_at
			return name
		}
		candidates = append(candidates, match.Candidate[string]{ID: name, Fields: []string{name}})
	}
	ranked := match.Rank(key, candidates, 0.6)
	if len(ranked) == 0 {
		return ""
	}
	return ranked[0].ID
}

// value returns a field's value; false when it is missing, null, or something was refused before.
func (r *fields) value(field string, want form, name string) (node, bool) {
	value, _ := r.n.get(field)
	if r.err != nil || value.form == null {
		return node{}, false
	}
	if value.form != want {
		r.refuse(field, "%s must be %s", field, name)
		return node{}, false
	}
	return value, true
}

func (r *fields) text(field string) string {
	value, _ := r.value(field, text, "a text")
	return value.text
}

func (r *fields) list(field string) []node {
	value, _ := r.value(field, list, "a list")
	return value.items
}

func (r *fields) oneOf(field string, names ...string) string {
	given := r.text(field)
	name := strings.ToUpper(given)
	if r.err == nil && !slices.Contains(names, name) {
		r.refuse(field, "%q is no %s; it is one of %s", model.Clip(given), field, strings.Join(names, ", "))
	}
	return name
}

func (r *fields) flag(field string) bool {
	value, _ := r.n.get(field)
	if value.form != null && value.form != yes && value.form != no {
		r.refuse(field, "%s must be true or false", field)
	}
	return r.err == nil && value.form == yes
}

// count reads a version's number.
func (r *fields) count(field string) int {
	value, found := r.value(field, number, "a number")
	if !found {
		return 0
	}
	n, err := strconv.ParseInt(value.text, 10, 32)
	if err != nil || n < 1 {
		r.refuse(field, "%s must be a whole number from 1 to 2,147,483,647", field)
		return 0
	}
	return int(n)
}

func (r *fields) id(field string) model.UUID {
	given := r.text(field)
	if given == "" {
		return model.UUID{}
	}
	id, err := model.ParseID(given)
	if err != nil || id.Kind != model.KindMemory || id.UUID == (model.UUID{}) {
		r.refuse(field, "%q is not the id of a memory", model.Clip(given))
		return model.UUID{}
	}
	return id.UUID
}

func (r *fields) time(field string) time.Time {
	given := r.text(field)
	if given == "" {
		return time.Time{}
	}
	in, err := model.ParseDateTimeInput(given)
	if err != nil || !in.HasOffset || utf8.RuneCountInString(given) > 40 {
		r.refuse(field, "%q is not a time with its offset; write 2026-11-22T18:00:00Z", model.Clip(given))
		return time.Time{}
	}
	return in.Wall.UTC()
}

// body reads what memories and versions have in common.
func (r *fields) body() (t model.MemoryType, content, summary string, tags []string, metadata string) {
	t = model.MemoryNote
	if value, _ := r.n.get("type"); value.form != null {
		t = model.MemoryType(r.oneOf("type", string(model.MemoryNote), string(model.MemoryContact), string(model.MemoryKV)))
	}
	if value, _ := r.n.get("content"); value.form == null {
		r.refuse("content", "a memory needs its content")
	}
	content, summary = r.text("content"), r.text("summary")
	var given []string
	for i, item := range r.list("tags") {
		if item.form != text {
			r.refuse("tags", "tags must be a list of texts; number %d is none", i+1)
		}
		given = append(given, item.text)
	}
	if r.err != nil {
		return t, content, summary, nil, ""
	}
	tags, err := Tags(given)
	if err != nil {
		r.err = under(err, append(slices.Clone(r.path), "tags"))
		return t, content, summary, nil, ""
	}
	value, _ := r.n.get("metadata")
	if metadata, err = metadataOf(t, value); err != nil {
		r.err = under(err, append(slices.Clone(r.path), "metadata"))
	}
	return t, content, summary, tags, metadata
}

// under returns an error's path another beginning.
func under(err error, path []string) error {
	shown, ok := model.Mendable(err)
	if !ok {
		return err
	}
	moved := *shown
	moved.Field = slices.Concat(path, shown.Field)
	return &moved
}
