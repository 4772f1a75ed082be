package mail_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"almanac/graph/model"
	"almanac/projections/mail"
)

// page is a message of HTML alone.
func page(text string) *model.EmailPart {
	p := part("", "text/html", content(text))
	return &p
}

func text(p *model.EmailPart, format model.BodyFormat) string {
	got, _, _ := mail.Body(p, format, model.MaxBodyChars)
	return got
}

func TestTextOfHTML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"words", "Hello,  \n <b>world</b>!", "Hello, world!"},
		{"paragraphs", "<p>a<p>b</p><div>c</div><div>d</div>", "a\n\nb\n\nc\nd"},
		{"breaks", "a<br>b<br><br><br>c", "a\nb\n\nc"},
		{"list", "<ul><li>a<li>b<ol start=3><li>c<li>d</ol></ul>e", "- a\n- b\n  3. c\n  4. d\n\ne"},
		{"table", "<table><tr><td>a<td>b</tr><tr><th>c</th><th>d</th></tr></table>e", "a | b\nc | d\ne"},
		{"link", `<a href="https://example.com/x">here</a>.`, "here (https://example.com/x)."},
		{"link that shows itself", `<a href="https://example.com/">example.com</a>`, "example.com"},
		{"link that shows another", `<a href="https://evil.example/">https://bank.example</a>`,
			"https://bank.example (https://evil.example/)"},
		{"mailto", `<a href="mailto:a@x.org">a@x.org</a>`, "a@x.org"},
		{"link of a script", `<a href="java&#10;script:alert(1)">x</a>`, "x"},
		{"picture", `<img src=x alt="A chart"> of it`, "A chart of it"},
		{"pixel", `<img src=http://x/1.gif alt="seen" width=1 height=1>a`, "a"},
		{"entities", "&lt;b&gt; &amp; &nbsp; &#x5D0;", "<b> & א"},
		{"Hebrew beside English keeps its order", `<div dir="rtl">שלום <b>Dana</b>, מחר ב-10:00</div>`,
			"שלום Dana, מחר ב-10:00"},
		{"pre", "<pre>a\n  b</pre>c", "a\n  b\n\nc"},
		{"script and style", "<style>p{}</style>a<script>b</script><title>c</title>", "a"},
		{"comments", "a<!-- b --><!--[if mso]>c<![endif]-->d", "ad"},
		{"cited", `x<blockquote type="cite"><p>a</p><p>b</p></blockquote>y`, "x\n\n> a\n>\n> b\n\ny"},
		{"a quotation of the author", `<blockquote>a</blockquote>`, "a"},
		{"soft hyphens and zero widths", "a&shy;b&#8203;c", "abc"},
	} {
		if got := text(page(c.html), model.BodyText); got != c.want {
			t.Errorf("%s: got %q; want %q", c.name, got, c.want)
		}
	}
}

// What people do not see must not reach a language model.
func TestHiddenText(t *testing.T) {
	t.Parallel()
	for _, hidden := range []string{
		`<div style="display:none">S</div>`, `<div style="DISPLAY : none !important">S</div>`, `<p hidden>S</p>`,
		`<span style="visibility:hidden">S</span>`, `<span style="opacity:0">S</span>`,
		`<span style="font-size:0">S</span>`, `<span style="font-size:1px">S</span>`, `<span style="mso-hide:all">S</span>`,
		`<div style="max-height:0;overflow:hidden">S</div>`,
		`<div style="height:0px;overflow:hidden">S</div>`, `<div style="position:absolute;left:-9999px">S</div>`,
		`<div style="text-indent:-9999px">S</div>`, `<font color="#ffffff">S</font>`, `<span style="color:#fff">S</span>`,
		`<span style="color:rgb(255, 254, 255)">S</span>`, `<span style="color:transparent">S</span>`,
		`<div style="background:#000"><span style="color:black">S</span></div>`, `<div style="d\69splay:none">S</div>`,
		`<div style="display:/**/none">S</div>`, `<style>.x{display:none}</style><b class="a x">S</b>`,
		`<b class=x>S</b><style>p{color:red} div.y, .x { DISPLAY:none }</style>`,
		`<style>#i{visibility:hidden}</style><p id=i>S</p>`,
		`<table><tr style="display:none"><td>S</td></tr></table>`, `<div style="display:none"><div>S</div><p>S<p>S</div>`,
		`<div hidden><table><tr><td></div>S</td></tr></table></div>`, `<span hidden><p></span>S</p></span>`,
		`<p><b hidden></p>S</b>`, `<p><font color=white></p><p>S</p></font>`, `<svg><text>S</text></svg>`,
		`<noscript>S</noscript>`, `<template>S</template>`, `<textarea>S</textarea>`, `<select><option>S</select>`,
		`<object>S</object>`,
		`<iframe>S</iframe>`, `<!-- S -->`, `<div style="clip:rect(0,0,0,0);position:absolute">S</div>`,
		`<div style="transform:scale(0)">S</div>`,
		`<table bgcolor="#333333"><tr><td><font color="#333">S</font></td></tr></table>`,
		`<div hidden>` + strings.Repeat("<div>", 1_000) + strings.Repeat("</div>", 1_000) + `S</div>`,
	} {
		for _, format := range []model.BodyFormat{model.BodyText, model.BodyClean, model.BodyHTML} {
			got := text(page("<p>before</p>"+hidden+"<p>after</p>"), format)
			if strings.Contains(got, "S") || !strings.Contains(got, "before") || !strings.Contains(got, "after") {
				t.Errorf("%s of %.120q: %.200q", format, hidden, got)
			}
		}
	}
}

