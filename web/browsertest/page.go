package browsertest

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds one wait. It is far beyond what a slow machine takes, and is only met when a test fails.
const patience = 2 * time.Minute

// page is one tab, driven as a person would: by pointer, by keyboard, and by looking.
type page struct {
	t       testing.TB
	browser *chromium
	session string

	mu       sync.Mutex
	requests []request
	troubles []string
	// cut: the network was cut once, so that connections may have failed, also those that were begun then.
	cut bool
	// carried has what the pointer carries, once the page is dragged in; the browser has it and not the page.
	carried chan json.RawMessage
}

// request is one thing the tab or one of its workers asked for.
type request struct {
	URL     string            `json:"url"`
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"`
}

// size is a viewport in CSS pixels.
type size struct{ width, height int }

// newPage opens a tab with storage of its own, as a first visit has it.
func newPage(t testing.TB, browser *chromium, viewport size) *page {
	t.Helper()
	p := &page{t: t, browser: browser, carried: make(chan json.RawMessage, 1)}
	var context struct {
		ID string `json:"browserContextId"`
	}
	p.must(browser.call(t.Context(), "", "Target.createBrowserContext", nil, &context))
	var target struct {
		ID string `json:"targetId"`
	}
	p.must(browser.call(t.Context(), "", "Target.createTarget",
		map[string]any{"url": "about:blank", "browserContextId": context.ID}, &target))
	var attached struct {
		Session string `json:"sessionId"`
	}
	p.must(browser.call(t.Context(), "", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true},
		&attached))
	p.session = attached.Session
	t.Cleanup(func() {
		_ = browser.post("", "Target.disposeBrowserContext", map[string]any{"browserContextId": context.ID})
	})

	browser.listen(p.session, p.record)
	for _, domain := range []string{"Network.enable", "Runtime.enable", "Log.enable", "Page.enable"} {
		p.do(domain, nil)
	}
	// Workers start only when their requests are recorded too.
	p.do("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": watchPolicy})
	p.resize(viewport)
	return p
}

// watchPolicy makes a breach of the Content-Security-Policy an error of the console.
const watchPolicy = `document.addEventListener("securitypolicyviolation", (e) =>
	console.error("content security policy: " + e.violatedDirective + " refused " + e.blockedURI));`

// record keeps requests and troubles. It runs on the reader of the pipe and may not wait for a reply.
func (p *page) record(e event) {
	switch e.method {
	case "Target.attachedToTarget":
		p.adopt(e.params)
	case "Network.requestWillBeSent":
		var sent struct {
			Request request `json:"request"`
		}
		if json.Unmarshal(e.params, &sent) == nil {
			p.note(sent.Request)
		}
	case "Network.webSocketCreated":
		var opened request
		if json.Unmarshal(e.params, &opened) == nil {
			opened.Method = "WEBSOCKET"
			p.note(opened)
		}
	case "Runtime.consoleAPICalled":
		var said struct {
			Type string `json:"type"`
			Args []struct {
				Value       any    `json:"value"`
				Description string `json:"description"`
			} `json:"args"`
		}
		if json.Unmarshal(e.params, &said) == nil && (said.Type == "error" || said.Type == "assert") {
			p.trouble(fmt.Sprintf("console.%s: %v", said.Type, said.Args))
		}
	case "Input.dragIntercepted":
		var drag struct {
			Data json.RawMessage `json:"data"`
		}
		if json.Unmarshal(e.params, &drag) == nil {
			select {
			case p.carried <- drag.Data:
			default: // it is told once
			}
		}
	case "Runtime.exceptionThrown":
		p.trouble("exception: " + string(e.params))
	case "Log.entryAdded":
		var logged struct {
			Entry struct{ Level, Source, Text, URL string } `json:"entry"`
		}
		if json.Unmarshal(e.params, &logged) == nil && logged.Entry.Level == "error" {
			p.trouble(fmt.Sprintf("%s: %s %s", logged.Entry.Source, logged.Entry.Text, logged.Entry.URL))
		}
	}
}

