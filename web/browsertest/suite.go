package browsertest

import (
	"net/url"
	"strings"
	"testing"

	"almanac/web"
)

var (
	desk  = size{1440, 900}
	phone = size{390, 844}
)

// Where things are on the page.
const (
	runButton  = `.graphiql-execute-button`
	answer     = `.result-window .view-lines`
	statusLine = `.status`
	sheet      = `.bar__fields`
	sheetOpens = `.bar__toggle`
)

// RunExplorerSuite proves the explorer that a server at baseURL serves at "/explorer/", with its own "/graphql".
//
// The server must serve the real schema with a store it can write to, let a caller without a token in, and be at a
// loopback address. The suite creates a few tasks. Pictures of both themes and both sizes go to the test's artifacts
// (`go test -artifacts -outputdir=…` keeps them).
func RunExplorerSuite(t *testing.T, baseURL string) {
	base, err := url.Parse(baseURL)
	if err != nil || base.Host == "" {
		t.Fatalf("not the address of a server: %q", baseURL)
	}
	address := base.ResolveReference(&url.URL{Path: "/explorer/"}).String()
	browser := startChromium(t)

	visit := func(t *testing.T, viewport size) *page {
		p := newPage(t, browser, viewport)
		p.prefer("light")
		p.open(address)
		p.waitForExplorer()
		p.waitFor("the first tab, which runs by itself", status("200"))
		t.Cleanup(func() {
			if !t.Failed() {
				p.assertQuiet(base)
			}
		})
		return p
	}

	t.Run("loads whole from its own host", func(t *testing.T) {
		p := visit(t, desk)
		for _, r := range p.sent() {
			t.Logf("%s %s", r.Method, r.URL)
		}
		if len(p.sent()) < 10 {
			t.Errorf("only %d requests were seen; the recorder does not see the page's workers", len(p.sent()))
		}
	})

	t.Run("answers the board", func(t *testing.T) {
		p := visit(t, desk)
		p.waitForAnswer(`"categorized"`) // nobody has pressed anything
		p.waitFor("the status line to tell of success", status("200"))
		if strings.Contains(p.text(answer), `"errors"`) {
			t.Errorf("the board answered with errors:\n%s", p.text(answer))
		}
		p.waitForColours()
		p.screenshot("board-light")
		var tabs []string
		p.eval(`[...document.querySelectorAll(".graphiql-tab-button")].map((tab) => tab.innerText)`, &tabs)
		if len(tabs) < 2 || len(tabs) > 5 {
			t.Errorf("a first visit has the tabs %q", tabs)
		}
		var runs int
		p.eval(askedCount, &runs)
		if runs != 2 {
			t.Errorf("a first visit asked %d times; for the schema and the first tab are meant", runs)
		}
		// It is the first visit once.
		p.open(address)
		p.waitForExplorer()
		p.eval(askedCount, &runs)
		if runs != 1 {
			t.Errorf("a second visit asked %d times; for the schema is meant", runs)
		}
	})

	t.Run("runs what was chosen, in a tab that is seen, with a status of its own", func(t *testing.T) {
		p := visit(t, desk)
		p.waitForAnswer(`"categorized"`)
		for _, example := range [][2]string{{"My week", "MyWeek"}, {"Who am I, and what is linked?", "Viewer"},
			{"Lists and what is on them", "Lists"}, {"Mail for a language model", "MailForModels"}} {
			p.chooseExample(example[0], example[1])
		}
		var seen bool
		p.eval(`(() => {
			const tab = document.querySelector(".graphiql-tab-active").getBoundingClientRect();
			const strip = document.querySelector(".graphiql-tabs").getBoundingClientRect();
			return tab.left >= strip.left - 1 && tab.right <= strip.right + 1;
		})()`, &seen)
		if !seen {
			t.Error("the tab that was added last is out of sight")
		}
		p.waitFor("the status of a tab that has not run", status("Ready"))
		p.press("Control+Enter")
		p.waitForAnswer(`"compact"`)
		p.waitFor("the status line to tell of success", status("200"))
		p.click(`.graphiql-tab:nth-child(2) .graphiql-tab-button`)
		p.waitFor("the status of another tab, which has not run", status("Ready"))
		p.click(`.graphiql-tab:nth-child(1) .graphiql-tab-button`)
		p.waitFor("the status of the tab that ran first", status("200"))
	})

	t.Run("reads Hebrew from the right", func(t *testing.T) {
		p := visit(t, desk)
		p.openExample("משימה בעברית", "HebrewTask")
		p.click(runButton)
		// The second run of a suite on one store is refused with CONFLICT and the task that is there.
		p.waitForAnswer("פרחים")
		var direction string
		p.eval(`(() => {
			const token = [...document.querySelectorAll(".result-window .view-line > span > span")]
				.find((e) => e.textContent.includes("פרחים"));
			const first = document.createRange(), last = document.createRange();
			const text = token.firstChild, at = text.data.search(/[א-ת]/);
			first.setStart(text, at); first.setEnd(text, at + 1);
			last.setStart(text, at + 3); last.setEnd(text, at + 4);
			const fromRight = first.getBoundingClientRect().x > last.getBoundingClientRect().x;
			return fromRight ? getComputedStyle(token).unicodeBidi : "left to right";
		})()`, &direction)
		if direction != "plaintext" {
			t.Errorf("the Hebrew text is laid out as %q, want plaintext from right to left", direction)
		}
		p.screenshot("hebrew-light")
		p.click(`.themes__choice input[value=dark] ~ svg`)
		p.waitFor("the dark editor", `document.querySelector(".monaco-editor.vs-dark")`)
		p.screenshot("hebrew-dark")
	})

	t.Run("follows the system and switches", func(t *testing.T) {
		p := visit(t, desk)
		const background = `getComputedStyle(document.body).backgroundColor`
		var light, dark, forced string
		p.eval(background, &light)
		p.prefer("dark")
		p.waitFor("the editor to follow the system", `document.querySelector(".monaco-editor.vs-dark")`)
		p.eval(background, &dark)
		if light == dark {
			t.Errorf("light and dark have the same background %s", light)
		}
		p.click(`.themes__choice input[value=light] ~ svg`)
		p.waitFor("the light editor", `document.querySelector(".monaco-editor.vs")`)
		p.eval(background, &forced)
		if forced != light {
			t.Errorf("light chosen in a dark system has background %s, want %s", forced, light)
		}
		p.open(address)
		p.waitForExplorer()
		p.waitFor("the choice to be remembered",
			`document.querySelector(".themes__choice input[value=light]").checked &&
				document.querySelector(".monaco-editor.vs")`)
		p.click(`.themes__choice input[value=system] ~ svg`)
		p.waitFor("the dark editor", `document.querySelector(".monaco-editor.vs-dark")`)
		p.click(runButton)
		p.waitForAnswer(`"categorized"`)
		p.waitFor("the status line to tell of success", status("200"))
		p.waitForColours()
		p.screenshot("board-dark")
	})

	t.Run("shows the documentation and the examples", func(t *testing.T) {
		p := visit(t, desk)
		p.click(`.bar__link[href="#docs"]`)
		p.waitFor("the documentation",
			`document.querySelector(".graphiql-doc-explorer")?.innerText.includes("Query") &&
				document.querySelector(".graphiql-doc-explorer").clientWidth > 150`)
		p.screenshot("docs-light")
		p.click(`[aria-label="Show Examples"]`)
		p.waitFor("the examples", `document.querySelectorAll(".example").length > 5`)
		p.prefer("dark")
		p.waitFor("the dark editor", `document.querySelector(".monaco-editor.vs-dark")`)
		p.screenshot("examples-dark")
	})

	t.Run("completes from the schema", func(t *testing.T) {
		p := visit(t, desk)
		p.click(`.graphiql-tab-add`)
		p.waitFor("an empty tab", `document.querySelector(".graphiql-query-editor .view-lines").innerText.trim() === ""`)
		p.click(`.graphiql-query-editor .view-lines`)
		p.typeText("{ t")
		p.waitFor("the suggestions", `document.querySelector(".suggest-widget.visible")?.innerText.includes("tasks")`)
		p.screenshot("suggestions-light")
		p.press("Escape")
	})

	t.Run("watches tasks over the socket", func(t *testing.T) {
		p := visit(t, desk)
		p.openExample("Watch tasks change, live", "TaskChanged")
		p.click(runButton)
		p.waitFor("the socket", status("Live"))
		text := "Socket watched, שעון"
		p.createTask(text)
		p.waitForAnswer(text)
		p.waitFor("the count of events", status("1 event"))
		p.screenshot("live-light")
		p.click(runButton)
		p.waitFor("the end of the stream", status("Ended"))
	})

	t.Run("streams events to an EventSource", func(t *testing.T) {
		p := visit(t, desk)
		p.eval(`(() => {
			const query = "subscription { taskChanged { cursor operation task { text } } }";
			window.seen = [];
			window.source = new EventSource("/graphql?query=" + encodeURIComponent(query));
			source.addEventListener("next", (e) => seen.push(JSON.parse(e.data)));
		})()`, nil)
		p.waitFor("the stream to open", `source.readyState === EventSource.OPEN`)
		for _, text := range []string{"Event streamed", "אירוע זורם"} {
			p.createTask(text)
			p.waitFor("the event", `seen.some((e) => e.data?.taskChanged?.task?.text === `+quote(text)+`)`)
		}
		var events int
		p.eval(`source.close(), seen.length`, &events)
		if events != 2 {
			t.Errorf("%d events came for 2 changes", events)
		}
	})

	t.Run("answers every example", func(t *testing.T) {
		p := visit(t, desk)
		examples, err := web.Examples()
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range examples {
			if example.Kind == "subscription" {
				continue // run by hand above
			}
			var answered struct {
				Data   map[string]any
				Errors []any
			}
			variables := example.Variables
			if variables == "" {
				variables = "{}"
			}
			p.post(example.Query, variables, &answered)
			if len(answered.Errors) > 0 || len(answered.Data) == 0 {
				t.Errorf("%s answered with errors: %v", example.ID, answered.Errors)
			}
		}
	})

	t.Run("fits a phone", func(t *testing.T) {
		p := visit(t, phone)
		p.waitForAnswer(`"categorized"`)
		p.waitFor("the status line to tell of success", status("200"))
		var overflow bool
		p.eval(`document.documentElement.scrollWidth > innerWidth`, &overflow)
		if overflow {
			t.Error("the page is wider than the phone")
		}
		p.screenshot("phone-light")
		p.click(sheetOpens)
		p.waitFor("the sheet", `document.querySelector("`+sheet+`").getClientRects().length`)
		p.prefer("dark")
		p.waitFor("the dark editor", `document.querySelector(".monaco-editor.vs-dark")`)
		p.screenshot("phone-sheet-dark")
		p.press("Escape")
		p.waitFor("the sheet to go", `!document.querySelector("`+sheet+`").getClientRects().length`)
		p.screenshot("phone-dark")
		p.click(`[aria-label="Show Examples"]`)
		p.waitFor("the examples", `document.querySelectorAll(".example").length > 5`)
		p.screenshot("phone-examples-dark")
	})
}