func TestSeenTextStays(t *testing.T) {
	t.Parallel()
	for _, seen := range []string{
		`<p hidden>x<p>S`, `<div hidden>x</div>S`, `<td style="background:#000"><font color="white">S</font></td>`,
		`<div style="height:1px">S</div>`, `<div style="color:white;background-image:url(x)">S</div>`,
		`<style>@media (max-width:600px){.x{display:none}}</style><b class=x>S</b>`,
		`<style>.x .y{display:none}</style><b class=y>S</b>`, `<ul><li hidden>x<li>S</ul>`,
		`<table><tr><td hidden>x<td>S</table>`,
		`<span style="font-size:80%">S</span>`, `<span style="opacity:.9">S</span>`, `<font color=red>S</font>`,
		`<style>.h{background:#004}</style><p class=h><font color=white>S</font></p>`,
		`<td background="http://x/y.png"><font color=white>S</font></td>`,
		`<p style="background:#d00 url(x) no-repeat;color:#fff">S</p>`,
		`<p style="background:linear-gradient(red,blue);color:#fff">S</p>`, `<p><b hidden>x</b></p>S`,
		`<span style="font-size:0"><span style="display:none">x</span></span>S`,
	} {
		if got := text(page(seen), model.BodyText); !strings.Contains(got, "S") {
			t.Errorf("%q gives %q", seen, got)
		}
		clean := mail.CleanHTML(seen)
		if again := mail.CleanHTML(clean); !strings.Contains(clean, "S") || again != clean {
			t.Errorf("%q is cleaned to %q, and that to %q", seen, clean, again)
		}
	}
}

func TestCleanHTML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"plain", "a &amp; b < c", "a &amp; b &lt; c"},
		{"closes", "<div><b>a<p>b", "<div><b>a<p>b</p></b></div>"},
		{"scripts", `<script>a</script><img src=x onerror=alert(1)><a href="javascript:x" onclick=y>b</a>`, `<img><a>b</a>`},
		{"links", `<a href=" HTTPS://x.org/?a=1&b=2 ">b</a>`,
			`<a href="https://x.org/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">b</a>`},
		{"remote pictures", `<img src="https://x.org/a.png" alt="A">`, `<img data-remote-src="https://x.org/a.png" alt="A">`},
		{"pictures of the message", `<img src="cid:a@x"><img src="data:image/png;base64,iVBORw0=">`,
			`<img src="cid:a@x"><img src="data:image/png;base64,iVBORw0=">`},
		{"other data", `<img src="data:image/svg+xml;base64,PHN2Zz4="><img src="data:text/html,x">`, `<img><img>`},
		{"forms", `<form action=x><input value=a><button>b</button></form>`, `b`},
		{"styles",
			`<p style="color:red;position:fixed;background:url(http://x);top:0;margin:-10px;width:expression(a)">a</p>`,
			`<p style="color:red;background-color:#8a7f84">a</p>`},
		{"attributes in other quotes", `<p title='a"><script>b'>c</p>`, `<p title="a&#34;&gt;&lt;script&gt;b">c</p>`},
		{"foreign content", `<svg><style><img src=x onerror=y></style></svg>a<math><mi>b</math>`, `a`},
		{"unknown elements", `<o:p>a</o:p><custom-x>b</custom-x>`, `ab`},
		{"ids and classes", `<p id=a class=b name=c>d</p>`, `<p>d</p>`},
		{"direction", `<p dir=RTL>שלום</p>`, `<p dir="rtl">שלום</p>`},
		{"comments", `a<!--><script>b</script>-->c`, `ac`},
		{"meta", `<meta http-equiv=refresh content="0;url=x"><base href=x><link rel=stylesheet href=x>a`, `a`},
	} {
		got := mail.CleanHTML(c.html)
		if c.name == "comments" { // where a comment ends is the tokenizer's to say; nothing of a script may be left
			if strings.Contains(got, "<") {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: got %q; want %q", c.name, got, c.want)
		}
	}
}

