package browsertest

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// watchMotion keeps what moves in a page from its first moment on: animations and transitions of more than a
// millisecond as they begin, by CSS or by script, and whatever scrolls smoothly or draws frame by frame.
const watchMotion = `(() => {
	const moved = window.moved = [];
	const name = (e) => e ? e.tagName + "." + (e.getAttribute("class") ?? "") : "?";
	const look = () => {
		for (const one of document.getAnimations()) {
			const { duration, iterations } = one.effect.getComputedTiming();
			const lasts = duration * iterations;
			if (lasts > 1) moved.push("moves: " + name(one.effect.target) + " for " + lasts + " ms");
		}
	};
	for (const kind of ["animationstart", "transitionrun"]) document.addEventListener(kind, look, true);
	const wrap = (of, method, tell) => {
		const original = of[method];
		if (!original) return;
		of[method] = function (...given) {
			const told = tell(...given);
			if (told) moved.push("script: " + method + " " + told);
			return original.apply(this, given);
		};
	};
	const smooth = (...given) => given.some((one) => one?.behavior === "smooth") && "smooth";
	for (const method of ["scroll", "scrollTo", "scrollBy"]) {
		wrap(window, method, smooth);
		wrap(Element.prototype, method, smooth);
	}
	wrap(Element.prototype, "scrollIntoView", smooth);
	wrap(Element.prototype, "animate", () => "an element");
	wrap(Document.prototype, "startViewTransition", () => "the page");
	wrap(window, "requestAnimationFrame", () => "a frame");
	window.couldMove = () => {
		look();
		const inMs = (one) => parseFloat(one) * (one.trim().endsWith("ms") ? 1 : 1000);
		const longest = (text) => Math.max(...text.split(",").map(inMs));
		const found = new Set(moved);
		for (const element of document.querySelectorAll("*")) {
			for (const part of [null, "::before", "::after", "::backdrop"]) {
				const style = getComputedStyle(element, part);
				const where = name(element) + (part ?? "");
				if (longest(style.transitionDuration) > 1) found.add("transition: " + where);
				if (style.animationName !== "none" && longest(style.animationDuration) > 1) found.add("animation: " + where);
				if (style.scrollBehavior === "smooth") found.add("smooth scrolling: " + where);
			}
		}
		return [...found];
	};
})();`

// runHomeMotion proves that nothing moves for those who want no motion: on no screen, in no dialog, on no way between
// them. The same walk with motion finds some, so that the proof can fail.
func runHomeMotion(t *testing.T, base *url.URL,
	visit func(t *testing.T, viewport size, language, scheme string) *page) {
	walk := func(p *page, look func(what string)) {
		for _, screen := range homeScreens {
			p.openHome(base, screen)
			look(screen)
			p.press("j")
			look(screen + ", with the next row")
		}
		p.inside(base, look)
		p.openHome(base, "graph")
		p.click(".row__link")
		p.waitFor("the map", `document.querySelectorAll(".graph__node--1").length > 1`)
		var next string
		p.eval(`document.querySelector(".graph__node--1").innerText`, &next)
		p.click(".graph__node--1")
		p.waitFor("the next entity in the middle", `document.querySelector(".graph__node--0").innerText === `+quote(next))
		look("a walk of the graph")
		p.openHome(base, "day")
		p.press("Control+k")
		p.waitFor("the palette", `document.querySelector(".dialog--palette")`)
		look("the palette")
		p.press("Escape")
		p.press("c")
		p.waitFor("the form", `document.activeElement?.name === "text"`)
		look("the form of a task")
		p.press("Escape")
		p.click(".row--task .row__main")
		p.waitFor("the pane", `document.querySelector("dialog .pane")`)
		look("a pane")
		p.press("Escape")
		p.say("cancel the stand-up")
		p.waitFor("the question", `document.querySelector(".ask")`)
		look("a question")
		p.press("Escape")
	}
	t.Run("moves nothing where motion is not wanted", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": watchMotion})
		p.open(base.JoinPath("/explorer/").String()) // and back, for a page that is watched from its first moment on
		// An answer that takes a while shows what is shown until it comes.
		p.do("Network.emulateNetworkConditions",
			map[string]any{"offline": false, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1})
		p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `window.addEventListener("animationstart",
			(e) => window.waited ||= e.animationName === "appear", true)`})
		p.openHome(base, "inbox")
		p.waitFor("grey rows to have been shown", `window.waited`)
		p.offline(false)
		walk(p, func(what string) {
			var found []string
			p.eval(`couldMove()`, &found)
			for _, one := range found {
				t.Errorf("%s: %s", what, one)
			}
		})
	})
	t.Run("moves where motion is wanted", func(t *testing.T) {
		p := visit(t, desk, "en", "light")
		p.preferMotion("light", "no-preference")
		p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": watchMotion})
		p.open(base.JoinPath("/explorer/").String()) // and back, for a page that is watched from its first moment on
		p.openHome(base, "graph")
		p.click(".row__link")
		p.waitFor("the map", `document.querySelectorAll(".graph__node--1").length > 1`)
		p.click(".graph__node--1")
		p.waitFor("the entities to move to their places", `moved.some((one) => one.startsWith("moves: "))`)
		var found []string
		p.eval(`couldMove()`, &found)
		if !slices.ContainsFunc(found, func(one string) bool { return strings.HasPrefix(one, "transition: ") }) {
			t.Errorf("no transition is found where there are some: %q", found)
		}
	})
}
