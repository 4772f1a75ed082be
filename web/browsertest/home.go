package browsertest

import (
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// homeScreens are the screens of the home page, as its addresses name them.
var homeScreens = []string{"day", "week", "board", "inbox", "memory", "lists", "graph", "websets", "actions",
	"settings", "search"}

// RunHomeSuite proves the home page that a server at baseURL serves at "/", with that server's own "/graphql".
//
// The server must serve the real schema with the sample data, let a caller without a token in, and be at a loopback
// address. The suite creates, completes and deletes tasks, and previews a mail. Pictures go to the test's artifacts.
func RunHomeSuite(t *testing.T, baseURL string) {
	base, err := url.Parse(baseURL)
	if err != nil || base.Host == "" {
		t.Fatalf("not the address of a server: %q", baseURL)
	}
	browser := startChromium(t)
	visit := func(t *testing.T, viewport size, language, scheme string) *page {
		p := newPage(t, browser, viewport)
		p.prefer(scheme)
		// A visitor who has chosen a language, and keeps the zone of the settings.
		p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
			"source": `localStorage.setItem("almanac:home:locale", ` + quote(language) + `);
				localStorage.setItem("almanac:home:zone", Intl.DateTimeFormat().resolvedOptions().timeZone);`})
		p.openHome(base, "day")
		t.Cleanup(func() {
			if !t.Failed() {
				p.assertQuiet(base)
			}
		})
		return p
	}

	t.Run("shows a living day", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.waitFor("events, tasks, what is late, mail that waits, a free gap or what comes, and the moment",
			`document.querySelector(".line__now") && document.querySelectorAll(".line > li").length > 3 &&
				document.querySelectorAll(".row--mail").length > 1 && document.querySelector(".count--bad")`)
		p.screenshot("day-light")
		p.prefer("dark")
		p.screenshot("day-dark")
	})

	t.Run("asks for the day before it is told who looks, and once", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.open("about:blank")
		p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `
			window.asked = [];
			const send = window.fetch, answers = new Promise((done) => (window.answer = done));
			window.fetch = async (...request) => {
				asked.push(/(?:query|mutation) (\w+)/.exec(request[1]?.body)?.[1]);
				await answers;
				return send(...request);
			};`})
		p.open(base.String())
		p.waitFor("what is shown while nothing is known", `document.querySelector("main .waiting")`)
		var asked []string
		p.eval(`asked.filter((name) => name !== "Latest")`, &asked)
		if want := []string{"Shell", "Day", "Free"}; !slices.Equal(asked, want) {
			t.Errorf("%q were asked for, want %q", asked, want)
		}
		p.eval(`answer()`, nil)
		p.waitFor("the day", `document.querySelector(".line > li") && document.querySelector(".tick")`)
		p.takeTroubles() // of the page between, which has no storage
	})

	t.Run("names days as the browser does", func(t *testing.T) {
		for language, region := range map[string]string{"en": "en-GB", "he": "he-IL"} {
			p := visit(t, desk, language, "light")
			for month := 1; month <= 12; month++ {
				day := fmt.Sprintf("2026-%02d-%02d", month, month+8)
				p.eval(`location.hash = "#/day/`+day+`"`, nil)
				p.waitFor("the name of "+day+" in "+language, `document.querySelector(".day__title")?.textContent ===
					new Intl.DateTimeFormat("`+region+`", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" })
						.format(new Date("`+day+`"))`)
			}
		}
	})

	t.Run("moves when another client writes", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.click(`.rail a[href="#/board"]`)
		p.waitFor("the board", `document.querySelectorAll(".column").length === 5`)
		text := "Written elsewhere, במקום אחר"
		p.createTask(text)
		p.waitForRow(text)
	})

	t.Run("ticks while the server is away, sends it once, and undoes it", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.click(`.rail a[href="#/board"]`)
		text := "Ticked while away"
		p.createTask(text)
		p.waitForRow(text)
		p.offline(true)
		p.markRow(text)
		p.click(`#wanted .tick`)
		p.waitFor("the tick to show at once", `document.querySelector("#wanted.row--done")`)
		p.waitFor("the page to say that it waits", `document.querySelector(".bar--away strong")`)
		p.screenshot("away")
		p.offline(false)
		p.waitFor("what was done", toastSays("Completed "+text))
		p.waitFor("the bar to go", `!document.querySelector(".bar--away")`)
		if done := p.actionsOf(text); len(done) != 2 { // made by the test, completed by the page
			t.Errorf("the actions are %q", done)
		}
		p.press("z")
		p.waitForRow(text)
		for _, trouble := range p.takeTroubles() {
			if !strings.Contains(trouble, "ERR_INTERNET_DISCONNECTED") && !strings.Contains(trouble, "WebSocket") {
				t.Errorf("the page complained: %s", trouble)
			}
		}
	})

	t.Run("opens other screens without a network, and tries again what did not come", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.open("about:blank")
		p.do("Network.setCacheDisabled", map[string]any{"cacheDisabled": true})
		p.do("Network.setBlockedURLs", map[string]any{"urls": []string{"*/assets/lists-*"}})
		p.openHome(base, "day")
		p.waitFor("the last of the screens", `performance.getEntriesByType("resource").some(({ name, responseStatus }) =>
			name.includes("/assets/search-") && responseStatus === 200)`)
		p.offline(true)
		p.click(`.rail a[href="#/memory"]`)
		p.waitFor("the screen, and why it is empty",
			`document.querySelector("#search") && document.querySelector(".trouble")`)
		p.click(`.rail a[href="#/lists"]`)
		p.waitFor("why there is no screen", `!document.querySelector("main h1") && document.querySelector("main .trouble") &&
			document.querySelector('.rail a[href="#/lists"][aria-current]')`)
		p.offline(false)
		p.do("Network.setBlockedURLs", map[string]any{"urls": []string{}})
		p.click(".trouble .button")
		p.waitFor("the lists", `document.querySelectorAll("main .card").length > 1`)
		p.takeTroubles()
	})

	t.Run("asks which occurrences are meant, with none chosen", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.say("cancel the stand-up")
		p.waitFor("the question", `document.querySelectorAll(".ask input").length > 1`)
		var chosen int
		p.eval(`document.querySelectorAll(".ask input:checked").length`, &chosen)
		if chosen != 0 {
			t.Errorf("%d answers are chosen beforehand", chosen)
		}
		p.screenshot("question")
		p.check("a question")
		p.press("Escape")
		p.waitFor("the question to go", `!document.querySelector(".ask")`)
	})

	t.Run("reads back what was said, and takes it back", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.say("coffee with Roi tomorrow at 16:30")
		p.waitFor("the read-back", `document.querySelector(".back")?.innerText.includes("Coffee with Roi") &&
			document.querySelector(".back")?.innerText.includes("16:30")`)
		p.screenshot("said")
		p.click(`.back__foot .button`)
		p.waitFor("what was undone",
			`document.querySelector(".toast") && !document.querySelector(".coming")?.innerText.includes("Coffee with Roi")`)
		p.say("sdfkjh qwe")
		p.waitFor("what else it could be", `document.querySelectorAll(".back--bad .button").length === 3`)
		p.click(`.back--bad .button:last-child`)
		p.waitFor("a search with the words", `location.hash === "#/search/sdfkjh%20qwe" &&
			document.querySelector("input[name=q]").value === "sdfkjh qwe" &&
			document.querySelectorAll("main .card").length === 6`)
	})

	t.Run("shows a mail's answer exactly before it goes out, and takes it back", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.click(`.row--mail .row__main`)
		p.click(`.pane__foot .button--main`)
		p.click(`.pane textarea`)
		p.typeText("Thank you, it is noted.")
		p.click(`.pane__foot .button--main`)
		p.waitFor("the preview", `document.querySelector(".letter--out")?.innerText.includes("it is noted")`)
		p.screenshot("mail-preview")
		p.check("a preview")
		p.click(`.pane__foot .button--main`)
		p.click(`.toast__undo`)
		p.waitFor("the undoing", `document.querySelectorAll(".toast").length === 1 && `+toastSays("Undid"))
		p.assertNone(".toast__undo", "sending again is offered after it was undone")
	})

	t.Run("moves an event of the week by hand and by keys, and takes both back", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.openHome(base, "week")
		const title = "Coffee with Amit"
		p.waitForRow(title)
		p.markRow(title)
		var at struct{ X, Y, Top float64 }
		p.eval(`(() => {
			const block = document.querySelector("#wanted .block");
			block.scrollIntoView({ block: "center" });
			const box = block.getBoundingClientRect();
			return { X: box.x + box.width / 2, Y: box.y + 8, Top: box.top };
		})()`, &at)
		const hour = 56 // the height of an hour in the grid
		for _, step := range []struct {
			kind string
			y    float64
		}{{"mousePressed", at.Y}, {"mouseMoved", at.Y + hour/2}, {"mouseMoved", at.Y + hour},
			{"mouseReleased", at.Y + hour}} {
			p.do("Input.dispatchMouseEvent",
				map[string]any{"type": step.kind, "x": at.X, "y": step.y, "button": "left", "buttons": 1, "clickCount": 1})
		}
		p.waitFor("what was done", toastSays("Moved "+title))
		p.press("z")
		p.waitFor("the undoing", toastSays("Undid"))
		p.eval(`document.querySelectorAll(".toast .round").forEach((button) => button.click())`, nil)
		p.waitFor("the notes to go", `!document.querySelector(".toast")`)
		p.waitFor("the event to be back", fmt.Sprintf(
			`Math.abs([...document.querySelectorAll("main [data-row]")].find((row) => row.innerText.includes(%s))
				.querySelector(".block").getBoundingClientRect().top - %g) < 3`, quote(title), at.Top))
		p.markRow(title)
		p.eval(`document.querySelector("#wanted .block").dispatchEvent(
			new KeyboardEvent("keydown", { key: "ArrowDown", altKey: true, bubbles: true }))`, nil)
		p.waitFor("what was done", toastSays("Moved "+title))
		p.press("z")
		p.waitFor("the undoing", toastSays("Undid"))
	})

	runHomeWords(t, base, visit)
	runHomeHands(t, base, visit)
	runHomeMotion(t, base, visit)

	t.Run("is used by keys alone, in Hebrew", func(t *testing.T) {
		p := visit(t, desk, "he", "light")
		var direction string
		p.eval(`document.documentElement.dir + " " + document.documentElement.lang`, &direction)
		if direction != "rtl he" {
			t.Errorf("the page is %q", direction)
		}
		text := "מפתחות בלבד"
		p.press("g")
		p.press("b")
		p.waitFor("the board", `document.querySelectorAll(".column").length === 5`)
		p.press("c")
		p.waitFor("the form", `document.activeElement?.name === "text"`)
		p.typeText(text)
		p.press("Enter")
		p.waitForRow(text)
		p.waitFor("the form to go", `!document.querySelector("dialog")`)
		p.eval(`[...document.querySelectorAll("main [data-row]")].findLast((e) => e.innerText.includes(`+quote(text)+
			`)).querySelector("[data-open]").focus()`, nil)
		p.press("x")
		p.waitFor("the task to go", `![...document.querySelectorAll("main [data-row]")].some((e) => e.innerText.includes(`+
			quote(text)+`))`)
		p.press("z")
		p.waitForRow(text)
		p.press("Control+k")
		p.waitFor("the palette, which teaches its keys", `document.querySelectorAll(".palette__list kbd").length > 10`)
		p.check("the palette")
		p.screenshot("palette-hebrew")
		p.typeText("הגדרות")
		p.press("Enter")
		p.waitFor("the settings", `location.hash === "#/settings"`)
	})

	t.Run("fits a phone", func(t *testing.T) {
		for _, language := range []string{"en", "he"} {
			p := visit(t, phone, language, "light")
			for _, screen := range homeScreens {
				p.openHome(base, screen)
				var overflow bool
				// The window of a phone grows with what overflows it, so the size is the one it was given.
				p.eval(fmt.Sprintf(`document.documentElement.scrollWidth > %d`, phone.width), &overflow)
				if overflow {
					t.Errorf("%s is wider than the phone in %s", screen, language)
				}
				p.screenshot("phone-" + screen + "-" + language)
			}
			p.inside(base, func(what string) {
				var overflow bool
				p.eval(fmt.Sprintf(`document.documentElement.scrollWidth > %d`, phone.width), &overflow)
				if overflow {
					t.Errorf("%s is wider than the phone in %s", what, language)
				}
				p.screenshot("phone-" + what + "-" + language)
			})
			p.openHome(base, "day")
			p.click(`.row--task .row__main`)
			p.waitFor("the pane", `document.querySelector("dialog .pane")`)
			p.check("a pane on a phone in " + language)
		}
	})

	for _, language := range []string{"en", "he"} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run("axe finds nothing in "+language+", "+scheme, func(t *testing.T) {
				p := visit(t, desk, language, scheme)
				for _, screen := range homeScreens {
					p.openHome(base, screen)
					p.check(screen)
					p.screenshot(screen + "-" + language + "-" + scheme)
				}
				p.inside(base, func(what string) {
					p.check(what)
					p.screenshot(what + "-" + language + "-" + scheme)
				})
			})
		}
	}
}

