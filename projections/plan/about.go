package plan

import (
	"strings"
	"unicode/utf8"

	"almanac/projections/fold"
	"almanac/projections/tagger"
	"almanac/projections/when"
)

// likelyBeside is how likely a word next to a name belongs to it, from which on the name is not taken for the whole of
// what was said: "the dentist reminder" where there is the dentist.
const likelyBeside = 0.3

// About reads a sentence that has led nowhere once more, knowing that the bytes from and to of it name a thing that is
// there, by its title: so it is known where the name ends, which words alone often do not say ("bump the budget review
// half an hour later"). The first of its plans is the grammar's, then come the statistical reader's. All of them read,
// change, complete or delete what has the title and nothing else; none where neither reader is sure.
func About(text string, from, to int, title string, at when.Moment) []Plan {
	if from < 0 || to > len(text) || from >= to || utf8.RuneCountInString(text) > longestText ||
		len(strings.Fields(text)) > longestJudged || strings.ContainsAny(text+title, "\n\"“”„״") {
		return nil
	}
	l := likelyOf(text, at)
	tokens := tagger.Tokens(text, TimeSpans(text, at))
	l.kindIs(tagger.KindOf(tagger.WithThing(tokens, from, to)))
	if !wholeName(tokens, l.kind, from, to) {
		return nil
	}
	l.name, l.pieces, l.clear, l.edge, l.open = title, 1, 1, 0, false
	l.named = [][2]int{{from, to}}
	var out []Plan
	if read, err := Understand(text[:from]+`"`+title+`"`+text[to:], at); err == nil && read.concerns(title) {
		l.doubts(&read, text, at)
		read.ofWhole(text)
		out = append(out, read)
	}
	if !l.makes() && l.certain(text, at) {
		for _, read := range l.plans(text, at) {
			if read.concerns(title) {
				out = append(out, read)
			}
		}
	}
	return out
}

// wholeName reports whether the words beside a name are none of it: no word that joins another one to it ("with Dan"),
// and none that is likely to belong to it in a request of a kind.
func wholeName(tokens []tagger.Token, kind tagger.Kind, from, to int) bool {
	chances := tagger.Names(tokens, kind)
	for i, token := range tokens {
		next := i+1 < len(tokens) && tokens[i+1].From >= from && token.To <= from
		behind := i > 0 && tokens[i-1].To <= to && token.From >= to
		if (next || behind) && token.IsWord() && chances[i] > likelyBeside || behind && joinsNames[token.Text] {
			return false
		}
	}
	return true
}

// joinsNames are the words behind a name that join more of it.
var joinsNames = setOfWords("with w of for about from and or & + עם של על אצל לגבי בנושא ועם")

// concerns reports whether a plan is about what has a title, and makes nothing.
func (p Plan) concerns(title string) bool {
	said := ""
	switch {
	case p.Update != nil && !p.Update.Target.All:
		said = p.Update.Target.Title
	case p.Delete != nil && !p.Delete.Target.All:
		said = p.Delete.Target.Title
	case p.Search != nil:
		said = p.Search.Query
	case p.Tool == ToolUpdateTask, p.Tool == ToolCompleteTask, p.Tool == ToolDeleteTask:
		said = p.Task.Text
	}
	return said != "" && fold.Text(said) == fold.Text(title)
}
