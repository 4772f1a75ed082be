package gmail_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	api "google.golang.org/api/gmail/v1"

	"almanac/internal/standin/gmail"
)

// searched is a mailbox with one message of each kind, by a short name.
func searched(t *testing.T) (w *world, name map[string]string) {
	t.Helper()
	w = newWorld(t)
	label := w.label("Work/Big Client")
	name = map[string]string{}
	add := func(short string, at time.Time, raw []byte, labels ...string) {
		id, err := w.s.Deliver(ada, raw, at, labels...)
		if err != nil {
			t.Fatal(err)
		}
		name[id] = short
	}
	day := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 12, 0, 0, 0, time.UTC) }
	add("lunch", day(1, 10), gmail.Letter{
		From: "Dana Cohen <dana.cohen@shop.example.com>", To: ada, Cc: "Clara <clara@elsewhere.org>",
		Subject: "Lunch on Friday?", Text: "Shall we meet at noon, naïvely?",
		MessageID: "lunch@x", Fields: []string{"Delivered-To: ada+list@example.com",
			"List-ID: Friends <friends.lists.example.org>"},
	}.Bytes())
	add("invoice", day(1, 20), gmail.Letter{
		From: "billing@corp.example.net", To: "Ada <ada@example.com>", Subject: "Invoice 2026-17",
		HTML:        "<p>Your <b>inv</b>oice is attached &amp; due.</p>",
		Attachments: []gmail.Attachment{{Name: "Invoice-17.pdf", Content: make([]byte, 5000)}},
	}.Bytes(), "INBOX", label, "IMPORTANT", "CATEGORY_UPDATES")
	add("hebrew", day(2, 1), gmail.Letter{
		From: "בן כהן <ben@example.com>", To: ada, Bcc: "hidden@example.org", Subject: "פגישה מחר",
		Text: "שָׁלוֹם עדה, ניפגש בשעה 10:00", Charset: "utf-8",
	}.Bytes(), "INBOX", "STARRED", "UNREAD")
	add("spam", day(2, 2), gmail.Letter{From: "win@spam.example", Subject: "You win lunch", Text: "x"}.Bytes(), "SPAM")
	add("trash", day(2, 3), gmail.Letter{From: "old@example.com", Subject: "Old lunch", Text: "x"}.Bytes(), "TRASH")
	add("archived", day(2, 20), gmail.Letter{From: "news@example.com", Subject: "Newsletter",
		Text: "the quick brown fox"}.Bytes(), "CATEGORY_PROMOTIONS")
	add("image", day(3, 1), gmail.Letter{From: "pic@example.com", Subject: "Logo", HTML: "<img src=cid:1>",
		Attachments: []gmail.Attachment{{Name: "logo.png", Type: "image/png", ContentID: "1"}}}.Bytes())
	return w, name
}

