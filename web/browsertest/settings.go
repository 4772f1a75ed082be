package browsertest

import (
	"net/url"
	"strings"
	"testing"
)

// RunSettingsSuite proves what the bar sends with requests, on a server that lets no one in without token.
// lastConnection returns the payload of the newest connection_init that the server has seen.
func RunSettingsSuite(t *testing.T, baseURL, token string, lastConnection func() map[string]string) {
	base, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t, startChromium(t), desk)
	p.prefer("light")
	p.open(base.ResolveReference(&url.URL{Path: "/explorer/"}).String())

	p.waitFor("the field to ask for a token", `document.querySelector(".token").dataset.wanted === "true"`)
	p.waitForAnswer("UNAUTHENTICATED")
	p.screenshot("token-wanted")
	// The browser itself reports the 401 to the console; nothing else may have been said.
	for _, trouble := range p.takeTroubles() {
		if !strings.Contains(trouble, "401") {
			t.Errorf("the page complained: %s", trouble)
		}
	}

	// People paste the whole header.
	p.click(`.token input`)
	p.typeText("Bearer " + token)
	p.press("Enter")
	p.waitFor("the token to be taken", `document.querySelector(".token").dataset.wanted === "false"`)
	p.waitForAnswer(`"categorized"`) // the first tab runs as soon as it can
	p.waitFor("the status line to tell of success", status("200"))
	p.choose(`.field--zone select`, "Asia/Jerusalem")
	p.choose(`.field--locale select`, "he")
	p.eval(`window.asked = `+askedCount, nil)
	p.click(runButton)
	p.waitFor("another answer", askedCount+` > window.asked && `+status("200"))

	sent := p.sent()
	var last request
	for _, r := range sent {
		if strings.HasSuffix(r.URL, "/graphql") {
			last = r
		}
	}
	for name, want := range map[string]string{"Authorization": "Bearer " + token, "X-Time-Zone": "Asia/Jerusalem",
		"Accept-Language": "he"} {
		if got := header(last, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, r := range sent {
		if strings.Contains(r.URL, token) {
			t.Errorf("the token stands in an address: %s", r.URL)
		}
		if !strings.HasSuffix(r.URL, "/graphql") && header(r, "Authorization") != "" {
			t.Errorf("the token went with %s", r.URL)
		}
	}

	var remembered struct{ Session, Local string }
	p.eval(`({ Session: JSON.stringify(sessionStorage), Local: JSON.stringify(localStorage) })`, &remembered)
	if !strings.Contains(remembered.Session, token) {
		t.Error("the token is not in sessionStorage")
	}
	if strings.Contains(remembered.Local, token) {
		t.Error("the token is in localStorage, where it outlives the tab")
	}

	p.openExample("Watch tasks change, live", "TaskChanged")
	p.click(runButton)
	p.waitFor("the socket", status("Live"))
	connection := lastConnection()
	for name, want := range map[string]string{"authorization": "Bearer " + token, "timeZone": "Asia/Jerusalem",
		"locale": "he"} {
		if connection[name] != want {
			t.Errorf("connection_init: %s is %q, want %q", name, connection[name], want)
		}
	}
	p.click(runButton)
	p.waitFor("the end of the stream", status("Ended"))

	// A token that is refused: the socket closes with 4403 and the page says so.
	p.eval(`document.querySelector(".token input").select()`, nil)
	p.click(`.token input`)
	p.eval(`document.querySelector(".token input").select()`, nil)
	p.typeText("wrong")
	p.press("Enter")
	p.waitFor("the field to ask for a token", `document.querySelector(".token").dataset.wanted === "true"`)
	p.click(runButton)
	p.waitForAnswer("4403")
	p.waitFor("the status line to tell of it", status("4403"))
}

// askedCount is how many requests to the API the page has had answered.
const askedCount = `performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/graphql")).length`

// header reads one header without regard to case.
func header(r request, name string) string {
	for key, value := range r.Headers {
		if strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// choose sets a native select the way its menu does. The menu itself is drawn by the system and out of the page's
// reach.
func (p *page) choose(selector, value string) {
	p.t.Helper()
	p.eval(`(() => {
		const select = document.querySelector(`+quote(selector)+`);
		select.value = `+quote(value)+`;
		select.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, nil)
}

// takeTroubles returns the complaints so far and forgets them.
func (p *page) takeTroubles() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	troubles := p.troubles
	p.troubles = nil
	return troubles
}
