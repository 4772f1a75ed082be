package plan

import "strings"

// listing reads what is asked of lists; false when no list is named, or the list of tasks is.
func (p *parser) listing() (bool, error) {
	asks := newSentence(p.text, p.at).asks()
	i := p.lead()
	at := p.listAt(i)
	if at < 0 || i >= len(p.tokens) {
		return false, nil
	}
	if _, ok := p.frameAt(i, newTasks); ok {
		return false, nil
	}
	for k := range p.tokens { // the list of tasks, and the calendar's
		if _, ok := p.taskListAt(k); ok && k > 0 || p.is(k, "calendar", "agenda", "יומנ", "ביומנ", "ליומנ") {
			return false, nil
		}
	}
	if p.has(at-1, taskNouns) || p.has(at+1, taskNouns) || p.is(at-1, "do", "guest", "mailing", "waiting") ||
		p.is(at+1, "הטודו", "המתנה", "המוזמנימ", "תפוצה") {
		return false, nil
	}
	p.useThanks()
	switch {
	case asks:
		return true, p.askingList(i, at)
	case p.is(at, "lists", "רשימות", "הרשימות"):
		return true, p.refusal(Unsupported, SlotTarget, whichList, at, at+1)
	}
	return p.onList(i, at)
}

// listAt finds the word for a list; -1 when there is none.
func (p *parser) listAt(from int) int {
	for i := from; i < len(p.tokens); i++ {
		if p.is(i, "list", "lists", "checklist") && i > from {
			return i
		}
		if _, _, ok := p.look(i, listWords); ok && p.hebrewAt(i) {
			return i
		}
	}
	return -1
}

// nameOf reads the name of the list whose word stands at i, and where its whole mention begins and ends.
func (p *parser) nameOf(i int) (name string, begin, end int) {
	begin, end = i, i+1
	if p.tokens[i].hebrew {
		if p.is(i+1, "בשמ", "שנקראת") {
			end++
		}
		from := end
		if end < len(p.tokens) && p.tokens[end].kind == quote {
			return p.tokens[end].raw, begin, end + 1
		}
		for end < len(p.tokens) && !p.used[end] && p.tokens[end].kind == word {
			end++
		}
		if from == end {
			return "", begin, end
		}
		return p.rawWithout(from, end, false), begin, end
	}
	if p.is(end, "called", "named", "titled", ":") && end+1 < len(p.tokens) && !p.is(end, ":") || end < len(p.tokens) &&
		p.tokens[end].kind == quote {
		from := end + btoi(p.is(end, "called", "named", "titled"))
		end = from
		for end < len(p.tokens) && !p.used[end] && p.tokens[end].kind != mark && !p.is(end, "with", "containing") {
			end++
		}
		for begin > 0 && p.is(begin-1, "the", "my", "our", "a", "new", "to", "on", "from", "off") {
			begin--
		}
		if from < end {
			return p.rawWithout(from, end, false), begin, end
		}
		return "", begin, end
	}
	from := i
	for from > 0 && p.tokens[from-1].kind == word && !p.tokens[from-1].hebrew && !listStops[p.tokens[from-1].text] &&
		!p.used[from-1] && i-from < 4 {
		from--
	}
	if from == i && from > 0 && p.tokens[from-1].kind == quote {
		from--
	}
	begin = from
	for begin > 0 && p.is(begin-1, "the", "my", "our", "a", "an", "new", "to", "on", "onto", "in", "into", "from", "off",
		"of", "out") {
		begin--
	}
	if from == i {
		return "", begin, end
	}
	return p.rawWithout(from, i, false), begin, end
}

var listStops = setOfWords(
	"the my our a an to on onto in into from off of out this that new all me and is are what's with for at it " +
		"another your their what show read make create start")

