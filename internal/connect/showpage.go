package connect

import (
	"net/http"

	"almanac/internal/markup"
)

// heading is the language of a page, its direction and its title.
type heading struct{ lang, dir, title string }

// showPage writes a page that nothing keeps, frames or runs, with a Content-Security-Policy.
func showPage(w http.ResponseWriter, r *http.Request, status int, head heading, policy string,
	body func(m *markup.Page)) {
	m := markup.New(head.lang, head.dir, head.title+" · Almanac", pageStyle)
	m.Add("<p class=\"brand\">Almanac</p>\n<h1>%s</h1>\n", head.title)
	body(m)
	safeHeaders(w.Header())
	w.Header().Set("Content-Security-Policy", policy)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Language", head.lang)
	w.Header().Add("Vary", "Accept-Language")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(m.Bytes()) // nobody is left to hear that it cannot be written
	}
}

// ofOtherPage reports whether a browser says that a form or a request was not sent by a page of this server.
func ofOtherPage(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin"
}
