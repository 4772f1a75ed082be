package plan

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/projections/tagger"
	"almanac/projections/when"
)

// Bounds of how sure the statistical reader must be before what the grammar cannot read is put into words that it reads
// (decision 71), found on sets that it had not been trained on: of the kind of a request, firmly of one that reads,
// ends or completes; of the least sure word of a name that is made; and of that a sentence reads which is no question
// by its words; and that all of a time is asked about, where the sentence names nothing, and how likely one of its
// words may be of a name then: "am I meeting anybody called Shira this year" does not ask for the year.
const (
	sureKind    = 0.35
	sureFirmly  = 0.5
	sureName    = 0.15
	sureReading = 0.9
	sureOfAll   = 0.95
	sureNoName  = 0.08
	// doubtfulEdge is how likely the next word belongs to the name of something that is there, from which on leaving it
	// out may name another thing: "the meeting with Zoe" must not become "the meeting".
	doubtfulEdge = 0.3
)

// likely is what a sentence is likely to mean: the words of the statistical reader for it.
type likely struct {
	kind tagger.Kind
	// sure is how likely the kind is, and clear how far the least certain word is from being as likely of the name as not:
	// 0 for undecided, 1 for certain.
	sure, clear float64
	// edge is how likely the likeliest of the words behind a piece of the name belongs to it as well; open says that a
	// piece ends with a word that joins it to the next.
	edge float64
	open bool
	// name is what it is about, list the list; pieces is how many pieces of the sentence the name was put together from.
	name, list string
	pieces     int
	// most is how likely the likeliest word of a name is, tokens are those of the sentence.
	most   float64
	tokens []tagger.Token
	// reads is how likely the sentence only reads; named are the bytes of the name's pieces and the list's.
	reads float64
	named [][2]int
	// times are the words that say times.
	times  []string
	hebrew bool
}

// likelyOf reads a sentence by statistics.
func likelyOf(text string, at when.Moment) likely {
	spans := TimeSpans(text, at)
	tokens := tagger.Tokens(text, spans)
	out := likely{tokens: tokens, clear: 1, hebrew: strings.ContainsFunc(text, isHebrew)}
	out.kindIs(tagger.KindOf(tokens))
	for _, span := range spans {
		out.times = append(out.times, strings.Trim(text[span[0]:span[1]], " ,"))
	}
	separator := " "
	if out.kind == tagger.ListAdd {
		separator = ", "
	}
	names := tagger.Names(tokens, out.kind)
	if len(names) > 0 {
		out.most = slices.Max(names)
	}
	out.name = out.said(text, tokens, names, separator)
	out.pieces = len(out.named)
	if out.kind.OfLists() {
		out.list = out.said(text, tokens, tagger.Lists(tokens, out.kind), " ")
	}
	return out
}

// kindIs takes the likeliest kind.
func (l *likely) kindIs(chances tagger.Chances) {
	l.reads, l.sure = chances.Reads(), 0
	for kind, chance := range chances {
		if chance > l.sure {
			l.kind, l.sure = tagger.Kind(kind), chance
		}
	}
}

// said returns the words that more likely than not belong to a name, its pieces with a separator between them.
func (l *likely) said(text string, tokens []tagger.Token, chances []float64, separator string) string {
	var parts []string
	for i := 0; i < len(tokens); i++ {
		from := i
		for ; i < len(tokens) && chances[i] > 0.5; i++ {
			l.clear = min(l.clear, 2*chances[i]-1)
		}
		if i > from {
			l.open = l.open || linking[tokens[i-1].Text]
			l.named = append(l.named, [2]int{tokens[from].From, tokens[i-1].To})
			parts = append(parts, strings.Trim(text[tokens[from].From:tokens[i-1].To], " ,.:;!?-–"))
		}
		if i < len(tokens) && tokens[i].Text != tagger.Time {
			l.clear = min(l.clear, 1-2*chances[i])
			if i > from && tokens[i].IsWord() {
				l.edge = max(l.edge, chances[i])
			}
		}
	}
	return strings.Join(parts, separator)
}