// waitForExplorer waits until the page has its editors, its fonts and the server's schema.
func (p *page) waitForExplorer() {
	p.t.Helper()
	p.waitFor("the editor and its colours",
		`document.querySelectorAll(".graphiql-query-editor .view-line span[class^=mtk]:not(.mtk1)").length > 5`)
	p.waitFor("the fonts", `document.fonts.status === "loaded"`)
	// The button that asks for the schema stops turning when it has come.
	p.waitFor("the schema",
		`performance.getEntriesByType("resource").some((e) => e.name.endsWith("/graphql")) &&
			!document.querySelector(".graphiql-spin")`)
}

// waitForAnswer waits until the answer shows a text. The editor writes spaces as no-break spaces.
func (p *page) waitForAnswer(text string) {
	p.t.Helper()
	p.waitFor("the answer to show "+text, `document.querySelector("`+answer+
		`")?.innerText.replaceAll("\u00a0", " ").includes(`+quote(text)+`)`)
}

// waitForColours waits until every line of the answer that has a word has been coloured, which the editor does bit by
// bit.
func (p *page) waitForColours() {
	p.t.Helper()
	p.waitFor("the colours of the answer", `[...document.querySelectorAll(".result-window .view-line")]
		.every((line) => !/[a-z]/.test(line.innerText) || line.querySelector("span[class^=mtk]:not(.mtk1)"))`)
}

