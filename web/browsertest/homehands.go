package browsertest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"
)

// runHomeHands proves what is done by hand: dragging in the week and on the board, walking the graph, filling a webset.
func runHomeHands(t *testing.T, base *url.URL,
	visitAs func(t *testing.T, viewport size, language, scheme string) *page) {
	visit := func(t *testing.T) *page { return visitAs(t, desk, "en", "light") }
	t.Run("stretches an event by its lower edge, and takes it back", func(t *testing.T) {
		p := visit(t)
		p.openHome(base, "week")
		const title = "Coffee with Amit"
		p.waitForRow(title)
		p.markRow(title)
		before := p.heightOf("#wanted .block")
		at := p.middleOf("#wanted .week__grip")
		p.pull(at, point{at.X, at.Y + hourPx/2})
		p.waitFor("what was done", toastSays(title))
		p.waitFor("the event to be longer", fmt.Sprintf(
			`[...document.querySelectorAll("main [data-row]")].find((row) => row.innerText.includes(%s))
				.querySelector(".block").getBoundingClientRect().height - %g > %d`, quote(title), before, hourPx/2-3))
		p.press("z")
		p.waitFor("the undoing", toastSays("Undid"))
	})

	t.Run("asks which occurrences of a series are moved, with none chosen", func(t *testing.T) {
		p := visit(t)
		p.openHome(base, "week")
		const title = "Stand-up"
		p.waitForRow(title)
		p.markRow(title)
		at := p.middleOf("#wanted .block")
		p.pull(at, point{at.X, at.Y + hourPx})
		p.waitFor("the question", `document.querySelectorAll(".ask input[type=radio]").length > 2 &&
			!document.querySelector(".ask input:checked")`)
		p.check("the question of scope")
		p.click(".ask label")
		p.click(".pane__foot .button--main")
		p.waitFor("what was done", toastSays(title))
		p.press("z")
		p.waitFor("the undoing", toastSays("Undid"))
	})

	t.Run("draws when somebody is busy, and says whose calendar cannot be read", func(t *testing.T) {
		p := visit(t)
		p.openHome(base, "week")
		for _, address := range []string{"demo@example.com", "nobody@nowhere.example"} {
			p.click(".busy input")
			p.typeText(address)
			p.press("Enter")
		}
		p.waitFor("the busy times and the refusal",
			`document.querySelector(".week__busy") && document.querySelectorAll(".busy__chosen .chip--warn").length === 1`)
		p.check("the week with busy times")
		p.screenshot("week-busy")
	})

	t.Run("drags a task to another day, and to another category", func(t *testing.T) {
		p := visit(t)
		text := "Carried by hand"
		p.createTask(text)
		p.openHome(base, "board")
		p.waitForRow(text)
		p.markRow(text)
		p.markColumn("Today")
		p.drag("#wanted .row__main", "#goal h2")
		p.waitFor("the task to be due today, and not late at once",
			`document.querySelector("#goal").innerText.includes(`+quote(text)+`)`)
		p.openHome(base, "board")
		p.click(`.tabs a[href="#/board/categories"]`)
		p.waitFor("the categories", `document.querySelector('[data-group="category health"]')`)
		p.waitForRow(text)
		p.markRow(text)
		p.markColumn("health")
		p.drag("#wanted .row__main", "#goal h2")
		p.waitFor("the task to have the category", `document.querySelector("#goal").innerText.includes(`+quote(text)+`)`)
		p.check("the board by categories")
		p.screenshot("board-categories")
	})

	t.Run("orders the tasks of a group by hand and by keys, and takes it back", func(t *testing.T) {
		p := visit(t)
		for _, text := range []string{"First by hand", "Second by hand", "Third by hand"} {
			p.createTask(text)
		}
		p.openHome(base, "board")
		p.waitForRow("Third by hand")
		p.markColumn("No date")
		inOrder := func(first, second, third string) {
			t.Helper()
			p.waitFor("the order "+first+second+third, `[...document.querySelectorAll("#goal [data-task] .row__title")]
				.map((e) => e.innerText.split(" ")).filter(([, ...rest]) => rest.join(" ") === "by hand")
				.map(([number]) => number).join(" ") === `+quote(first+" "+second+" "+third))
		}
		inOrder("First", "Second", "Third")
		p.markRow("Third by hand")
		p.eval(`[...document.querySelectorAll("#goal [data-row]")].find((e) => e.innerText.includes("First by hand"))
			.id = "place"`, nil)
		p.drag("#wanted .row__main", "#place .row__main")
		inOrder("Third", "First", "Second")
		p.press("z")
		inOrder("First", "Second", "Third")
		p.eval(`[...document.querySelectorAll("#goal [data-row]")].find((e) => e.innerText.includes("First by hand"))
			.querySelector("[data-open]").focus()`, nil)
		for _, order := range [][]string{{"Second", "First", "Third"}, {"Second", "Third", "First"}} {
			p.eval(`document.activeElement.dispatchEvent(
				new KeyboardEvent("keydown", { code: "ArrowDown", altKey: true, bubbles: true }))`, nil)
			inOrder(order[0], order[1], order[2])
			p.waitFor("the focus to go along", `document.activeElement.closest("#goal [data-row]")?.innerText
				.includes("First by hand")`)
		}
	})

	t.Run("puts a task at a place of another group by hand", func(t *testing.T) {
		p := visit(t)
		for text, category := range map[string]string{"Near one": "near", "Near two": "near", "Far one": "near far"} {
			p.post(`mutation ($t: String!, $c: String!) {
				createTask(input: { text: $t, category: $c, allowDuplicate: true }) { userErrors { message } } }`,
				`{ t: `+quote(text)+`, c: `+quote(category)+` }`, nil)
		}
		p.openHome(base, "board")
		p.eval(`location.hash = "#/board/categories"`, nil)
		group := func(title, texts string) {
			t.Helper()
			p.waitFor(title+" to be "+texts, `[...document.querySelectorAll(".column")].filter((e) =>
				e.dataset.group === "category `+title+`").flatMap((e) => [...e.querySelectorAll(".row__title")])
				.map((e) => e.textContent).join(", ") === `+quote(texts))
		}
		p.waitForRow("Far one")
		var order []string
		p.eval(`[...document.querySelectorAll('[data-group="category near"] .row__title')]
			.map((e) => e.textContent)`, &order)
		if len(order) != 2 {
			t.Fatalf("the group has %q", order)
		}
		p.markRow("Far one")
		p.eval(`[...document.querySelectorAll("[data-row]")].find((e) =>
			e.textContent.includes(`+quote(order[1])+`)).id = "place"`, nil)
		p.drag("#wanted .row__main", "#place .row__title")
		group("near", order[0]+", Far one, "+order[1])
		p.press("z")
		group("near", order[0]+", "+order[1])
		group("near far", "Far one")
	})

	for _, language := range []string{"en", "he"} {
		t.Run("moves a task among groups by keys, and by its menu on a phone, in "+language, func(t *testing.T) {
			p := visitAs(t, desk, language, "light")
			one, two := "Moved one "+language, "Moved two "+language
			for _, text := range []string{one, two} {
				p.post(`mutation ($t: String!) { createTask(input: { text: $t, category: "health", allowDuplicate: true }) {
					task { id } } }`, `{ t: `+quote(text)+` }`, new(any))
			}
			p.openHome(base, "board")
			p.eval(`location.hash = "#/board/categories"`, nil)
			p.waitFor("the groups", `document.querySelector('[data-group="category health"]')`)
			p.waitForRow(two)
			var following string // by name; those without a category are after all others
			p.eval(`(() => { const names = [...document.querySelectorAll("[data-group]")].map((e) =>
				e.dataset.group.replace("category ", "")).filter(Boolean).sort(new Intl.Collator(`+quote(language)+`).compare);
				return names[names.indexOf("health") + 1] ?? ""; })()`, &following)
			// The place of a task among those of its group, from 0; -1 when it is not there.
			at := func(group, text string, place int) {
				t.Helper()
				p.waitFor(fmt.Sprintf("%s at %d of %s", text, place, group), fmt.Sprintf(
					`[...document.querySelector(%s).querySelectorAll(".row__title")].findIndex((e) => e.innerText === %s) === %d`,
					quote(`[data-group="category `+group+`"]`), quote(text), place))
			}
			var last int
			p.eval(`document.querySelectorAll('[data-group="category health"] [data-task]').length - 1`, &last)
			at("health", two, last)
			p.markRow(two)
			p.eval(`document.querySelector("#wanted [data-open]").focus()`, nil)
			onward, back := "Alt+ArrowRight", "Alt+ArrowLeft"
			if language == "he" {
				onward, back = back, onward
			}
			focused := `document.activeElement.closest("[data-task]")?.innerText.includes(` + quote(two) + `)`
			p.press(onward)
			at(following, two, 0)
			p.waitFor("the focus to go along", focused)
			p.press("Alt+ArrowDown")
			at(following, two, 1)
			p.press(back)
			at("health", two, 0)
			p.waitFor("the focus to come along", focused)
			p.press("Control+k")
			p.waitFor("the palette to teach the keys", `["→", "←", "↑", "↓"].every((arrow) => [...document.querySelectorAll(
				".palette__list kbd")].some((e) => e.innerText === arrow))`)
			p.press("Escape")

			p.touch()
			p.waitForRow(two)
			p.markRow(two)
			p.tap("#wanted [data-places]")
			p.waitFor("the places", `document.querySelectorAll("dialog .places__groups button").length > 2`)
			p.check("the places of a task in " + language)
			p.screenshot("board-places-" + language)
			p.tap(".places__by button:last-child")
			at("health", two, 1)
			p.tap(".places__by button:first-child")
			at("health", two, 0)
			p.eval(`[...document.querySelectorAll("dialog .places__groups button")].find((e) =>
				e.innerText === `+quote(following)+` || `+quote(following)+` === "").id = "there"`, nil)
			p.tap("#there")
			at(following, two, 0)
			p.waitFor("the places to go", `!document.querySelector("dialog")`)
		})
	}

	t.Run("makes a token, shows it once, and ends it", func(t *testing.T) {
		for _, language := range []string{"en", "he"} {
			p := visit(t)
			p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{
				"source": `localStorage.setItem("almanac:home:locale", ` + quote(language) + `)`})
			p.openHome(base, "settings")
			_ = p.tryEval(`location.reload()`, nil)
			p.arrive("the page in "+language, `document.documentElement.lang === `+quote(language))
			name := "Kitchen display " + language
			// What is still being read above it would move the button from under the pointer.
			p.waitFor("the tokens", `document.querySelector("[data-new-token]") && !document.querySelector(".waiting") &&
				document.fonts.status === "loaded"`)
			p.click("[data-new-token]")
			p.waitFor("the field for its name, with the focus", `document.activeElement?.name === "name"`)
			p.eval(`document.querySelector("dialog details").open = true`, nil)
			p.check("making a token in " + language)
			p.screenshot("token-new-" + language)
			p.eval(`document.querySelector("dialog [value=READ]").click()`, nil)
			p.typeText(name)
			p.press("Enter")
			p.waitFor("the page to want a scope", `document.querySelector("dialog [role=alert]")?.innerText`)
			p.eval(`document.querySelector("dialog [value=TASKS_READ]").click()`, nil)
			p.press("Enter")
			p.waitFor("the secret", `document.querySelector("dialog .secret")?.value.startsWith("almanac_")`)
			p.check("a token's secret in " + language)
			p.screenshot("token-secret-" + language)
			var works bool
			p.eval(`fetch("graphql", { method: "POST", headers: { "Content-Type": "application/json",
				Authorization: "Bearer " + document.querySelector("dialog .secret").value },
				body: JSON.stringify({ query: "{ tasks(first: 1) { totalCount } }" }) }).then((r) => r.json())
				.then(({ data }) => data.tasks.totalCount > 0)`, &works)
			if !works {
				t.Error("the token does not let in")
			}
			p.click("dialog [type=submit]")
			p.waitFor("the token in the list, and the secret gone", `!document.querySelector(".secret") &&
				[...document.querySelectorAll("main .row__title")].some((e) => e.innerText === `+quote(name)+`)`)
			p.eval(`[...document.querySelectorAll("main .row button")].find((e) =>
				e.getAttribute("aria-label")?.includes(`+quote(name)+`)).id = "end"`, nil)
			p.check("tokens in " + language)
			p.click("#end")
			p.waitFor("the question", `document.querySelector(".ask legend")?.innerText.includes(`+quote(name)+`)`)
			p.click("dialog [type=submit]")
			p.waitFor("the token among those that have ended", `[...document.querySelectorAll("main details .row__title")]
				.some((e) => e.textContent === `+quote(name)+`)`)
		}
	})

	t.Run("shows more of a group, each task once", func(t *testing.T) {
		p := visit(t)
		p.openHome(base, "board")
		made := p.createTasks(130)
		p.markColumn("No date")
		p.waitFor("the first tasks", `document.querySelectorAll("#goal [data-row]").length === 25`)
		p.eval(`document.querySelector("#goal > .button").click()`, nil)
		p.waitFor("more", `document.querySelectorAll("#goal [data-row]").length === 125`)
		p.eval(`document.querySelector("#goal > .button").click()`, nil)
		p.waitFor("all",
			`document.querySelectorAll("#goal [data-row]").length > 130 && !document.querySelector("#goal > .button")`)
		var twice int
		p.eval(`(() => { const ids = [...document.querySelectorAll("#goal [data-task]")].map((e) => e.dataset.task);
			return ids.length - new Set(ids).size; })()`, &twice)
		if twice != 0 {
			t.Errorf("%d tasks are shown twice", twice)
		}
		for _, action := range made { // other tests look for what is at the end of the column
			var undone struct {
				Data struct {
					UndoAction struct{ Undone struct{ ID string } }
				}
			}
			p.post("mutation ($id: ID!) { undoAction(input: { id: $id }) { undone { id } } }", `{ id: `+quote(action)+` }`,
				&undone)
			if undone.Data.UndoAction.Undone.ID != action {
				t.Errorf("%s was not undone", action)
			}
		}
	})

	t.Run("walks the graph and moves it in time", func(t *testing.T) {
		p := visit(t)
		p.openHome(base, "graph")
		p.click(`input[name=q]`)
		p.typeText("Dana Levi")
		p.press("Enter")
		p.waitFor("what was found", `document.querySelector(".row__link")?.innerText.includes("Dana Levi")`)
		p.click(".row__link")
		p.waitFor("the map", `document.querySelectorAll(".graph__node--1").length > 1`)
		p.eval(`[...document.querySelectorAll(".graph__node--1")].find((e) => e.innerText === "Bluebird Labs").focus()`, nil)
		p.press("Enter")
		p.waitFor("the next entity in the middle", `document.querySelector(".graph__node--0").innerText === "Bluebird Labs" &&
			document.querySelector(".graph__about h2").innerText.includes("Bluebird Labs")`)
		p.eval(`(() => { const slider = document.querySelector(".graph__time input");
			Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(slider, "0");
			slider.dispatchEvent(new Event("input", { bubbles: true })); })()`, nil)
		p.waitFor("an earlier time, when less was true",
			`!document.querySelector(".graph__time strong").innerText.includes("now") &&
			![...document.querySelectorAll(".graph__node")].some((e) => e.innerText === "Dana Levi")`)
	})

	t.Run("fills a webset while it is looked at", func(t *testing.T) {
		p := visit(t)
		p.openHome(base, "websets")
		p.click(".board__head .button--main")
		p.click(`textarea[name=query]`)
		p.typeText("Robotics companies in Israel")
		p.check("the form of a webset")
		p.click(".pane__foot .button--main")
		p.waitFor("how it is understood", `document.querySelectorAll("dialog fieldset input").length > 0`)
		p.click(".pane__foot .button--main")
		p.waitFor("the grid", `location.hash.startsWith("#/websets/") && document.querySelector(".grid")`)
		p.waitFor("rows without being asked for", `document.querySelectorAll(".grid tbody th[scope=row]").length > 2`)
		p.click(".grid tbody .quiet")
		p.waitFor("everything that Exa returned", `document.querySelector(".raw")?.innerText.includes('"id"')`)
		p.check("raw data")
		p.press("Escape")
	})

	for _, language := range []string{"en", "he"} {
		t.Run("makes, pauses, resumes and deletes a monitor, in "+language, func(t *testing.T) {
			p := visitAs(t, desk, language, "light")
			var made struct {
				Data struct {
					CreateWebset struct{ Webset struct{ ID string } }
				}
			}
			p.post(`mutation { createWebset(input: { search: { query: "Bakeries in Haifa", count: 1 } }) { webset { id } } }`,
				"{}", &made)
			webset := made.Data.CreateWebset.Webset.ID
			monitors := func() (statuses []string) {
				t.Helper()
				var answered struct {
					Data struct {
						WebsetMonitors struct{ Nodes []struct{ Status string } }
					}
				}
				p.post("query ($id: ID!) { websetMonitors(websetId: $id, first: 100) { nodes { status } } }",
					`{ id: `+quote(webset)+` }`, &answered)
				for _, one := range answered.Data.WebsetMonitors.Nodes {
					statuses = append(statuses, one.Status)
				}
				return statuses
			}
			is := func(want ...string) {
				t.Helper()
				if got := monitors(); !slices.Equal(got, want) {
					t.Errorf("the server has monitors %q, not %q", got, want)
				}
			}
			p.openHome(base, "websets")
			p.eval(`location.hash = "#/websets/`+webset+`"`, nil)
			p.waitFor("no monitors", `document.querySelector("#monitors")?.parentElement.querySelector(".empty")`)
			p.focusOn("[data-new-monitor]")
			p.press("Enter")
			p.waitFor("the form", `document.activeElement?.name === "rhythm"`)
			p.check("the form of a monitor in " + language)
			p.screenshot("monitor-new-" + language)
			p.eval(`document.activeElement.form.requestSubmit()`, nil)
			p.waitFor("the monitor", `document.querySelector("[data-monitor=enabled]") && !document.querySelector("dialog")`)
			is("enabled")
			p.check("a webset with a monitor in " + language)
			p.screenshot("monitor-" + language)
			p.focusOn("[data-monitor] .button")
			p.press("Enter")
			p.waitFor("the pause", `document.querySelector("[data-monitor=disabled]")`)
			is("disabled")
			p.focusOn("[data-monitor] .button")
			p.press("Enter")
			p.waitFor("it to be active again", `document.querySelector("[data-monitor=enabled]")`)
			is("enabled")
			p.press("z")
			p.waitFor("the pause to be back", `document.querySelector("[data-monitor=disabled]")`)
			is("disabled")
			p.click("[data-monitor] .button--bad")
			p.waitFor("the question, with No in focus", `document.querySelector(".ask") &&
				document.activeElement?.hasAttribute("data-first")`)
			is("disabled")
			p.click("dialog [type=submit]")
			p.waitFor("the monitor to go", `!document.querySelector("[data-monitor]")`)
			is()
		})

		t.Run("brings in a list, makes a webset of it, and deletes it, in "+language, func(t *testing.T) {
			p := visitAs(t, desk, language, "light")
			title := "Neighbours " + language
			lists := func() (found []string) {
				t.Helper()
				var answered struct {
					Data struct {
						WebsetImports struct {
							Nodes []struct {
								Title, Status string
								Count         int
							}
						}
					}
				}
				p.post("{ websetImports(first: 100) { nodes { title status count } } }", "{}", &answered)
				for _, one := range answered.Data.WebsetImports.Nodes {
					if one.Title == title {
						found = append(found, fmt.Sprint(one.Status, " ", one.Count))
					}
				}
				return found
			}
			mine := `[...document.querySelectorAll("[data-import]")].find((e) => e.innerText.includes(` + quote(title) + `))`
			p.openHome(base, "websets")
			p.focusOn("[data-new-import]")
			p.press("Enter")
			p.waitFor("the form", `document.activeElement?.name === "title"`)
			p.check("the form of a list in " + language)
			p.typeText(title)
			p.press("Enter")
			p.waitFor("the page to want a list", `document.querySelector("dialog [role=alert]")?.innerText`)
			p.screenshot("import-new-" + language)
			if got := lists(); len(got) != 0 {
				t.Errorf("the server has lists %q", got)
			}
			p.focusOn("dialog textarea")
			p.typeText("name,website\n\"Café, corner\",https://cafe.example\nמאפיית נועה,https://noa.example\n")
			p.click("dialog [type=submit]")
			p.waitFor("the list, read", `!document.querySelector("dialog") && `+mine+`?.dataset.import === "completed"`)
			if got := lists(); !slices.Equal(got, []string{"completed 2"}) {
				t.Errorf("the server has lists %q", got)
			}
			p.check("the lists in " + language)
			p.eval(`void (`+mine+`.id = "list")`, nil)
			p.screenshot("imports-" + language)
			p.click("#list .button:not(.button--bad)")
			p.waitFor("the webset of it, with its rows", `location.hash.startsWith("#/websets/webset_") &&
				document.querySelector("h1").innerText === `+quote(title)+` &&
				document.querySelectorAll(".grid tbody th[scope=row]").length === 2`)
			p.check("a webset of a list in " + language)
			p.screenshot("webset-of-import-" + language)
			p.openHome(base, "websets")
			p.waitFor("the list", mine)
			p.eval(`void (`+mine+`.id = "list")`, nil)
			p.click("#list .button--bad")
			p.waitFor("the question", `document.querySelector(".ask legend")?.innerText.includes(`+quote(title)+`)`)
			p.click("dialog [type=submit]")
			p.waitFor("the list to go", `!`+mine)
			if got := lists(); len(got) != 0 {
				t.Errorf("the server has lists %q", got)
			}
		})
	}
}

