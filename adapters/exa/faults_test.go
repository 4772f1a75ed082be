package exa_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	"almanac/adapters/remote"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
)

// What goes wrong with a reading: what it is called, how often it is asked, and what the metrics hear.
func TestFaultsOfReadings(t *testing.T) {
	t.Parallel()
	html := "<!doctype html><title>Nope</title>"
	for _, c := range []struct {
		name    string
		fault   standin.Fault
		code    model.ErrorCode
		reason  string
		results string
		wait    time.Duration
	}{
		{"once 500", standin.Fault{Status: 500, Times: 1}, "", "", "unavailable ok", 0},
		{"twice 503", standin.Fault{Status: 503, General: true, Times: 2}, "", "", "unavailable unavailable ok", 0},
		{"always 500", standin.Fault{Status: 500}, model.CodeUpstreamUnavailable, "", "unavailable unavailable unavailable",
			0},
		{"a page with 502", standin.Fault{Status: 502, Body: html, Times: 1}, "", "", "unavailable ok", 0},
		{"a page with 200", standin.Fault{Garbage: true}, model.CodeUpstreamUnavailable, "",
			"unavailable unavailable unavailable", 0},
		{"half of the JSON", standin.Fault{BadJSON: true, Times: 1}, "", "", "unavailable ok", 0},
		{"half of the answer", standin.Fault{Half: true, Times: 2}, "", "", "unavailable unavailable ok", 0},
		{"nothing", standin.Fault{Empty: true, Times: 1}, "", "", "unavailable ok", 0},
		{"reset", standin.Fault{Reset: true, Times: 1}, "", "", "unavailable ok", 0},
		{"lost", standin.Fault{LoseAnswer: true}, model.CodeUpstreamUnavailable, "", "unavailable unavailable unavailable",
			0},
		{"429 once", standin.Fault{Status: 429, Plain: true, Times: 1}, "", "", "rateLimited ok", 0},
		{"429 always", standin.Fault{Status: 429, Plain: true}, model.CodeUpstreamRateLimited, "",
			"rateLimited rateLimited rateLimited", 2 * time.Second},
		{"429 for long", standin.Fault{Status: 429, RetryAfter: 5 * time.Minute}, model.CodeUpstreamRateLimited, "",
			"rateLimited", 5 * time.Minute},
		{"401", standin.Fault{Status: 401}, model.CodeNotConfigured, "", "rejected", 0},
		{"a page with 401", standin.Fault{Status: 401, Body: html}, model.CodeUpstreamRejected, "status_401", "rejected", 0},
		{"402", standin.Fault{Status: 402, General: true, Tag: "NO_MORE_CREDITS"}, model.CodeUpstreamRejected,
			"NO_MORE_CREDITS", "rejected", 0},
		{"402 in words", standin.Fault{Status: 402}, model.CodeUpstreamRejected, "NO_MORE_CREDITS", "rejected", 0},
		{"budget", standin.Fault{Status: 402, General: true, Tag: "API_KEY_BUDGET_EXCEEDED"}, model.CodeUpstreamRejected,
			"API_KEY_BUDGET_EXCEEDED", "rejected", 0},
		{"403", standin.Fault{Status: 403, General: true, Tag: "FEATURE_DISABLED"}, model.CodeUpstreamRejected,
			"FEATURE_DISABLED", "rejected", 0},
		{"404", standin.Fault{Status: 404}, model.CodeNotFound, "", "rejected", 0},
		{"a page with 404", standin.Fault{Status: 404, Body: html}, model.CodeUpstreamRejected, "status_404", "rejected", 0},
		{"409", standin.Fault{Status: 409}, model.CodeConflict, "", "rejected", 0},
		{"410", standin.Fault{Status: 410, General: true, Tag: "RESEARCH_RETIRED"}, model.CodeUpstreamRejected,
			"RESEARCH_RETIRED", "rejected", 0},
		{"422", standin.Fault{Status: 422, Body: `{"statusCode":422,"message":"nothing detectable","path":"/x"}`},
			model.CodeUpstreamRejected, "nothing detectable", "rejected", 0},
		{"many words", standin.Fault{Status: 400, Body: `{"message":["a is wrong","b is wrong"]}`},
			model.CodeUpstreamRejected, "a is wrong; b is wrong", "rejected", 0},
		{"secrets in words", standin.Fault{Status: 400, Body: `{"error":"key ` + secretKey + ` at https://api.exa.ai/x?` +
			secretText + `\n\u202etxet"}`}, model.CodeUpstreamRejected, "key … at … txet", "rejected", 0},
		{"secrets in a tag", standin.Fault{Status: 400, Body: `{"tag":"` + secretKey + `"}`}, model.CodeUpstreamRejected,
			"status_400", "rejected", 0},
		{"elsewhere", standin.Fault{Status: 302, Body: html, Header: http.Header{
			"Location": {"https://evil.example/" + secretText}}}, model.CodeUpstreamRejected, "status_302", "rejected", 0},
		{"odd body", standin.Fault{Status: 400, Body: `{"message":{"a":1},"error":[1,2],"tag":7}`},
			model.CodeUpstreamRejected, "status_400", "rejected", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{})
			w.standin.Inject(c.fault)
			list, err := w.account.Websets(t.Context(), exa.Page{})
			if c.code == "" {
				must(t, list, err)
			} else if shown := w.check(err, c.code); shown.Reason != c.reason || c.wait != 0 && shown.RetryAfter != c.wait {
				t.Errorf("reason %q, wait %v", shown.Reason, shown.RetryAfter)
			}
			if w.results() != c.results {
				t.Errorf("%s, want %s", w.results(), c.results)
			}
			w.private()
			for _, a := range w.attempts {
				if a.Operation != "websets.list" || a.Number == 0 {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}

// A user's own key that is refused is said to be the user's, and its keeper hears of it.
func TestOwnKeyRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{Keys: []string{"another"}})
	heard := 0
	a := &exa.Account{Client: w.client, Key: secretKey, Own: true, Refused: func(context.Context) { heard++ }}
	_, err := a.Websets(t.Context(), exa.Page{})
	w.check(err, model.CodeNotConnected)
	if _, err = a.SearchWeb(t.Context(), exa.WebSearch{Query: "x"}); model.CodeOf(err) != model.CodeNotConnected ||
		heard != 2 {
		t.Errorf("%v, heard %d times", err, heard)
	}
	if len(w.standin.Requests()) != 2 {
		t.Error("it was tried again")
	}
}

// The key goes to the API's own address and no other, as it is set; and what is wrong with an address is told before
// anything is sent.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://api.exa.ai":        "",
		"https://proxy.example/exa": "",
		"http://127.0.0.1:8090":     "",
		"http://localhost:8090/":    "",
		"http://[::1]:1":            "",
		"http://exa.example":        "neither https nor loopback",
		"ftp://exa.example":         "neither",
		"https://me:pw@exa.example": "a user",
		"https://exa.example/?a=b":  "a query",
		"https://":                  "no address",
	} {
		var asked []string
		c := &exa.Client{URL: mustParse(t, address), Base: transport(func(r *http.Request) (*http.Response, error) {
			asked = append(asked, r.URL.String()+" "+r.Header.Get("X-Api-Key"))
			return nil, errors.New("enough")
		}), Limits: exa.Limits{Limits: remote.Limits{Attempts: 1}}}
		err := c.Check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
		_, err = (&exa.Account{Client: c, Key: secretKey}).Webset(t.Context(), "a b")
		switch {
		case want != "" && (len(asked) != 0 || model.CodeOf(err) != model.CodeUpstreamRejected):
			t.Errorf("%s: asked %v, %v", address, asked, err)
		case want == "" && (len(asked) != 1 ||
			asked[0] != strings.TrimSuffix(address, "/")+"/websets/v0/websets/a%20b "+secretKey):
			t.Errorf("%s: asked %v", address, asked)
		}
		if err != nil && strings.Contains(err.Error()+model.CauseOf(err), "pw") {
			t.Errorf("%v tells the password", err)
		}
	}
	allowed := &exa.Client{URL: mustParse(t, "http://exa.internal"), AllowHTTP: true}
	if err := allowed.Check(); err != nil {
		t.Error(err)
	}
}