// askingList reads a question about a list, or about all of them.
func (p *parser) askingList(i, at int) error {
	p.out.Tool = ToolReadLists
	if p.is(at, "lists") || p.has(at, setOf("רשימות")) && p.hebrewAt(at) {
		for k, t := range p.tokens {
			if k != at && t.kind == word && !p.used[k] && !taskNoise[t.text] &&
				!p.is(k, "קיימות", "exist", "made", "created", "names") {
				return p.refusal(Unread, SlotQuery, unreadPart, k, k+1)
			}
		}
		p.out.List = &List{}
		if p.is(i, "כמה") || p.is(i, "how") && p.is(i+1, "many") {
			p.out.Ask = &Ask{What: AskCount}
		}
		return nil
	}
	name, begin, end := p.nameOf(at)
	if name == "" {
		return p.refusal(Missing, SlotTarget, whichList, at, at+1)
	}
	list := &List{Name: name}
	p.use(begin, end)
	var words []int
	for k, t := range p.tokens {
		if p.used[k] || t.kind == mark || t.kind == word && t.prefix == "" &&
			(taskNoise[t.text] || p.is(k, "items", "item", "things", "thing",
				"already", "add", "added", "put", "got", "buy", "empty", "missing", "anything", "something", "current",
				"currently", "הוספתי", "שמתי", "רשמתי", "ריקה", "חסר", "האמ", "כרגע", "contents", "written", "still", "כבר",
				"פריטימ", "הפריטימ", "דברימ", "רשומ", "כתוב")) {
			continue
		}
		words = append(words, k)
	}
	if p.is(i, "כמה") || p.is(i, "how") && p.is(i+1, "many") {
		p.out.Ask = &Ask{What: AskCount}
	}
	if len(words) > 0 {
		if words[len(words)-1]-words[0] >= 4 || words[len(words)-1] > begin && words[0] < begin {
			return p.refusal(Unread, SlotQuery, unreadPart, words[0], words[len(words)-1]+1)
		}
		list.Has = p.joined(words)
	}
	for _, k := range words {
		if listStates[p.tokens[k].text] {
			return p.refusal(Unread, SlotQuery, unreadPart, k, k+1)
		}
	}
	p.note(SlotTarget, begin, end)
	p.out.List = list
	return nil
}

// listStates say how an item or a list is, and are no items.
var listStates = setOfWords(
	"long short checked unchecked ticked bought done finished full new old first last updated changed " +
		"ארוכה קצרה מסומנ מסומנימ נקנה נקנו קנינו קניתי חדש ישנ עודכנה")

var (
	listAdds = framesOf(
		"add|put|append|include|throw|stick|write|jot|chuck|place|pop|enter, " +
			"תוסיף|תוסיפי|תוסיפו|הוסף|הוסיפי|להוסיף|שים|שימי|תשים|תשימי|לשים|תכניס|תכניסי|הכנס|הכניסי|להכניס|תרשום|תרשמי|" +
			"רשום|רשמי|לרשום|תכתוב|תכתבי|כתוב|כתבי לי?")
	listMakes = framesOf(
		"create|make|start|new|begin|open|build|set|write up? me?, add a new?, i need|want a new, " +
			"צור|צרי|תיצור|תיצרי|ליצור|תפתח|תפתחי|פתח|פתחי|לפתוח|תעשה|תעשי|לעשות|תכין|תכיני|הכן|להכין|תתחיל|תתחילי לי?, " +
			"הוסף|תוסיף|תוסיפי לי?")
	listTakes = framesOf(
		"remove|take|drop|delete|erase|scratch|strike, " +
			"תמחק|תמחקי|מחק|מחקי|למחוק|תוריד|תורידי|הורד|הורידי|להוריד|הסר|הסירי|תסיר|תסירי|להסיר|תוציא|תוציאי|הוצא|להוציא")
	listChecks  = framesOf("check|tick|cross|mark off?, i got|bought|have, got|bought, תסמן|תסמני|סמן|סמני|לסמן, קניתי")
	listDeletes = framesOf(
		"delete|remove|erase|trash, get rid of, throw away, תמחק|תמחקי|מחק|מחקי|למחוק|הסר|תסיר|בטל|תבטל")
)

