package browsertest

import (
	"net/url"
	"testing"
)

// RunHomePictures takes the pictures of the README of a server with the sample data: the day with a sentence that was
// understood, light and dark, and a phone in Hebrew. keep gets each with its name.
func RunHomePictures(t *testing.T, baseURL string, keep func(name string, png []byte)) {
	base, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	browser := startChromium(t)
	for _, one := range []struct {
		name, language, scheme, sentence, read string
		viewport                               size
	}{
		{"home-light", "en", "light", "coffee with Roi tomorrow at 16:30", "Coffee with Roi", size{1280, 900}},
		{"home-dark", "en", "dark", "coffee with Roi tomorrow at 16:30", "Coffee with Roi", size{1280, 900}},
		{"home-phone", "he", "light", "", "", phone},
	} {
		p := newPage(t, browser, one.viewport)
		p.prefer(one.scheme)
		p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
			"source": `localStorage.setItem("almanac:home:locale", ` + quote(one.language) + `);
				localStorage.setItem("almanac:home:zone", Intl.DateTimeFormat().resolvedOptions().timeZone);`})
		p.openHome(base, "day")
		p.waitFor("a living day",
			`document.querySelector(".line__now") && document.querySelector(".line__free, .line__event") &&
			document.querySelector(".count--bad") && document.querySelector(".row--mail")`)
		if one.sentence != "" {
			p.say(one.sentence)
			p.waitFor("the read-back", `document.querySelector(".back")?.innerText.includes(`+quote(one.read)+`) &&
				document.querySelector(".coming").innerText.includes(`+quote(one.read)+`)`)
			p.eval(`document.activeElement.blur()`, nil)
		}
		keep(one.name, p.picture())
		if one.sentence != "" {
			p.click(`.back__foot .button`)
			p.waitFor("the undoing", toastSays("Undid"))
		}
	}
}