// focusOn moves the focus to an element, as the tab key would, once it is there.
func (p *page) focusOn(selector string) {
	p.t.Helper()
	p.waitFor(selector, `document.querySelector(`+quote(selector)+`)`)
	p.eval(`document.querySelector(`+quote(selector)+`).focus()`, nil)
}

// inside has a function called on the screens that a record of the graph or of the websets has for itself.
func (p *page) inside(base *url.URL, do func(what string)) {
	p.t.Helper()
	for screen, shown := range map[string]string{"graph": ".graph__node--1", "websets": ".grid tbody th[scope=row]"} {
		p.openHome(base, screen)
		// The websets of the sample that still fill are above the one that has.
		p.eval(`[...document.querySelectorAll(".row__link")].at(`+map[string]string{"graph": "0", "websets": "-1"}[screen]+
			`).click()`, nil)
		p.waitFor(screen+" of one record", `document.querySelector(`+quote(shown)+`) && !document.querySelector(".waiting")`)
		do(screen + "-one")
	}
}

// hourPx is the height of an hour in the grid of the week, in CSS pixels.
const hourPx = 56

// point is a place in the window, in CSS pixels.
type point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// middleOf returns the middle of an element, once it was scrolled into the middle of what scrolls.
func (p *page) middleOf(selector string) point {
	p.t.Helper()
	p.waitFor(selector, `document.querySelector(`+quote(selector)+`)`)
	var at point
	// Rows that come into sight are laid out with the next frame, which may move what was scrolled to.
	p.eval(`new Promise((done) => {
		const element = document.querySelector(`+quote(selector)+`);
		element.scrollIntoView({ block: "center", inline: "nearest" });
		requestAnimationFrame(() => requestAnimationFrame(() => {
			const box = element.getBoundingClientRect();
			done({ X: box.x + box.width / 2, Y: box.y + box.height / 2 });
		}));
	})`, &at)
	return at
}

