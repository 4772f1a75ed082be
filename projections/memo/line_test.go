package memo

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

func sample() model.Memory {
	moment := time.Date(2026, 11, 21, 20, 33, 34, 123456000, time.UTC)
	return model.Memory{
		ID: model.UUID{1, 2, 3, 15: 9}, Type: model.MemoryContact, Content: "Jones - \"Phone\":\n050-9999999 \u2028 <&> שלום",
		Summary: "Contact info",
		Tags:    []string{"contact", "jones"}, Metadata: `{"name":"Jones","phone":"050-9999999","x":[1.10,1e400,null,{}]}`,
		CreatedAt: moment.Add(-48 * time.Hour), UpdatedAt: moment, ExpiresAt: moment.Add(time.Hour), Version: 3,
		Overridden: true,
		History: []model.MemoryVersion{
			{
				Memory: model.UUID{1, 2, 3, 15: 9}, Version: 2, Type: model.MemoryKV, Content: "b", Summary: "s",
				Tags: []string{"t"}, Metadata: `{"value":0}`,
				ExpiresAt: moment, Overridden: true, WrittenAt: moment.Add(-time.Hour), ReplacedAt: moment,
				Reason: model.MemoryOverridden,
			},
			{Memory: model.UUID{1, 2, 3, 15: 9}, Version: 1, Type: model.MemoryNote, Content: "a",
				WrittenAt: moment.Add(-2 * time.Hour), ReplacedAt: moment.Add(-time.Hour), Reason: model.MemoryUpdated},
		},
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	got, err := Encode(sample())
	const want = `{"id":"memory_` +
		`01081g00000000000000000009","type":"CONTACT","content":"Jones - \"Phone\":\n050-9999999 \u2028 <&>` +
		` שלום","summary":"Contact info","tags":["contact","jones"],` +
		`"metadata":{"name":"Jones","phone":"050-9999999","x":[1.10,1e400,null,{}]},` +
		`"createdAt":"2026-11-19T20:33:34.123456Z","updatedAt":"2026-11-21T20:33:34.123456Z",` +
		`"expiresAt":"2026-11-21T21:33:34.123456Z","version":3,"overridden":true,"history":[{"version":2,"type":"KV",` +
		`"content":"b","summary":"s","tags":["t"],"metadata":{"value":0},` +
		`"expiresAt":"2026-11-21T20:33:34.123456Z","overridden":true,"writtenAt":"2026-11-21T19:33:34.123456Z",` +
		`"replacedAt":"2026-11-21T20:33:34.123456Z","reason":"OVERRIDDEN"},` +
		`{"version":1,"type":"NOTE","content":"a","writtenAt":"2026-11-21T18:33:34.123456Z",` +
		`"replacedAt":"2026-11-21T19:33:34.123456Z","reason":"UPDATED"}]}`
	if err != nil || string(got) != want {
		t.Errorf("Encode =\n%s, %v; want\n%s", got, err, want)
	}
	for _, m := range []model.Memory{
		{Content: "a", CreatedAt: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)},
		{Content: "a", History: []model.MemoryVersion{{WrittenAt: time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)}}},
		{Content: "a", Metadata: "{"},
	} {
		if line, err := Encode(m); err == nil {
			t.Errorf("%+v was written as %s", m, line)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     model.Memory
	}{
		{"only a content", `{"content":"x"}`, model.Memory{Type: model.MemoryNote, Content: "x"}},
		{
			"nulls",
			`{"id":null,"type":null,"content":"x","summary":null,"tags":null,"metadata":null,"createdAt":null,` +
				`"version":null,"overridden":null,"history":null}`,
			model.Memory{Type: model.MemoryNote, Content: "x"},
		},
		{
			"by hand",
			` { "type" : "kv", "content":"x","tags":["B","a","b"],"metadata":{"b":1,"a":{}},` +
				`"createdAt":"2026-11-21T22:33:34.1234567+02:00","history":[] } `,
			model.Memory{Type: model.MemoryKV, Content: "x", Tags: []string{"a", "b"}, Metadata: `{"a":{},"b":1}`,
				CreatedAt: time.Date(2026, 11, 21, 20, 33, 34, 123456000, time.UTC)},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got, err := Decode([]byte(c.in)); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("Decode = %+v, %v; want %+v", got, err, c.want)
			}
		})
	}
}

func TestDecodeRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, in, path, say string }{
		{"nothing", ``, "", "too early"},
		{"no object", `["x"]`, "", "JSON object"},
		{"two", `{"content":"x"}{}`, "", "behind"},
		{"no content", `{}`, "content", "needs its content"},
		{"null content", `{"content":null}`, "content", "needs its content"},
		{"a number for a text", `{"content":5}`, "content", "must be a text"},
		{"a misspelt field", `{"content":"x","sumary":"y"}`, "sumary", "did you mean summary?"},
		{"a field of a database", `{"content":"x","created_at":"y"}`, "created_at", "did you mean createdAt?"},
		{"a field from nowhere", `{"content":"x","zzz":"y"}`, "zzz", "the fields are"},
		{"a field of another kind of object", `{"content":"x","history":[{"id":1}]}`, "history|0|id", "there is no field"},
		{"a field twice", `{"content":"x","content":"y"}`, "content", "twice"},
		{"a type", `{"content":"x","type":"person"}`, "type", "NOTE, CONTACT, KV"},
		{"an empty type", `{"content":"x","type":""}`, "type", "NOTE, CONTACT, KV"},
		{"an id of a task", `{"content":"x","id":"task_01h455vb4pex5vsknk084sn02q"}`, "id", "id of a memory"},
		{"an id of zeros", `{"content":"x","id":"memory_00000000000000000000000000"}`, "id", "id of a memory"},
		{"tags", `{"content":"x","tags":"a"}`, "tags", "must be a list"},
		{"a tag", `{"content":"x","tags":["a",1]}`, "tags", "number 2"},
		{"a blank tag", `{"content":"x","tags":["a"," "]}`, "tags", "can be seen"},
		{"metadata", `{"content":"x","metadata":[]}`, "metadata", "JSON object"},
		{"within metadata", `{"content":"x","type":"CONTACT","metadata":{"name":1}}`, "metadata|name", "must be a text"},
		{"metadata too deep", `{"content":"x","metadata":` + deep(model.MaxMetadataDepth+1) + `}`, "metadata", "nested"},
		{"far too deep", `{"content":` + strings.Repeat("[", 50_000), "content|0|0|0|0|0|0|0|0|0|0", "nested"},
		{"a time without an offset", `{"content":"x","createdAt":"2026-11-21T20:33:34"}`, "createdAt", "offset"},
		{"a time of another kind", `{"content":"x","createdAt":1}`, "createdAt", "must be a text"},
		{"a version", `{"content":"x","version":0}`, "version", "whole number"},
		{"half a version", `{"content":"x","version":1.5}`, "version", "whole number"},
		{"an endless version", `{"content":"x","version":1e9}`, "version", "whole number"},
		{"overridden", `{"content":"x","overridden":"yes"}`, "overridden", "true or false"},
		{"a history of texts", `{"content":"x","history":["y"]}`, "history|0", "JSON object"},
		{"a version without its number", `{"content":"x","history":[{"content":"y","reason":"UPDATED"}]}`,
			"history|0|version", "needs"},
		{"a version without a reason",
			`{"content":"x","history":[{"content":"y","version":1,"writtenAt":"2026-11-21T20:33:34Z",` +
				`"replacedAt":"2026-11-21T20:33:34Z"}]}`, "history|0|reason", "UPDATED"},
		{"metadata of a version", `{"content":"x","history":[{"content":"y","metadata":{"source":1}}]}`,
			"history|0|metadata|source", "must be a text"},
		{"too many versions", `{"content":"x","history":[{}` + strings.Repeat(",{}", model.MaxMemoryVersions) + `]}`,
			"history", "at most 100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Decode([]byte(c.in))
			var shown *model.Error
			if !errors.As(err, &shown) || shown.Code != model.CodeBadUserInput || !reflect.DeepEqual(got, model.Memory{}) {
				t.Fatalf("Decode = %+v, %v; want BAD_USER_INPUT", got, err)
			}
			if path := strings.Join(shown.Field, "|"); path != c.path || !strings.Contains(shown.Message, c.say) {
				t.Errorf("%q at %q; want %q at %q", shown.Message, path, c.say, c.path)
			}
		})
	}
}

func TestLinesRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 10))
	pick := func(texts ...string) string { return texts[random.IntN(len(texts))] }
	moment := func() time.Time {
		return time.UnixMicro(random.Int64N(9_000_000_000_000_000) - 3_000_000_000_000_000).UTC()
	}
	version := func() (t model.MemoryType, content, summary string, tags []string, metadata string, expires time.Time) {
		t = []model.MemoryType{model.MemoryNote, model.MemoryContact, model.MemoryKV}[random.IntN(3)]
		n := thinned(random, node{form: object, keys: []string{"a", "b", "ג"},
			items: []node{randomNode(random, 5), randomNode(random, 5), randomNode(random, 5)}})
		metadata, _ = Metadata(t, model.JSON(canonical(n)))
		tags, _ = Tags([]string{pick("a", "b", "ג"), pick("a", "c", "ד\"ר"), pick("a", "x y")}[:random.IntN(4)])
		if random.IntN(2) == 0 {
			expires = moment()
		}
		return t, pick("x", "שלום \"עולם\"\n\t", "\u2028\u0085\u202e\ufffd😀\\", `{"a":1}`), pick("", "s", "<script>"), tags,
			metadata, expires
	}
	for range 1_000 {
		m := model.Memory{CreatedAt: moment(), UpdatedAt: moment(), Version: 1 + random.IntN(200),
			Overridden: random.IntN(2) == 0}
		for i := range m.ID {
			m.ID[i] = byte(random.IntN(256))
		}
		m.Type, m.Content, m.Summary, m.Tags, m.Metadata, m.ExpiresAt = version()
		for i := range random.IntN(4) {
			v := model.MemoryVersion{Memory: m.ID, Version: 9 - i, Overridden: random.IntN(2) == 0, WrittenAt: moment(),
				ReplacedAt: moment(), Reason: model.MemoryRestored}
			v.Type, v.Content, v.Summary, v.Tags, v.Metadata, v.ExpiresAt = version()
			m.History = append(m.History, v)
		}
		line, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsFunc(line, func(r rune) bool {
			return r < ' ' || r == '\u2028' || r == '\u2029' ||
				r == '\u0085'
		}) || !json.Valid(line) {
			t.Fatalf("not one line of JSON: %q", line)
		}
		got, err := Decode(line)
		if err != nil || !reflect.DeepEqual(got, m) {
			t.Fatalf("%s\nwas read as %+v, %v; want %+v", line, got, err, m)
		}
	}
}

func FuzzDecode(f *testing.F) {
	line, err := Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(line)
	f.Add([]byte(`{"content":"x","tags":["A"],"metadata":{"a":1.0},"createdAt":"0002-01-01T00:00:00Z","history":[]}`))
	f.Add([]byte(`{"content":`))
	f.Fuzz(func(t *testing.T, line []byte) {
		m, err := Decode(line)
		if err != nil {
			if model.CodeOf(err) != model.CodeBadUserInput {
				t.Fatal(err)
			}
			return
		}
		written, err := Encode(m)
		if err != nil {
			t.Fatalf("%+v was read and cannot be written: %v", m, err)
		}
		again, err := Decode(written)
		if err != nil || !reflect.DeepEqual(again, m) {
			t.Fatalf("%s became %+v, %v", written, again, err)
		}
	})
}