// hearChanges keeps each change that any socket of the page brings.
const hearChanges = `window.heard = [];
	window.WebSocket = class extends WebSocket {
		constructor(...given) {
			super(...given);
			this.addEventListener("message", ({ data }) => {
				const message = JSON.parse(data);
				if (message.type !== "next") return;
				const { cursor, operation, node } = message.payload.data.changed;
				heard.push({ cursor, what: operation + " " + (node?.text ?? "") });
			});
		}
	};`

// RunHomeRestartSuite proves that the home page has each change once when its server goes and comes back. stop ends the
// server at baseURL, and again starts it anew at the same address with the same data.
func RunHomeRestartSuite(t *testing.T, baseURL string, stop, again func()) {
	base, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t, startChromium(t), desk)
	p.prefer("light")
	p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": hearChanges})
	p.openHome(base, "board")
	p.createTask("Before the end")
	p.waitForRow("Before the end")
	p.waitFor("the socket to tell of it", `heard.some(({ what }) => what === "CREATED Before the end")`)
	stop()
	p.waitFor("the page to say so", `document.querySelector(".bar--away")`)
	p.markRow("Before the end")
	p.click("#wanted .tick")
	p.waitFor("the tick to show at once", `document.querySelector("#wanted.row--done")`)
	again()
	p.waitFor("the tick to be sent", toastSays("Completed Before the end"))
	p.createTask("After the end")
	p.waitForRow("After the end")
	p.waitFor("the socket to tell of it", `heard.some(({ what }) => what === "CREATED After the end")`)
	var heard []struct{ Cursor, What string }
	p.eval(`heard`, &heard)
	times, cursors := make(map[string]int), make(map[string]bool)
	for _, change := range heard {
		if cursors[change.Cursor] {
			t.Errorf("a change was told twice: %v", change)
		}
		cursors[change.Cursor] = true
		times[change.What]++
	}
	for _, what := range []string{"CREATED Before the end", "COMPLETED Before the end", "CREATED After the end"} {
		if times[what] != 1 {
			t.Errorf("%s was told %d times", what, times[what])
		}
	}
	if done := p.actionsOf("Before the end"); len(done) != 2 { // made, completed
		t.Errorf("the actions are %q", done)
	}
}

