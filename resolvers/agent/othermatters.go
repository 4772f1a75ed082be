package agent

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/projections/plan"
	"almanac/projections/when"
)

// A sentence often does not say whether it is about an event, a task or an item of a list: "when is the passport
// renewal", "move pick up the parcel to tomorrow". Where nothing of the matter that it was taken for has the words, the
// others are looked at; a change is made there only when one open task is named beyond doubt.

// taskInstead turns a change of an event into one of a task, where no event is named and exactly one open task is: the
// question about events, if there is one, only offers similar ones. It reports whether it has answered.
func (t *turn) taskInstead(ctx context.Context, meant plan.Target, c *plan.Change,
	asked *projections.Confirmation) bool {
	if t.confirm != nil || t.planned.ByModel || t.planned.Proposed && !t.planned.Doubted || meant.Title == "" ||
		isGeneral(meant.Title) || meant.StartTime != "" || meant.DayOfWeek != "" {
		return false
	}
	if asked != nil {
		q := naming.New(meant.Title, naming.Event)
		if slices.ContainsFunc(asked.Candidates, func(one projections.Candidate) bool { return q.Names(one.Label) }) {
			return false
		}
	}
	tasks, _, err := t.domains.Tasks.FindTasks(ctx, t.v, wantedTasks{}, agentReadMost)
	if err != nil {
		return false
	}
	candidates := make([]naming.Candidate[int], len(tasks))
	for i, task := range tasks {
		candidates[i] = naming.Candidate[int]{ID: i, Name: task.Text, Same: task.Text}
	}
	decided := naming.Decide(naming.New(meant.Title, naming.Task), candidates, naming.Rules{})
	if decided.Outcome != naming.Found {
		return false
	}
	task := tasks[decided.Matches[0].ID]
	// "cancel the gym" is not the task to cancel the gym membership
	if c == nil && (!saysMost(meant.Title, task.Text) || endsSomething(task.Text) && !endsSomething(meant.Title)) {
		return false
	}
	if meant.Window != nil && (task.DueAt.Before(meant.Window.From) || !task.DueAt.Before(meant.Window.To)) {
		return false
	}
	one := plan.Task{Text: task.Text}
	if c == nil {
		t.becomes(plan.ToolDeleteTask, one)
		if t.meansIt(ctx) {
			t.deleteTask(ctx, one)
		}
		return true
	}
	if !t.taskChange(&one, task, *c) {
		return false
	}
	t.becomes(plan.ToolUpdateTask, one)
	if t.meansIt(ctx) {
		t.updateTask(ctx, one)
	}
	return true
}

// endsSomething reports whether a task is to cancel or to stop something: who names the rest of it with such a verb may
// mean to do the task.
func endsSomething(text string) bool {
	first, _, _ := strings.Cut(fold.Text(text), " ")
	switch first {
	case "cancel", "stop", "quit", "delete", "remove", "unsubscribe", fold.Text("לבטל"), fold.Text("למחוק"),
		fold.Text("להפסיק"), fold.Text("להסיר"):
		return true
	}
	return false
}

// becomes makes the plan one of a task.
func (t *turn) becomes(tool plan.Tool, one plan.Task) {
	t.planned.Plan = plan.Plan{Tool: tool, Task: &one, Hebrew: t.planned.Hebrew, Defaulted: t.planned.Defaulted,
		Ambiguous: t.planned.Ambiguous, Doubted: t.planned.Doubted}
	t.out.Tool = graph.AgentTool(tool)
}

// taskChange puts a change of an event into one of a task: its new title, day and hour. False for what a task has not.
func (t *turn) taskChange(one *plan.Task, task model.Task, c plan.Change) bool {
	if c.Location != "" || c.Note != "" || c.End != nil || c.Duration != 0 || c.Lengthen != 0 || c.AllDay ||
		!c.EndDate.IsZero() ||
		len(c.AddPeople)+len(c.RemovePeople) > 0 {
		return false
	}
	one.NewText = c.Title
	old := task.DueAt
	day := model.DateOf(t.v.Now.In(t.v.Zone))
	minute := 9 * 60
	if !old.IsZero() {
		local := old.In(t.v.Zone)
		day, minute = model.DateOf(local), local.Hour()*60+local.Minute()
	}
	switch {
	case c.ShiftDays != 0 || c.Shift != 0:
		if old.IsZero() {
			return false
		}
		one.Due = old.In(t.v.Zone).AddDate(0, 0, c.ShiftDays).Add(c.Shift)
	case c.Date.IsZero() && c.Start == nil:
		return one.NewText != ""
	default:
		if !c.Date.IsZero() {
			day = c.Date
		}
		if c.Start != nil {
			minute = c.Start.Hour*60 + c.Start.Minute
		}
		one.Due = when.Instant(day.Midnight().Add(time.Duration(minute)*time.Minute), t.v.Zone)
	}
	return one.Due.After(t.v.Now)
}

// otherMatters answers a question about the calendar, where nothing has its words, from the open tasks and the items of
// lists. With all they must have all words. It reports whether it has answered.
func (t *turn) otherMatters(ctx context.Context, query string, all bool) bool {
	words := searchWords(query)
	if len(words) == 0 {
		return false
	}
	if tasks, _ := t.tasksWith(ctx, words, all); len(tasks) > 0 {
		t.tellTasks(query, tasks)
		return true
	}
	if list, item := t.itemWith(ctx, query); item != "" {
		t.tellItem(query, list)
		return true
	}
	if all {
		return false
	}
	found, err := t.domains.Memories.Find(ctx, t.v, query, mostMemories)
	found = slices.DeleteFunc(found, func(memory model.Memory) bool {
		return !mostOf(words, memory.Content)
	})
	if err != nil || len(found) == 0 {
		return false
	}
	t.out.Tool = graph.AgentToolSearchMemories
	t.tellMemories(query, found)
	return true
}

