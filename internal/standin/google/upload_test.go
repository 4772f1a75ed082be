package google_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	gmail "google.golang.org/api/gmail/v1"
	"google.golang.org/api/googleapi"
	"google.golang.org/api/option"

	"almanac/internal/standin/google"
	"almanac/internal/standin/wire"
)

const (
	sendPath  = "https://gmail.googleapis.com/upload/gmail/v1/users/me/messages/send"
	message   = "Subject: =?utf-8?b?16nXnNeV150=?=\r\n\r\nhello"
	rfc822    = "message/rfc822"
	mailScope = "https://mail.google.com/"
)

func TestUploadsOfTheRealClient(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	service, err := gmail.NewService(t.Context(), option.WithHTTPClient(r.client(r.grant(t, dana, gmailSend).Access)))
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("מ", 400_000)
	for name, c := range map[string]struct {
		media string
		chunk int
	}{
		"multipart":                {message, googleapi.DefaultUploadChunkSize},
		"resumable":                {long, googleapi.MinUploadChunkSize},
		"resumable, of whole":      {strings.Repeat("a", 2*googleapi.MinUploadChunkSize), googleapi.MinUploadChunkSize},
		"multipart, whatever size": {long, 0},
	} {
		_, err := service.Users.Messages.Send("me", &gmail.Message{ThreadId: "t1"}).
			Media(strings.NewReader(c.media), googleapi.ContentType(rfc822), googleapi.ChunkSize(c.chunk)).Do()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		call := r.gmail.last(t)
		if call.Method != "gmail.users.messages.send" || call.Path["userId"] != "me" || call.MediaType != rfc822 ||
			!bytes.Equal(call.Media, []byte(c.media)) ||
			call.Body["threadId"] != "t1" || len(call.Query) != 0 || call.Account != dana {
			t.Errorf("%s: the service was called with %d bytes of %s, %v, %v", name, len(call.Media), call.MediaType, call.Body,
				call.Query)
		}
	}
	if found := r.violations(); found != nil {
		t.Error(found)
	}
}

func TestMediaAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	client := r.client(r.grant(t, dana, gmailSend).Access)
	response, body := do(t, client, http.MethodPost, sendPath+"?uploadType=media", strings.NewReader(message),
		"Content-Type", rfc822)
	if response.StatusCode != http.StatusOK || string(r.gmail.last(t).Media) != message || r.gmail.last(t).Body != nil {
		t.Errorf("%d %s", response.StatusCode, body)
	}
	for name, c := range map[string][]string{
		"no type of upload": {"", rfc822, message},
		"another type":      {"?uploadType=carrier", rfc822, message},
		"not multipart":     {"?uploadType=multipart", rfc822, message},
		"one part": {"?uploadType=multipart", "multipart/related; boundary=x",
			"--x\r\nContent-Type: application/json\r\n\r\n{}\r\n--x--"},
		"three parts": {"?uploadType=multipart", "multipart/related; boundary=x",
			"--x\r\n\r\n{}\r\n--x\r\n\r\na\r\n--x\r\n\r\nb\r\n--x--"},
		"JSON that is none": {"?uploadType=multipart", "multipart/related; boundary=x",
			"--x\r\n\r\n{\r\n--x\r\n\r\na\r\n--x--"},
		"a session not here": {"?uploadType=resumable&upload_id=x", rfc822, message},
	} {
		response, body := do(t, client, http.MethodPost, sendPath+c[0], strings.NewReader(c[2]), "Content-Type", c[1])
		if response.StatusCode != http.StatusBadRequest && response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d %s", name, response.StatusCode, body)
		}
	}
	response, _ = do(t, client, http.MethodPost, sendPath+"?uploadType=media", bytes.NewReader(make([]byte, 41<<20)),
		"Content-Type", rfc822)
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("41 MiB: %d", response.StatusCode)
	}
	response, _ = do(t, client, http.MethodPost, sendPath+"?uploadType=resumable", http.NoBody, "X-Upload-Content-Length",
		"38000000")
	if response.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("38 MB announced: %d", response.StatusCode)
	}
	if n := r.gmail.count(); n != 1 {
		t.Errorf("the service was called %d times", n)
	}
}