// sayAtOnce has the page say at once what it says of a connection that is away for some seconds.
const sayAtOnce = `(() => {
	const later = window.setTimeout;
	window.setTimeout = (what, delay, ...given) => later(what, delay > 2000 && delay <= 3000 ? 0 : delay, ...given);
})();`

// RunHomeSignInSuite proves signing in at a provider of OpenID Connect, and out again, on a server that lets no one in
// without; the provider signs in whoever comes, with no page of its own. next is called before each time.
func RunHomeSignInSuite(t *testing.T, baseURL string, next func()) {
	base, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	browser := startChromium(t)
	const offer = `dialog a[href*="/signin?return="]`
	for _, c := range []struct {
		language, scheme string
		viewport         size
		refusal, session string
	}{{"en", "light", desk, "Sign in to go on.", "browser session"},
		{"he", "dark", phone, "יש להיכנס כדי להמשיך.", "כניסה בדפדפן"}} {
		t.Run(c.language, func(t *testing.T) {
			p := newPage(t, browser, c.viewport)
			p.prefer(c.scheme)
			p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
				"source": sayAtOnce + `localStorage.setItem("almanac:home:locale", ` + quote(c.language) + `)`})
			p.open(base.ResolveReference(&url.URL{Path: "/", Fragment: "/board"}).String())
			p.waitFor("the offer, with the focus", `document.activeElement?.matches(`+quote(offer)+`)`)
			p.waitFor("what was refused, in the page's language",
				`[...document.querySelectorAll(".trouble p")].map((e) => e.innerText).join("|") === `+quote(c.refusal))
			p.check("signing in")
			p.assertNone(".bar--away", "a connection is missed that waits for signing in")
			p.assertNone("dialog .round", "the dialog offers to be closed, with nothing to do without it")
			p.press("Escape")
			p.press("Escape")
			p.waitFor("the offer to stay", `document.querySelector("dialog:modal")?.querySelector(`+quote(offer)+`)`)
			p.screenshot("signin-" + c.language)
			next()
			p.click(offer)
			p.arrive("the screen that was wanted", `location.hash === "#/board" && document.querySelector(".column") &&
				!document.querySelector("dialog")`)
			p.openHome(base, "settings")
			const out = `[...document.querySelectorAll("main button")].find((e) =>
				["Sign out", "יציאה"].includes(e.innerText.trim()))`
			p.waitFor("the session in the list of tokens", `[...document.querySelectorAll("main .row__title")].some((e) =>
				e.innerText === `+quote(c.session)+`) && `+out)
			p.eval(`void (`+out+`.id = "out")`, nil)
			p.check("the settings of a session")
			p.screenshot("session-" + c.language)
			p.click("#out")
			p.arrive("the offer again", `document.querySelector(`+quote(offer)+`)`)
		})
	}
}