// toolsOf are the tools of plans of a kind.
var toolsOf = map[tagger.Kind][]Tool{
	tagger.NewEvent: {ToolCreate}, tagger.EventChange: {ToolUpdate}, tagger.EventEnd: {ToolDelete},
	tagger.EventReading: {ToolRead, ToolSearch, ToolSchedule}, tagger.NewTask: {ToolCreateTask},
	tagger.TaskChange: {ToolUpdateTask}, tagger.TaskDone: {ToolCompleteTask}, tagger.TaskEnd: {ToolDeleteTask},
	tagger.TaskReading: {ToolReadTasks}, tagger.ListAdd: {ToolUpdateList}, tagger.ListCheck: {ToolUpdateList},
	tagger.ListTake: {ToolUpdateList}, tagger.ListReading: {ToolReadLists}, tagger.NewMemory: {ToolStoreMemory},
	tagger.MemoryEnd: {ToolDeleteMemory}, tagger.MemoryReading: {ToolSearchMemories},
	tagger.MailReading: {ToolReadMail}, tagger.Undoing: {ToolUndo},
}

// wording is how a kind of request is said in words that the grammar reads: {n} is the name, {t} the times, {to} the
// times as those that something is moved to, {t?} the times if any were said, {l} the list. What has a part that was
// not said is left out.
type wording struct{ en, he string }

var wordings = map[tagger.Kind][]wording{
	tagger.NewEvent: {{"add an event {n} {t}", "תוסיף אירוע {n} {t}"}},
	tagger.EventChange: {{"move {n} {to}", "תזיז את {n} {to}"}, {"move {n} {t}", "תזיז את {n} {t}"},
		{"extend {n} {t}", "תאריך את {n} {t}"}},
	tagger.EventEnd:     {{"cancel {n} {t?}", "תבטל את {n} {t?}"}},
	tagger.EventReading: {{"when is {n} {t?}?", "מתי {n} {t?}?"}, {"what's on my calendar {t}?", "מה יש לי ביומן {t}?"}},
	tagger.NewTask:      {{"remind me to {n} {t?}", "תזכיר לי {n} {t?}"}},
	tagger.TaskChange:   {{"move the task {n} {to}", "תעביר את המשימה {n} {to}"}},
	tagger.TaskDone:     {{"mark the task {n} as done", "סמן את המשימה {n} כבוצעה"}},
	tagger.TaskEnd:      {{"delete the task {n}", "תמחק את המשימה {n}"}},
	tagger.TaskReading: {{"find the task {n}", "תמצא את המשימה {n}"},
		{"what tasks do I have {t?}?", "איזה משימות יש לי {t?}?"}},
	tagger.ListAdd:   {{"add {n} to the {l} list", "תוסיף {n} לרשימת {l}"}},
	tagger.ListCheck: {{"check off {n} on the {l} list", "סמן {n} ברשימת {l}"}},
	tagger.ListTake:  {{"remove {n} from the {l} list", "תוריד {n} מרשימת {l}"}},
	tagger.ListReading: {{"what's on the {l} list?", "מה יש ברשימת {l}?"},
		{"what's on the {n} list?", "מה יש ברשימת {n}?"}},
	tagger.NewMemory:     {{"remember that {n}", "תזכור ש{n}"}},
	tagger.MemoryEnd:     {{"forget the memory about {n}", "תמחק את הזיכרון על {n}"}},
	tagger.MemoryReading: {{"what do I know about {n}?", "מה אני יודע על {n}?"}},
	tagger.MailReading:   {{"any mail from {n}?", "יש מיילים מ{n}?"}, {"any new mail?", "מיילים חדשים?"}},
	tagger.Undoing:       {{"undo that", "בטל את הפעולה האחרונה"}},
}

// words returns sentences for what is likely meant, in words that the grammar reads; those alone of which all parts
// were said.
func (l likely) words() []string {
	times := strings.Join(l.times, " ")
	to := l.target(times)
	parts := map[string]string{"{n}": l.name, "{t}": times, "{to}": to, "{l}": l.list}
	put := strings.NewReplacer("{n}", l.name, "{t}", times, "{to}", to, "{l}", l.list, "{t?}", times)
	var out []string
	for _, way := range wordings[l.kind] {
		words := way.en
		if l.hebrew {
			words = way.he
		}
		whole := true
		for part, said := range parts {
			whole = whole && (said != "" || !strings.Contains(words, part))
		}
		if whole {
			out = append(out, strings.ReplaceAll(strings.TrimSpace(put.Replace(words)), " ?", "?"))
		}
	}
	return out
}

