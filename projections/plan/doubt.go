package plan

import (
	"slices"
	"strings"
	"unicode"

	"almanac/projections/fold"
	"almanac/projections/tagger"
	"almanac/projections/when"
)

// Bounds of what the other reader of sentences takes for likely, on the wrong side of which the user is asked, found on
// sets that it had not been trained on (decisions 68, 71, 75, 76): of the kind of an event, and of a task or a note,
// that would be made; of each word of an event's name, of a task's, and of an item's; of those of a name that is all
// that is said beside a time, and of one that is put together from several pieces of the sentence; of a word that is
// likely of an event's name and that the plan has not; of that a sentence asks about the matter from which it is
// answered, more of those that look for an event or show all of a time, which any question can be taken for; and of the
// words that are looked for among events.
const (
	unlikelyEvent  = 0.7
	unlikelyKind   = 0.3
	unlikelyWord   = 0.6
	unlikelyTask   = 0.5
	unlikelyItem   = 0.2
	unlikelyWhole  = 0.35
	unlikelyPiece  = 0.7
	missingWord    = 0.5
	unlikelyMatter = 0.1
	unlikelySearch = 0.7
	unlikelyAll    = 0.5
	unlikelySought = 0.1
)

// longestJudged is how many words a sentence has at most that the other reader is asked about: it has learned from
// sentences of up to 30 words, and knows nothing of what is dictated at length.
const longestJudged = 40

// kindsOf are the kinds of request that the tools stand for of which a plan may be doubted. Changes of tasks name what
// is there, and are asked about where it is not; of lists only what is added is doubted.
var kindsOf = map[Tool]tagger.Kind{
	ToolCreate: tagger.NewEvent, ToolUpdate: tagger.EventChange, ToolDelete: tagger.EventEnd,
	ToolCreateTask: tagger.NewTask, ToolStoreMemory: tagger.NewMemory, ToolUpdateList: tagger.ListAdd,
	ToolRead: tagger.EventReading, ToolSchedule: tagger.EventReading, ToolSearch: tagger.EventReading,
	ToolSearchMemories: tagger.MemoryReading,
}

// doubted reports whether the statistical reader takes a sentence for another request than the plan that the grammar
// has made of it, some words of the name for none of it, or words that the plan has not for some of it; or whether the
// sentence itself leaves open what is meant: no hour, a denial, a name that is not whole. words are those of the
// sentence, asked for when they are needed.
func doubted(out Plan, text string, words func() []tagger.Token, at when.Moment) bool {
	kind, known := kindsOf[out.Tool]
	if !known || out.Tool == ToolUpdateList && len(out.List.Items) == 0 || len(strings.Fields(text)) > longestJudged {
		return false
	}
	tokens := words()
	chances := tagger.KindOf(tokens)
	// what lacks a part, the grammar has seen for itself
	unlikely := chances[kind] < unlikelyKind*(1-chances[tagger.Unclear])
	switch {
	case out.Tool.Reads():
		return chances[kind] < leastOfMatter(out) && !slices.ContainsFunc(tokens, func(t tagger.Token) bool {
			return calendarNamed[t.Text]
		})
	case out.Update != nil || out.Delete != nil: // what they name must be there, so the kind says little
		return chances.Reads() > 0.5 || deniesChange(text, at)
	case out.Create != nil:
		return chances[kind] < unlikelyEvent || slices.Contains(out.Defaulted, SlotStart) || onlyAnHour(out) ||
			doubtedNames(out, kind, tokens, unlikelyWord) || missesWords(out, tokens, text, at)
	case out.Tool == ToolCreateTask:
		return unlikely || doubtedNames(out, kind, tokens, unlikelyTask)
	case out.Tool == ToolStoreMemory:
		return unlikely || slices.ContainsFunc(tokens, func(t tagger.Token) bool {
			return nowOtherwise[t.Text]
		})
	}
	return unlikely || doubtedNames(out, kind, tokens, unlikelyItem)
}

// leastOfMatter returns how likely a question must be one about the matter that it is answered from.
func leastOfMatter(out Plan) float64 {
	switch {
	case out.Search != nil:
		return unlikelySearch
	case out.Schedule != nil:
		return unlikelyAll
	}
	return unlikelyMatter
}

// onlyAnHour reports whether an hour is all that is said of an event: "meeting at 10".
func onlyAnHour(out Plan) bool {
	return out.Verbless && slices.Contains(out.Defaulted, SlotDate) && generalNouns[fold.Text(out.Create.Title)] != 0
}

