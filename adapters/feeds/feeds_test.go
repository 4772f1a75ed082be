package feeds_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/feeds"
	"almanac/adapters/remote"
	"almanac/graph/model"
)

const (
	calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"
	secret   = "c0ffee-secret"
)

// world is a client and one server for feeds, which answers with a function. Hosts that end with ".example" lead to it.
type world struct {
	*feeds.Client
	server   *httptest.Server
	mu       sync.Mutex
	requests []*http.Request
	said     bytes.Buffer
	attempts []remote.Attempt
}

// asked returns the requests so far; a server may still be busy with the last of them.
func (w *world) asked() []*http.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.requests)
}

func newWorld(t *testing.T, answer http.HandlerFunc) *world {
	t.Helper()
	w := &world{}
	w.server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		w.requests = append(w.requests, r)
		w.mu.Unlock()
		answer(out, r)
	}))
	t.Cleanup(w.server.Close)
	public := feeds.NewTransport(false)
	inside := feeds.NewTransport(true)
	inside.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, w.server.Listener.Addr().String())
	}
	t.Cleanup(public.CloseIdleConnections)
	t.Cleanup(inside.CloseIdleConnections)
	w.Client = &feeds.Client{
		Base: roundTrip(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Hostname(), ".example") {
				return inside.RoundTrip(r)
			}
			return public.RoundTrip(r)
		}),
		Wait:    func(context.Context, time.Duration) error { return nil },
		Now:     func() time.Time { return time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) },
		Logger:  slog.New(slog.NewTextHandler(&w.said, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(a remote.Attempt) { w.attempts = append(w.attempts, a) },
	}
	return w
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func address(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := feeds.ParseAddress(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func (w *world) read(t *testing.T, state feeds.State) (feeds.Answer, error) {
	t.Helper()
	answer, err := w.Read(t.Context(), address(t, "http://a.example/"+secret+".ics?key="+secret), state)
	w.private(t, err)
	return answer, err
}

// private checks that the address is in no error, log record or metric.
func (w *world) private(t *testing.T, err error) {
	t.Helper()
	all := w.said.String() + fmt.Sprintf("%+v", w.attempts)
	for ; err != nil; err = errors.Unwrap(err) {
		all += err.Error()
	}
	if strings.Contains(all, secret) || strings.Contains(all, "a.example") {
		t.Errorf("the address is told: %s", all)
	}
}

func reasonOf(err error) feeds.Reason {
	var problem *feeds.Problem
	if !errors.As(err, &problem) {
		return ""
	}
	return problem.Reason
}

func TestUnchanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("If-None-Match") == `"v1"` && r.Header.Get("If-Modified-Since") == "Mon, 23 Nov 2026 09:00:00 GMT" {
			out.WriteHeader(http.StatusNotModified)
			return
		}
		out.Header().Set("ETag", `"v1"`)
		out.Header().Set("Last-Modified", "Mon, 23 Nov 2026 09:00:00 GMT")
		out.Header().Set("Cache-Control", "private, max-age=7200")
		_, _ = out.Write([]byte(calendar))
	})
	first, err := w.read(t, feeds.State{})
	if err != nil || string(first.Text) != calendar || first.Unchanged || first.Wait != 2*time.Hour {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := w.read(t, first.State)
	if err != nil || again.Text != nil || !again.Unchanged || again.State != first.State ||
		again.Wait != feeds.MinInterval {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestUnchangedWithoutValidators(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(out http.ResponseWriter, _ *http.Request) { _, _ = out.Write([]byte(calendar)) })
	first, err := w.read(t, feeds.State{})
	if err != nil {
		t.Fatal(err)
	}
	if again, err := w.read(t, first.State); err != nil || !again.Unchanged || again.Text != nil {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	status := func(code int, headers ...string) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(headers); i += 2 {
				out.Header().Set(headers[i], headers[i+1])
			}
			http.Error(out, "see "+secret, code)
		}
	}
	text := func(kind, body string) http.HandlerFunc {
		return func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", kind)
			_, _ = out.Write([]byte(body))
		}
	}
	var bomb bytes.Buffer
	packed := gzip.NewWriter(&bomb)
	_, _ = packed.Write([]byte("BEGIN:VCALENDAR\r\n"))
	for range 20 {
		_, _ = packed.Write(make([]byte, 1<<20))
	}
	_ = packed.Close()
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   feeds.Reason
		code   model.ErrorCode
		wait   time.Duration
		asked  int
	}{
		"401":         {status(401), feeds.ReasonDenied, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"403":         {status(403), feeds.ReasonDenied, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"404":         {status(404), feeds.ReasonMissing, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"410":         {status(410), feeds.ReasonGone, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"418":         {status(418), feeds.ReasonRefused, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"304 unasked": {status(304), feeds.ReasonRefused, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"206":         {status(206), feeds.ReasonRefused, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"429": {status(429, "Retry-After", "7200"), feeds.ReasonLimited, model.CodeUpstreamRateLimited, 2 * time.Hour,
			1},
		"500": {status(500), feeds.ReasonUnavailable, model.CodeUpstreamUnavailable, feeds.MinInterval, 2},
		"503": {status(503, "Retry-After", "1"), feeds.ReasonUnavailable, model.CodeUpstreamUnavailable,
			feeds.MinInterval, 2},
		"a page": {text("text/html", "<html>Sign in</html>"), feeds.ReasonNoCalendar, model.CodeUpstreamRejected,
			feeds.MinInterval, 1},
		"a page as a calendar": {text("text/calendar", "<html>Sign in</html>"), feeds.ReasonNoCalendar,
			model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"nothing": {text("text/calendar", ""), feeds.ReasonNoCalendar, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"cut off by its maker": {text("text/calendar", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"), feeds.ReasonCutOff,
			model.CodeUpstreamUnavailable, feeds.MinInterval, 2},
		"cut off on the way": {func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Length", "5000")
			_, _ = out.Write([]byte(calendar))
		}, feeds.ReasonUnavailable, model.CodeUpstreamUnavailable, feeds.MinInterval, 2},
		"a packed one that is cut off": {func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Encoding", "gzip")
			_, _ = out.Write(bomb.Bytes()[:500])
		}, feeds.ReasonUnavailable, model.CodeUpstreamUnavailable, feeds.MinInterval, 2},
		"too large": {func(out http.ResponseWriter, _ *http.Request) {
			_, _ = out.Write(bytes.Repeat([]byte("BEGIN:VCALENDAR\n"), 400_000))
		}, feeds.ReasonTooLarge, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"a bomb": {func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Encoding", "gzip")
			_, _ = out.Write(bomb.Bytes())
		}, feeds.ReasonTooLarge, model.CodeUpstreamRejected, feeds.MinInterval, 1},
		"hung up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, feeds.ReasonUnavailable,
			model.CodeUpstreamUnavailable, feeds.MinInterval, 2},
		"silent": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, feeds.ReasonUnavailable,
			model.CodeUpstreamUnavailable, feeds.MinInterval, 2},
		"silent after a beginning": {func(out http.ResponseWriter, r *http.Request) {
			_, _ = out.Write([]byte("BEGIN:VCALENDAR\r\n"))
			_ = http.NewResponseController(out).Flush()
			<-r.Context().Done()
		}, feeds.ReasonUnavailable, model.CodeUpstreamUnavailable, feeds.MinInterval, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, test.answer)
			if strings.HasPrefix(name, "silent") {
				w.Limits.Attempt = 50 * time.Millisecond
			}
			answer, err := w.read(t, feeds.State{})
			var problem *feeds.Problem
			if !errors.As(err, &problem) || answer.Text != nil {
				t.Fatalf("%+v, %v", answer, err)
			}
			if problem.Reason != test.want || model.CodeOf(err) != test.code || problem.Wait != test.wait ||
				len(w.asked()) != test.asked {
				t.Errorf("%s, %s, wait %v, asked %d times: %v", problem.Reason, model.CodeOf(err), problem.Wait,
					len(w.asked()), err)
			}
		})
	}
}

func TestContentTypesDoNotMatter(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"text/plain", "application/octet-stream", "text/html"} {
		w := newWorld(t, func(out http.ResponseWriter, _ *http.Request) {
			out.Header().Set("Content-Type", kind)
			_, _ = out.Write([]byte("\uFEFF" + calendar))
		})
		if _, err := w.read(t, feeds.State{}); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		to    string
		code  int
		want  feeds.Reason
		moved string
	}{
		"for now":       {"http://b.example/x", 302, "", ""},
		"for good":      {"http://b.example/x", 301, "", "http://b.example/x"},
		"within":        {"/y", 308, "", "http://me:" + secret + "@a.example/y"},
		"webcal":        {"webcal://b.example/x", 302, feeds.ReasonUnavailable, ""}, // https, which nobody answers here
		"for ever":      {"http://b.example/again", 302, feeds.ReasonRedirects, ""},
		"nowhere":       {"", 302, feeds.ReasonRedirects, ""},
		"a file":        {"file:///etc/passwd", 302, feeds.ReasonRedirects, ""},
		"home":          {"http://127.0.0.1:1/x", 302, feeds.ReasonAddress, ""},
		"home by name":  {"http://localhost:1/x", 302, feeds.ReasonAddress, ""},
		"a private one": {"http://192.168.1.1/x", 302, feeds.ReasonAddress, ""},
		"metadata":      {"http://169.254.169.254/latest/meta-data/", 307, feeds.ReasonAddress, ""},
		"mapped":        {"http://[::ffff:10.0.0.1]/x", 307, feeds.ReasonAddress, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(out http.ResponseWriter, r *http.Request) {
				if r.Host == "a.example" && strings.Contains(r.URL.Path, secret) || r.URL.Path == "/again" {
					out.Header().Set("Location", test.to)
					out.WriteHeader(test.code)
					return
				}
				if r.Header.Get("Authorization") != "" && r.Host != "a.example" {
					t.Error("the login goes to another server")
				}
				_, _ = out.Write([]byte(calendar))
			})
			answer, err := w.Read(t.Context(), address(t, "http://me:"+secret+"@a.example/"+secret), feeds.State{})
			w.private(t, err)
			if reasonOf(err) != test.want {
				t.Fatalf("%v", err)
			}
			if user, password, ok := w.asked()[0].BasicAuth(); !ok || user != "me" || password != secret {
				t.Error("the server gets no login")
			}
			moved := ""
			if answer.Moved != nil {
				moved = answer.Moved.String()
			}
			if moved != test.moved || err == nil && string(answer.Text) != calendar {
				t.Errorf("moved to %q: %+v", moved, answer)
			}
		})
	}
}

