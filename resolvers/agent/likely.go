package agent

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/projections/plan"
	"almanac/projections/tagger"
	"almanac/resolvers/core"
)

// secondReading tries what a sentence is likely to mean where its first reading has led nowhere: it was refused, or
// what it names is not there. It returns a turn that has answered, or false, and then nothing was done.
func (t *turn) secondReading(ctx context.Context, limits bounds) (*turn, bool) {
	if t.confirm != nil || t.planned.ByModel || !t.ledNowhere() {
		return nil, false
	}
	plans, _, err := core.DecidedAs(ctx, "likely", func() ([]plan.Plan, error) {
		return t.otherPlans(ctx), nil
	})
	if err != nil {
		return nil, false
	}
	// what only asks never changes anything, however it is read, and what goes on is a reading
	asks := isReading(t.out.Tool) && t.planned.Asks || limits.after != ""
	for _, read := range plans {
		if asks && !read.Tool.Reads() {
			continue
		}
		other := &turn{Resolver: t.Resolver, v: t.v, text: t.text, planned: Planned{Plan: read}, dryRun: t.dryRun,
			hebrew: t.hebrew, out: emptyAnswer()}
		trial := graphql.WithFreshResponseContext(ctx) // what fails here is no failure of the request
		other.do(trial)
		if t.takenBack && plan.Tool(other.out.Tool).SameMatter(t.planned.Tool) {
			continue
		}
		asked := other.out.Confirmation
		if other.out.Success && !other.foundNothing() || asked != nil && (t.unread() ||
			asked.Kind == model.Approval && read.Doubted && changes(read)) {
			for _, failed := range graphql.GetErrors(trial) {
				core.AddError(ctx, failed)
			}
			return other, true
		}
	}
	return nil, false
}

// changes reports whether a plan changes, completes or deletes what is there already.
func changes(p plan.Plan) bool {
	switch p.Tool {
	case plan.ToolUpdate, plan.ToolDelete, plan.ToolUpdateTask, plan.ToolCompleteTask, plan.ToolDeleteTask,
		plan.ToolDeleteList:
		return true
	case plan.ToolUpdateList:
		return len(p.List.Items) == 0
	}
	return false
}

// unread reports whether the sentence was refused because it was not read, not because something is missing in it.
func (t *turn) unread() bool {
	refusal, ok := errors.AsType[*plan.Refusal](t.failure)
	return ok && refusal.NotRead()
}

// ledNowhere reports whether nothing was done and nothing found, because the sentence was not read, lacks something, or
// names what is not there or is named otherwise.
func (t *turn) ledNowhere() bool {
	if t.out.Success {
		return false
	}
	if asked := t.out.Confirmation; asked != nil {
		return asked.Kind == model.PickOne && !t.planned.Proposed
	}
	if refusal, ok := errors.AsType[*plan.Refusal](t.failure); ok {
		return refusal.NotRead() || refusal.Kind == plan.Missing
	}
	switch t.planned.Tool {
	case plan.ToolCreate, plan.ToolCreateTask, plan.ToolCreateList, plan.ToolStoreMemory:
		return false
	}
	return t.failure == nil || model.CodeOf(t.failure) == model.CodeNotFound
}

// foundNothing reports whether a reading was answered by nothing at all.
func (t *turn) foundNothing() bool {
	return t.out.Success && isReading(t.out.Tool) && t.planned.Search != nil && len(t.out.Events) == 0 && len(t.nodes) == 0
}

// longestTitle is how many words of a sentence are looked at as one name.
const longestTitle = 7

// titled is the name of one thing that is there, an event of the days to come or an open task, in a sentence.
type titled struct {
	title string
	// from and to are its bytes in the sentence.
	from, to int
}

// whole reports whether all words of the title that say what it is about are in the sentence's name.
func (n titled) whole(text string) bool {
	return len(searchWords(text[n.from:n.to])) >= len(searchWords(n.title))
}

