package plan

import "strings"

var (
	mailNouns = setOf("mail mails email emails inbox mailbox", "מייל מיילים אימייל אימיילים דוא\"ל דואל תיבת_הדואר מיילין")
	mailNoise = setOfWords(
		"any if whether אמ new newest latest last recent do does did i we have has had got get is are there show me my the " +
			"list check read find search for in " +
			"what what's whats which who all of a an please that this came come received receive arrived arrive with to you " +
			"see open fetch " +
			"retrieve pull up print bring can could would from by e - latest messages message inbox mailbox ones sent send " +
			"emailed mailed write " +
			"summarize summarise subject according whole full wrote written it been be today's some every at on hear " +
			"heard email mail emails mails look tell give us our and " +
			"was were " +
			"how many now yet still anything folder most waiting came through over later " +
			"יש לי האמ תראה תראי הצג הראה תציג תציגי חפש חפשי תחפש תחפשי מצא תמצא תמצאי בדוק תבדוק תבדקי את כל ה מה אילו איזה " +
			"איזו של שלי קיבלתי הגיע הגיעו הגיעה " +
			"נכנס נכנסו חדש חדשימ חדשה אחרונ אחרונימ האחרונ האחרונימ החדשימ בתיבה תיבת הדואר בתיבת הנכנס תיבה דואר הודעות " +
			"הודעה מי שלח שלחה שלחו כתב כתבה ממי כמה לא " +
			"הנושא נושא כתבו סכמ תסכמ תסכמי סכמי תפתח תפתחי פתח פתחי שהגיעו שהגיע תקריא תקריאי הקרא קרא תקרא לקרוא לראות " +
			"אליי אלי לבדוק עוד תביא בבקשה משהו לי? מהתיבה שנקראו נקראו " +
			"קראתי שלא")
	mailFrom  = setOfWords("from by מאת")
	mailAbout = setOfWords("about regarding re concerning mentioning containing subject on על לגבי בנושא בנוגע שמזכירימ")
)

// mailing reads a question about e-mails; what writes, sends or sorts them is refused.
func (p *parser) mailing() (bool, error) {
	asks := newSentence(p.text, p.at).asks()
	i := p.lead()
	at := -1
	for k := range p.tokens {
		if p.has(k, mailNouns) || p.is(k, "e") && p.is(k+1, "-") && p.is(k+2, "mail", "mails") ||
			(p.is(k, "messages", "הודעות") && (p.is(k-1, "unread", "new") || p.is(k+1, "חדשות"))) ||
			p.is(k, "emailed", "mailed") || p.is(k, "בתיבה") && p.is(k-1, "חדש", "משהו") ||
			p.is(k, "בתיבת", "תיבת") && p.is(k+1, "הדואר", "המייל", "הנכנס", "המיילימ") {
			at = k
			break
		}
	}
	if at < 0 {
		return false, nil
	}
	_, opened := p.frameAt(i, openers)
	bare := i == at || p.is(i, "תפתח", "תפתחי", "פתח", "פתחי") ||
		p.is(i, "unread", "new", "latest", "emails", "mails", "mail", "inbox", "מיילימ", "מייל")
	question := len(p.tokens) > 0 && p.is(len(p.tokens)-1, "?")
	if !asks && !opened && !bare && !question {
		if act, _ := p.verbAt(i); act == other || act == cancel || act == remove {
			return true, p.refusal(Unsupported, "", noMail, i, len(p.tokens))
		}
		return false, nil
	}
	if act, _ := p.verbAt(i); bare && !asks && act == other && p.is(i, "email", "mail") &&
		!p.is(i+1, "since", "from", "about", "today", "yesterday", "this", "last") {
		return true, p.refusal(Unsupported, "", noMail, i, len(p.tokens))
	}
	for k := range p.tokens {
		if p.is(k, "reply", "send", "forward", "delete", "archive", "draft", "unsubscribe", "answer") &&
			!p.is(i, "did", "does", "who", "what", "when") {
			return true, p.refusal(Unsupported, "", noMail, k, len(p.tokens))
		}
	}
	p.out.Tool = ToolReadMail
	p.past = true
	p.useThanks()
	mail := &Mail{}
	if p.is(i, "how") && p.is(i+1, "many") || p.is(i, "כמה") {
		p.out.Ask = &Ask{What: AskCount}
	}
	for k := range p.tokens { // "מהשבוע": since this week began
		if rest, ok := strings.CutPrefix(p.tokens[k].text, "מ"); ok && p.hebrewAt(k) &&
			(rest == "השבוע" || rest == "היומ" || rest == "אתמול" ||
				rest == "החודש" || rest == "הבוקר") {
			p.tokens[k].text = rest
		}
	}
	p.scan()
	for _, it := range p.items {
		p.use(it.from, it.to)
	}
	if p.failed != nil {
		return true, p.failed
	}
	t, err := p.collect()
	if err != nil {
		return true, err
	}
	if mail.Window, err = p.window(t, false); err != nil {
		return true, err
	}
	if err := p.mailParts(mail, at); err != nil {
		return true, err
	}
	p.out.Mail = mail
	return true, nil
}

