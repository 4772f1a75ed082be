package rows

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"almanac/graph/model"
)

// What is read without reflection is what encoding/json reads, and everything else goes to it.
func FuzzRecurrenceOf(f *testing.F) {
	for _, text := range []string{
		`{"type":"DAILY","time":"08:00","timeZone":"Asia/Jerusalem"}`,
		`{"type":"WEEKLY","time":"08:00","days":["SUNDAY","FRIDAY"],"until":"2030-01-02T03:04:05.000006Z","timeZone":"UTC"}`,
		`{"type":"WEEKLY","days":[]}`, `{"type":"WEEKLY","days":[,]}`, `{"type":"WEEKLY","days":["SUNDAY""FRIDAY"]}`,
		`{"type":"WEEKLY","days":["SUNDAY",]}`, `{"type":"WEEKLY","days":["SUNDAY"`,
		`{"type":"MONTHLY","dayOfMonth":31}`, `{"type":"MONTHLY","dayOfMonth":031}`, `{"type":"MONTHLY","dayOfMonth":}`,
		`{"type":"NUDGE","interval":600000000000}`, `{"type":"NUDGE","interval":-6}`, `{"type":"NUDGE","interval":6e2}`,
		`{"type":"NUDGE","interval":9223372036854775807}`, `{"type":"NUDGE","interval":99999999999999999999}`,
		`{"type":"DAILY","time":"08:00"} `, ` {"type":"DAILY"}`, `{"type":"DAILY"}{}`, `{"type":"DAILY","type":"NUDGE"}`,
		`{"time":"08:00","type":"DAILY"}`, `{"TYPE":"DAILY"}`, `{"type":"D\u0041ILY"}`, `{"type":"יומי"}`,
		`{"type":"DAILY","until":"2030-1-2T3:4:5Z"}`, `{"type":"DAILY","until":""}`, `{"type":null}`, `{}`, `null`, `{`,
		"{\"type\":\"a\tb\"}", "{\"type\":\"\xff\"}", "{\"type\":\"\x7f\"}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if text == "" {
			return
		}
		want := new(model.Recurrence)
		failed := json.Unmarshal([]byte(text), want)
		want.Until = Time(want.Until)
		got, err := RecurrenceOf(text)
		if (err != nil) != (failed != nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v, %v", text, got, err, want, failed)
		}
	})
}

// What Recurrence writes is read without encoding/json.
func TestRecurrencesAreReadAsWritten(t *testing.T) {
	for _, rule := range []*model.Recurrence{
		{Type: model.Daily, Time: "08:00", TimeZone: "Asia/Jerusalem"},
		{Type: model.Weekly, Time: "23:59", Days: []model.Weekday{model.Sunday, model.Friday}, TimeZone: "UTC",
			Until: time.Date(2030, 1, 2, 3, 4, 5, 6000, time.UTC)},
		{Type: model.Monthly, Time: "09:00", DayOfMonth: 31, TimeZone: "America/New_York"},
		{Type: model.Nudge, Interval: 10 * time.Minute},
	} {
		_, text, err := Recurrence(rule)
		if err != nil {
			t.Fatal(err)
		}
		if !asWritten(text, new(model.Recurrence)) {
			t.Errorf("%s is read by encoding/json", text)
		}
		allocated := testing.AllocsPerRun(100, func() { _, err = RecurrenceOf(text) })
		if err != nil || allocated > 2 { // the rule and its days
			t.Errorf("%s: %v allocations, %v", text, allocated, err)
		}
	}
}