// soughtUnlikely reports whether a word that a plan looks for among events is unlikely to name one or somebody, as what
// is left over of a question: "how many meetings this week, ballpark". Finding nothing is no answer to it then.
func soughtUnlikely(out Plan, text string, words func() []tagger.Token) bool {
	if out.Search == nil || len(strings.Fields(text)) > longestJudged {
		return false
	}
	return tagger.NameDoubt(words(), tagger.EventReading, out.Search.Query).Least < unlikelySought
}

// doubtedNames reports whether words of a name are less likely of it than a bound, or more of those of a name that is
// put together from pieces of the sentence; whether a time stands amid it, or it is not whole.
func doubtedNames(out Plan, kind tagger.Kind, tokens []tagger.Token, least float64) bool {
	return slices.ContainsFunc(madeNames(out), func(name string) bool {
		doubt := tagger.NameDoubt(tokens, kind, name)
		if doubt.Whole {
			return doubt.Least < min(least, unlikelyWhole)
		}
		return doubt.Least < least || out.List == nil && (doubt.Pieces > 1 && doubt.Least < unlikelyPiece ||
			doubt.Timed || joinsAtEdge(name))
	})
}

// missesWords reports whether a word is likely of the name of an event that is in no text of its plan. Where the name
// is put together from pieces of the sentence, what stood between them counts although the plan has it elsewhere, as
// its place: "picnic in the park with Shai". Otherwise small words and numbers do not count.
func missesWords(out Plan, tokens []tagger.Token, text string, at when.Moment) bool {
	texts, pieces := newSentence(text, at).keeps(out).texts, 1
	if len(madeNames(out)) > 0 {
		pieces = tagger.NameDoubt(tokens, tagger.NewEvent, out.Create.Title).Pieces
	}
	if pieces > 1 {
		texts = out.Create.Title
	}
	for i, chance := range tagger.Missing(tokens, tagger.NewEvent, texts) {
		said := tokens[i].Text
		if chance > missingWord && (pieces > 1 || !linking[said] && !strings.ContainsFunc(said, unicode.IsDigit)) {
			return true
		}
	}
	return false
}

// joinsAtEdge reports whether a name begins or ends with a word that joins it to another one, so that it is not whole:
// "with Galia coffee".
func joinsAtEdge(name string) bool {
	words := strings.Fields(fold.Text(name))
	return len(words) > 0 && (joiningAtEdge[words[0]] || joiningAtEdge[words[len(words)-1]])
}

// joiningAtEdge are the words that a name neither begins nor ends with.
var joiningAtEdge = setOfWords("with for of about from by and or עם של על בין אצל עבור לגבי")

// calendarNamed are words that say that something is looked for, or that a question is about the calendar.
var calendarNamed = setOfWords("find search calendar schedule diary agenda event events meeting meetings " +
	"חפש חפשי תחפש תחפשי לחפש מצא תמצא תמצאי יומן היומן ביומן אירוע אירועים פגישה פגישות הפגישות הפגישה לוז הלוז בלוז")

// nowOtherwise are words which say of what is to be kept that it was another before: an older note may say so.
var nowOtherwise = setOfWords("now anymore longer changed")

// deniesChange reports whether a sentence of which a change is made denies a verb: "they haven't cancelled the
// concert".
func deniesChange(text string, at when.Moment) bool {
	p := newSentence(text, at)
	for i := range p.tokens {
		if p.deniesVerb(i) {
			return true
		}
	}
	return deniedChange().MatchString(text)
}

// deniedChange is a change or a deletion of which it is said that it has not been made.
var deniedChange = lazily(`(?i)(?:n't|\bnot|\bnever) (?:been |be )?(?:cancel|delet|remov|mov|postpon|reschedul)|` +
	`(?:^|\s)(?:לא|אל) (?:ביטל|בוטל|מחק|נמחק|הזיז|הוזז|זז|העביר|דח|נדח|הקדים|הוקדם|שינ)(?:\pL*)(?:\s|$)`)

// madeNames are the names of what a plan makes, as far as they come from the sentence.
func madeNames(out Plan) []string {
	switch {
	case out.Create != nil && !slices.Contains(out.Defaulted, SlotTitle):
		return []string{out.Create.Title}
	case out.Tool == ToolCreateTask && len(out.Task.New) == 1:
		return []string{out.Task.New[0].Text}
	case out.List != nil:
		return out.List.Items
	}
	return nil
}