// mailParts reads from whom and about what.
func (p *parser) mailParts(mail *Mail, at int) error {
	phrase := func(k int) int { // where the words from k on end
		end := k
		for end < len(p.tokens) && !p.used[end] && p.tokens[end].kind != mark &&
			!(end > k && (mailAbout[p.tokens[end].text] && end+1 < len(p.tokens) && p.tokens[end+1].kind != mark ||
				mailFrom[p.tokens[end].text] || p.is(end, "with", "in", "to", "that", "this", "at", "email", "mail", "mails",
				"emails", "מה", "עמ", "מאתמול"))) {
			end++
		}
		return end
	}
	for k := 0; k < len(p.tokens); k++ {
		t := p.tokens[k]
		switch {
		case p.used[k] || t.kind == mark:
		case p.is(k, "haven't", "didn't", "not") && p.is(k+1, "read", "opened", "seen"):
			mail.Unread = true
			k++
		case p.is(k, "unread", "new", "חדשימ", "חדשה", "חדש", "החדשימ", "חדשות") ||
			p.is(k, "נקראו", "קראתי") && p.is(k-1, "לא", "שלא"), p.is(k, "שלא") && p.is(k+1, "נקראו", "קראתי"):
			mail.Unread = true
		case p.is(k, "attachment", "attachments", "attached", "קובצ", "קבצימ", "מצורפ", "מצורפימ", "צרופה", "צרופות"):
			mail.Attached = true
		case (mailFrom[t.text] || mailAbout[t.text]) && t.prefix == "" && k+1 < len(p.tokens) && !p.used[k+1]:
			begin := k + 1
			for p.is(begin, "the", "my", "a", "an", "any", "our", ":", "את") {
				begin++
			}
			end := phrase(begin)
			if end == begin {
				return p.refusal(Unread, SlotQuery, unreadPart, k, k+1)
			}
			text := p.rawWithout(begin, end, false)
			if mailFrom[t.text] && mail.From == "" {
				mail.From = text
			} else if mailAbout[t.text] && mail.Text == "" {
				mail.Text = text
			} else {
				return p.refusal(Unread, SlotQuery, unreadPart, k, end)
			}
			p.note(SlotQuery, begin, end)
			k = end - 1
		case t.hebrew && strings.HasPrefix(t.text, "מ") && k > at && mail.From == "" && len([]rune(t.text)) > 3 &&
			!mailNoise[t.text] && t.kind == word && t.prefix == "":
			end := phrase(k)
			mail.From = cutLetters(p.rawWithout(k, end, false), 1)
			p.note(SlotQuery, k, end)
			k = end - 1
		case t.prefix == "מ" && mail.From == "":
			end := phrase(k)
			mail.From = p.rawWithout(k, end, false)
			k = end - 1
		case t.kind == word && mailNoise[t.text] && t.prefix == "" || p.has(k, mailNouns):
		case mail.From == "" && t.kind == word &&
			(p.is(k-1, "did", "has", "have", "does") && p.sends(k+1) || t.hebrew && p.sends(k+1) && k <= 2):
			mail.From = tidy(strings.TrimSuffix(t.raw, "'s"))
			p.note(SlotQuery, k, k+1)
		case mail.From == "" && t.possessive && (p.has(k+1, mailNouns) || p.is(k+1, "latest", "last", "new")):
			mail.From = strings.TrimSuffix(strings.TrimSuffix(tidy(t.raw), "'s"), "’s")
			p.note(SlotQuery, k, k+1)
		case p.tokens[k].kind == address && mail.From == "":
			mail.From = t.raw
		default:
			return p.refusal(Unread, SlotQuery, unreadPart, k, k+1)
		}
	}
	return nil
}