// isSafe parses as a browser does and looks at everything that is there.
func isSafe(t *testing.T, clean string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(clean))
	if err != nil {
		t.Fatalf("%q: %v", clean, err)
	}
	for n := range root.Descendants() {
		if n.Type == html.CommentNode {
			t.Errorf("a comment in %q", clean)
		}
		switch n.Data {
		case "script", "style", "iframe", "object", "embed", "form", "input", "svg", "math", "link", "meta", "base",
			"template", "noscript", "textarea", "title", "button":
			if n.Type == html.ElementNode {
				t.Errorf("%s in %q", n.Data, clean)
			}
		}
		for _, a := range n.Attr {
			value := strings.ToLower(a.Val)
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "id", a.Key == "class", a.Key == "srcset", a.Key == "background",
				a.Key == "srcdoc", a.Key == "formaction":
				t.Errorf("attribute %s in %q", a.Key, clean)
			case a.Key == "href" && !strings.HasPrefix(value, "http://") && !strings.HasPrefix(value, "https://") &&
				!strings.HasPrefix(value, "mailto:"),
				a.Key == "src" && !strings.HasPrefix(value, "cid:") && !strings.HasPrefix(value, "data:image/"),
				a.Key == "style" && (strings.Contains(value, "url") || strings.Contains(value, "expression") ||
					strings.ContainsAny(value, `\@/<>"`)):
				t.Errorf("%s=%q in %q", a.Key, a.Val, clean)
			}
		}
	}
}

func FuzzCleanHTML(f *testing.F) {
	for _, seed := range []string{
		"<p>a</p>", `<a href="http://x">b`, `<img src=x onerror=y>`, `<svg><p><style><!--</style><img src=x onerror=y>-->`,
		`<math><mtext><table><mglyph><style><img src=x onerror=y>`, `<noscript><p title="</noscript><img src=x onerror=y>">`,
		`<div style="color:red;;a:b">`, "<table><tr><td>a<table><td>b", "<b><i></b></i>", "<p hidden><b hidden></p>x",
		"\x00<\x00b>", "<a href='java\tscript:x'>", "<!--<p>", "<![CDATA[x]]>", "<plaintext><b>", "<select><option><p>",
		"</p></div>",
		`<p title='"><script>'>`, "<img alt=`x`>", `<font color=white>a`, "<style>.a{display:none}", "&#x26;lt;script>",
		"<li><ul><li>", `<span style="font-size:\30">`,
	} {
		f.Add(seed, 40)
	}
	f.Fuzz(func(t *testing.T, given string, most int) {
		clean := mail.CleanHTML(given)
		if !utf8.ValidString(clean) {
			t.Errorf("invalid UTF-8 from %q", given)
		}
		isSafe(t, clean)
		if again := mail.CleanHTML(clean); again != clean {
			t.Errorf("%q is cleaned to %q, and that to %q", given, clean, again)
		}
		most = most%1_000 + 1
		if most < 1 {
			most = 1
		}
		cut, truncated, total := mail.Body(page(given), model.BodyHTML, most)
		if n := utf8.RuneCountInString(cut); n > most || total > n && !truncated || !truncated && n != total {
			t.Errorf("%q cut at %d: %d characters, truncated %v, total %d", given, most, n, truncated, total)
		}
		isSafe(t, cut)
		if again := mail.CleanHTML(cut); again != cut {
			t.Errorf("the cut %q is not closed: %q", cut, again)
		}
	})
}
