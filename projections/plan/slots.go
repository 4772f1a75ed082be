package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// parts are what the words of a sentence say beside its times.
type parts struct {
	title, location string
	people          []Person
	// meal is the part of the day that belongs to a meal in the title.
	meal part
	// kind says that the title names a kind of event.
	kind bool
}

// words reads the place, the people and the title of a new event from the tokens that no time has.
func (p *parser) words(in intent) (out parts, err error) {
	p.use(0, min(p.head, len(p.tokens)))
	for i := range p.tokens {
		p.used[i] = p.used[i] || p.is(i, "?", "!")
	}
	for i := range p.tokens {
		// "that starts tomorrow and lasts an hour": the times were read, their verbs say nothing more.
		if timeVerbs[p.tokens[i].text] && p.tokens[i].prefix == "" && i+1 < len(p.tokens) && p.used[i+1] {
			p.use(i, i+1)
			for k := i - 1; p.is(k, "that", "which", "and", "it", "will"); k-- {
				p.use(k, k+1)
			}
		}
	}
	for i := in.to; !in.verbless &&
		p.is(i, "me", "us", "for", "in", "לי", "לנו", "את", "out", ":", "please", "בבקשה"); i++ {
		p.used[i] = true
	}
	out.location = p.place()
	out.people = p.people()
	out.title, err = p.title(in)
	for i, t := range p.tokens {
		if t.kind != word || p.used[i] {
			continue
		}
		if value, prefix, ok := p.look(i, meals); ok && out.meal == noPart && (prefix == "" || prefix == "ה") {
			out.meal = part(value)
		}
		if p.is(i, "ארוחת") {
			out.kind = true
		}
		out.kind = out.kind || p.has(i, eventNouns)
	}
	if p.phraseIn("ארוחת בוקר") {
		out.meal = morning
	} else if p.phraseIn("ארוחת ערב") || p.phraseIn("ארוחת שישי") {
		out.meal = evening
	}
	return out, err
}

func (p *parser) isUsed(i int) bool { return i >= len(p.used) || p.used[i] }

func (p *parser) phraseIn(words string) bool {
	for i := range p.tokens {
		first, rest, _ := strings.Cut(words, " ")
		if _, _, ok := p.look(i, table{first: 1}); ok && p.is(i+1, rest) {
			return true
		}
	}
	return false
}

var (
	meals = table{"breakfast": int(morning), "brunch": int(noon), "lunch": int(noon), "dinner": int(evening),
		"supper": int(evening), "drinks": int(evening), "morning": int(morning), "evening": int(evening),
		"night": int(evening), "בוקר": int(morning), "ערב": int(evening), "לילה": int(evening), "צהריימ": int(noon),
		"צהרימ": int(noon)}

	eventNouns = setOf(
		"meeting call lunch dinner breakfast brunch coffee drinks party appointment interview review standup sync workshop " +
			"class lesson session training conference flight trip " +
			"vacation holiday birthday wedding concert show game match practice rehearsal exam test demo presentation webinar " +
			"seminar lecture retro planning haircut dentist doctor checkup massage " +
			"therapy gym yoga pilates run date visit picnic bbq anniversary deadline event change reservation booking walk " +
			"פגישה פגישת ישיבה ישיבת שיחה שיחת ארוחה ארוחת קפה צהריים מסיבה מסיבת תור ראיון סדנה סדנת שיעור חוג אימון כנס " +
			"טיסה " +
			"נסיעה חופשה חופש הולדת חתונה הופעה סרט מבחן מצגת הרצאה תספורת בדיקה טיפול " +
			"החלפת ביקור טיול אירוע מפגש אסיפה אסיפת ריצה יוגה דמו וובינר סיום השתלמות")
)

