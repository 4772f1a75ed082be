package memo

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"almanac/graph/model"
)

func TestMetadata(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		t        model.MemoryType
		in, want string
	}{
		{"nothing", model.MemoryNote, ``, ``},
		{"null", model.MemoryNote, ` null `, ``},
		{"no entries", model.MemoryNote, `{ }`, ``},
		{"keys in order, compact", model.MemoryNote, "{ \"b\" : 1 ,\n \"a\" : [ true , false , null ] }",
			`{"a":[true,false,null],"b":1}`},
		{"digits are kept", model.MemoryKV, `{"value":[1.10,1e400,12345678901234567890,-0,1E+5,0.10]}`,
			`{"value":[1.10,1e400,12345678901234567890,-0,1E+5,0.10]}`},
		{"nested keys in order", model.MemoryNote, `{"z":{"b":{},"a":[]}}`, `{"z":{"a":[],"b":{}}}`},
		{"Hebrew and points", model.MemoryContact, `{"name":"\u05d3\u05e0\u05d4","description":"שָׁלוֹם"}`,
			`{"description":"שָׁלוֹם","name":"דנה"}`},
		{"white space and line ends stay", model.MemoryContact, `{"name":" Jones\r\n\t"}`, `{"name":" Jones\r\n\t"}`},
		{"controls are escaped", model.MemoryNote, `{"a":"\u001b[31m\u007f\u0085\u2028"}`,
			`{"a":"\u001b[31m\u007f\u0085\u2028"}`},
		{"no escapes without need", model.MemoryNote, `{"a":"\u003c\u0026\/\u0022\u005c"}`, `{"a":"<&/\"\\"}`},
		{"direction marks stay", model.MemoryNote, "{\"a\":\"\u202eabc\u2069\"}", "{\"a\":\"\u202eabc\u2069\"}"},
		{"half a pair", model.MemoryNote, `{"a":"\ud83d!"}`, "{\"a\":\"\ufffd!\"}"},
		{"a whole pair", model.MemoryNote, `{"a":"\ud83d\ude00"}`, `{"a":"😀"}`},
		{"note", model.MemoryNote, `{"source":"text","entities":["Dana"],"x":1}`,
			`{"entities":["Dana"],"source":"text","x":1}`},
		{"known fields may be null", model.MemoryContact, `{"name":null,"phone":null}`, `{"name":null,"phone":null}`},
		{"a field known for another type is free", model.MemoryNote, `{"name":{"first":"Dana"}}`,
			`{"name":{"first":"Dana"}}`},
		{"any value of a key-value", model.MemoryKV, `{"subject":"size","value":{"eu":42}}`,
			`{"subject":"size","value":{"eu":42}}`},
		{"as deep as can be", model.MemoryNote, deep(model.MaxMetadataDepth), deep(model.MaxMetadataDepth)},
		{"as long as can be", model.MemoryNote, `{"a":"` + strings.Repeat("x", model.MaxMemoryMetadata-8) + `"}`,
			`{"a":"` + strings.Repeat("x", model.MaxMemoryMetadata-8) + `"}`},
		{"many that are the same", model.MemoryNote, `{"a":[1` + strings.Repeat(",1", 4*MaxPairs) + `]}`,
			`{"a":[1` + strings.Repeat(",1", 4*MaxPairs) + `]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Metadata(c.t, model.JSON(c.in))
			if err != nil || got != c.want {
				t.Errorf("Metadata(%s) = %s, %v; want %s", c.in, got, err, c.want)
			}
			again, err := Metadata(c.t, model.JSON(got))
			if err != nil || again != got {
				t.Errorf("the canonical text of %s is %s, %v", got, again, err)
			}
		})
	}
}

// deep is an object with lists to the depth given.
func deep(n int) string {
	return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
}

func TestMetadataRefused(t *testing.T) {
	t.Parallel()
	many := make([]string, MaxPairs+1)
	for i := range many {
		many[i] = strconv.Itoa(i)
	}
	for _, c := range []struct {
		name      string
		t         model.MemoryType
		in        string
		path, say string
	}{
		{"a text", model.MemoryNote, `"x"`, "", "JSON object"},
		{"a list", model.MemoryNote, `[{}]`, "", "JSON object"},
		{"no JSON", model.MemoryNote, `{"a":}`, "a", "not JSON"},
		{"cut off", model.MemoryNote, `{"a":[1,`, "a|1", "too early"},
		{"a comma too many", model.MemoryNote, `{"a":1,}`, "", "not JSON"},
		{"two values", model.MemoryNote, `{} {}`, "", "behind"},
		{"a key twice", model.MemoryNote, `{"b":{"a":1,"\u0061":2}}`, "b|a", "twice"},
		{"too deep", model.MemoryNote, deep(model.MaxMetadataDepth + 1), "a|0|0|0|0|0|0|0", "nested"},
		{"far too deep", model.MemoryNote, deep(20_000), "a|0|0|0|0|0|0|0", "nested"},
		{"too long", model.MemoryNote, `{"a":"` + strings.Repeat("x", model.MaxMemoryMetadata-7) + `"}`, "", "bytes"},
		{"far too long", model.MemoryNote, `{"a":"` + strings.Repeat("x", 1<<20) + `"}`, "", "bytes"},
		{"too many entries", model.MemoryNote, `{"a":[` + strings.Join(many, ",") + `]}`, "", "entries"},
		{"NUL", model.MemoryNote, `{"a":{"b":["x","\u0000"]}}`, "a|b|1", "NUL"},
		{"NUL in a key", model.MemoryNote, `{"a":{"b\u0000":1}}`, "a", "NUL"},
		{"source", model.MemoryNote, `{"source":1}`, "source", "text"},
		{"entities", model.MemoryNote, `{"entities":"Dana"}`, "entities", "list of texts"},
		{"an entity", model.MemoryNote, `{"entities":["Dana",1]}`, "entities|1", "list of texts"},
		{"name", model.MemoryContact, `{"name":["Dana"]}`, "name", "text"},
		{"phone", model.MemoryContact, `{"phone":509999999}`, "phone", "text"},
		{"email", model.MemoryContact, `{"email":false}`, "email", "text"},
		{"description", model.MemoryContact, `{"description":{}}`, "description", "text"},
		{"subject", model.MemoryKV, `{"subject":1}`, "subject", "text"},
		{"a key with points is one step of the path", model.MemoryNote, `{"a.b":"\u0000"}`, "a.b", "NUL"},
		{"a long key is cut", model.MemoryNote, `{"` + strings.Repeat("ש", 200) + `":"\u0000"}`,
			strings.Repeat("ש", maxPath-1) + "…", "NUL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Metadata(c.t, model.JSON(c.in))
			var shown *model.Error
			if !errors.As(err, &shown) || shown.Code != model.CodeBadUserInput || got != "" {
				t.Fatalf("Metadata = %.80q, %v; want BAD_USER_INPUT", got, err)
			}
			if path := strings.Join(shown.Field, "|"); path != c.path || !strings.Contains(shown.Message, c.say) {
				t.Errorf("%q at %q; want %q at %q", shown.Message, path, c.say, c.path)
			}
		})
	}
}

func TestTypedViews(t *testing.T) {
	t.Parallel()
	note, other := Note(`{"entities":["Dana","חיפה"],"source":"text","weight":1.50}`)
	if note.Source != "text" || !slices.Equal(note.Entities, []string{"Dana", "חיפה"}) || other != `{"weight":1.50}` {
		t.Errorf("Note = %+v, %s", note, other)
	}
	contact, other := Contact(`{"description":"plumber","email":"d@example.com","name":"דנה","phone":"050-9999999"}`)
	if contact != (ContactFields{Name: "דנה", Phone: "050-9999999", Email: "d@example.com", Description: "plumber"}) ||
		other != "" {
		t.Errorf("Contact = %+v, %s", contact, other)
	}
	kv, other := KeyValue(`{"subject":"size","value":{"eu":42.0},"x":[]}`)
	if kv != (KeyValueFields{Subject: "size", Value: `{"eu":42.0}`}) || other != `{"x":[]}` {
		t.Errorf("KeyValue = %+v, %s", kv, other)
	}
	for _, c := range []struct{ name, in, want string }{
		{"another shape", `{"name":["Dana"],"phone":5}`, `{"name":["Dana"],"phone":5}`},
		{"null is said by the field itself", `{"name":null,"z":null}`, `{"z":null}`},
		{"nothing", ``, ``},
		{"not an object", `[1]`, ``},
		{"not JSON", `{`, ``},
	} {
		if fields, other := Contact(c.in); fields != (ContactFields{}) || other != c.want {
			t.Errorf("%s: Contact(%s) = %+v, %s; want %s", c.name, c.in, fields, other, c.want)
		}
	}
	if fields, other := Note(`{"entities":["Dana",1],"source":2}`); fields.Entities != nil || fields.Source != "" ||
		other != `{"entities":["Dana",1],"source":2}` {
		t.Errorf("Note = %+v, %s", fields, other)
	}
}

// What a view and its rest say together is all that was there. (No value is null here: of a known field the view says
// it by itself.)
func TestViewsLoseNothing(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 2_000 {
		object := map[string]any{}
		for range random.IntN(6) {
			key := []string{"name", "phone", "email", "description", "source", "entities", "subject", "value", "x",
				"שם"}[random.IntN(10)]
			object[key] = randomValue(random, 3)
		}
		in, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		metadata := canonical(read(string(in)))
		rejoin := func(other string, taken map[string]string) string {
			joined := read(other)
			for key, value := range taken {
				if value == "" {
					continue
				}
				if _, double := joined.get(key); double {
					t.Fatalf("%s: %s is in the view and in the rest %s", metadata, key, other)
				}
				n, err := parse(value, maxRead)
				if err != nil {
					t.Fatal(err)
				}
				at, _ := slices.BinarySearch(joined.keys, key)
				joined.keys, joined.items = slices.Insert(joined.keys, at, key), slices.Insert(joined.items, at, n)
			}
			return canonical(joined)
		}
		quoted := func(s, key string) string { // a text that is there, be it empty
			if n, _ := read(metadata).get(key); n.form != text {
				return ""
			}
			return string(appendText(nil, s))
		}
		contact, other := Contact(metadata)
		got := rejoin(other, map[string]string{
			"name": quoted(contact.Name, "name"), "phone": quoted(contact.Phone, "phone"),
			"email": quoted(contact.Email, "email"), "description": quoted(contact.Description, "description"),
		})
		if got != metadata {
			t.Fatalf("contact: %s became %s", metadata, got)
		}
		kv, other := KeyValue(metadata)
		if got := rejoin(other,
			map[string]string{"subject": quoted(kv.Subject, "subject"), "value": kv.Value}); got != metadata {
			t.Fatalf("key-value: %s became %s", metadata, got)
		}
		note, other := Note(metadata)
		entities, _ := read(metadata).get("entities")
		list := ""
		if _, kept := read(other).get("entities"); !kept && entities.form != null {
			encoded, _ := json.Marshal(append([]string{}, note.Entities...))
			list = string(encoded)
		}
		if got := rejoin(other,
			map[string]string{"source": quoted(note.Source, "source"), "entities": list}); got != metadata {
			t.Fatalf("note: %s became %s", metadata, got)
		}
	}
}

func randomValue(random *rand.Rand, depth int) any {
	switch random.IntN(8 - 2*btoi(depth == 0)) {
	case 0:
		return true
	case 1:
		return random.IntN(20)
	case 2:
		return ""
	case 3, 4, 5:
		return []string{"Dana", "דנה", "a\nb", "\u2028", "1"}[random.IntN(5)]
	case 6:
		list := []any{}
		for range random.IntN(4) {
			list = append(list, randomValue(random, depth-1))
		}
		return list
	}
	object := map[string]any{}
	for range random.IntN(4) {
		object[[]string{"a", "b", "ג", ".", "\""}[random.IntN(5)]] = randomValue(random, depth-1)
	}
	return object
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func FuzzMetadata(f *testing.F) {
	for _, s := range []string{``, `null`, `{}`, `{"a":1.10,"b":[1e400,"\ud800"]}`, `{"source":"text","entities":["x"]}`,
		`{"a":{"a":1,"a":2}}`, `[`, "{\"\xff\":0}", `{"a":"\u0000"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, kind := range []model.MemoryType{model.MemoryNote, model.MemoryContact, model.MemoryKV} {
			got, err := Metadata(kind, model.JSON(s))
			if err != nil {
				if model.CodeOf(err) != model.CodeBadUserInput {
					t.Fatal(err)
				}
				continue
			}
			if again, err := Metadata(kind, model.JSON(got)); err != nil || again != got {
				t.Fatalf("%q became %q and then %q, %v", s, got, again, err)
			}
			if got != "" && (!json.Valid([]byte(got)) || got[0] != '{' || len(got) > model.MaxMemoryMetadata) {
				t.Fatalf("%q became %q", s, got)
			}
			if pairs := Pairs(got); len(pairs) > MaxPairs || !slices.IsSorted(pairs) || !slices.Equal(pairs, Pairs(s)) {
				t.Fatalf("%q has the pairs %q", got, pairs)
			}
			Note(got)
			Contact(got)
			KeyValue(got)
		}
	})
}
