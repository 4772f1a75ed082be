package google_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"almanac/internal/standin/google"
)

const batchURL = "https://www.googleapis.com/batch/calendar/v3"

// part is one call of a batch, or one answer.
type part struct {
	id, text string
}

func batchBody(parts ...part) (body, contentType string) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	for _, p := range parts {
		header := map[string][]string{"Content-Type": {"application/http"}}
		if p.id != "" {
			header["Content-Id"] = []string{"<" + p.id + ">"}
		}
		into, _ := w.CreatePart(header)
		_, _ = io.WriteString(into, p.text)
	}
	_ = w.Close()
	return out.String(), "multipart/mixed; boundary=" + w.Boundary()
}

type batchAnswer struct {
	id     string
	status int
	header http.Header
	body   string
}

func (r *rig) batch(t testing.TB, client *http.Client, url string, parts ...part) []batchAnswer {
	t.Helper()
	body, contentType := batchBody(parts...)
	response, raw := do(t, client, http.MethodPost, url, strings.NewReader(body), "Content-Type", contentType)
	media, parameters, err := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if err != nil || response.StatusCode != http.StatusOK || media != "multipart/mixed" {
		t.Fatalf("the batch is answered with %d %s: %s", response.StatusCode, response.Header.Get("Content-Type"), raw)
	}
	var answers []batchAnswer
	reader := multipart.NewReader(strings.NewReader(raw), parameters["boundary"])
	for {
		p, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return answers
		}
		if err != nil {
			t.Fatal(err)
		}
		inner, err := http.ReadResponse(bufio.NewReader(p), nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(inner.Body)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, batchAnswer{p.Header.Get("Content-ID"), inner.StatusCode, inner.Header, string(text)})
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *google.Options) { o.Quota = google.Quota{PerAccount: 4} })
	other := r.grant(t, noam, events).Access
	client := r.client(r.grant(t, dana, events).Access)
	r.Inject(google.Fault{Method: "calendar.events.list", Times: 1, Status: 503})
	answers := r.batch(t, client, batchURL,
		part{"one", "GET /calendar/v3/calendars/primary/events/a?fields=id"},
		part{"two", "GET /calendar/v3/calendars/primary/events HTTP/1.1\r\n\r\n"},
		part{"three",
			"POST /calendar/v3/calendars/primary/events\r\nContent-Type: application/json\r\nContent-Length: 35\r\n\r\n" +
				"{\"summary\":\"a\",\"start\":{},\"end\":{}}"},
		part{"", "GET /calendar/v3/calendars/primary/events/b\nHost: www.googleapis.com\nAuthorization: Bearer " + other +
			"\n\n"},
		part{"five", "GET /calendar/v3/nothing"},
		part{"six", "nonsense"},
		part{"seven", "POST /upload/gmail/v1/users/me/messages"},
		part{"eight", "GET https://evil.example/calendar/v3/calendars/primary/events/a"},
		part{"nine", "DELETE /calendar/v3/calendars/primary/events/a"},
		part{"ten", "GET /calendar/v3/calendars/primary/events/c"},
		part{"eleven", "GET /calendar/v3/calendars/primary/events/d"},
	)
	want := []struct {
		id     string
		status int
	}{
		{"<response-one>", 200},
		{"<response-two>", 503},
		{"<response-three>", 200},
		{"", 200},
		{"<response-five>", 404},
		{"<response-six>", 400},
		{"<response-seven>", 400},
		{"<response-eight>", 400},
		{"<response-nine>", 204},
		{"<response-ten>", 200},
		{"<response-eleven>", 403}, // each call costs its own units
	}
	if len(answers) != len(want) {
		t.Fatalf("%d answers: %+v", len(answers), answers)
	}
	for i, a := range answers {
		if a.id != want[i].id || a.status != want[i].status {
			t.Errorf("answer %d is %+v; want %+v", i, a, want[i])
		}
	}
	if !same(field(t, answers[0].body), map[string]any{"id": "a"}) || answers[0].header.Get("Content-Encoding") != "" {
		t.Errorf("the first answer is %+v", answers[0])
	}
	r.calendar.mu.Lock()
	defer r.calendar.mu.Unlock()
	if got := r.calendar.calls[1].Body["summary"]; got != "a" {
		t.Errorf("the body arrives as %v", r.calendar.calls[1].Body)
	}
	if got := r.calendar.calls[2].Account; got != noam {
		t.Errorf("a part with a token of its own is %s's", got)
	}
	for _, kept := range r.Requests() {
		if kept.Header.Get("Authorization") != "" || (kept.Method == "" && kept.Status == 200) {
			t.Errorf("the record holds %+v", kept)
		}
	}
}