// place takes the location out of the words: "at Cafe Noir", "in room 302", "on Zoom", "location: …", "במשרד".
func (p *parser) place() string {
	for i := range p.tokens {
		if p.used[i] || p.tokens[i].kind == quote {
			continue
		}
		begin, ok := p.placeAt(i)
		if !ok {
			continue
		}
		end := p.placeEnd(begin, p.tokens[begin].hebrew && begin == i)
		if end == begin {
			continue
		}
		for p.is(i, "location", "venue", "address", "מיקומ", "כתובת") && p.is(end, ",") && end+1 < len(p.tokens) &&
			!p.used[end+1] { // "location: Bank Leumi, Rothschild 9"
			end = p.placeEnd(end+1, false)
		}
		text := p.rawWithout(begin, end, begin == i)
		p.note(SlotLocation, i, end)
		p.use(i, end)
		return text
	}
	return ""
}

// placeAt reports whether a place begins at i, and at which token its name does.
func (p *parser) placeAt(i int) (int, bool) {
	next := i + 1
	free := next < len(p.tokens) && !p.used[next]
	switch {
	case p.is(i, "location", "place", "venue", "where", "מיקומ", "מקומ", "המקומ", "המיקומ") && p.is(next, ":") &&
		next+1 < len(p.tokens):
		return next + 1, true
	case p.is(i, "location", "venue") && free && (p.is(i-1, ",") || i > 0 && p.used[i-1]):
		return next, true
	case !free && !p.hebrewAt(i):
	case p.is(i, "at", "@"):
		street := p.tokens[next].kind == number && next+1 < len(p.tokens) && !p.used[next+1] && p.tokens[next+1].kind == word
		named := p.tokens[next].kind == word || p.tokens[next].kind == quote
		return next, street || named && !p.is(next, "about", "around", "approximately", "roughly", "some", "least", "most")
	case p.is(i, "in"):
		t := p.tokens[next]
		if t.kind == quote || t.kind == word && (capital(t) && !p.lower || p.places(next)) {
			return next, true
		}
	case p.is(i, ",") && free && p.streetAt(next): // "…, Dizengoff 99"
		return next, true
	case p.is(i, ",") && free && venues[p.wordAt(next)] && next+1 < len(p.tokens) && !p.used[next+1]: // "…, Cafe Noir"
		return next, true
	case p.is(i, "room", "hall", "auditorium", "studio", "lab", "pitch", "classroom", "חדר",
		"אולמ") && i > 0 && (p.used[i-1] || p.is(i-1, ",")) &&
		(p.tokens[next].kind == number || len(p.tokens[next].raw) == 1): // "13:00 room 5"
		return i, true
	case p.is(i, "on", "via", "over", "through") && online[p.wordAt(next)],
		p.is(i, "on", "via", "over") && p.is(next, "google") && p.is(next+1, "meet"):
		return next, true
	}
	t := p.tokens[i]
	if t.prefix == "ב" && !t.hebrew && (online[t.text] || t.kind == word && capital(t)) ||
		t.prefix == "ב" && t.kind == quote {
		return i, true
	}
	if _, prefix, ok := p.look(i, hebrewPlaces); ok && (prefix == "ב" || prefix == "בה") && t.hebrew {
		return i, true
	}
	if t.hebrew && strings.HasPrefix(t.text, "ב") && next < len(p.tokens) &&
		hebrewTowns[strings.TrimPrefix(t.text, "ב")+" "+p.tokens[next].text] {
		return i, true
	}
	return i, false
}

// streetAt reports whether a street with its number is all that is left: one or two words, and a number of no time.
func (p *parser) streetAt(i int) bool {
	k := i
	for k < len(p.tokens) && k-i < 2 && !p.used[k] && p.tokens[k].kind == word &&
		(p.tokens[k].hebrew || capital(p.tokens[k])) &&
		!p.is(k, "בשעה", "שעה", "חדר", "קומה", "גיל", "כיתה") {
		k++
	}
	return k > i && k == len(p.tokens)-1 && p.tokens[k].kind == number && !p.used[k] && p.tokens[k].prefix == ""
}

// places reports whether an English place follows, perhaps behind an article: "the office", "conference room B".
func (p *parser) places(i int) bool {
	for k := i; k < min(i+4, len(p.tokens)); k++ {
		if p.used[k] || p.tokens[k].kind != word {
			return false
		}
		if placeNouns[p.tokens[k].text] {
			return true
		}
	}
	return false
}

func capital(t token) bool {
	r, _ := utf8.DecodeRuneInString(t.raw)
	return unicode.IsUpper(r)
}