// adopt follows a worker of the page, and the workers of that worker.
func (p *page) adopt(params json.RawMessage) {
	var attached struct {
		Session string `json:"sessionId"`
	}
	if json.Unmarshal(params, &attached) != nil {
		return
	}
	p.browser.listen(attached.Session, p.record)
	for _, domain := range []string{"Network.enable", "Runtime.enable", "Log.enable"} {
		_ = p.browser.post(attached.Session, domain, nil)
	}
	_ = p.browser.post(attached.Session, "Target.setAutoAttach",
		map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	_ = p.browser.post(attached.Session, "Runtime.runIfWaitingForDebugger", nil)
}

func (p *page) note(r request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, r)
}

func (p *page) trouble(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.troubles = append(p.troubles, text)
}

// sent returns what has been asked for so far, in order.
func (p *page) sent() []request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]request(nil), p.requests...)
}

// assertQuiet fails when anything went to another host than base, and when the page or a worker complained.
func (p *page) assertQuiet(base *url.URL) {
	p.t.Helper()
	for _, r := range p.sent() {
		to, err := url.Parse(r.URL)
		if err != nil {
			p.t.Errorf("a request went to an address that cannot be read: %s", r.URL)
			continue
		}
		if to.Scheme == "data" || to.Scheme == "blob" {
			continue
		}
		if to.Host != base.Host {
			p.t.Errorf("a request left for another host: %s %s", r.Method, r.URL)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, trouble := range p.troubles {
		if p.cut && strings.Contains(trouble, "ERR_INTERNET_DISCONNECTED") {
			continue
		}
		p.t.Errorf("the page complained: %s", trouble)
	}
}

func (p *page) must(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

func (p *page) do(method string, params any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	p.must(p.browser.call(ctx, p.session, method, params, nil))
}

func (p *page) resize(to size) {
	p.t.Helper()
	p.do("Emulation.setDeviceMetricsOverride", map[string]any{
		"width": to.width, "height": to.height, "deviceScaleFactor": 1, "mobile": to.width < 600,
	})
}

// prefer sets what the system says of light and dark; it wants nothing to move.
func (p *page) prefer(scheme string) {
	p.t.Helper()
	p.preferMotion(scheme, "reduce")
}

// preferMotion sets what the system says of light and dark, and of motion: "reduce" or "no-preference".
func (p *page) preferMotion(scheme, motion string) {
	p.t.Helper()
	p.do("Emulation.setEmulatedMedia", map[string]any{
		"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme},
			{"name": "prefers-reduced-motion", "value": motion}},
	})
}

func (p *page) open(address string) {
	p.t.Helper()
	p.do("Page.navigate", map[string]any{"url": address})
}

// eval runs an expression in the page, waits for its promise, and decodes what it returns.
func (p *page) eval(expression string, into any) {
	p.t.Helper()
	p.must(p.tryEval(expression, into))
}

func (p *page) tryEval(expression string, into any) error {
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	err := p.browser.call(ctx, p.session, "Runtime.evaluate", map[string]any{
		"expression": expression, "awaitPromise": true, "returnByValue": true, "userGesture": true,
	}, &out)
	if err != nil {
		return err
	}
	if out.ExceptionDetails != nil {
		return fmt.Errorf("%s %s in %s", out.ExceptionDetails.Text, out.ExceptionDetails.Exception.Description, expression)
	}
	if into == nil || len(out.Result.Value) == 0 {
		return nil
	}
	return json.Unmarshal(out.Result.Value, into)
}

// waitFor waits until an expression holds in the page. What is awaited is said in a failure, with a picture.
func (p *page) waitFor(what, expression string) {
	p.t.Helper()
	// The page itself looks again and again; nothing here counts on how fast it is.
	err := p.tryEval(`new Promise((done) => {
		const look = () => { try { if (`+expression+`) { clearInterval(timer); done(true); } } catch {} };
		const timer = setInterval(look, 20);
		look();
	})`, nil)
	if err != nil {
		p.screenshot("failure")
		p.t.Fatalf("waited in vain for %s: %v\n%s", what, err, p.text("main"))
	}
}

// text is what an element shows, "" when there is none.
func (p *page) text(selector string) string {
	p.t.Helper()
	var shown string
	_ = p.tryEval(`document.querySelector(`+quote(selector)+`)?.innerText ?? ""`, &shown)
	return shown
}

// click presses the middle of an element with the pointer, once it is there to be pressed.
func (p *page) click(selector string) {
	p.t.Helper()
	p.waitFor(selector+" to be there", `document.querySelector(`+quote(selector)+`)?.getClientRects().length`)
	var at struct{ X, Y float64 }
	// Where it stays for some frames, since what is above it may still come. A frame that is asked for counts as motion.
	p.eval(`new Promise((done) => {
		let before;
		const look = () => {
			const element = document.querySelector(`+quote(selector)+`);
			element?.scrollIntoView({ block: "nearest", inline: "nearest" });
			const box = element?.getBoundingClientRect();
			const now = box && [box.x, box.y, box.width, box.height].join();
			if (now && now === before) {
				done({ X: box.x + box.width / 2, Y: box.y + box.height / 2 });
				return;
			}
			before = now;
			setTimeout(look, 50);
		};
		look();
	})`, &at)
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent",
			map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1})
	}
}