func TestBatchesOfBothAPIs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	client := r.client(r.grant(t, dana, "https://mail.google.com/").Access)
	for _, url := range []string{"https://gmail.googleapis.com/batch", "https://gmail.googleapis.com/batch/gmail/v1"} {
		answers := r.batch(t, client, url, part{"1", "GET /gmail/v1/users/me/messages/1"},
			part{"2", "GET /calendar/v3/calendars/a/events/b"})
		if len(answers) != 2 || answers[0].status != 200 || answers[1].status != 404 {
			t.Errorf("%s: %+v", url, answers)
		}
	}
}

func TestBatchLimits(t *testing.T) {
	t.Parallel()
	many := func(n int) []part {
		parts := make([]part, n)
		for i := range parts {
			parts[i] = part{fmt.Sprint(i), "GET /calendar/v3/calendars/primary/events/a"}
		}
		return parts
	}
	r := newRig(t)
	client := r.client(r.grant(t, dana, events).Access)
	if got := len(r.batch(t, client, batchURL, many(50)...)); got != 50 {
		t.Errorf("a batch of 50 has %d answers", got)
	}
	for _, c := range []struct{ verb, body, contentType string }{
		{"POST", "", "multipart/mixed; boundary=x"},
		{"POST", "--x--", "multipart/mixed; boundary=x"},
		{"POST", "x", "application/json"},
		{"POST", "x", "multipart/mixed"},
		{"GET", "", ""},
	} {
		response, body := do(t, client, c.verb, batchURL, strings.NewReader(c.body), "Content-Type", c.contentType)
		if response.StatusCode < 400 || response.StatusCode >= 500 || field(t, body, "error", "code") == nil {
			t.Errorf("%+v: %d %s", c, response.StatusCode, body)
		}
	}
	tooMany, contentType := batchBody(many(51)...)
	before := r.calendar.count()
	if response, _ := do(t, client, http.MethodPost, batchURL, strings.NewReader(tooMany), "Content-Type",
		contentType); response.StatusCode != 400 || r.calendar.count() != before {
		t.Errorf("51 calls: %d", response.StatusCode)
	}
	wide := newRig(t, func(o *google.Options) { o.BatchCalls = 1000 })
	if got := len(wide.batch(t, wide.client(wide.grant(t, dana, events).Access), batchURL, many(51)...)); got != 51 {
		t.Errorf("with another limit, a batch of 51 has %d answers", got)
	}
	mixed, contentType := batchBody(part{"1", "GET /calendar/v3/calendars/primary/events/a"})
	mixed = strings.Replace(mixed, "application/http", "application/json", 1)
	if _, body := do(t, client, http.MethodPost, batchURL, strings.NewReader(mixed), "Content-Type",
		contentType); !strings.Contains(body, "400 Bad Request") {
		t.Errorf("a part of another type: %s", body)
	}
}

// FuzzBatch: whatever stands in a batch's part, it is answered, by one answer, and only with what Google's form allows.
func FuzzBatch(f *testing.F) {
	for _, seed := range []string{
		"GET /calendar/v3/calendars/primary/events/a",
		"POST /calendar/v3/calendars/primary/events\r\nContent-Type: application/json\r\n\r\n{}",
		"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "CONNECT a:1", "GET //a/b", "\r\n\r\n", "GET /%zz",
		"GET /a\nTransfer-Encoding: chunked\n\nx",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "--") { // a boundary might be in it
			return
		}
		r := newRig(t, func(o *google.Options) { o.Report = nil })
		answers := r.batch(t, r.client(r.grant(t, dana, events).Access), batchURL, part{"1", text})
		if len(answers) != 1 || answers[0].status < 200 || answers[0].status > 599 || answers[0].id != "<response-1>" {
			t.Errorf("%q is answered with %+v", text, answers)
		}
	})
}