// RunHomeTokenSuite proves signing in with a token, on a server that lets no one in without.
func RunHomeTokenSuite(t *testing.T, baseURL, token string) {
	base, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	p := newPage(t, startChromium(t), desk)
	p.prefer("light")
	p.open(base.ResolveReference(&url.URL{Path: "/"}).String())
	p.waitFor("the field for a token", `document.querySelector("dialog input[name=token]")`)
	p.check("signing in")
	p.click(`dialog input[name=token]`)
	p.typeText("Bearer " + token)
	p.press("Enter")
	p.waitFor("the day", `document.querySelector(".day__title") && !document.querySelector("dialog")`)
	for _, r := range p.sent() {
		if strings.Contains(r.URL, token) {
			t.Errorf("the token stands in an address: %s", r.URL)
		}
	}
	var kept string
	p.eval(`JSON.stringify({ ...localStorage })`, &kept)
	if strings.Contains(kept, token) {
		t.Errorf("the token is kept beyond the tab: %s", kept)
	}
}

// openHome opens a screen of the home page, and waits until it has what it shows.
func (p *page) openHome(base *url.URL, screen string) {
	p.t.Helper()
	address, there := screen, `.rail a[href="#/`+screen+`"][aria-current]`
	if screen == "search" { // it stands in no list of screens, and shows something when it is asked for words
		address, there = "search/rent", `main [role="search"]`
	}
	if place, _, found := strings.Cut(screen, "/"); found {
		there = `.rail a[href="#/` + place + `"][aria-current]`
	}
	p.open(base.ResolveReference(&url.URL{Path: "/", Fragment: "/" + address}).String())
	p.waitFor("the screen "+screen, `location.hash === "#/`+address+`" && document.querySelector("main h1") &&
		document.querySelector('`+there+`') &&
		document.fonts.status === "loaded" && !document.querySelector(".waiting") && document.querySelector(".card, .empty")`)
}

