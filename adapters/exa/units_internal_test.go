package exa

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
)

// A place comes back as what it was, whatever ids and cursors are like; and whatever text comes, it is a place of a
// page or none.
func FuzzPlace(f *testing.F) {
	f.Add("", 0, "", "0::")
	f.Add("abc:def", 199, "a:b%20", "1:x:c")
	f.Add("שלום", 5, "\x00", "201:a:b")
	f.Add("c", -1, "id", "-1:a:b")
	f.Fuzz(func(t *testing.T, cursor string, index int, id, text string) {
		p := place{cursor: cursor, index: max(-1, min(index, mostOthers-1)), id: id}
		if got, ok := readPlace(p.String()); !ok || got != p {
			t.Errorf("%+v came back as %+v, %v", p, got, ok)
		}
		if got, ok := readPlace(text); ok && (got.index < -1 || got.index >= mostOthers) {
			t.Errorf("%q is %+v", text, got)
		}
		things := []json.RawMessage{[]byte(`{"id":"a"}`), []byte(`{"id":"b"}`), []byte(`x`)}
		if got, ok := readPlace(text); ok {
			if at := got.start(things); at < 0 || at > len(things) {
				t.Errorf("%q begins at %d", text, at)
			}
		}
	})
}

// What Exa says is one line that can be shown, and holds no key.
func FuzzProblem(f *testing.F) {
	const secret = "exa-0123456789"
	for _, body := range []string{
		`{"statusCode":400,"message":"bad","error":"Bad Request","path":"/x"}`,
		`{"requestId":"r","error":"no","tag":"NO_MORE_CREDITS"}`, `{"error":"rate limit exceeded"}`,
		`{"message":["a","b",7]}`, `<html>`, `{"message":"` + secret + ` Bearer x https://a.b 10.0.0.1:80"}`,
		`{"tag":"` + secret + `"}`, `{"message":"` + strings.Repeat("é", 999) + `"}`, `{`, "\xff",
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		said := readProblem(body, secret)
		if strings.Contains(said.message, secret) || strings.Contains(said.tag, secret) ||
			utf8.RuneCountInString(said.message) > 200 || !utf8.ValidString(said.message) {
			t.Errorf("%q says %+v", body, said)
		}
		if strings.ContainsFunc(said.message,
			func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }) {
			t.Errorf("%q says %q", body, said.message)
		}
		lost := judge(400, said)
		if _, ok := errors.AsType[*model.Error](shown(lost)); !ok {
			t.Errorf("%q is not for clients", body)
		}
	})
}

// Metadata are shown without our own entries, and sent with them.
func TestMetadata(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{"b":"2","a":"1"}`:                                         `{"a":"1","b":"2"}`,
		`{"almanacOwner":"x","almanacRequest":"y"}`:                 ``,
		`{"almanacOwner":"x","n":1.50,"o":{"almanacOwner":"kept"}}`: `{"n":1.50,"o":{"almanacOwner":"kept"}}`,
		`{}`: ``, `null`: ``, `"x"`: ``, `[1]`: ``, ``: ``, `{"a":`: ``, `{"ת":"<&>"}`: `{"ת":"<&>"}`,
	} {
		if got := string(shownMetadata(json.RawMessage(raw))); got != want {
			t.Errorf("%s is shown as %s, want %s", raw, got, want)
		}
	}
	sent, err := sentMetadata(`{"a":"1"}`, "owner", "request")
	if err != nil || fmt.Sprint(sent) != "map[a:1 almanacOwner:owner almanacRequest:request]" {
		t.Errorf("%v, %v", sent, err)
	}
	if sent, err := sentMetadata("", "", ""); sent != nil || err != nil {
		t.Errorf("%v, %v", sent, err)
	}
	owner, request := marksOf(json.RawMessage(`{"almanacOwner":7,"almanacRequest":"r"}`))
	if owner != "" || request != "r" {
		t.Errorf("%q %q", owner, request)
	}
}

// Times in every form that is told, and none for what is no time.
func TestWireTime(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`"2026-11-22T12:00:00.123456789Z"`: "2026-11-22T12:00:00.123456Z",
		`"2026-11-22T12:00:00+02:00"`:      "2026-11-22T10:00:00Z", `"2026-11-22"`: "2026-11-22T00:00:00Z",
		`"2026-11-22T12:00:00.000"`: "2026-11-22T12:00:00Z", `1795348800000`: "2026-11-22T12:00:00Z",
		`1e14`: "5138-11-16T09:46:40Z",
		`null`: "", `"soon"`: "", `1e300`: "", `-1e15`: "", `{}`: "", `"` + strings.Repeat("2", 100) + `"`: "",
		`"10000-01-01T00:00:00Z"`: "", `"0000-01-01T00:00:00Z"`: "",
	} {
		var at wireTime
		if err := json.Unmarshal([]byte(raw), &at); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
		got := ""
		if !at.IsZero() {
			got = at.Format(time.RFC3339Nano)
		}
		if raw == "null" && !at.IsZero() || got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
}
