package browsertest

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// loseAnswers lets each first request of a mutation reach the server, and throws its answer away.
const loseAnswers = `(() => {
	const send = window.fetch, lost = new Set();
	window.fetch = async (address, options) => {
		const answer = await send(address, options);
		const key = options.headers["Idempotency-Key"];
		if (!key || lost.has(key)) return answer;
		lost.add(key);
		throw new TypeError("the answer was lost");
	};
})()`

// runHomeWords proves that the page says what is so: in the language of who asks, with numbers, and no more than it
// knows.
func runHomeWords(t *testing.T, base *url.URL,
	visit func(t *testing.T, viewport size, language, scheme string) *page) {
	t.Run("does not know what became of a change whose answer was lost, and does it once", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		text := "Answered in vain"
		p.openHome(base, "board")
		p.eval(loseAnswers, nil)
		p.press("c")
		p.waitFor("the form", `document.activeElement?.name === "text"`)
		p.typeText(text)
		p.press("Enter")
		p.waitFor("what is known", toastSays("It is not known whether it was done"))
		p.waitForRow(text)
		p.waitFor("the doubt to go", `!`+toastSays("It is not known"))
		if done := p.actionsOf(text); len(done) != 1 {
			t.Errorf("the actions are %q", done)
		}
	})

	t.Run("refuses in the page's language, once", func(t *testing.T) {
		p := visit(t, desk, "he", "light")
		for range 2 {
			p.press("c")
			p.waitFor("the form", `document.activeElement?.name === "text"`)
			p.typeText("נאמר פעמיים")
			p.press("Enter")
			p.waitFor("the task or the refusal", `!document.querySelector("dialog") || document.querySelector("#add-trouble")`)
		}
		p.waitFor("the refusal", `document.querySelector("#add-trouble").innerText === "כבר יש משימה כזאת."`)
		p.assertNone(".toast--bad", "what the form says is said again")
		p.press("Escape")
		p.say("להזיז את Dentist ל-10:00")
		p.waitFor("what has to be said more exactly", `document.querySelector(".back--bad .chip--warn") &&
			document.querySelector(".back__line").innerText.startsWith("אפשר להבין את המשפט")`)
	})

	t.Run("understands the sentences that it gives as examples", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		var examples []string
		p.eval(`[...document.querySelector("#say").placeholder.matchAll(/“(.*?)”/g)].map(([, text]) => text)`, &examples)
		if len(examples) < 3 {
			t.Errorf("the examples are %q", examples)
		}
		for _, text := range examples {
			p.say(text)
			p.waitFor("the answer to "+text, `document.querySelector(".back:not(.back--bad)")`)
			p.eval(`(() => { document.querySelector(".back__foot .button")?.click(); })()`, nil)
			p.openHome(base, "lists") // the answer goes with the day
			p.openHome(base, "day")
		}
	})

	t.Run("says that nothing was sent without a connection", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.offline(true)
		p.say("coffee with Roi tomorrow at 16:30")
		p.waitFor("what is known", toastSays("nothing was sent"))
		p.offline(false)
		p.takeTroubles()
		if done := p.actionsOf("with Roi tomorrow"); len(done) != 0 {
			t.Errorf("the actions are %q", done)
		}
	})

	t.Run("asks in the language of the sentence", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.say("בטל את Stand-up")
		p.waitFor("the question", `document.querySelectorAll(".ask input").length > 1`)
		var asked string
		p.eval(`document.querySelector(".ask").innerText`, &asked)
		if !strings.Contains(asked, "חוזר") || strings.Contains(asked, "Which") {
			t.Errorf("the question is %q", asked)
		}
		p.press("Escape")
	})

	t.Run("names how many versions are forgotten", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.openHome(base, "memory")
		p.click("main [data-open]")
		p.click(".pane__foot .button--bad")
		p.waitFor("the question", `document.querySelector(".ask legend")?.innerText.startsWith("Forget this memory")`)
		var ok bool
		p.eval(`(() => { const versions = document.querySelectorAll(".pane .rows li").length;
			const asked = document.querySelector(".ask legend").innerText;
			return asked.includes(versions + " earlier version") === versions > 0; })()`,
			&ok)
		if !ok {
			t.Error("the question does not name the versions")
		}
		p.press("Escape")
	})

	t.Run("says when a task repeats, and keeps the language that is chosen by keys", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.post(`mutation { createTask(input: { text: "Water the herbs",
			recurrence: { type: WEEKLY, days: [SUNDAY, TUESDAY], time: "08:30" } }) { task { id } } }`, "{}", new(any))
		p.openHome(base, "board")
		p.waitForRow("every Sunday and Tuesday at 08:30")
		p.press("g")
		p.press("y")
		p.waitForRow("כל יום ראשון ושלישי ב־08:30")
		p.waitUntilLocale("he")
		p.press("g")
		p.press("y")
		p.waitUntilLocale("en")
	})

	t.Run("says everything of its own in Hebrew", func(t *testing.T) {
		p := visit(t, desk, "he", "light")
		look := func(what string) {
			t.Helper()
			var found []string
			p.eval(latinWords, &found)
			for _, one := range found {
				t.Errorf("%s: %s", what, one)
			}
		}
		for _, screen := range homeScreens {
			p.openHome(base, screen)
			look(screen)
		}
		p.inside(base, look)
		p.openHome(base, "graph")
		var kinds string
		p.eval(`[...document.querySelectorAll("main .row__meta .chip")].map((e) => e.innerText).join(" ")`, &kinds)
		if kinds == "" || latin.MatchString(kinds) {
			t.Errorf("the kinds of entities are %q", kinds)
		}
		p.click(`input[name=q]`)
		p.typeText("Noa Bar")
		p.press("Enter")
		p.waitFor("who was looked for", `document.querySelector(".row__link")?.innerText.includes("Noa Bar")`)
		p.click(".row__link")
		p.waitFor("the relations", `document.querySelector(".graph__via")`)
		var relations string
		p.eval(`[...document.querySelectorAll(".graph__via")].map((e) => e.innerText).join(" ")`, &relations)
		if relations == "" || latin.MatchString(relations) {
			t.Errorf("the relations are %q", relations)
		}
		open := func(screen, what, press, shown string) {
			t.Helper()
			p.openHome(base, screen)
			p.click(press)
			p.waitFor(what, `document.querySelector(`+quote(shown)+`) && !document.querySelector(".waiting")`)
			look(what)
			p.press("Escape")
			p.waitFor(what+" to go", `!document.querySelector("dialog")`)
		}
		open("board", "a task", ".row--task .row__main", "dialog .pane")
		open("day", "an event", ".row--event .row__main, .line__event .row__main", "dialog .pane")
		open("inbox", "a mail", ".row--mail .row__main", "dialog .pane")
		open("memory", "a memory", "main [data-open]", "dialog .pane")
		open("websets", "the form of a webset", ".board__head .button--main", "dialog form")
		open("websets", "the form of a list", "[data-new-import]", "dialog form")
		open("settings", "the form of a token", "[data-new-token]", "dialog form")
		for key, what := range map[string]string{"c": "the form of a task", "Control+k": "the palette", "?": "the keys"} {
			p.press(key)
			p.waitFor(what, `document.querySelector("dialog")`)
			look(what)
			p.press("Escape")
			p.waitFor(what+" to go", `!document.querySelector("dialog")`)
		}
		p.openHome(base, "day")
		p.say("בטל את Stand-up")
		p.waitFor("a question", `document.querySelector(".ask")`)
		look("a question")
		p.press("Escape")
		p.say("בלה בלה בלה")
		p.waitFor("what else it could be", `document.querySelectorAll(".back--bad .button").length === 3`)
		look("what was not understood")
	})

	t.Run("shows something at each address that people may enter", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		for _, address := range []string{"day/2026-13-45", "week/2026-02-30", "day/0000-00-00", "week/9999-99-99",
			"day/9998-12-31", "nowhere/at-all", "day/%", "graph/none", "websets/none"} {
			// The page has rendered anew once all have heard of the change; until then it shows what it did before.
			p.eval(`new Promise((done) => {
				addEventListener("hashchange", () => setTimeout(done, 100), { once: true });
				location.hash = `+quote("/"+address)+`;
			})`, nil)
			p.waitFor(address, `document.querySelector("main h1") && !document.querySelector(".waiting") &&
				document.querySelector("main .card, main .empty, main .trouble")`)
		}
		p.takeTroubles()
	})

	t.Run("closes what is open beside a screen when people go back", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.eval(`location.hash = "#/board"`, nil)
		p.click(`.board .row--task .row__main`) // the day, which has rows too, may still be there
		p.waitFor("the pane", `document.querySelector("dialog .pane")`)
		p.eval(`history.back()`, nil)
		p.waitFor("the day alone", `location.hash === "#/day" && document.querySelector(".day__title") &&
			!document.querySelector("dialog")`)
	})

	t.Run("says of what goes on over midnight until when, and shows what lasts for days on top", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		event := func(title, start, end string) {
			t.Helper()
			p.post(`mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } } }`,
				`{ input: { summary: `+quote(title)+`, start: { dateTime: "`+start+`" }, end: { dateTime: "`+end+`" } } }`,
				new(any))
		}
		event("Over midnight", "2031-03-05T22:30", "2031-03-06T02:15")
		event("Four days on end", "2031-03-04T15:00", "2031-03-07T11:00")
		p.openHome(base, "day/2031-03-06")
		p.waitFor("until when it goes on", `[...document.querySelectorAll(".line__event")]
			.map((e) => e.innerText.replace(/\s+/g, " ")).join("|").startsWith("until 02:15 Over midnight")`)
		p.waitFor("what lasts for days", `document.querySelector(".whole").innerText.includes("Four days on end")`)
		p.assertNone(".chip--warn", "what lasts for days overlaps with everything")
		p.openHome(base, "week/2031-03-06")
		p.waitFor("four days", `[...document.querySelectorAll(".week__head .chip")].filter((e) =>
			e.innerText === "Four days on end").length === 4`)
		var among []int
		p.eval(`["Four days on end", "Over midnight"].map((title) => [...document.querySelectorAll(".week__event")]
			.filter((e) => e.innerText.includes(title)).length)`, &among)
		if !slices.Equal(among, []int{0, 2}) { // the night has two halves
			t.Errorf("among the hours are %d", among)
		}
	})

	t.Run("shows as many events beside each other as have room, and counts the others", func(t *testing.T) {
		p := visit(t, phone, "he", "light")
		for i := range 6 {
			p.post(`mutation ($input: CreateEventInput!) { createEvent(input: $input) { event { id } } }`,
				fmt.Sprintf(`{ input: { summary: "Beside %d", start: { dateTime: "2031-04-03T14:%02d" },
					end: { dateTime: "2031-04-03T%02d:00" } } }`, i, 5*i, 15+i), new(any))
		}
		for _, at := range []struct {
			size  size
			shown int
			name  string
		}{{phone, 2, "עוד 4 אירועים: יום חמישי, 3 באפריל"}, {desk, 3, "עוד 3 אירועים: יום חמישי, 3 באפריל"}} {
			p.resize(at.size)
			p.openHome(base, "week/2031-04-03")
			p.waitFor("those that have room", fmt.Sprintf(`[...document.querySelectorAll(".week__event")].filter((e) =>
				e.innerText.includes("Beside") && e.getBoundingClientRect().width >= 24).length === %d &&
				document.querySelector(".week__rest a").ariaLabel === %q`, at.shown, at.name))
			p.check("the week with many events at once")
			p.screenshot(fmt.Sprintf("week-many-%d", at.size.width))
		}
		p.click(`.week__rest a`)
		p.waitFor("the day with all six", `location.hash === "#/day/2031-04-03" &&
			[...document.querySelectorAll(".line__event")].filter((e) => e.innerText.includes("Beside")).length === 6`)
	})

	t.Run("keeps an answer that was typed until it is sent", func(t *testing.T) {
		for language, text := range map[string]string{"en": "It was typed before.", "he": "זה נכתב קודם."} {
			p := visit(t, desk, language, "light")
			p.eval(`location.hash = "#/inbox"`, nil)
			p.click(`.row--mail .row__main`)
			p.click(`.pane__foot .button--main`)
			p.click(`.pane textarea`)
			p.typeText(text)
			p.eval(`history.back()`, nil)
			p.waitFor("the day alone", `location.hash === "#/day" && !document.querySelector("dialog")`)
			p.eval(`location.hash = "#/inbox"`, nil)
			p.click(`.row--mail .row__main`)
			p.waitFor("what was typed, in "+language, `document.querySelector(".pane textarea")?.value === `+quote(text))
			p.click(`.pane__foot .button--main`)
			p.waitFor("the preview", `document.querySelector(".letter--out")?.innerText.includes(`+quote(text)+`)`)
			p.click(`.pane__foot .button--main`)
			p.click(`.toast__undo`)
			p.waitFor("the undoing", `document.querySelectorAll(".toast").length === 1`)
			p.click(`.row--mail .row__main`)
			p.waitFor("the mail without an answer", `document.querySelector(".pane .pane__foot .button--main")`)
			p.assertNone(".pane textarea", "what was sent is offered again, in "+language)
		}
	})

	t.Run("shows two lines of a long title in a row, and all of it in its pane", func(t *testing.T) {
		for language, word := range map[string]string{"en": "words ", "he": "מילים "} {
			p := visit(t, phone, language, "light")
			title := strings.TrimSpace(strings.Repeat(word, 110))
			// It is late, so that its row is among the first: those below the screen are not drawn.
			p.post(`mutation ($t: String!) { createTask(input: { text: $t, dueDate: "2020-03-06T10:00" }) { task { id } } }`,
				`{ t: `+quote(title)+` }`, new(any))
			p.openHome(base, "board")
			p.waitForRow(word + word)
			p.markRow(word + word)
			var lines float64
			p.eval(`(() => { const title = document.querySelector("#wanted .row__title");
				return title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight); })()`, &lines)
			if lines < 1.5 || lines > 2.5 {
				t.Errorf("a row has %.1f lines of a title in %s", lines, language)
			}
			p.eval(`document.querySelector("#wanted .row__main").click()`, nil)
			p.waitFor("the pane", `document.querySelector("dialog .pane")`)
			p.waitFor("all of the title, within a third of the screen", `(() => {
				const title = document.querySelector("dialog h2");
				return title.textContent === `+quote(title)+` && title.clientHeight < innerHeight / 3; })()`)
			p.check("a long title in " + language)
			p.post(`mutation ($t: String!) { deleteTask(input: { target: { match: { text: $t } } }) { deletedId } }`,
				`{ t: `+quote(title)+` }`, new(any))
		}
	})

	t.Run("searches everything", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.press("g")
		p.press("f")
		p.click("input[name=q]")
		p.typeText("Dana")
		p.press("Enter")
		p.waitFor("what was found", `document.querySelectorAll("main .card .rows").length > 1 &&
			!document.querySelector(".waiting")`)
		p.check("the search of everything")
		p.screenshot("search")
	})
}