func TestSearch(t *testing.T) {
	t.Parallel()
	w, name := searched(t)
	for q, want := range map[string]string{
		"":        "image archived hebrew invoice lunch",
		"  ":      "image archived hebrew invoice lunch",
		"lunch":   "lunch",
		"LUNCH":   "lunch",
		"lunc":    "",
		"naively": "lunch",
		"invoice": "invoice",
		// fields
		"from:dana": "lunch", "from:dana.cohen@shop.example.com": "lunch", "from:shop.example.com": "lunch",
		"from:\"dana cohen\"": "lunch", "from:cohen@shop": "lunch",
		"from:da": "", "FROM:Dana": "lunch", "from:כהן": "hebrew", "from:(dana OR billing)": "invoice lunch",
		"from:{dana billing}": "invoice lunch", "from:(dana cohen)": "lunch",
		"from:(dana billing)": "", "to:ada": "hebrew invoice lunch", "to:me": "hebrew invoice lunch", "from:me": "",
		"cc:clara": "lunch", "to:clara": "lunch", "bcc:hidden": "hebrew",
		"deliveredto:ada+list@example.com": "lunch", "subject:friday": "lunch", "subject:noon": "",
		"subject:(invoice 17)": "invoice", "subject:\"on friday\"": "lunch",
		"subject:\"friday on\"": "", "list:friends.lists.example.org": "lunch", "rfc822msgid:lunch@x": "lunch",
		"rfc822msgid:<lunch@x>": "lunch", "rfc822msgid:lunch": "",
		// labels and places
		"label:work-big-client": "invoice", "label:Work-Big-Client": "invoice", "label:\"work/big client\"": "invoice",
		"label:work": "", "label:important": "invoice",
		"label:nothing": "", "in:inbox": "image hebrew invoice lunch", "in:spam": "spam", "in:trash": "trash",
		"in:bin": "trash", "in:anywhere lunch": "trash spam lunch",
		"-in:trash lunch": "lunch", "-in:spam": "image archived hebrew invoice lunch", "in:archive": "archived",
		"is:unread": "image hebrew lunch", "is:read": "archived invoice",
		"is:starred": "hebrew", "in:starred": "hebrew", "is:important": "invoice", "has:yellow-star": "hebrew", "in:sent": "",
		"in:drafts": "", "in:chats": "", "is:snoozed": "",
		"has:attachment": "invoice", "-has:attachment": "image archived hebrew lunch", "has:userlabels": "invoice",
		"has:nouserlabels": "image archived hebrew lunch", "has:drive": "",
		"filename:pdf": "invoice", "filename:invoice-17.pdf": "invoice", "filename:\"logo.png\"": "image", "filename:xls": "",
		"category:updates": "invoice", "category:promotions": "archived",
		"category:primary": "", "label:^x": "",
		// times and sizes; midnight is California's
		"after:2026/02/01": "image archived hebrew", "after:2026/02/02": "image archived", "before:2026/01/11": "lunch",
		"before:2026/1/10": "", "older:2026-01-11": "lunch",
		"newer:2026/03/01": "image", "after:2026/01/15 before:2026/02/15": "hebrew invoice",
		"after:1769947200": "image archived hebrew", "after:1769947201": "image archived",
		"before:1769947200": "invoice lunch", "newer_than:1d": "image", "newer_than:1m": "image archived",
		"older_than:1m": "hebrew invoice lunch", "newer_than:1y": "image archived hebrew invoice lunch", "older_than:1y": "",
		"larger:5k": "invoice", "larger:5000": "invoice", "size:6000": "invoice", "smaller:5K": "image archived hebrew lunch",
		"larger:10M": "", "larger:10mb": "",
		// combinations
		"lunch OR invoice": "invoice lunch", "lunch invoice": "", "lunch AND noon": "lunch", "lunch or invoice": "",
		"{lunch invoice}": "invoice lunch", "-lunch": "image archived hebrew invoice",
		"-(lunch OR invoice)": "image archived hebrew", "-{lunch invoice}": "image archived hebrew",
		"from:billing OR from:dana subject:lunch": "lunch", "subject:lunch from:billing OR from:dana": "lunch",
		"(from:billing) OR (from:dana subject:lunch)": "invoice lunch", "from:-dana": "image archived hebrew invoice",
		"-from:dana -from:billing": "image archived hebrew", "\"quick brown\"": "archived",
		"\"brown quick\"": "", "-\"quick brown\" news": "", "+quick": "archived", "quick AROUND 3 fox": "",
		"--lunch": "lunch",
		// hebrew
		"פגישה": "hebrew", "subject:מחר": "hebrew", "שלום": "hebrew", "\"פגישה מחר\"": "hebrew", "ניפגש 10:00": "hebrew",
		"-שלום is:starred": "", "פגיש": "",
		// what is not well formed is text, or nothing
		"(": "image archived hebrew invoice lunch", ")": "image archived hebrew invoice lunch", "(lunch": "lunch",
		"lunch)": "lunch", "lunch) invoice": "", "\"lunch": "lunch",
		"from:": "image archived hebrew invoice lunch", "OR": "image archived hebrew invoice lunch", "lunch OR": "lunch",
		"OR lunch": "lunch", "-": "image archived hebrew invoice lunch", "unknown:lunch": "",
		"after:yesterday": "", "larger:big": "", "newer_than:2w": "", "from:to:dana": "",
		"\"\"": "image archived hebrew invoice lunch", "!!!": "image archived hebrew invoice lunch",
		strings.Repeat("(", 100) + "lunch": "lunch",
	} {
		var got []string
		for _, id := range w.list(q) {
			got = append(got, name[id])
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%q:\n got %q\nwant %q", q, text, want)
		}
	}
	_, err := w.ada().Messages.List("me").Q(strings.Repeat("x ", 10_000)).Do()
	wants(t, "too long", err, 400, "invalidArgument", "Invalid value at 'q'", "INVALID_ARGUMENT")
}