// target returns times as those to which something is moved.
func (l likely) target(times string) string {
	if len(l.times) != 1 {
		return times
	}
	if l.hebrew {
		if strings.HasPrefix(times, "ל") || strings.HasPrefix(times, "מ") {
			return times
		}
		return "ל" + strings.TrimPrefix(times, "ב")
	}
	first, rest, _ := strings.Cut(times, " ")
	switch strings.ToLower(first) {
	case "to", "from", "by":
		return times
	case "on", "at", "for", "in":
		return "to " + rest
	}
	return "to " + times
}

// certain reports whether the reader is sure enough of what it takes a sentence for, and has left no word over that
// looks like a time.
func (l likely) certain(text string, at when.Moment) bool {
	if l.pieces > mostPieces(l.kind) || l.kind.OfTasks() && prioritized().MatchString(text) {
		return false
	}
	if l.kind == tagger.EventReading && l.name == "" && (l.sure < sureOfAll || l.most > sureNoName ||
		l.namesWhat(text)) {
		return false
	}
	if l.kind.Reads() {
		return l.sure >= sureFirmly && (l.reads > sureReading || newSentence(text, at).asks())
	}
	least := sureKind
	if mostPieces(l.kind) == 1 {
		least = sureFirmly
	}
	if l.sure < least || l.open || l.makes() && l.clear < sureName || !l.makes() && l.edge > doubtfulEdge ||
		looksLater().MatchString(text) {
		return false
	}
	return l.reads < 1-sureReading && !l.leftOver(text, at)
}

// looksLater is a later clause of a sentence that asks to look something up: what stands before it is told, and is no
// order.
var looksLater = lazily(`(?i)[.,;!?] ?(?:and |so |ו)?` +
	`(?:check|verify|see if|tell me|show me|תבדו?קי?|בדו?קי?|תרא[הי]|תגידי?)(?:\s|$)`)

// namesWhat reports whether a sentence of which all of a time would be shown names something: in Hebrew what somebody
// has, if that is no word for anything, in English a word with a capital letter. All that there is at that time is no
// answer then.
func (l likely) namesWhat(text string) bool {
	tokens := l.tokens
	if len(tokens) > 2 && tokens[0].Text == "יש" && (tokens[1].Text == "לי" || tokens[1].Text == "לנו") {
		return tokens[2].IsWord() && !anything[tokens[2].Text]
	}
	return slices.ContainsFunc(tokens[min(1, len(tokens)):], func(token tagger.Token) bool {
		first, _ := utf8.DecodeRuneInString(text[token.From:])
		return token.Text != tagger.Time && unicode.IsUpper(first) && token.Text != "i" &&
			!strings.HasPrefix(token.Text, "i'")
	})
}

// anything are words for whatever there is.
var anything = setOfWords("משהו זמנ עוד דברימ תוכניות תכניות פגישות אירועימ כמה מה משימות כלומ חור חלונ מקומ פנאי " +
	"כבר איזה איזשהו איזושהי אפשרות סיכוי")

// changesSense are words that make of a time another one, or of a task one that tasks here are not.
var changesSense = setOf("following next last same half urgent urgently priority important למחרת עוקב הבא הבאה חצי " +
	"שאחרי שאחריו שאחריה " +
	"דחופ דחופה דחופימ חשוב חשובה בעדיפות")

// denying are words that say that something is not to be done, where a verb follows.
var denying = setOfWords("don't dont not never no nor without won't אל לא בלי")

// deniesVerb reports whether a word denies a verb that stands close behind it: "don't you dare cancel", "אל תבטל". What
// is not needed any more may well be to go: "לא צריך וטרינר, תמחקי".
func (p *parser) deniesVerb(i int) bool {
	if p.tokens[i].kind != word || !denying[p.tokens[i].text] {
		return false
	}
	if p.is(i, "never") && p.is(i+1, "mind") {
		return true
	}
	for k := i + 1; k < len(p.tokens) && k <= i+3 && p.tokens[k].kind == word; k++ {
		if p.is(k, "need", "needed", "צריכ", "צריכה", "צריכימ", "רלוונטי", "רלוונטית") {
			return false
		}
		if act, _ := p.verbAt(k); act != noAction {
			return true
		}
	}
	return false
}

// linking are words that a name does not end with.
var linking = setOfWords("with for of about at in to from by and or the a an עם של על את בין אצל עבור לגבי")

// mostPieces is how many pieces of a sentence a name may be put together from.
func mostPieces(kind tagger.Kind) int {
	switch kind {
	case tagger.ListAdd:
		return 5
	case tagger.EventEnd, tagger.TaskEnd, tagger.TaskDone:
		return 1
	}
	return 2
}

