package app_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

var emailID = regexp.MustCompile(`email_[0-9a-z]+`)

// What accounts are not asked for is NOT_CONFIGURED, whatever they have granted before, and the rest goes on. That
// reading needs no more than the scopes for reading is checked by the stand-in, which knows the scopes of each method
// by Google's own description.
func TestGoogleAccess(t *testing.T) {
	t.Parallel()
	const (
		readEvents  = `{ events(first: 1) { nodes { id } } }`
		writeEvents = `mutation { createEvent(input: { summary: "x", start: { dateTime: "2030-01-02T10:00" } }) {
			event { id } userErrors { code message } } }`
		busy      = `{ freeBusy { busy { start } } }`
		readMail  = `{ emails(first: 1) { nodes { id subject body { text } } } }`
		writeMail = `mutation ($id: ID!) { markEmails(input: { ids: [$id], starred: true }) { userErrors { code message }
			errors { code message } } }`
	)
	folder := "--data-dir=" + t.TempDir()
	letter := "" // the id of an e-mail, which has the same number in each stand-in's mailbox
	for _, c := range []struct {
		access  string
		allowed map[string]bool
	}{
		// The first start lays the sample, and its account has granted everything.
		{"calendar,mail", map[string]bool{readEvents: true, writeEvents: true, busy: true, readMail: true, writeMail: true}},
		{"calendar-read,mail-read", map[string]bool{readEvents: true, busy: true, readMail: true}},
		{"calendar", map[string]bool{readEvents: true, writeEvents: true, busy: true}},
		{"mail", map[string]bool{readMail: true, writeMail: true}},
		{"calendar-read", map[string]bool{readEvents: true, busy: true}},
		{"mail-read", map[string]bool{readMail: true}},
	} {
		// On the data of the first start, and on data of its own, where no more was ever granted.
		for _, where := range []string{folder, "--data-dir=" + t.TempDir()} {
			p := start(t, "--demo", where, "--google-access="+c.access)
			for _, document := range []string{readEvents, writeEvents, busy, readMail, writeMail} {
				r, a := p.post(document, map[string]any{"id": letter})
				if found := emailID.FindString(string(r.body)); letter == "" {
					letter = found
				}
				refused := strings.Contains(string(r.body), "NOT_CONFIGURED") && strings.Contains(string(r.body),
					"ALMANAC_GOOGLE_ACCESS")
				failed := len(a.Errors) > 0 || strings.Contains(string(a.Data), `"code"`)
				if refused == c.allowed[document] || failed == c.allowed[document] {
					t.Errorf("%s: %s: %s", c.access, document, r.body)
				}
			}
			var viewer struct {
				Viewer struct {
					Connections []struct {
						Account, Status string
						MissingScopes   []string
					}
				}
			}
			_, a := p.post(`{ viewer { connections { account status missingScopes } } }`, nil)
			if err := json.Unmarshal(a.Data, &viewer); err != nil || len(viewer.Viewer.Connections) == 0 ||
				len(viewer.Viewer.Connections[0].MissingScopes) > 0 || viewer.Viewer.Connections[0].Status != "CONNECTED" {
				t.Errorf("%s: %v %s", c.access, err, a.Data)
			}
			if err := p.term(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