func TestLabelIDsAllMatch(t *testing.T) {
	t.Parallel()
	w, name := searched(t)
	find := func(spamTrash bool, labels ...string) string {
		answer, err := w.ada().Messages.List("me").LabelIds(labels...).IncludeSpamTrash(spamTrash).Do()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range answer.Messages {
			got = append(got, name[m.Id])
		}
		return strings.Join(got, " ")
	}
	same(t, "one", find(false, "INBOX"), "image hebrew invoice lunch")
	same(t, "two", find(false, "INBOX", "UNREAD"), "image hebrew lunch")
	same(t, "three", find(false, "INBOX", "UNREAD", "STARRED"), "hebrew")
	same(t, "spam is left out", find(false, "SPAM"), "")
	same(t, "unless asked for", find(true, "SPAM"), "spam")
	same(t, "all", find(true), "image archived trash spam hebrew invoice lunch")
	_, err := w.ada().Messages.List("me").LabelIds("Work/Big Client").Do()
	wants(t, "a name", err, 400, "invalidArgument", "Invalid label: Work/Big Client", "INVALID_ARGUMENT")
}

// fact is what the property test knows of a message, beside the stand-in.
type fact struct {
	id, from, subject string
	words             []string
	at                time.Time
	labels            []string
	size              int
}

// clause is a condition in Gmail's language and in Go.
type clause struct {
	text  string
	holds func(fact) bool
	// place is what it opens: "SPAM" or "TRASH".
	place string
}

