package mail_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"almanac/graph/model"
	"almanac/projections/mail"
)

// Nothing that people do not see reaches the text, and what they see does. The second file was written before the code
// that it judges was opened.
func TestHiddenTextDoesNotReachTheText(t *testing.T) {
	for _, name := range []string{"testdata/hidden_issue.txtar", "testdata/hidden_held_out.txtar",
		"testdata/hidden_attack.txtar"} {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			for _, format := range []model.BodyFormat{model.BodyClean, model.BodyText} {
				part := &model.EmailPart{MIMEType: "text/html", Content: file.Data}
				text, _, _ := mail.Body(part, format, 10_000)
				seen := secret(text) && (format == model.BodyClean || file.Name != "alt.html") // TEXT names pictures
				if seen || !strings.Contains(text, "Shown") {
					t.Errorf("%s %s: %v: the text is %q", name, file.Name, format, text)
				}
			}
		}
	}
}

// secret reports whether a text holds the hidden word, also in characters that nobody sees or from right to left.
func secret(text string) bool {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= 0xe0000 && r < 0xe0080: // tags
			b.WriteRune(r - 0xe0000)
		case r >= 0xe0100 && r <= 0xe01ef: // variation selectors that stand for bytes
			b.WriteRune(r - 0xe0100 + 0x10)
		default:
			b.WriteRune(r)
		}
	}
	plain := b.String()
	backwards := make([]byte, 0, len(plain))
	for len(plain) > 0 {
		_, size := utf8.DecodeLastRuneInString(plain)
		backwards = append(backwards, plain[len(plain)-size:]...)
		plain = plain[:len(plain)-size]
	}
	return strings.Contains(b.String(), "SECRET") || strings.Contains(string(backwards), "SECRET") &&
		strings.ContainsRune(text, '\u202e')
}

// What people see of ordinary mails stays whole.
func TestShownTextStays(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/shown.txtar")
	if err != nil || len(archive.Files) < 30 {
		t.Fatal(err)
	}
	word := regexp.MustCompile(`Seen[0-9]`)
	for _, file := range archive.Files {
		text, cut, _ := mail.Body(&model.EmailPart{MIMEType: "text/html", Content: file.Data}, model.BodyClean, 10_000)
		for _, want := range word.FindAllString(string(file.Data), -1) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s is not in %q", file.Name, want, text)
			}
		}
		if secret(text) || cut {
			t.Errorf("%s: the text is %q, cut: %v", file.Name, text, cut)
		}
	}
}

// A plain form beside HTML is not what people see, however short it is; it counts where the HTML shows nothing.
func TestThePlainFormIsNotBelieved(t *testing.T) {
	for _, c := range []struct{ plain, html, want string }{
		{"SECRET send pins", "<p>Shown</p>", "Shown"},
		{"SECRET", "<p>Shown</p>", "Shown"},
		{"Shown\n\nSECRET", "<p>Shown</p>", "Shown"},
		{"Shown SECRET", `<p>Shown</p><p style="display:none">SECRET</p>`, "Shown"},
		{"SECRET", `<img src="cid:a" alt="SECRET">`, ""},
		{"Said in the plain form only", "<html><body><br></body></html>", "Said in the plain form only"},
		{"Said in the plain form only", "", "Said in the plain form only"},
		{"S\u202eTERCES \U000e0053\U000e0045", "", "STERCES"},
	} {
		root := &model.EmailPart{MIMEType: "multipart/alternative", Parts: []model.EmailPart{
			{MIMEType: "text/plain", Content: []byte(c.plain)}, {MIMEType: "text/html", Content: []byte(c.html)}}}
		if text, _, _ := mail.Body(root, model.BodyClean, 1_000); text != c.want {
			t.Errorf("%q beside %q: %q, want %q", c.plain, c.html, text, c.want)
		}
	}
}

// Styles that are large, deep or cost much to match are bounded, and what is beyond the bounds is not shown.
func TestHostileStylesAreBounded(t *testing.T) {
	for name, page := range map[string]string{
		"declarations": `<p style="` + strings.Repeat("color:red;", 200) + `display:none">SECRET</p>`,
		"long style":   `<p style="` + strings.Repeat(" ", 9<<10) + `display:none">SECRET</p>`,
		"rules": `<style>` + strings.Repeat(".a{color:red}", 6_000) +
			`.q{display:none}</style><p class="q">SECRET</p>`,
		"nesting": `<style>` + strings.Repeat("@media screen{", 100) + `.q{display:none}` + strings.Repeat("}", 100) +
			`</style><p class="q">SECRET</p>`,
		"matching": `<style>` + strings.Repeat("i i i i i i i .q{color:red}", 1_000) + `.q{display:none}</style>` +
			strings.Repeat("<i>", 2_000) + strings.Repeat(`<b class="q">SECRET</b>`, 1_000),
		"elements":       `<style>b:last-child{display:none}</style>` + strings.Repeat("<i></i>", 300_000) + "<b>SECRET</b>",
		"nested parents": `<style>.a{.b{.c{&{display:none}}}}</style><p class="a"><b class="b"><i class="c">SECRET</i></b></p>`,
		"not closed":     `<style>.q{display:none`,
		"a strange one":  `<style>.q:??{display:block}.q{display:none}.q:has({display:none}</style><p class="q">SECRET</p>`,
		"comment":        `<style>a{content:"/*"}.q{display:none}b{content:"*/"}</style><p class="q">SECRET</p>`,
		"address":        `<style>a{background:url(/*)}.q{display:none}b{background:url(*/)}</style><p class="q">SECRET</p>`,
		"brackets":       `<style>a{content:"}"}.q{display:none}</style><p class="q">SECRET</p>`,
		"supports":       `<style>.q{display:none}@supports (no:no){.q{display:block}}</style><p class="q">SECRET</p>`,
		"body":           `<style>html>body>p{display:none}</style><p>SECRET</p>`,
		"tbody":          `<style>tbody>tr>td{display:none}</style><table><tr><td>SECRET</td></tr></table>`,
		"data link":      `<link rel="stylesheet" href="data:text/css,.q{display:none}"><p class="q">SECRET</p>`,
		"data import":    `<style>@import url("data:text/css,.q{display:none}");</style><p class="q">SECRET</p>`,
		"attributes":     `<p ` + manyAttributes(300) + ` style="display:none">SECRET</p>`,
		"doubling": `<style>p{--a:var(--b) var(--b);--b:var(--a) var(--a)}` + strings.Repeat("p{display:var(--a)}", 3_000) +
			`</style>` + strings.Repeat("<p>SECRET</p>", 2_000),
		"small by steps": `<div style="font-size:30%"><div style="font-size:30%"><div style="font-size:30%">SECRET</div></div></div>`,
	} {
		text, _, _ := mail.Body(&model.EmailPart{MIMEType: "text/html", Content: []byte(page)}, model.BodyClean, 10_000)
		if secret(text) {
			t.Errorf("%s: %.80q", name, text)
		}
	}
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" a" + strconv.Itoa(i) + "=1")
	}
	return b.String()
}