func (p *page) heightOf(selector string) (height float64) {
	p.t.Helper()
	p.eval(`document.querySelector(`+quote(selector)+`).getBoundingClientRect().height`, &height)
	return height
}

func (p *page) mouse(kind string, at point) {
	p.t.Helper()
	p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "buttons": 1,
		"clickCount": 1})
}

// pull presses the pointer at a place, moves it to another and lets go.
func (p *page) pull(from, to point) {
	p.t.Helper()
	p.mouse("mousePressed", from)
	p.mouse("mouseMoved", point{(from.X + to.X) / 2, (from.Y + to.Y) / 2})
	p.mouse("mouseMoved", to)
	p.mouse("mouseReleased", to)
}

// drag carries an element to another, by the browser's own dragging.
func (p *page) drag(from, to string) {
	p.t.Helper()
	p.do("Input.setInterceptDrags", map[string]any{"enabled": true})
	at := p.middleOf(from)
	p.mouse("mousePressed", at)
	p.mouse("mouseMoved", point{at.X + 8, at.Y + 8})
	p.mouse("mouseMoved", point{at.X + 16, at.Y + 16})
	var carried json.RawMessage
	select {
	case carried = <-p.carried:
	case <-time.After(patience):
		p.t.Fatalf("%s cannot be dragged", from)
	}
	goal := p.middleOf(to)
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		p.do("Input.dispatchDragEvent", map[string]any{"type": kind, "x": goal.X, "y": goal.Y, "data": carried})
	}
	p.mouse("mouseReleased", goal)
	p.do("Input.setInterceptDrags", map[string]any{"enabled": false})
}