// onList reads what is to become of a list or of its items.
func (p *parser) onList(i, at int) (bool, error) {
	name, begin, end := p.nameOf(at)
	hebrew := p.tokens[at].hebrew
	_, prefix, _ := p.look(at, listWords)
	joined := hebrew && prefix != "" && prefix != "ה" // "לרשימת", "מרשימת", "ברשימת"
	into := joined && strings.ContainsAny(prefix, "לב")
	outOf := joined && strings.Contains(prefix, "מ")
	if !hebrew {
		into = p.is(begin, "to", "on", "onto", "in", "into")
		outOf = p.is(begin, "from", "off", "out", "of")
	}
	if next, ok := p.frameAt(i, listMakes); ok && !into && !outOf && (begin <= next || p.onlyBetween(next, begin)) &&
		(hebrew || p.is(at, "list", "checklist")) {
		return true, p.makesList(i, next, at, name, end)
	}
	if next, ok := p.frameAt(i, listDeletes); ok && !into && !outOf && p.onlyBetween(next, begin) {
		p.out.Tool = ToolDeleteList
		if name == "" {
			return true, p.refusal(Missing, SlotTarget, whichList, i, len(p.tokens))
		}
		if bad := p.restOf2(end); bad >= 0 {
			return true, p.refusal(Unread, SlotTarget, unreadPart, bad, len(p.tokens))
		}
		p.out.List = &List{Name: name}
		return true, nil
	}
	p.out.Tool = ToolUpdateList
	list := &List{}
	next, adds := p.frameAt(i, listAdds)
	var takes, checks bool
	if !adds {
		if next, takes = p.frameAt(i, listTakes); !takes {
			next, checks = p.frameAt(i, listChecks)
		}
	}
	if !adds && !takes && !checks || adds && !into || takes && !outOf || checks && !into && !outOf {
		if _, isVerb := p.verbAt(i); isVerb == i && !joined && !into && !outOf {
			return false, nil
		}
		return true, p.refusal(Unread, "", unreadPart, i, len(p.tokens))
	}
	items := p.itemsOf(next, begin)
	if len(items) == 0 && hebrew && name != "" { // "תוסיף לרשימת הקניות עגבניות"
		first := at + 1
		if p.tokens[first].kind != quote && end > first+1 {
			name, items = p.rawWithout(first, first+1, false), p.itemsOf(first+1, len(p.tokens))
			end = len(p.tokens)
		}
	}
	if len(items) == 0 && !hebrew && p.is(end, ":") {
		items, end = p.itemsOf(end+1, len(p.tokens)), len(p.tokens)
	}
	switch {
	case name == "" && adds: // what is on a list already says which one is meant
		return true, p.refusal(Missing, SlotTarget, whichList, i, len(p.tokens))
	case len(items) == 0:
		return true, p.refusal(Missing, SlotTitle, whichItems, i, len(p.tokens))
	}
	if bad := p.restOf2(end); bad >= 0 {
		return true, p.refusal(Unread, SlotTarget, unreadPart, bad, len(p.tokens))
	}
	list.Name = name
	switch {
	case adds:
		list.Items = items
	case takes:
		list.Remove = items
	default:
		list.Check = items
	}
	p.note(SlotTarget, begin, end)
	p.out.List = list
	return true, nil
}

// onlyBetween reports whether only articles stand between two tokens.
func (p *parser) onlyBetween(from, to int) bool {
	for ; from < to; from++ {
		if !p.is(from, "the", "my", "our", "את", "כל", "whole", "entire", "a", "an", "me", "new", "לי", ":") &&
			!p.used[from] {
			return false
		}
	}
	return true
}

// restOf2 returns the first token from i on that is neither used nor a mark; -1 for none.
func (p *parser) restOf2(i int) int {
	for ; i < len(p.tokens); i++ {
		if !p.used[i] && p.tokens[i].kind != mark && !p.is(i, "שלי", "שלנו", "too", "as", "well", "גמ", "for", "me") {
			return i
		}
	}
	return -1
}

// makesList reads a new list with its items.
func (p *parser) makesList(i, next, at int, name string, end int) error {
	p.out.Tool = ToolCreateList
	list := &List{}
	called := p.is(at+1, "called", "named", "titled", "בשמ", "שנקראת", ":") ||
		at+1 < len(p.tokens) && p.tokens[at+1].kind == quote
	if p.tokens[at].hebrew {
		for k := at + 1; k < len(p.tokens); k++ { // "רשימה חדשה: ספרים", "רשימת קניות עם חלב"
			if p.is(k, ":", "עמ") || p.is(k, "שבה") {
				list.Items = p.itemsOf(k+1, len(p.tokens))
				if k > at+1 {
					name = p.rawWithout(at+1, k, false)
				}
				end = len(p.tokens)
				break
			}
		}
		for _, word := range []string{"חדשה של", "חדשה בשם", "חדשה", "של", "בשם"} {
			if rest, ok := strings.CutPrefix(name, word+" "); ok {
				name = rest
				break
			}
		}
		if name == "חדשה" {
			name = ""
		}
		if p.is(at+1, "חדשה") && p.hebrewAt(at+2) && strings.HasPrefix(p.tokens[at+2].text, "ל") { // "רשימה חדשה לטיול"
			name = cutLetters(name, 1)
		}
		if name == "" && len(list.Items) == 1 {
			name, list.Items = list.Items[0], nil
		}
	} else {
		if p.is(end, "with", "containing", ":", "for", "of") {
			if p.is(end, "for", "of") && !called {
				colon := end + 1
				for colon < len(p.tokens) && !p.is(colon, ":") {
					colon++
				}
				if colon == end+1 {
					return p.refusal(Missing, SlotTitle, whatList, i, len(p.tokens))
				}
				list.Items = p.itemsOf(colon+1, len(p.tokens))
				name, end = p.rawWithout(end+1, colon, false), len(p.tokens)
			} else {
				list.Items = p.itemsOf(end+1, len(p.tokens))
				end = len(p.tokens)
			}
		}
		if !called && name != "" && !strings.Contains(strings.ToLower(name), "list") && p.is(at, "list") && p.nameBefore(at) {
			name = leading(name) + " list"
		}
	}
	if name == "" {
		return p.refusal(Missing, SlotTitle, whatList, i, len(p.tokens))
	}
	if bad := p.restOf2(end); bad >= 0 {
		return p.refusal(Unread, SlotTitle, unreadPart, bad, len(p.tokens))
	}
	list.Name = name
	p.note(SlotTitle, next, end)
	p.out.List = list
	return nil
}