// touch makes the tab that of a phone, whose fingers hover over nothing.
func (p *page) touch() {
	p.t.Helper()
	p.resize(phone)
	p.do("Emulation.setTouchEmulationEnabled", map[string]any{"enabled": true})
}

// tap touches the middle of an element, once it is there.
func (p *page) tap(selector string) {
	p.t.Helper()
	at := p.middleOf(selector)
	p.do("Input.dispatchTouchEvent", map[string]any{"type": "touchStart", "touchPoints": []point{at}})
	p.do("Input.dispatchTouchEvent", map[string]any{"type": "touchEnd", "touchPoints": []point{}})
}

// typeText types into whatever has the focus.
func (p *page) typeText(text string) {
	p.t.Helper()
	p.do("Input.insertText", map[string]any{"text": text})
}

// press presses one key by its DOM name; "Control+" or "Alt+" before it holds that key down.
func (p *page) press(key string) {
	p.t.Helper()
	modifiers := 0
	for name, bit := range map[string]int{"Alt+": 1, "Control+": 2} {
		if rest, held := strings.CutPrefix(key, name); held {
			key, modifiers = rest, bit
		}
	}
	codes := map[string]int{"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
		"ArrowDown": 40}
	code := key
	if len(key) == 1 {
		code = "Key" + strings.ToUpper(key)
	}
	send := func(kind string) {
		p.do("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": code, "modifiers": modifiers,
			"windowsVirtualKeyCode": codes[key]})
	}
	send("rawKeyDown")
	if key == "Enter" && modifiers == 0 {
		p.do("Input.dispatchKeyEvent", map[string]any{"type": "char", "key": key, "text": "\r"})
	}
	send("keyUp")
}

// screenshot writes what is seen to the test's artifacts; `go test -artifacts` keeps them.
func (p *page) screenshot(name string) {
	p.t.Helper()
	if png := p.picture(); png != nil {
		p.must(os.WriteFile(filepath.Join(p.t.ArtifactDir(), name+".png"), png, 0o600))
	}
}

// picture returns what is seen, as PNG; nil, and a line in the test's log, when the browser takes none.
func (p *page) picture() []byte {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.t.Context()), patience)
	defer cancel()
	var picture struct {
		Data string `json:"data"`
	}
	if err := p.browser.call(ctx, p.session, "Page.captureScreenshot", map[string]any{"format": "png"},
		&picture); err != nil {
		p.t.Logf("no picture: %v", err)
		return nil
	}
	png, err := base64.StdEncoding.DecodeString(picture.Data)
	p.must(err)
	return png
}

// quote writes a Go string as a JavaScript literal. JSON is one.
func quote(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return strings.TrimSpace(out.String())
}