// offline cuts the tab's network, or joins it again.
func (p *page) offline(cut bool) {
	p.t.Helper()
	p.mu.Lock()
	p.cut = p.cut || cut
	p.mu.Unlock()
	p.do("Network.emulateNetworkConditions",
		map[string]any{"offline": cut, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
}

// say types a sentence into the day's box and sends it.
func (p *page) say(text string) {
	p.t.Helper()
	p.click("#say")
	p.eval(`document.querySelector("#say").select()`, nil)
	p.typeText(text)
	p.press("Enter")
}

// waitForRow waits until a row shows a text and is not done.
func (p *page) waitForRow(text string) {
	p.t.Helper()
	p.waitFor("a row with "+text, `[...document.querySelectorAll("main [data-row]:not(.row--done)")]
		.some((e) => e.innerText.includes(`+quote(text)+`))`)
}

// markRow calls the row with a text #wanted.
func (p *page) markRow(text string) {
	p.t.Helper()
	p.eval(`[...document.querySelectorAll("main [data-row]")].find((e) => e.innerText.includes(`+quote(text)+
		`)).id = "wanted"`, nil)
}

// toastSays is the condition that a message at the page's foot has a text.
func toastSays(text string) string {
	return `[...document.querySelectorAll(".toast")].some((e) => e.innerText.includes(` + quote(text) + `))`
}

// actionsOf returns what was done to records of that text.
func (p *page) actionsOf(text string) []string {
	p.t.Helper()
	var answered struct {
		Data struct {
			Actions struct{ Nodes []struct{ Summary string } }
		}
	}
	p.post("{ actions(first: 50) { nodes { summary } } }", "{}", &answered)
	var found []string
	for _, action := range answered.Data.Actions.Nodes {
		if strings.Contains(action.Summary, text) {
			found = append(found, action.Summary)
		}
	}
	return found
}

// check runs axe-core over what is shown and fails with what it finds.
func (p *page) check(what string) {
	p.t.Helper()
	p.eval(axe(p.t), nil)
	var found []string
	p.eval(`axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
		.then(({ violations }) => violations.map(({ id, nodes }) =>
			id + ": " + nodes.map((n) => n.html.slice(0, 200) + " " + n.failureSummary).join(" | ")))`, &found)
	for _, violation := range found {
		p.t.Errorf("%s: %s", what, violation)
	}
}

// axe is the text of axe-core, which is fetched in the pinned version when it is not there.
func axe(t testing.TB) string {
	t.Helper()
	folder := modulePath(t, "web/browsertest/axe")
	file := filepath.Join(folder, "node_modules", "axe-core", "axe.min.js")
	if _, err := os.Stat(file); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
		install.Dir = folder
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci in %s (Node.js 20 or newer is needed: apt-get install nodejs npm): %v\n%s", folder, err, out)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// modulePath finds a folder of the module from the folder that a test runs in.
func modulePath(t testing.TB, folder string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			return filepath.Join(root, folder)
		}
		if root == filepath.Dir(root) {
			t.Fatal("there is no go.mod above the test's folder")
		}
		root = filepath.Dir(root)
	}
}
