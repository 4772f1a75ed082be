package browsertest

import (
	"fmt"
	"net/url"
	"testing"
)

// HomeSpeed is how fast the home page is, in milliseconds.
type HomeSpeed struct {
	// Ready is from the navigation until the day is shown and the page answers, by a processor that is slowed down.
	Ready float64
	// Frame50 and Frame95 are the time between two frames while a board of many tasks is scrolled; Slow is the share of
	// frames that took longer than two of 60 a second.
	Frame50, Frame95, Slow float64
	// Rows is how many tasks are on the board that was scrolled.
	Rows int
}

// MeasureHome measures the home page of a server at baseURL with sample data, to which it adds tasks. slower is by how
// much the page's processor is slowed down until it is ready; it scrolls at full speed.
func MeasureHome(t testing.TB, baseURL string, tasks int, slower float64) HomeSpeed {
	base, err := url.Parse(baseURL)
	if err != nil {
		t.Fatal(err)
	}
	var speed HomeSpeed
	p := newPage(t, startChromium(t), desk)
	p.prefer("light")
	p.do("Emulation.setCPUThrottlingRate", map[string]any{"rate": slower})
	p.do("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `
		localStorage.setItem("almanac:home:locale", "en");
		window.ready = new Promise((done) => new MutationObserver((_, observer) => {
			if (!document.querySelector(".line > li") || !document.querySelector(".tick")) return;
			observer.disconnect();
			// A frame is painted, and a message gets its turn.
			requestAnimationFrame(() => setTimeout(() => done(performance.now())));
		}).observe(document, { childList: true, subtree: true }));`})
	p.openHome(base, "day")
	p.eval(`ready`, &speed.Ready)

	p.do("Emulation.setCPUThrottlingRate", map[string]any{"rate": 1})
	p.createTasks(tasks)
	p.openHome(base, "board")
	p.markColumn("No date")
	for shown := 25; ; shown += 100 {
		p.waitFor("a page of tasks", fmt.Sprintf(`document.querySelectorAll("#goal [data-row]").length >= %d ||
			!document.querySelector("#goal > .button, #goal .waiting")`, shown))
		var more bool
		p.eval(`Boolean(document.querySelector("#goal > .button"))`, &more)
		if !more {
			break
		}
		p.eval(`document.querySelector("#goal > .button").click()`, nil)
	}
	p.eval(`document.querySelectorAll("main [data-row]").length`, &speed.Rows)
	p.do("Emulation.setCPUThrottlingRate", map[string]any{"rate": 1})
	var frames struct{ P50, P95, Slow float64 }
	p.eval(`new Promise((done) => {
		const times = [];
		let last = 0;
		const step = (now) => {
			if (last) times.push(now - last);
			last = now;
			window.scrollBy(0, 60);
			if (times.length < 120) return requestAnimationFrame(step);
			times.sort((a, b) => a - b);
			done({ P50: times[60], P95: times[114], Slow: times.filter((time) => time > 33.4).length / 1.2 });
		};
		requestAnimationFrame(step);
	})`, &frames)
	speed.Frame50, speed.Frame95, speed.Slow = frames.P50, frames.P95, frames.Slow
	return speed
}
