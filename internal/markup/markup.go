// Package markup makes HTML pages in which every text is escaped. It stands in for html/template, which finds methods
// by name while it runs: the linker of a program that uses it keeps every exported method of every type it has.
package markup

import (
	"bytes"
	"fmt"
	"html"
)

// constant is HTML that is written in the source: a value of type string does not convert to it by itself.
type constant string

// Page is a page in the making.
type Page struct{ body bytes.Buffer }

// New returns a page that has its head and the opening tag of <main>. The style is written as it is, so that its hash
// can stand in a Content-Security-Policy: it must be the program's own.
func New(lang, dir, title, style string) *Page {
	p := &Page{}
	p.Add(`<!doctype html>
<html lang="%s" dir="%s">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>%s</title>
<style>`, lang, dir, title)
	p.body.WriteString(style)
	p.Add("</style>\n</head>\n<body>\n<main>\n")
	return p
}

// Add writes HTML in which each %s stands for the next of the texts, escaped. A %s belongs between tags or into a
// quoted attribute; into one that names an address only where its beginning is the program's own, since escaping does
// not change what an address is.
func (p *Page) Add(markup constant, texts ...string) {
	escaped := make([]any, len(texts))
	for i, text := range texts {
		escaped[i] = html.EscapeString(text)
	}
	fmt.Fprintf(&p.body, string(markup), escaped...)
}

// Bytes ends the page and returns it.
func (p *Page) Bytes() []byte {
	p.Add("</main>\n</body>\n</html>\n")
	return p.body.Bytes()
}