// latin is a word in Latin letters.
var latin = regexp.MustCompile("[A-Za-z]{2,}")

// latinWords are the words in Latin letters that a page says of its own: what is shown, the names of what has no text,
// and the title. What people wrote is left out: it stands where the direction follows the text. So are names.
const latinWords = `(() => {
	const names = new Set(["Almanac", "API", "Google", "Exa", "JSON", "CSV", "MB", "Ctrl", "Alt", "Shift",
		"Enter", "Esc", "English"]);
	const theirs = "[dir=auto], bdi, [dir=ltr], body [lang], kbd, pre, script, style, option";
	const written = [...document.querySelectorAll("[dir=auto], bdi")].map((e) => e.textContent.trim()).filter(Boolean)
		.sort((a, b) => b.length - a.length);
	const found = new Set();
	const look = (text, where) => {
		const foreign = text.match(/[A-Za-z][A-Za-z'-]+/g)?.filter((word) => !names.has(word));
		if (foreign?.length) found.add(where + ": " + text.trim());
	};
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (texts.nextNode()) {
		const { parentElement: of, data } = texts.currentNode;
		if (!of.closest(theirs) && of.checkVisibility()) look(data, of.tagName + "." + of.className);
	}
	for (const name of ["aria-label", "placeholder", "title", "aria-valuetext", "alt"]) {
		for (const of of document.body.querySelectorAll("[" + name + "]")) {
			if (name === "title" && of.matches("[dir=auto]")) continue; // it says more of what is shown
			look(written.reduce((text, part) => text.replaceAll(part, " "), of.getAttribute(name)), of.tagName + " " + name);
		}
	}
	look(document.title, "title");
	return [...found];
})()`

// waitUntilLocale waits until the server keeps a language. A browser says its own with each request, which would be
// answered instead of the kept one.
func (p *page) waitUntilLocale(want string) {
	p.t.Helper()
	p.eval(`new Promise((done) => {
		const look = async () => {
			const headers = { "Content-Type": "application/json", "Accept-Language": "*" };
			const answer = await fetch("graphql", { method: "POST", headers,
				body: JSON.stringify({ query: "{ viewer { settings { locale } } }" }) });
			const { data } = await answer.json();
			if (data.viewer.settings.locale === `+quote(want)+`) done(true);
			else setTimeout(look, 20);
		};
		void look();
	})`, nil)
}

// assertNone fails when something is on the page.
func (p *page) assertNone(selector, complaint string) {
	p.t.Helper()
	var count int
	p.eval(`document.querySelectorAll(`+quote(selector)+`).length`, &count)
	if count != 0 {
		p.t.Error(complaint)
	}
}
