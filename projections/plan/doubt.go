package plan

import (
	"slices"
	"strings"

	"almanac/projections/tagger"
	"almanac/projections/when"
)

// Bounds of what the other reader of sentences takes for likely, below which the user is asked, found on sets that it
// had not been trained on (decisions 68, 71, 75): of the kind of what would be made, of each word of its name, of those
// of a name that is put together from several pieces of the sentence, and of those of an item of a list.
const (
	unlikelyKind  = 0.3
	unlikelyWord  = 0.35
	unlikelyPiece = 0.5
	unlikelyItem  = 0.2
)

// longestJudged is how many words a sentence has at most that the other reader is asked about: it has learned from
// sentences of up to 30 words, and knows nothing of what is dictated at length.
const longestJudged = 40

// kindsOf are the kinds of request that the tools stand for of which a plan may be doubted. Changes of tasks name what
// is there, and are asked about where it is not; of lists only what is added is doubted.
var kindsOf = map[Tool]tagger.Kind{
	ToolCreate: tagger.NewEvent, ToolUpdate: tagger.EventChange, ToolDelete: tagger.EventEnd,
	ToolCreateTask: tagger.NewTask, ToolStoreMemory: tagger.NewMemory, ToolUpdateList: tagger.ListAdd,
}

// doubted reports whether the statistical reader takes a sentence for another request than the plan that the grammar
// has made of it, or some words of the name for none of it.
func doubted(out Plan, text string, at when.Moment) bool {
	kind, known := kindsOf[out.Tool]
	if !known || out.List != nil && len(out.List.Items) == 0 || len(strings.Fields(text)) > longestJudged {
		return false
	}
	tokens := tagger.Tokens(text, TimeSpans(text, at))
	chances := tagger.KindOf(tokens)
	if out.Update != nil || out.Delete != nil { // what they name must be there, so a question is all that is feared
		return chances.Reads() > 0.5
	}
	if chances[kind] < unlikelyKind {
		return true
	}
	least := unlikelyWord
	if out.List != nil {
		least = unlikelyItem
	}
	return slices.ContainsFunc(madeNames(out), func(name string) bool {
		doubt := tagger.NameDoubt(tokens, kind, name)
		return doubt.Least < least || doubt.Pieces > 1 && doubt.Least < unlikelyPiece
	})
}

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