var (
	online     = setOfWords("zoom teams skype webex slack meet facetime whatsapp discord hangouts")
	placeNouns = setOfWords(
		"office room building lobby house home park restaurant cafe hotel school library gym hall center centre hospital " +
			"clinic station airport studio floor garden kitchen mall theater theatre")
	// venues begin the name of a place.
	venues       = setOfWords("cafe café restaurant hotel pub bistro cinema museum theatre theater park")
	hebrewPlaces = setOf(
		"משרד בית חדר אולם מסעדה מסעדת קפה זום טימס ירושלים חיפה אילת נתניה הרצליה רעננה אשדוד אשקלון רחובות מודיעין יפו " +
			"פארק קניון בריכה מרפאה מרפאת ספרייה ספריה כיתה רחוב " +
			"אוניברסיטה אוניברסיטת מלון בניין קומה סטודיו תחנה שדה מתנס גינה חוף ברלין לונדון פריז בנק תיאטרון קולנוע היכל " +
			"מכון מועדון אצטדיון")
	hebrewTowns = setOfWords(
		"תל_אביב באר_שבע רמת_גן פתח_תקווה כפר_סבא ראשון_לציון בת_ים בני_ברק נס_ציונה ניו_יורק הוד_השרון")
	// stops end the name of a place or of a person.
	stops = setOfWords(
		"אחרי לפני כאורח כאורחת כמוזמן as with for about regarding re to from by and on at in of because so until via " +
			"over at עמ על " +
			"לגבי בנושא כדי אצל של עבור בשביל את וגמ או")
)

// placeEnd returns where the name of a place ends: at a time, a comma or a word such as "with". Hebrew names are at
// most three words.
func (p *parser) placeEnd(i int, hebrew bool) int {
	begin := i
	for ; i < len(p.tokens) && !p.used[i]; i++ {
		t := p.tokens[i]
		if t.kind == mark && t.text != "'" && t.text != "." && t.text != "-" && t.text != "&" && t.text != "#" ||
			t.kind == address {
			break
		}
		if t.kind == mark && t.spaced && t.text != "&" && t.text != "#" {
			break
		}
		if i > begin && t.kind == quote || i > begin && t.prefix == "" && stops[t.text] && !(t.text == "of" ||
			t.text == "של" && i == begin+1 || t.text == "and" && i+1 < len(p.tokens) && capital(p.tokens[i+1])) {
			break
		}
		if !hebrew {
			continue
		}
		if i > begin && (i-begin >= 3 || online[t.text]) {
			break
		}
		if i > begin && t.hebrew && startsWithAny(t.text, "ל", "ב", "מ", "ש", "ו") && i > begin+1 {
			break
		}
		if i == begin && p.oneWordPlace(i) {
			i++
			break
		}
	}
	return i
}

// oneWordPlace reports whether the name of a Hebrew place is complete with one word.
func (p *parser) oneWordPlace(i int) bool {
	if _, _, ok := p.look(i, longerPlaces); ok {
		return false
	}
	_, _, ok := p.look(i, hebrewPlaces)
	return ok
}

var longerPlaces = setOf(
	"קולנוע אוניברסיטת בית חדר אולם מסעדת קפה מרפאת רחוב קומה בניין פארק תחנת שדה כיתה מלון היכל מכון קניון משרדי")