// TestSearchAgreesWithAPredicate: lists give exactly the messages for which a predicate holds that is computed from
// what was stored.
func TestSearchAgreesWithAPredicate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	random := rand.New(rand.NewPCG(4, 2))
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	vocabulary := []string{"alpha", "beta", "gamma", "שלום", "תודה", "delta"}
	people := []string{"dana@one.example", "noam@two.example", "ruth@one.example"}
	labels := []string{"INBOX", "STARRED", "UNREAD", "SPAM", "TRASH", "IMPORTANT"}
	var facts []fact
	for range 120 {
		f := fact{from: pick(people), subject: pick(vocabulary),
			at: start.Add(-time.Duration(random.IntN(100*24)) * time.Hour), labels: []string{pick(labels)}}
		for range 1 + random.IntN(4) {
			f.words = append(f.words, pick(vocabulary))
		}
		if extra := pick(labels); random.IntN(2) == 0 && extra != f.labels[0] {
			f.labels = append(f.labels, extra)
		}
		raw := gmail.Letter{From: f.from, Subject: f.subject,
			Text: strings.Join(f.words, " ") + strings.Repeat(" pad", random.IntN(300))}.Bytes()
		f.size = len(raw)
		var err error
		if f.id, err = w.s.Deliver(ada, raw, f.at, f.labels...); err != nil {
			t.Fatal(err)
		}
		facts = append(facts, f)
	}
	leaf := func() clause {
		switch random.IntN(8) {
		case 0:
			v := pick(vocabulary)
			return clause{text: v, holds: func(f fact) bool { return f.subject == v || slices.Contains(f.words, v) }}
		case 1:
			v := pick(vocabulary)
			return clause{text: "subject:" + v, holds: func(f fact) bool { return f.subject == v }}
		case 2:
			v := pick(people)
			return clause{text: "from:" + v, holds: func(f fact) bool { return f.from == v }}
		case 3:
			a, b := pick(vocabulary), pick(vocabulary)
			return clause{text: `"` + a + " " + b + `"`, holds: func(f fact) bool {
				return strings.Contains(" "+strings.Join(f.words, " ")+" ", " "+a+" "+b+" ")
			}}
		case 4:
			v := pick(labels)
			c := clause{text: "in:" + strings.ToLower(v), holds: func(f fact) bool { return slices.Contains(f.labels, v) }}
			if v == "SPAM" || v == "TRASH" {
				c.place = v
			}
			return c
		case 5:
			at := start.Add(-time.Duration(random.IntN(100*24)) * time.Hour).Truncate(time.Second)
			return clause{text: fmt.Sprintf("after:%d", at.Unix()), holds: func(f fact) bool { return !f.at.Before(at) }}
		case 6:
			at := start.Add(-time.Duration(random.IntN(100*24)) * time.Hour).Truncate(time.Second)
			return clause{text: fmt.Sprintf("before:%d", at.Unix()), holds: func(f fact) bool { return f.at.Before(at) }}
		default:
			n := random.IntN(2000)
			return clause{text: fmt.Sprintf("larger:%d", n), holds: func(f fact) bool { return f.size > n }}
		}
	}
	dates := map[string]time.Time{}
	for _, f := range facts {
		dates[f.id] = f.at
	}
	hits := 0
	for range 400 {
		// An AND of groups, each of which is a clause, its opposite, or a choice of two.
		var texts, places []string
		var all []func(fact) bool
		for range 1 + random.IntN(3) {
			a, b := leaf(), leaf()
			switch random.IntN(4) {
			case 0:
				texts, all = append(texts, "-"+a.text), append(all, func(f fact) bool { return !a.holds(f) })
			case 1:
				texts, places = append(texts, a.text+" OR "+b.text), append(places, a.place, b.place)
				all = append(all, func(f fact) bool { return a.holds(f) || b.holds(f) })
			case 2:
				texts, places = append(texts, "{"+a.text+" "+b.text+"}"), append(places, a.place, b.place)
				all = append(all, func(f fact) bool { return a.holds(f) || b.holds(f) })
			default:
				texts, places, all = append(texts, "("+a.text+")"), append(places, a.place), append(all, a.holds)
			}
		}
		var want []string
		for _, f := range facts {
			fits := true
			for _, place := range []string{"SPAM", "TRASH"} {
				fits = fits && (!slices.Contains(f.labels, place) || slices.Contains(places, place))
			}
			for _, holds := range all {
				fits = fits && holds(f)
			}
			if fits {
				want = append(want, f.id)
			}
		}
		q := strings.Join(texts, " ")
		answer, err := w.ada().Messages.List("me").Q(q).MaxResults(500).Do()
		if err != nil {
			t.Fatal(err)
		}
		got := ids(answer.Messages)
		hits += len(got)
		if !slices.Equal(sorted(got), sorted(want)) {
			t.Errorf("%s: %d found, %d fit", q, len(got), len(want))
		}
		if !slices.IsSortedFunc(answer.Messages, func(a, b *api.Message) int { return dates[b.Id].Compare(dates[a.Id]) }) {
			t.Errorf("%s: out of order", q)
		}
	}
	if hits < 1000 {
		t.Errorf("only %d hits", hits)
	}
}

func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"", "a OR", "-(-(", "{}{}(", "from:(a OR {b c}) -\"x", "in:anywhere after:2026/99/99", "label: - OR",
		"older_than:99999y", "::::", "from:-:-to:", "\x00\xff", "larger:99999999999999999999m",
	} {
		f.Add(seed)
	}
	w := newWorld(f)
	w.deliver(gmail.Letter{From: ben, Subject: "x", Text: "some words שלום"}, "INBOX", "SPAM")
	w.deliver(gmail.Letter{From: ben, Subject: "y", Text: "other words"})
	w.lenient = true
	f.Fuzz(func(t *testing.T, q string) {
		w.t = t
		answer, err := w.ada().Messages.List("me").Q(q).Do()
		if err != nil {
			if len(q) <= 16<<10 {
				t.Errorf("%q: %v", q, err)
			}
			return
		}
		if len(answer.Messages) > 2 {
			t.Errorf("%q: %d", q, len(answer.Messages))
		}
	})
}