// mostOf reports whether a text has more than half of some words. Fewer say nothing of what a question is about.
func mostOf(words []string, text string) bool {
	return 2*wordsIn(words, searchWords(text)) > len(words)
}

// pastVerb reports whether a word is a Hebrew verb of what somebody has done.
func pastVerb(word string) bool {
	return strings.HasSuffix(word, "תי") && utf8.RuneCountInString(word) > 4
}

// tasksWith returns the open tasks with all words, or with the most of them that any has.
func (t *turn) tasksWith(ctx context.Context, words []string, all bool) ([]model.Task, error) {
	tasks, _, err := t.domains.Tasks.FindTasks(ctx, t.v, wantedTasks{}, agentReadMost)
	// "שילמתי את החשמל": no task has the verb so
	if kept := slices.DeleteFunc(slices.Clone(words), pastVerb); len(kept) > 0 {
		words = kept
	}
	best := len(words)/2 + 1
	if all {
		best = len(words)
	}
	var out []model.Task
	for _, task := range tasks {
		switch n := wordsIn(words, searchWords(task.Text)); {
		case n > best && !all:
			out, best = []model.Task{task}, n
		case n >= best:
			out = append(out, task)
		}
	}
	return out, err
}

// tellTasks answers with open tasks that have words.
func (t *turn) tellTasks(query string, tasks []model.Task) {
	t.out.Tool = graph.AgentToolReadTasks
	summary := t.say("Found %d open tasks matching %s:", "נמצאו %d משימות פתוחות שמתאימות ל%s:", len(tasks), quote(query))
	for _, task := range tasks {
		summary += "\n- " + t.taskLine(task)
	}
	result, ids := t.tasksOf(tasks, len(tasks))
	t.told(summary, result, ids...)
}

// itemWith finds an item in all lists: the list, and its text; empty for none.
func (t *turn) itemWith(ctx context.Context, query string) (model.List, string) {
	lists, err := t.domains.Lists.FindLists(ctx, t.v, "", mostListsRead)
	if err != nil {
		return model.List{}, ""
	}
	asked := naming.New(query, naming.Item)
	for _, named := range lists {
		whole, err := t.domains.Lists.FindLists(ctx, t.v, named.Name, mostListsRead)
		if err != nil || len(whole) != 1 {
			continue
		}
		for _, item := range whole[0].Items {
			if asked.Names(item.Text) {
				return whole[0], item.Text
			}
		}
	}
	return model.List{}, ""
}

// mostListsRead is how many lists are looked through for an item.
const mostListsRead = 20

// tellItem answers with the list that has an item.
func (t *turn) tellItem(query string, list model.List) {
	t.out.Tool = graph.AgentToolReadLists
	summary := t.shownList(list, plan.List{Has: query})
	result, ids := t.listsOf(list)
	t.told(summary, result, ids...)
}

// tasksAbout answers which open tasks have the words of a question, all of them or most; else which event or item has.
func (t *turn) tasksAbout(ctx context.Context, query string) {
	words := searchWords(query)
	for _, all := range []bool{true, false} {
		tasks, err := t.tasksWith(ctx, words, all)
		switch {
		case err != nil:
			t.fail(ctx, err)
			return
		case len(tasks) > 0:
			t.tellTasks(query, tasks)
			return
		}
	}
	t.tellNothing(query)
}

// ofAnotherMatter takes back an answer from the calendar, or from what is remembered, where the other reader of
// sentences takes the question for one about another matter: a second reading may find something there, and otherwise
// it is asked which is meant.
func (t *turn) ofAnotherMatter() {
	if !t.planned.Doubted || !t.planned.Tool.Reads() || !t.out.Success {
		return
	}
	switch t.out.Tool {
	case graph.AgentToolRead, graph.AgentToolSearch, graph.AgentToolSchedule, graph.AgentToolSearchMemories:
		shown := t.out.Plan
		t.takenBack = true
		t.out, t.nodes = emptyAnswer(), nil
		t.out.Tool, t.out.Plan = graph.AgentTool(t.planned.Tool), shown
		t.unclear(t.say("What is this about: the calendar, tasks, a list, what you told me, or mail? Say it with that word.",
			"במה מדובר: ביומן, במשימות, ברשימה, במה שסיפרת לי או בדואר? אפשר לומר זאת עם המילה הזאת."))
	}
}

// tellNothing answers that no open task has the words of a question. They were not understood by a rule, so that is no
// answer to what was meant.
func (t *turn) tellNothing(query string) {
	sentence := t.say("No open task matches %s.", "אין משימה פתוחה שמתאימה ל%s.", quote(query))
	t.failed(sentence, sentence)
}

// itemAnywhere answers which list has an item; where none has, which task does.
func (t *turn) itemAnywhere(ctx context.Context, query string) {
	if list, item := t.itemWith(ctx, query); item != "" {
		t.tellItem(query, list)
		return
	}
	if words := searchWords(query); len(words) > 0 {
		if tasks, _ := t.tasksWith(ctx, words, true); len(tasks) > 0 {
			t.tellTasks(query, tasks)
			return
		}
	}
	sentence := t.say("%s is on none of your lists.", "%s אינו באף רשימה.", quote(query))
	t.failed(sentence, sentence)
}
