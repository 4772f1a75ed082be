package mail_test

import (
	"strings"
	"testing"

	"almanac/graph/model"
)

func TestCleanText(t *testing.T) {
	t.Parallel()
	const answer = "Yes, Tuesday is fine."
	for name, given := range map[string]string{
		"nothing to leave out": answer,
		"Gmail": answer +
			"\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada Byron <ada@example.com> wrote:\n\n> Tuesday?\n>\n> Ada\n",
		"Gmail, folded": answer +
			"\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada Byron <\nada@example.com> wrote:\n\n> Tuesday?\n",
		"Gmail in Hebrew": answer +
			"\n\n\u202bבתאריך יום ג׳, 17 בנוב׳ 2026 ב-9:00 מאת \u202aAda Byron\u202c\u200f " +
			"<\u202aada@example.com\u202c\u200f>:\u202c\n\n> Tuesday?\n",
		"Hebrew, wrote": answer + "\n\nבתאריך 17.11.2026 09:00, עדה כתב/ה:\n> מתי?\n",
		"Hebrew, day":   answer + "\n\nביום ג׳, 17 בנוב׳ 2026, 9:00, מאת עדה <ada@example.com>:\n> מתי?\n",
		"Apple": answer +
			"\n\n> On 17 Nov 2026, at 9:00, Ada <ada@example.com> wrote:\n> \n> Tuesday?\n",
		"Apple in Hebrew": answer +
			"\n\n\u200fב-17 בנוב׳ 2026, בשעה 9:00, \u200fעדה <ada@example.com> כתב/ה:\n\n> מתי?\n",
		"Outlook": answer +
			"\n\n________________________________\nFrom: Ada <ada@example.com>\nSent: Tuesday, November 17, 2026 9:00 AM\nTo: " +
			"Ben <ben@example.com>\nSubject: Coffee\n\nTuesday?\n",
		"Outlook with stars": answer +
			"\n\n*From:* Ada\n*Date:* Tuesday\n*To:* Ben\n*Subject:* Coffee\n\nTuesday?\n",
		"Outlook in Hebrew": answer +
			"\n\nמאת: עדה <ada@example.com>\nנשלח: יום שלישי 17 נובמבר 2026 09:00\nאל: בן <ben@example.com>\nנושא: קפה\n\n" +
			"מתי?\n",
		"original message":           answer + "\n\n-----Original Message-----\nFrom: Ada\nTuesday?\n",
		"original message in Hebrew": answer + "\n\n-----הודעה מקורית-----\nמאת: עדה\nמתי?\n",
		"introduction without marks": answer +
			"\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\nTuesday?\nAda\n",
		"quotation first, answer below": "On Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> Tuesday?\n\n" +
			answer + "\n",
		"ours":                        answer + "\n\nToday at 18:00, Ada <ada@example.com> wrote:\n> Tuesday?\n",
		"ours in Hebrew":              answer + "\n\nהיום ב-18:00, מאת עדה <ada@example.com>:\n> מתי?\n",
		"signature":                   answer + "\n\n-- \nBen\nExample Ltd.\n",
		"signature without its blank": answer + "\n--\nBen\n",
		"signature above the history": answer +
			"\n\n-- \nBen\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> Tuesday?\n",
		"signature below the history": answer +
			"\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> Tuesday?\n\n-- \nBen\n",
		"telephone":           answer + "\n\nSent from my iPhone\n",
		"telephone in Hebrew": answer + "\n\nנשלח מה-iPhone שלי\n",
		"Outlook's telephone": answer + "\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n",
		"telephone above the history": answer +
			"\n\nSent from my iPhone\n\n> On 17 Nov 2026, at 9:00, Ada <ada@example.com> wrote:\n> \n> Tuesday?\n",
		"lawyers": answer +
			"\n\nThis e-mail and any attachments are confidential and intended solely for the addressee.\nDo not read it.\n",
		"lawyers in Hebrew":      answer + "\n\nהודעה זו מיועדת לנמען בלבד ועשויה להכיל מידע חסוי.\n",
		"a quotation at the end": answer + "\n\n> Tuesday?\n",
		"history of history": answer +
			"\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> On Mon, Ben wrote:\n>> When?\n>\n> Tuesday?\n",
		"header block behind a quotation": answer +
			"\n\nFrom: Ada <ada@example.com>\nDate: 17.11.2026\nTo: Ben\nSubject: x\n\n> Tuesday?\nyes\n> Friday?\nno\n",
		"a forwarded message in the quote": answer +
			"\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> ---------- Forwarded message ---------\n> " +
			"From: Eve\n",
	} {
		p := part("", "text/plain", content(given))
		if got := text(&p, model.BodyClean); got != answer {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The author's own words stay whatever stands around them.
func TestCleanTextKeeps(t *testing.T) {
	t.Parallel()
	for name, given := range map[string]string{
		"answers between the lines": "See below.\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> " +
			"Tuesday?\nYes.\n> Where?\nHere.",
		"answers between Hebrew lines": "בתאריך 17.11.2026 09:00, עדה כתב/ה:\n> מתי?\nמחר.\n> איפה?\nכאן.",
		"one answer with words before": "See below.\n\nOn Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> " +
			"Tuesday?\nYes.",
		"a quotation of the author": "As the poet says:\n\n> Roses are red\n\nI agree.",
		"only a quotation":          "> Tuesday?",
		"only history":              "On Tue, Nov 17, 2026 at 9:00 AM Ada <ada@example.com> wrote:\n> Tuesday?",
		"forwarded": "FYI\n\n---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\n" +
			"Date: Tue, Nov 17, 2026\nSubject: Coffee\nTo: Ben\n\nTuesday?",
		"forwarded by Apple": "FYI\n\nBegin forwarded message:\n\n> From: Ada <ada@example.com>\n> Subject: " +
			"Coffee\n>\n> Tuesday?",
		"forwarded in Hebrew": "לידיעתך\n\n---------- הודעה שהועברה ---------\nמאת: עדה\nנשלח: 17.11.2026\nאל: " +
			"בן\nנושא: קפה\n\nמתי?",
		"wrote":                            "On Tuesday Ada wrote:\nthat she comes.",
		"from and to":                      "From: Haifa\nTo: Tel Aviv\nat nine",
		"dashes":                           "First\n--\n" + strings.Repeat("more words\n", 20) + "end",
		"only a signature":                 "-- \nBen",
		"only a telephone":                 "Sent from my iPhone",
		"a telephone in the middle":        "Sent from my iPhone\nwas what it said.",
		"confidential, said by the author": "This message is not a secret.",
		"an emoji":                         "👍",
		"a list with greater signs":        "a > b\nb > c",
	} {
		p := part("", "text/plain", content(given))
		if got := text(&p, model.BodyClean); got != given {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestCleanOfHTML(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, html, want string }{
		{"Gmail",
			`<div dir="ltr">Yes.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">` +
				`On Tue, Nov 17, 2026 at 9:00 AM Ada &lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt; wrote:<br>` +
				`</div><blockquote class="gmail_quote" style="margin:0"><div>Tuesday?</div></blockquote></div>`, "Yes."},
		{"Gmail in Hebrew", `<div dir="rtl">כן.</div><br><div class="gmail_quote"><div dir="rtl" class="gmail_attr">` +
			"\u202b" + `בתאריך יום ג׳, 17 בנוב׳ 2026 ב-9:00 מאת ` + "\u202a" + `עדה` + "\u202c" + "\u200f" +
			` &lt;<a href="mailto:ada@example.com">ada@example.com</a>&gt;:` + "\u202c" +
			`<br></div><blockquote class="gmail_quote"><div dir="rtl">מתי?</div></blockquote></div>`, "כן."},
		{"Gmail, between the lines",
			`<div class="gmail_quote"><div class="gmail_attr">On Tue, Nov 17, 2026 Ada &lt;ada@example.com&gt; wrote:</div>` +
				`<blockquote class="gmail_quote">Tuesday?</blockquote><div>Yes.</div><blockquote class="gmail_quote">` +
				`Where?</blockquote><div>Here.</div></div>`,
			"On Tue, Nov 17, 2026 Ada <ada@example.com> wrote:\n\n> Tuesday?\n\nYes.\n\n> Where?\n\nHere."},
		{"Apple",
			`<div>Yes.</div><div><br></div><div>Sent from my iPhone</div><div><br><blockquote type="cite">` +
				`On 17 Nov 2026, at 9:00, Ada &lt;ada@example.com&gt; wrote:<br><br></blockquote></div>` +
				`<blockquote type="cite"><div>Tuesday?</div></blockquote>`, "Yes."},
		{"Outlook",
			`<div>Yes.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b>` +
				` Ada &lt;ada@example.com&gt;<br><b>Sent:</b> Tuesday<br><b>To:</b> Ben<br><b>Subject:</b> Coffee</div><div>` +
				`Tuesday?</div>`, "Yes."},
		{"Outlook in Hebrew",
			`<div dir="rtl">כן.</div><hr><div id="divRplyFwdMsg" dir="rtl"><b>מאת:</b> עדה<br><b>נשלח:</b> יום שלישי<br><b>` +
				`אל:</b> בן<br><b>נושא:</b> קפה</div><div>מתי?</div>`, "כן."},
		{"Gmail's signature",
			`<div>Yes.</div><span class="gmail_signature_prefix">-- </span><br>` +
				`<div class="gmail_signature" data-smartmail="gmail_signature">Ben<br>Example Ltd.</div>`, "Yes."},
		{"only a signature", `<div class="gmail_signature">Ben</div>`, "Ben"},
		{"Gmail's forward",
			`<div>FYI</div><div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>` +
				`From: <b>Ada</b> &lt;ada@example.com&gt;<br>Date: Tue<br>Subject: Coffee<br>To: Ben<br></div><br><div>` +
				`Tuesday?</div></div>`,
			"FYI\n---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\nDate: Tue\nSubject: Coffee\nTo: Ben\n\n" +
				"Tuesday?"},
	} {
		if got := text(page(c.html), model.BodyClean); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