// TestResumableUpload follows the protocol by hand: PUT, ranges, a question for what is there, a lost chunk.
func TestResumableUpload(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	client := r.client(r.grant(t, dana, gmailSend).Access)
	begin := func() string {
		response, body := do(t, client, http.MethodPost, sendPath+"?uploadType=resumable&fields=id",
			strings.NewReader(`{"threadId":"t1"}`),
			"Content-Type", "application/json", "X-Upload-Content-Type", rfc822, "X-Upload-Content-Length", "10")
		if response.StatusCode != http.StatusOK || body != "" ||
			!strings.HasPrefix(response.Header.Get("Location"), sendPath+"?") {
			t.Fatalf("the first step: %d %s %v", response.StatusCode, body, response.Header)
		}
		return response.Header.Get("Location")
	}
	put := func(to, content, span string, header ...string) (int, http.Header) {
		response, _ := do(t, client, http.MethodPut, to, strings.NewReader(content),
			append([]string{"Content-Range", span}, header...)...)
		return response.StatusCode, response.Header
	}
	at := begin()
	for _, step := range []struct {
		content, span string
		status        int
		have          string
	}{
		{"", "bytes */10", 308, ""},
		{"0123", "bytes 0-3/10", 308, "bytes=0-3"},
		{"0123", "bytes 0-3/10", 308, "bytes=0-3"}, // repeated after a lost answer
		{"78", "bytes 7-8/10", 308, "bytes=0-3"},   // a gap is not taken
		{"45", "bytes 4-5/*", 308, "bytes=0-5"},
		{"", "bytes */*", 308, "bytes=0-5"},
		{"6789", "bytes 6-10/11", 400, ""}, // the span is not the length
		{"6789", "6-9/10", 400, ""},
		{"6789", "bytes 6-9/9", 400, ""},
		{"6789", "bytes 6-9/10", 200, ""},
		{"", "bytes */10", 200, ""}, // the answer, once more
		{"6789", "bytes 6-9/10", 200, ""},
	} {
		status, header := put(at, step.content, step.span)
		if status != step.status || header.Get("Range") != step.have {
			t.Errorf("%s: %d, Range %q; want %d, %q", step.span, status, header.Get("Range"), step.status, step.have)
		}
	}
	if call := r.gmail.last(t); string(call.Media) != "0123456789" || call.MediaType != rfc822 ||
		call.Body["threadId"] != "t1" || r.gmail.count() != 1 {
		t.Errorf("the service was called with %q", call.Media)
	}
	if status, header := put(begin(), "0", "bytes 0-0/2", "X-GUploader-No-308", "yes"); status != http.StatusOK ||
		header.Get("X-HTTP-Status-Code-Override") != "308" {
		t.Errorf("for Google's clients: %d %v", status, header)
	}
	at = begin()
	others := r.client(r.grant(t, noam, gmailSend).Access)
	if response, _ := do(t, others, http.MethodPut, at,
		strings.NewReader("x")); response.StatusCode != http.StatusNotFound {
		t.Errorf("somebody else's upload: %d", response.StatusCode)
	}
	r.clock.pass(8 * 24 * time.Hour)
	client = r.client(r.grant(t, dana, gmailSend).Access)
	if status, _ := put(at, "x", "bytes 0-0/1"); status != http.StatusNotFound {
		t.Errorf("an upload of last week: %d", status)
	}
	if status, _ := put(begin(), "x", "bytes 0-0/1"); status != http.StatusOK { // a finished one makes room below
		t.Errorf("a short upload: %d", status)
	}
	for i := range 65 {
		response, _ := do(t, client, http.MethodPost, sendPath+"?uploadType=resumable", http.NoBody)
		if want := map[bool]int{true: http.StatusOK,
			false: http.StatusServiceUnavailable}[i < 64]; response.StatusCode != want {
			t.Errorf("upload %d at once: %d; want %d", i+1, response.StatusCode, want)
		}
	}
}

// TestLostAnswer: an upload whose last answer was lost is asked for it again, and was applied once.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.gmail.answer(func(wire.Call) (wire.Reply, error) { return wire.Reply{Body: map[string]any{"id": "m1"}}, nil })
	client := r.client(r.grant(t, dana, gmailSend).Access)
	response, _ := do(t, client, http.MethodPost, sendPath+"?uploadType=resumable", http.NoBody)
	at := response.Header.Get("Location")
	r.Inject(google.Fault{Method: "gmail.users.messages.send", Times: 1, LoseAnswer: true})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPut, at, strings.NewReader("abc"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Do(request); !errors.Is(err, io.EOF) {
		t.Fatalf("the answer is not lost: %v", err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			response, body := do(t, client, http.MethodPut, at, http.NoBody, "Content-Range", "bytes */3")
			if response.StatusCode != http.StatusOK || field(t, body, "id") != "m1" {
				t.Errorf("asked again: %d %s", response.StatusCode, body)
			}
		})
	}
	all.Wait()
	if n := r.gmail.count(); n != 1 {
		t.Errorf("the service was called %d times", n)
	}
}

// TestLostChunk: a chunk that is lost on the way is either sent again or told of.
func TestLostChunk(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.Inject(google.Fault{Method: "gmail.users.messages.send", After: 1, Times: 1, Reset: true})
	service, err := gmail.NewService(t.Context(), option.WithHTTPClient(r.client(r.grant(t, dana, gmailSend).Access)))
	if err != nil {
		t.Fatal(err)
	}
	_, err = service.Users.Messages.Send("me", &gmail.Message{}).
		Media(strings.NewReader(strings.Repeat("a", 300<<10)), googleapi.ContentType(rfc822),
			googleapi.ChunkSize(googleapi.MinUploadChunkSize)).Do()
	if err == nil && r.gmail.count() != 1 {
		t.Errorf("the service was called %d times", r.gmail.count())
	}
	if err != nil && r.gmail.count() != 0 {
		t.Errorf("the service was called %d times, and the client was told %v", r.gmail.count(), err)
	}
}