// No connection is a failure after which a creation may be tried again, since nothing was sent.
func TestNoConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t, standin.Options{})
	refusals := 2
	through := w.client.Base
	w.client.Base = transport(func(r *http.Request) (*http.Response, error) {
		if refusals > 0 {
			refusals--
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused by 10.0.0.1:443")}
		}
		return through.RoundTrip(r)
	})
	made, err := w.account.CreateWebset(t.Context(), exa.NewWebset{})
	if must(t, made, err); w.results() != "unavailable unavailable ok" || len(w.standin.Requests()) != 1 {
		t.Errorf("%s, %d requests", w.results(), len(w.standin.Requests()))
	}
	refusals = 100
	_, err = w.account.CreateWebset(t.Context(), exa.NewWebset{})
	if shown := w.check(err, model.CodeUpstreamUnavailable); strings.Contains(shown.Message, "may have been done") ||
		strings.Contains(model.CauseOf(err), "10.0.0.1") {
		t.Errorf("%v", shown)
	}
}

// What is done with a file that is sent elsewhere.
func TestUpload(t *testing.T) {
	t.Parallel()
	type sent struct{ address, body, headers string }
	for _, c := range []struct {
		name, address, body string
		size                int
		status              int
		code                model.ErrorCode
		elsewhere           bool
	}{
		{"elsewhere", "https://bucket.example/file?signature=" + secretText, "a,b\n", 4, 200, "", true},
		{"elsewhere, created", "https://bucket.example/file", "", 0, 204, "", true},
		{"refused", "https://bucket.example/file?signature=" + secretText, "a,b\n", 4, 403, model.CodeUpstreamRejected, true},
		{"moved", "https://bucket.example/file", "a,b\n", 4, 307, model.CodeUpstreamRejected, true},
		{"down", "https://bucket.example/file", "a,b\n", 4, 500, model.CodeUpstreamUnavailable, true},
		{"no answer", "https://bucket.example/file?" + secretText, "a,b\n", 4, 0, model.CodeUpstreamUnavailable, true},
		{"too short", "https://bucket.example/file", "a,b", 4, 200, model.CodeBadUserInput, true},
		{"too long", "https://bucket.example/file", "a,b\nc", 4, 200, model.CodeBadUserInput, true},
		{"too large", "https://bucket.example/file", "", model.MaxWebsetImportSize + 1, 200, model.CodeBadUserInput, false},
		{"in the clear", "http://bucket.example/file", "a,b\n", 4, 200, model.CodeBadUserInput, false},
		{"a file", "file:///etc/passwd", "a,b\n", 4, 200, model.CodeBadUserInput, false},
		{"with a user", "https://me:pw@bucket.example/", "a,b\n", 4, 200, model.CodeBadUserInput, false},
		{"no address", "https://", "a,b\n", 4, 200, model.CodeBadUserInput, false},
		{"nonsense", "::", "a,b\n", 4, 200, model.CodeBadUserInput, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, standin.Options{})
			var got []sent
			w.client.Uploads = transport(func(r *http.Request) (*http.Response, error) {
				var body strings.Builder
				if r.Body != nil {
					buffer := make([]byte, 64)
					for {
						n, err := r.Body.Read(buffer)
						body.Write(buffer[:n])
						if err != nil {
							if err.Error() != "EOF" {
								return nil, err
							}
							break
						}
					}
				}
				got = append(got, sent{r.URL.String(), body.String(),
					strings.Join(r.Header["X-Api-Key"], "") + r.Header.Get("Authorization")})
				if c.status == 0 {
					return nil, errors.New("broken pipe to " + r.URL.String())
				}
				return &http.Response{StatusCode: c.status, Body: http.NoBody,
					Header: http.Header{"Location": {"http://169.254.169.254/"}}}, nil
			})
			err := w.account.Upload(t.Context(), exa.Upload{URL: c.address, Body: strings.NewReader(c.body), Size: c.size})
			switch {
			case c.code == "" && err != nil:
				t.Error(err)
			case c.code != "":
				w.check(err, c.code)
			}
			if c.elsewhere && c.code == "" && (len(got) != 1 || got[0] != sent{c.address, c.body, ""}) ||
				!c.elsewhere && len(got) != 0 || len(got) > 1 {
				t.Errorf("sent %v", got)
			}
			if len(w.standin.Requests()) != 0 {
				t.Error("Exa was asked")
			}
			w.private()
		})
	}
}

// Addresses that others name never lead into this machine's own networks.
func TestUploadsAreForThePublic(t *testing.T) {
	t.Parallel()
	transport := exa.NewUploadTransport()
	defer transport.CloseIdleConnections()
	for _, host := range []string{"127.0.0.1", "[::1]", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254",
		"[fe80::1]", "[fd00::1]", "100.64.1.1", "0.0.0.0", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "224.0.0.1"} {
		w := newWorld(t, standin.Options{})
		w.client.Uploads = transport
		err := w.account.Upload(t.Context(),
			exa.Upload{URL: "https://" + host + ":1/file", Body: strings.NewReader("x"), Size: 1})
		if model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%s: %v", host, err)
		}
	}
}