// makes reports whether something new would be made. What is only named must be there.
func (l likely) makes() bool {
	switch l.kind {
	case tagger.NewEvent, tagger.NewTask, tagger.NewMemory, tagger.ListAdd:
		return true
	}
	return false
}

// leftOver reports whether a word that is of no name and no time looks like one, or whether the verb that was said may
// say which way a length counts, "להקדים בשעה", which the words that it is put into do not.
func (l likely) leftOver(text string, at when.Moment) bool {
	p := newSentence(text, at)
	p.scan()
	if l.kind == tagger.EventChange && l.staysPut(text, at) {
		return true
	}
	if (l.kind == tagger.EventChange || l.kind == tagger.TaskChange) &&
		slices.ContainsFunc(p.items, func(it item) bool {
			return it.sort == aLength || it.sort == aShift &&
				!p.is(it.to-1, "later", "earlier", "sooner", "מאוחר", "מוקדמ", "יותר")
		}) {
		return true
	}
	var rest []int
	for i, token := range p.tokens {
		if !slices.ContainsFunc(p.items, func(it item) bool { return it.from <= i && i < it.to }) &&
			!slices.ContainsFunc(l.named, func(span [2]int) bool { return span[0] <= token.from && token.to <= span[1] }) {
			rest = append(rest, i)
		}
	}
	return p.residue(rest) >= 0 || slices.ContainsFunc(rest, func(i int) bool {
		_, _, over := p.look(i, changesSense)
		return over || p.deniesVerb(i)
	})
}

// staysPut reports whether the times of a Hebrew sentence are days on which something is, not days to which it is
// moved, and no verb moves it: "היוגה היום בסטודיו החדש".
func (l likely) staysPut(text string, at when.Moment) bool {
	if !l.hebrew || len(l.times) == 0 || slices.ContainsFunc(l.times, func(said string) bool {
		return strings.HasPrefix(said, "ל") || newSentence(said, at).saysHour()
	}) {
		return false
	}
	return !slices.ContainsFunc(strings.Fields(text), func(one string) bool { return movingSaid().MatchString(one) })
}

// movingSaid is a Hebrew verb of moving, as a command or as what has become of something.
var movingSaid = lazily(`^(?:` + classes["הזז"] + `|` + classes["אחר"] + `|` + classes["קדמ"] + `|` +
	`` + classes["הוזז"] + `|` +
	classes["שנה"] + `)[,.!]*$`)

// Likely reads a sentence as the statistical reader takes it, for where the grammar has refused it or what the grammar
// has read names nothing that is there. False where that reader is not sure enough of what is meant, or where something
// that the sentence says of times and numbers would be lost. What would be made from nothing is Doubted, so that it is
// shown first.
func Likely(text string, at when.Moment) (Plan, bool) {
	if utf8.RuneCountInString(text) > longestText || len(strings.Fields(text)) > longestJudged || quotes(text) {
		return Plan{}, false
	}
	l := likelyOf(text, at)
	if !l.certain(text, at) {
		return Plan{}, false
	}
	if plans := l.plans(text, at); len(plans) > 0 {
		return plans[0], true
	}
	return Plan{}, false
}

// doubts marks a change that no first reading has understood, so that it is asked about before it is done: of those of
// decision 76 a third were wrong. A deletion that was said with a verb of deleting was hardly ever wrong.
func (l likely) doubts(out *Plan, text string, at when.Moment) {
	if out.Update != nil || out.Tool == ToolUpdateTask || out.Delete != nil &&
		(l.sure < sureFirmly || !newSentence(text, at).deletes() || deniesChange(text, at)) {
		out.Doubted, out.Proposed = true, out.Update != nil || out.Delete != nil
	}
}

// deletes reports whether a verb of deleting is said.
func (p *parser) deletes() bool {
	for i := range p.tokens {
		if act, _ := p.verbAt(i); act == cancel || act == remove || act == free {
			return true
		}
	}
	return false
}

// plans returns the plans of the wordings of what is likely meant.
func (l likely) plans(text string, at when.Moment) []Plan {
	spelt := respelt(text)
	var plans []Plan
	for _, words := range l.words() {
		out, err := understandAs(words, at)
		if err != nil || !slices.Contains(toolsOf[l.kind], out.Tool) || guarded(out, spelt, true, at) != nil {
			continue
		}
		out.Doubted = l.makes()
		l.doubts(&out, text, at)
		out.ofWhole(text)
		plans = append(plans, out)
	}
	return plans
}
