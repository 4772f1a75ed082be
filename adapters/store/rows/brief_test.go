package rows_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// What is read of a body but for description and guests is what encoding/json reads of the whole.
func TestABriefIsABodyWithoutItsLongParts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(23, 4)) //nolint:gosec // no secret
	pieces := []string{"", "a", `"`, `\`, `\"`, "}", "{", "[", "]", ",", ":", "חלב", "\n", "\x00", "<b>&", `"Attendees":`,
		`\\`, "😀", "\u2028"}
	text := func() string {
		var out strings.Builder
		for range random.IntN(6) {
			out.WriteString(pieces[random.IntN(len(pieces))])
		}
		return out.String()
	}
	for range 5_000 {
		body := model.EventBody{Description: text(), Location: text(), HTMLLink: text(), MeetingURL: text(),
			ColorID: text(), EndZone: text(), CreatedAt: time.Unix(random.Int64N(1<<33), 0).UTC(), URL: text(),
			Sequence: random.IntN(3), AttendeesOmitted: random.IntN(2) == 0}
		for range random.IntN(4) {
			body.Attendees = append(body.Attendees, model.Attendee{Email: text(), Name: text(), Comment: text()})
			body.Categories = append(body.Categories, text())
		}
		if random.IntN(2) == 0 {
			body.Organizer = &model.Person{Email: text()}
		}
		written, _, err := rows.Body(model.EventRow{Body: &body})
		if err != nil {
			continue // a text that no store takes
		}
		var want model.EventBody
		if err := json.Unmarshal([]byte(written), &want); err != nil {
			t.Fatal(err)
		}
		want.Description, want.Attendees = "", nil
		got, err := rows.BriefOf([]byte(written))
		if err != nil || !reflect.DeepEqual(*got, want) {
			t.Fatalf("%s\ngot  %+v %v\nwant %+v", written, got, err, want)
		}
	}
}

// What is no body is an error, or what encoding/json reads of it; never a panic.
func FuzzBriefOf(f *testing.F) {
	for _, seed := range []string{`{}`, `{"Location":"a","Description":"b"}`, `{`, `{"`, `{"a":`, `{"a":"\`, `{,}`, `[]`,
		` {}`, `{"a":[}`, `{"Attendees":[{"Email":"]"}],"Location":"x"}`, `{"a":1}}`, `{"a":"}`, `""`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		brief, err := rows.BriefOf([]byte(text))
		whole, wrong := rows.BodyOf([]byte(text))
		if err != nil || wrong != nil {
			return
		}
		whole.Description, whole.Attendees = "", nil
		if !strings.Contains(text, `"Description"`) && !strings.Contains(text, `"Attendees"`) &&
			!reflect.DeepEqual(brief, whole) {
			t.Errorf("got %+v, want %+v", brief, whole)
		}
	})
}