// sends reports whether a word says that somebody writes mail.
func (p *parser) sends(i int) bool {
	return p.is(i, "email", "mail", "emailed", "mailed", "write", "written", "send", "sent", "reply", "replied", "שלחה",
		"שלח", "שלחו", "כתבה", "כתב", "כתבו", "ענתה", "ענה")
}

var noMail = reason{"“%s” would change or send mail, which a sentence cannot do here; mail can be read.",
	"„%s” משנה או שולח דואר, ומשפט אינו יכול לעשות זאת כאן; אפשר לקרוא דואר."}

// undoing reads the wish to take back what was done last.
func (p *parser) undoing() (bool, error) {
	i := p.lead()
	next, ok := p.frameAt(i, undoes)
	if !ok {
		return false, nil
	}
	p.useThanks()
	for k := next; k < len(p.tokens); k++ {
		if p.is(k, "של") { // "בטל את זה של 3" is about an event
			return false, nil
		}
		if !p.used[k] && p.tokens[k].kind != mark && !p.is(k, "now", "then", "again") {
			return true, p.refusal(Unsupported, SlotTarget, onlyLast, k, len(p.tokens))
		}
	}
	if p.is(len(p.tokens)-1, "?") && p.is(i, "undo") && i == 0 {
		return true, p.refusal(Unread, "", unreadPart, 0, len(p.tokens))
	}
	p.out.Tool = ToolUndo
	p.note(SlotTool, i, next)
	return true, nil
}

var (
	undoes = framesOf(
		"undo that|it|this?, undo the|my|your? last|latest|previous|most? recent? thing|action|change|one|command|step?, "+
			"undo what you|i just? did, "+
			"take that|it back, take back that|it, revert that|it|this, revert the|my? last|latest change|action, reverse "+
			"that|it|this, roll that|it|this back, "+
			"put it|that|everything back the? way? it? was?, bring it|that back, restore it|that, undo please?, scratch that, "+
			"i didn't mean that, oops undo that|it?",
		"בטל|בטלי|תבטל|תבטלי|לבטל את זה, בטל|בטלי|תבטל|תבטלי|לבטל את הפעולה|השינוי|הדבר האחרונה|האחרון, בטל|בטלי|תבטל|תבטלי "+
			"פעולה|שינוי אחרונה|אחרון, "+
			"בטל|בטלי|תבטל|תבטלי את מה שעשית|עשיתי, תחזיר|תחזירי|החזר|החזירי|להחזיר את זה|המצב לקדמותו|אחורה?, "+
			"תחזיר|תחזירי|החזר אחורה, ביטול הפעולה האחרונה, תתחרט")
	onlyLast = reason{"Only what was done last can be undone by a sentence; “%s” is more. `undoAction` undoes any action.",
		"במשפט אפשר לבטל רק את הפעולה האחרונה; „%s” מבקש יותר."}
)
