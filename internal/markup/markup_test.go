package markup

import "testing"

func TestPage(t *testing.T) {
	t.Parallel()
	p := New("en", "ltr", "<b>", `a > b { content: "%s" }`)
	p.Add("<p class=\"%s\">%s 100 %%</p>\n", `" onclick='x`, "</p><script>&amp;")
	const want = `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>&lt;b&gt;</title>
<style>a > b { content: "%s" }</style>
</head>
<body>
<main>
<p class="&#34; onclick=&#39;x">&lt;/p&gt;&lt;script&gt;&amp;amp; 100 %</p>
</main>
</body>
</html>
`
	if got := string(p.Bytes()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