// nameBefore reports whether the name of a list stands before its word.
func (p *parser) nameBefore(at int) bool {
	return at > 0 && p.tokens[at-1].kind == word && !listStops[p.tokens[at-1].text]
}

// itemsOf reads the items between two tokens: divided by commas, "and" and the Hebrew ו.
func (p *parser) itemsOf(from, to int) []string {
	var out []string
	var part []int
	cut := false
	flush := func() {
		for len(part) > 0 && p.is(part[0], "some", "a", "an", "the", "my", "את", "גמ", "also", "more", "קצת", "עוד") &&
			len(part) > 1 {
			part = part[1:]
		}
		for len(part) > 0 && (p.tokens[part[len(part)-1]].kind == mark && !p.is(part[len(part)-1], ")", "%") ||
			p.is(part[len(part)-1], "as", "off", "bought", "done", "too", "גמ", "כקנוי", "כנקנה", "שנקנה")) {
			part = part[:len(part)-1]
		}
		if len(part) > 0 {
			text := p.joined(part)
			if len(part) == 1 && p.tokens[part[0]].kind == quote {
				text = p.tokens[part[0]].raw
			}
			if first := p.tokens[part[0]]; cut && first.prefix != "" {
				text = strings.TrimPrefix(strings.TrimPrefix(text, first.prefix), "-")
			} else if cut {
				text = cutLetters(text, 1)
			}
			out = append(out, text)
		}
		part, cut = nil, false
	}
	for i := from; i < to && i < len(p.tokens); i++ {
		t := p.tokens[i]
		switch {
		case p.used[i] && !p.is(i, ","):
		case p.is(i, ",", ";", "and", "&", "+", "plus"):
			flush()
		case t.kind == number && t.prefix == "ו" && len(part)+len(out) > 0: // "חלב ו-2 חבילות אורז"
			flush()
			part, cut = []int{i}, true
		case t.kind == word && t.hebrew && t.prefix == "" && len(part) > 0 && strings.HasPrefix(t.text, "ו") &&
			!owned[t.text] &&
			len([]rune(t.text)) > 2:
			flush()
			part, cut = []int{i}, true
		case t.kind == word && t.hebrew && len(part) == 0 && len(out) > 0 && strings.HasPrefix(t.text, "ו") &&
			!owned[t.text] &&
			len([]rune(t.text)) > 2:
			part, cut = []int{i}, true
		case len(part) == 0 && p.is(i, ":", "-", "."):
		default:
			part = append(part, i)
		}
	}
	flush()
	return out
}

// owned are Hebrew words whose first letter ו is their own.
var owned = setOfWords(
	"וניל ורדימ ורד ופל ופלימ ויטמינימ ויטמינ וילונ וילונות ויסקי וודקה וואפל ווק וזלינ ועד וירטואלי וריד")

var (
	whichList  = reason{"Which list is meant? Say its name.", "לאיזו רשימה הכוונה? אפשר לומר את שמה."}
	whatList   = reason{"What shall the list be called?", "איך לקרוא לרשימה?"}
	whichItems = reason{"Which items are meant?", "לאילו פריטים הכוונה?"}
)