func startsWithAny(text string, prefixes ...string) bool {
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// rawWithout returns the text of tokens as it was written, without the Hebrew prefix ב of the first.
func (p *parser) rawWithout(from, to int, prefixed bool) string {
	first := p.tokens[from]
	if first.kind == quote && to == from+1 {
		return first.raw
	}
	text := p.text[first.to-len(first.raw) : p.tokens[to-1].to]
	if first.kind == quote {
		text = p.text[first.from:p.tokens[to-1].to]
	}
	if prefixed && first.prefix == "" && first.hebrew {
		_, prefix, ok := p.look(from, hebrewPlaces)
		if !ok {
			prefix = "ב"
		}
		text = cutLetters(text, utf8.RuneCountInString(prefix))
	}
	return tidy(text)
}

// cutLetters takes so many letters, with their points, off the beginning.
func cutLetters(text string, n int) string {
	for i, r := range text {
		if unicode.IsLetter(r) {
			if n == 0 {
				return text[i:]
			}
			n--
		}
	}
	return ""
}

// tidy makes one line of words out of a piece of the text: no control characters, no invalid bytes, single spaces.
func tidy(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return -1
		case unicode.IsControl(r), unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r), r == 0xfeff, r == 0x200b:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// besideName finds a capitalised word, a Hebrew one or a number behind a quoted title that nothing has read; -1 when
// there is none. It would be lost: "…, location Bank Leumi".
func (p *parser) besideName(quoted int) int {
	for i := quoted + 1; i < len(p.tokens); i++ {
		t := p.tokens[i]
		if !p.used[i] && (t.kind == number || t.kind == word && (capital(t) || t.hebrew && !p.is(i, "לי", "לנו", "בבקשה"))) {
			return i
		}
	}
	return -1
}

// title returns what is left as the title.
func (p *parser) title(in intent) (string, error) {
	quotes := 0
	at := -1
	for i, t := range p.tokens {
		if t.kind == quote && !p.used[i] {
			quotes++
			at = i
		}
	}
	if quotes == 1 {
		if i := p.besideName(at); i >= 0 {
			return "", p.refusal(Unread, SlotTitle, unreadPart, i, i+1)
		}
		p.note(SlotTitle, at, at+1)
		return leading(p.tokens[at].raw), nil
	}
	var left []int
	for i := range p.tokens {
		if p.used[i] {
			continue
		}
		if p.is(i, "called", "named", "titled", "entitled", "בשמ") && i+1 < len(p.tokens) {
			left = left[:0] // what is before the name is "an event"
			continue
		}
		left = append(left, i)
	}
	left = p.trim(left)
	if len(left) > 2 && p.has(left[0], generalNouns) && p.is(left[1], "חדש", "חדשה") { // "תור חדש לרופא"
		left = slices.Delete(left, 1, 2)
	}
	if len(left) > 1 {
		if first, last := left[0], left[len(left)-1]; p.is(first, p.wordAt(first)) && particles[p.wordAt(first)] &&
			!p.is(first+1, "match", "game", "fixture", "day", "trip", "team") {
			return "", p.refusal(Unread, SlotTitle, unreadPart, first, first+1)
		} else if stray[p.wordAt(last)] {
			return "", p.refusal(Unread, SlotTitle, unreadPart, last, last+1)
		}
	}
	if bad := p.residue(left); bad >= 0 {
		return "", p.refusal(Unread, SlotTitle, unreadPart, bad, bad+1)
	}
	if len(left) == 0 {
		return "", nil
	}
	p.note(SlotTitle, left[0], left[len(left)-1]+1)
	text := p.joined(left)
	if p.verbPrefix(in, left[0]) ||
		p.is(left[0]-1, "אירוע") && p.hebrewAt(left[0]) && strings.HasPrefix(p.tokens[left[0]].text, "ל") {
		text = cutLetters(text, 1)
	}
	if p.is(left[0]-1, "את") && p.is(left[0]+1, "של") && p.hebrewAt(left[0]) &&
		strings.HasPrefix(p.tokens[left[0]].text, "ה") { // "תוסיף את ההסעה של הילדים"
		text = cutLetters(text, 1)
	}
	return leading(text), nil
}

// verbPrefix reports whether a Hebrew ל before the title belongs to its verb: "תשריין מחר לכתיבה".
func (p *parser) verbPrefix(in intent, i int) bool {
	return (in.action == block || in.action == invite) && p.tokens[i].kind == word && p.tokens[i].hebrew &&
		strings.HasPrefix(p.tokens[i].text, "ל")
}

// leading returns the title a capital.
func leading(title string) string {
	r, size := utf8.DecodeRuneInString(title)
	if unicode.IsLower(r) && r < 0x250 {
		return string(unicode.ToUpper(r)) + title[size:]
	}
	return title
}

// joined returns tokens as they were written, in one line; where tokens between them are left out stands one space.
func (p *parser) joined(list []int) string {
	var b strings.Builder
	for k, i := range list {
		t := p.tokens[i]
		from := t.from
		if k > 0 && list[k-1] == i-1 {
			from = p.tokens[i-1].to
		} else if k > 0 {
			b.WriteByte(' ')
		}
		if t.kind == word && t.text == "with" && t.raw == "with" && !strings.EqualFold(p.text[t.from:t.to], "with") { // w/
			b.WriteString(p.text[from:t.from] + "with")
			continue
		}
		b.WriteString(p.text[from:t.to])
	}
	return tidy(b.String())
}

// pictured reports whether a mark is a picture, which people write into titles: 🎂, with the tone of its skin.
func (p *parser) pictured(i int) bool {
	r, _ := utf8.DecodeRuneInString(p.tokens[i].raw)
	return p.tokens[i].kind == mark && (unicode.Is(unicode.So, r) || unicode.Is(unicode.Sk, r) && r > 0xffff)
}

// trim takes words that say nothing off both ends of a title.
func (p *parser) trim(list []int) []int {
	for len(list) > 0 {
		i := list[0]
		generic := p.is(i, "event", "אירוע", "something", "משהו", "entry") || p.is(i, "calendar") && p.is(i+1, "entry")
		if p.is(i, "עוד") && p.has(i+1, eventNouns) && len(list) > 1 { // "עוד תור לרופא"
			list = list[1:]
			continue
		}
		if p.is(i, "new") && p.is(i+1, "year", "york") {
			break
		}
		if p.is(i, "on") && p.is(i+1, "call", "duty", "shift", "leave") || // "on call from Friday"
			i+1 < len(p.tokens) && p.is(i+1, "-") && !p.tokens[i+1].spaced && p.tokens[i].kind == word { // "in-service training"
			break
		}
		if p.pictured(i) || !generic && !(p.tokens[i].kind == mark && p.tokens[i].text != "#" && p.tokens[i].text != "@") &&
			!leadingWords[p.tokens[i].text] || p.tokens[i].prefix != "" {
			break
		}
		list = list[1:]
	}
	for len(list) > 0 {
		i := list[len(list)-1]
		closing := p.tokens[i].kind == mark && !p.is(i, ")", "%", "!") && !p.pictured(i) ||
			trailingWords[p.tokens[i].text] && p.tokens[i].prefix == ""
		if !closing {
			break
		}
		list = list[:len(list)-1]
	}
	// A word that is cut off by a time in the middle is dropped too: "lunch on [Tuesday] with Dana".
	kept := list[:0:0]
	for k, i := range list {
		cut := k+1 < len(list) && list[k+1] != i+1
		if cut && (p.tokens[i].kind == mark && !p.pictured(i) ||
			trailingWords[p.tokens[i].text] && p.tokens[i].prefix == "") {
			continue
		}
		if k > 0 && list[k-1] != i-1 && p.tokens[i].kind == mark && p.tokens[i].text != "#" && p.tokens[i].text != "(" &&
			!p.pictured(i) {
			continue
		}
		kept = append(kept, i)
	}
	return slices.DeleteFunc(kept, func(i int) bool {
		return p.is(i, "חדש", "חדשה") && (p.is(i-1, "אירוע", "פגישה") || i == 0)
	})
}

// timeVerbs say of a time only that it is the event's.
var timeVerbs = setOfWords(
	"מתחילימ ומתחילימ מתחיל ומתחיל מתחילה שמתחילימ starts starting lasts lasting begins beginning " +
		"שמתחיל שמתחילה שיתחיל שתתחיל המתחיל המתחילה שנמשכ שנמשכת ונמשכ " +
		"ונמשכת הנמשכ הנמשכת שיימשכ שתימשכ ותימשכ ויימשכ שיהיה שתהיה שמתקיימ שמתקיימת שתתקיימ שיתקיימ")

var (
	leadingWords = setOfWords(
		"as a an the my our new another some for of that and to on at in i we just את של לי לנו חדש חדשה ב ל")
	trailingWords = setOfWords(
		"a an the my our at on in for from to by and of is it one starting start called named שלי ב ל מ את של ו עד בינ ה " +
			"עוד לעוד")
)