// TestPublicAddressesOnly tries what leads into this machine's own networks, written in every way.
func TestPublicAddressesOnly(t *testing.T) {
	t.Parallel()
	inside := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, _ *http.Request) {
		_, _ = out.Write([]byte(calendar))
	}))
	defer inside.Close()
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"127.0.0.1", "localhost", "LOCALHOST", "127.1.2.3", "0.0.0.0", "0.1.2.3", "[::1]",
		"[::]",
		"[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "10.1.2.3", "172.31.0.1", "192.168.0.1", "169.254.169.254",
		"100.100.100.200", "192.0.0.192", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1", "[fe80::1]",
		"[fd00:ec2::254]",
		"[fec0::1]", "[ff02::1]", "[64:ff9b::a9fe:a9fe]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2001:0:1::]"} {
		client := &feeds.Client{}
		_, err := client.Read(t.Context(), address(t, "http://"+host+":"+port+"/x.ics"), feeds.State{})
		if reasonOf(err) != feeds.ReasonAddress || model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%s: %v", host, err)
		}
	}
	private := &feeds.Client{Private: true}
	if answer, err := private.Read(t.Context(), address(t, inside.URL), feeds.State{}); err != nil ||
		string(answer.Text) != calendar {
		t.Errorf("where private networks are allowed: %+v, %v", answer, err)
	}
}

func TestParseAddress(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" https://example.com/a.ics?k=1#x ":              "https://example.com/a.ics?k=1",
		"webcal://example.com/a.ics":                     "https://example.com/a.ics",
		"WEBCALS://example.com/a.ics":                    "https://example.com/a.ics",
		"http://example.com:8080/":                       "http://example.com:8080/",
		"file:///etc/passwd":                             "",
		"gopher://example.com/":                          "",
		"example.com/a.ics":                              "",
		"https:///a.ics":                                 "",
		"https:a.ics":                                    "",
		"https://exa mple.com/" + secret:                 "",
		"https://a.example/" + strings.Repeat("x", 2000): "",
		"": "",
	} {
		u, err := feeds.ParseAddress(text)
		if got := fmt.Sprint(u); want != "" && got != want || want == "" && model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%q is %v, %v", text, u, err)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("the address is told: %v", err)
		}
	}
}