// ends reports whether a plan deletes or completes something. That must be named whole.
func ends(p plan.Plan) bool {
	switch p.Tool {
	case plan.ToolDelete, plan.ToolDeleteTask, plan.ToolCompleteTask:
		return true
	}
	return false
}

// named finds the one thing that is there which the sentence names: the longest run of its words that names an event of
// the days to come or an open task beyond doubt. False where there is none, where two are named, and where what is
// there cannot be read.
func (t *turn) named(ctx context.Context) (titled, bool) {
	events, err := t.events.List(ctx, t.v, t.v.StartOfDay(), t.dayAt(knownDays), "", agentReadMost, t.fields)
	if err != nil {
		return titled{}, false
	}
	tasks, _, err := t.domains.Tasks.FindTasks(ctx, t.v, wantedTasks{}, agentReadMost)
	if err != nil {
		return titled{}, false
	}
	titles := make([]string, 0, len(events)+len(tasks))
	for _, event := range events {
		titles = append(titles, event.Summary)
	}
	for _, task := range tasks {
		titles = append(titles, task.Text)
	}
	slices.Sort(titles)
	return titleIn(t.text, tagger.Tokens(t.text, plan.TimeSpans(t.text, t.v.Moment.Moment)), slices.Compact(titles))
}

// titleIn finds the one of some titles that a sentence names.
func titleIn(text string, tokens []tagger.Token, titles []string) (titled, bool) {
	words := map[string]bool{}
	candidates := make([]naming.Candidate[int], len(titles))
	for i, title := range titles {
		candidates[i] = naming.Candidate[int]{ID: i, Name: title, Same: title}
		for _, word := range searchWords(title) {
			words[word] = true
		}
	}
	known := func(token tagger.Token) bool {
		word := strings.TrimSuffix(fold.Text(token.Text), "'s")
		return words[word] || words[strings.TrimPrefix(word, "ה")]
	}
	var found []titled
	for length := min(longestTitle, len(tokens)); length > 0; length-- {
		for i := 0; i+length <= len(tokens); i++ {
			run := tokens[i : i+length]
			from, to := run[0].From, run[length-1].To
			if !known(run[0]) || !known(run[length-1]) ||
				slices.ContainsFunc(run, func(one tagger.Token) bool { return one.Text == tagger.Time }) ||
				slices.ContainsFunc(found, func(other titled) bool { return from < other.to && other.from < to }) {
				continue
			}
			said := strings.TrimSuffix(text[from:to], "'s")
			decided := naming.Decide(naming.New(said, naming.Event), candidates, naming.Rules{})
			if decided.Outcome != naming.Found || isGeneral(said) {
				continue
			}
			if title := titles[decided.Matches[0].ID]; saysMost(said, title) {
				found = append(found, titled{title, from, to})
			}
		}
	}
	// a whole title goes before a part of one
	whole := slices.DeleteFunc(slices.Clone(found), func(one titled) bool { return !one.whole(text) })
	if len(whole) > 0 {
		found = whole
	}
	if len(found) != 1 {
		return titled{}, false
	}
	return found[0], true
}

// otherPlans are what a sentence may mean whose first reading has led nowhere, the surest first: knowing the name of
// the thing that is there, and by statistics alone.
func (t *turn) otherPlans(ctx context.Context) []plan.Plan {
	var out []plan.Plan
	thing, named := t.named(ctx)
	if named {
		out = plan.About(t.text, thing.from, thing.to, thing.title, t.v.Moment.Moment)
		out = slices.DeleteFunc(out, func(p plan.Plan) bool { return ends(p) && !thing.whole(t.text) })
	}
	if read, ok := plan.Likely(t.text, t.v.Moment.Moment); ok &&
		(!named || read.Read == nil && read.Schedule == nil) { // all of a day is no answer about one thing
		out = append(out, read)
	}
	refusal, ok := errors.AsType[*plan.Refusal](t.failure)
	if ok && refusal.Kind == plan.Missing && !isReading(t.out.Tool) {
		// what only lacks a part is no question
		out = slices.DeleteFunc(out, func(p plan.Plan) bool { return p.Tool.Reads() })
	}
	return out
}