// markColumn calls the column of the board with a title #goal.
func (p *page) markColumn(title string) {
	p.t.Helper()
	find := `[...document.querySelectorAll(".column")].find((e) => e.querySelector("h2").innerText.startsWith(` +
		quote(title) + `))`
	p.waitFor("the column "+title, find)
	p.eval(find+`.id = "goal"`, nil)
}

// createTasks adds tasks without a date, in the largest portions that the API takes, and returns the actions' ids.
func (p *page) createTasks(count int) (actions []string) {
	p.t.Helper()
	const most = 200
	for from := 0; from < count; from += most {
		var answered struct {
			Data struct {
				CreateTasks struct {
					Created int
					Action  struct{ ID string }
				}
			}
		}
		number := min(most, count-from)
		p.post("mutation ($input: CreateTasksInput!) { createTasks(input: $input) { created action { id } } }", fmt.Sprintf(
			`{ input: { tasks: Array.from({ length: %d }, (_, i) => ({ text: "One of many, number " + (%d + i) })) } }`, number,
			from),
			&answered)
		if answered.Data.CreateTasks.Created != number {
			p.t.Fatalf("%d of %d tasks were created", answered.Data.CreateTasks.Created, number)
		}
		actions = append(actions, answered.Data.CreateTasks.Action.ID)
	}
	return actions
}
