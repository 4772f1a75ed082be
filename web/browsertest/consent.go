package browsertest

import (
	"errors"
	"net/url"
	"testing"
)

// Where things are on the pages of linking, and on the stand-in's consent page.
const (
	goOn       = `main form button`
	allowOnce  = `button[value=allow]`
	cancelOnce = `button[value=cancel]`
	tryAgain   = `main a.button`
)

// RunConsentSuite proves the pages with which a user links an account of the stand-in for Google, as a person goes
// through them: cookies, forms and redirects under the pages' own Content-Security-Policies.
//
// link returns an address that begins a link; the stand-in must show the account's own page at once. linked is called
// after each time that the account should have been linked.
func RunConsentSuite(t *testing.T, link func() string, account string, linked func(t *testing.T)) {
	browser := startChromium(t)
	visit := func(t *testing.T, viewport size, language, scheme string) (*page, *url.URL) {
		t.Helper()
		address := link()
		base, err := url.Parse(address)
		if err != nil || base.Host == "" {
			t.Fatalf("not an address: %q", address)
		}
		p := newPage(t, browser, viewport)
		p.prefer(scheme)
		p.do("Network.setExtraHTTPHeaders", map[string]any{"headers": map[string]string{"Accept-Language": language}})
		p.open(address)
		t.Cleanup(func() {
			if !t.Failed() {
				p.assertQuiet(base)
			}
		})
		return p, base
	}
	for _, c := range []struct {
		name, language, direction, linked string
		viewport                          size
		scheme                            string
	}{
		{"in English", "en", "ltr", "Linked", desk, "light"},
		{"in Hebrew", "he", "rtl", "החשבון קושר", phone, "dark"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, _ := visit(t, c.viewport, c.language, c.scheme)
			p.arrive("the page that asks", `document.querySelector(`+quote(goOn)+`) && document.dir === `+quote(c.direction))
			p.screenshot("ask-" + c.language)
			p.click(goOn)
			p.arrive("the consent page", `document.querySelector(`+quote(allowOnce)+`)`)
			p.screenshot("consent-" + c.language)
			p.click(allowOnce)
			p.arrive("the account to be linked", `document.querySelector("h1")?.innerText === `+quote(c.linked)+
				` && document.body.innerText.includes(`+quote(account)+`)`)
			p.screenshot("linked-" + c.language)
			linked(t)
		})
	}
	t.Run("after a refusal", func(t *testing.T) {
		p, _ := visit(t, desk, "en", "light")
		p.arrive("the page that asks", `document.querySelector(`+quote(goOn)+`)`)
		p.click(goOn)
		p.arrive("the consent page", `document.querySelector(`+quote(cancelOnce)+`)`)
		p.click(cancelOnce)
		p.arrive("the refusal", `document.querySelector("h1")?.innerText === "Nothing was linked"`)
		p.screenshot("denied")
		p.click(tryAgain)
		p.arrive("the page that asks, once more", `document.querySelector(`+quote(goOn)+`)`)
		p.click(goOn)
		p.arrive("the consent page, once more", `document.querySelector(`+quote(allowOnce)+`)`)
		p.click(allowOnce)
		p.arrive("the account to be linked", `document.querySelector("h1")?.innerText === "Linked"`)
		linked(t)
	})
}

// arrive is waitFor across pages: what is awaited may be on a page that is still on its way, and the page that is left
// takes its promises with it.
func (p *page) arrive(what, expression string) {
	p.t.Helper()
	var last error
	for range 120 {
		var here bool
		last = p.tryEval(`new Promise((done) => {
			const until = performance.now() + 1000;
			const look = () => {
				try { if (`+expression+`) return done(true); } catch {}
				performance.now() > until ? done(false) : setTimeout(look, 20);
			};
			look();
		})`, &here)
		if last == nil && here {
			return
		}
		if last == nil {
			last = errors.New("it is not there")
		}
		if p.t.Context().Err() != nil {
			break
		}
	}
	p.screenshot("failure")
	p.t.Fatalf("waited in vain for %s: %v\n%s", what, last, p.text("body"))
}