// status is the condition that the status line shows a text.
func status(text string) string {
	return `document.querySelector("` + statusLine + `").innerText.includes(` + quote(text) + `)`
}

// chooseExample opens a saved example by its title, and waits until its operation is in the editor; the pane stays
// open.
func (p *page) chooseExample(title, operation string) {
	p.t.Helper()
	p.eval(`document.querySelector('[aria-label="Show Examples"]')?.click()`, nil)
	p.waitFor("the examples", `document.querySelectorAll(".example").length > 5`)
	p.eval(`[...document.querySelectorAll(".example")].forEach((e) => e.id = e.innerText.includes(`+quote(title)+
		`) ? "wanted" : "")`, nil)
	p.click("#wanted")
	p.waitFor("the operation "+operation,
		`document.querySelector(".graphiql-query-editor .view-lines").innerText.includes(`+quote(operation)+`)`)
}

// openExample opens a saved example by its title, and closes the pane again.
func (p *page) openExample(title, operation string) {
	p.t.Helper()
	p.chooseExample(title, operation)
	p.click(`[aria-label="Hide Examples"]`)
	p.waitFor("the pane to close", `!document.querySelector(".examples")`)
}

// createTask creates a task by a request of the page's own, as another client would.
func (p *page) createTask(text string) {
	p.t.Helper()
	var answered struct {
		Data struct {
			CreateTask struct {
				Task struct{ ID string }
			}
		}
		Errors []struct{ Message string }
	}
	variables := `{ "input": { "text": ` + quote(text) + `, "allowDuplicate": true } }`
	p.post("mutation ($input: CreateTaskInput!) { createTask(input: $input) { task { id } } }", variables, &answered)
	if len(answered.Errors) > 0 || answered.Data.CreateTask.Task.ID == "" {
		p.t.Fatalf("the server did not create a task: %+v", answered)
	}
}

// post sends an operation from the page; variables is JSON.
func (p *page) post(query, variables string, into any) {
	p.t.Helper()
	p.eval(`fetch("/graphql", {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ query: `+quote(query)+`, variables: `+variables+` }),
	}).then((r) => r.json())`, into)
}
