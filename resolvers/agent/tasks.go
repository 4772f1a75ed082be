package agent

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/fold"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// The results of tasks.
type (
	agentTasks struct {
		Status string      `json:"status"`
		Count  int         `json:"count"`
		Tasks  []agentTask `json:"tasks"`
	}
	agentTask struct {
		TaskID     string `json:"task_id"`
		Text       string `json:"text"`
		Due        string `json:"due,omitempty"`
		Category   string `json:"category,omitempty"`
		Recurrence string `json:"recurrence,omitempty"`
		Completed  bool   `json:"completed"`
	}
)

func (t *turn) tasksOf(tasks []model.Task, total int) (agentTasks, []model.ID) {
	out := agentTasks{Status: agentDone, Count: total, Tasks: make([]agentTask, len(tasks))}
	ids := make([]model.ID, len(tasks))
	for i, task := range tasks {
		ids[i] = model.ID{Kind: model.KindTask, UUID: task.ID}
		out.Tasks[i] = agentTask{TaskID: t.ownID(ids[i]), Text: task.Text, Category: task.Category,
			Completed: !task.CompletedAt.IsZero()}
		if !task.DueAt.IsZero() {
			out.Tasks[i].Due = t.clock(task.DueAt)
		}
		if task.Recurrence != nil {
			out.Tasks[i].Recurrence = string(task.Recurrence.Type)
		}
	}
	return out, ids
}

// ownID is the id of a record that was found, or was made, which in a dry run is none.
func (t *turn) ownID(id model.ID) string {
	if t.dryRun && !t.planned.Tool.Reads() {
		return "dryrun_" + id.String()
	}
	return id.String()
}

// taskLine calls a task by its text, its time and its category.
func (t *turn) taskLine(task model.Task) string {
	line := core.OneLine(task.Text)
	if said := t.taskTime(task); said != "" {
		line += " – " + said
	}
	if task.Category != "" {
		line += " · " + core.OneLine(task.Category)
	}
	return line
}

func (t *turn) taskTime(task model.Task) string {
	at := task.DueAt
	if at.IsZero() {
		at = task.NextReminderAt
	}
	said := t.dated(at)
	if task.Recurrence != nil {
		repeats := map[model.RecurrenceType][2]string{model.Daily: {"daily", "מדי יום"}, model.Weekly: {"weekly", "מדי שבוע"},
			model.Monthly: {"monthly", "מדי חודש"}, model.Nudge: {"again and again", "שוב ושוב"}}[task.Recurrence.Type]
		said = strings.TrimSpace(said + ", " + t.say(repeats[0], repeats[1]))
		said = strings.TrimPrefix(said, ", ")
	}
	return said
}

// taskInput is a new task as createTask takes it.
func taskInput(one plan.NewTask) graph.CreateTaskInput {
	in := graph.CreateTaskInput{Text: one.Text, Category: core.TextOrNil(one.Category)}
	if !one.Due.IsZero() {
		in.DueDate = &model.DueDateInput{DateTimeInput: *instantInput(one.Due)}
	}
	if r := one.Repeat; r != nil {
		in.Recurrence = &graph.RecurrenceInput{Type: r.Type, Time: core.TextOrNil(r.Time), Days: r.Days}
		if r.DayOfMonth > 0 {
			day := int32(r.DayOfMonth)
			in.Recurrence.DayOfMonth = &day
		}
		if !r.Until.IsZero() {
			in.Recurrence.Until = instantInput(r.Until)
		}
	}
	return in
}

// createTasks adds the task, or asks first when there are several.
func (t *turn) createTasks(ctx context.Context, meant plan.Task) {
	if !t.besideEvents(ctx, meant.New) {
		return
	}
	if len(meant.New) > 1 {
		t.createSeveral(ctx, meant.New)
		return
	}
	if event, ok := t.eventAltered(ctx, meant.New[0]); ok {
		t.unclear(t.say("%s is in the calendar. What should become of it? Say, for example, “move it to Friday at 9” with "+
			"its name. To keep a task, say “add a task” before it.",
			"ביומן יש: %s. מה לשנות בו? אפשר לומר למשל „תזיז את” ושמו „ליום שישי ב-9”. כדי לשמור משימה אפשר לומר "+
				"„תוסיף משימה” בהתחלה.", event.Summary+" – "+t.spanOf(event)))
		return
	}
	if task, ok := t.taskOf(ctx, meant.New[0]); ok {
		sentence := t.say("There is the task %s. Say “move it to” and its name to move it, or what is to be done.",
			"יש כבר משימה: %s. אפשר לומר „תעביר את” ושמה כדי להזיז אותה, או מה צריך לעשות.", t.taskLine(task))
		t.unclear(sentence)
		return
	}
	if !t.agreed(ctx, t.say("Add this task?", "להוסיף את המשימה הזאת?"), t.newTaskLine(meant.New[0])) {
		return
	}
	done, err := t.domains.Tasks.CreateTask(ctx, taskInput(meant.New[0]))
	if err == nil && done.ExistingTask != nil {
		line := t.taskLine(done.ExistingTask.Record())
		sentence := t.say("You have this task already: %s", "המשימה הזאת כבר קיימת: %s", line)
		t.out.UserErrors = append(t.out.UserErrors, asOfText(done.UserErrors[0]))
		t.failed(sentence, sentence)
		return
	}
	if err != nil || t.settled(ctx, done.UserErrors, nil, err, "") {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	task := done.Task.Record()
	summary := t.say("Added task: %s", "נוספה משימה: %s", t.taskLine(task))
	if slices.Contains(t.planned.Defaulted, plan.SlotStart) {
		summary += "\n" + t.say("No hour was said; %s was taken.", "לא נאמרה שעה; נקבעה %s.",
			cmp.Or(t.hourOf(task), t.say("the usual one", "השעה הרגילה")))
	}
	t.wroteTask(summary, task)
}

// taskOf finds the one open task that a reminder without a verb may be about: it has all its words, of which there are
// two at least, and one more, its verb. "Remind me of the kitchen tap", where the kitchen tap is to be fixed.
func (t *turn) taskOf(ctx context.Context, one plan.NewTask) (model.Task, bool) {
	object := fold.Text("את")
	wordsOf := func(text string) []string {
		return slices.DeleteFunc(searchWords(text), func(word string) bool { return word == object })
	}
	words := wordsOf(one.Text)
	if len(words) < 2 || one.Due.IsZero() {
		return model.Task{}, false
	}
	found, err := t.tasksWith(ctx, words, true)
	if err != nil || len(found) != 1 || len(wordsOf(found[0].Text)) != len(words)+1 {
		return model.Task{}, false
	}
	return found[0], true
}

func (t *turn) hourOf(task model.Task) string {
	switch {
	case task.Recurrence != nil:
		return task.Recurrence.Time
	case task.DueAt.IsZero():
		return ""
	}
	return task.DueAt.In(t.v.Zone).Format("15:04")
}

// wroteTask is the answer of a tool that has done its work on one task.
func (t *turn) wroteTask(summary string, task model.Task) {
	result, ids := t.tasksOf([]model.Task{task}, 1)
	t.told(t.readBack(summary, true), result, ids...)
}

// createSeveral shows the tasks first, and adds those that are chosen.
func (t *turn) createSeveral(ctx context.Context, all []plan.NewTask) {
	labels := make([]string, len(all))
	for i, one := range all {
		labels[i] = core.OneLine(one.Text)
	}
	chosen, ok := t.chosen(ctx, "tasks", model.PickMany,
		t.say("Add these %d tasks?", "להוסיף את %d המשימות האלה?", len(all)), labels...)
	if !ok {
		return
	}
	in := graph.CreateTasksInput{}
	for i, one := range all {
		if chosen[i] {
			in.Tasks = append(in.Tasks, taskInput(one))
		}
	}
	done, err := t.domains.Tasks.CreateTasks(ctx, in)
	if err != nil || t.settled(ctx, done.UserErrors, nil, err, "") {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	tasks := records(done.Tasks)
	summary := t.say("Added %d tasks:", "נוספו %d משימות:", len(tasks))
	for _, task := range tasks {
		summary += "\n- " + t.taskLine(task)
	}
	for _, failure := range done.Errors {
		summary += "\n" + t.say("Not added: %s", "לא נוספה: %s", failure.Message)
	}
	if len(tasks) == 0 {
		t.failed(summary, summary)
		return
	}
	result, ids := t.tasksOf(tasks, len(tasks))
	t.told(t.readBack(summary, true), result, ids...)
}

func records(views []projections.Task) []model.Task {
	out := make([]model.Task, len(views))
	for i, view := range views {
		out[i] = view.Record()
	}
	return out
}

// taskTarget names the task by words of its text.
func taskTarget(text string) *graph.TaskTargetInput {
	return &graph.TaskTargetInput{Match: &graph.TaskMatchInput{Text: text}}
}

func (t *turn) noTask(text string) string {
	return t.say("You have no open task called %s.", "אין משימה פתוחה בשם %s.", quote(text))
}

// updateTask moves a task, or renames it.
func (t *turn) updateTask(ctx context.Context, meant plan.Task) {
	before := t.taskBefore(ctx, meant.Text)
	in := graph.UpdateTaskInput{Target: taskTarget(meant.Text), Set: &graph.TaskPatch{}, Confirm: t.confirm}
	if !meant.Due.IsZero() {
		in.Set.DueDate = graphql.OmittableOf(&model.DueDateInput{DateTimeInput: *instantInput(meant.Due)})
	}
	if meant.NewText != "" {
		in.Set.Text = graphql.OmittableOf(&meant.NewText)
	}
	done, err := t.domains.Tasks.UpdateTask(ctx, in)
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, t.noTask(meant.Text)) {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	task := done.Task.Record()
	summary := t.say("Changed task: %s", "המשימה שונתה: %s", t.taskLine(task))
	if before.ID == task.ID && !meant.Due.IsZero() && !before.DueAt.IsZero() {
		summary += "\n" + t.say("It was due %s.", "המועד הקודם: %s.", t.dated(before.DueAt))
	}
	if slices.Contains(t.planned.Defaulted, plan.SlotStart) {
		summary += "\n" + t.say("No hour was said; %s was taken.", "לא נאמרה שעה; נקבעה %s.", t.hourOf(task))
	}
	t.wroteTask(summary, task)
}

// taskBefore reads the one open task with these words as it stands, for what is read back; the zero task when there are
// none or several.
func (t *turn) taskBefore(ctx context.Context, words string) model.Task {
	found, _, err := t.domains.Tasks.FindTasks(ctx, t.v, wantedTasks{Search: words}, 2)
	if err != nil || len(found) != 1 {
		return model.Task{}
	}
	return found[0]
}

// wantedTasks is what FindTasks takes.
type wantedTasks = struct {
	From, To           time.Time
	Overdue, Completed bool
	Category, Search   string
}

// completeTask completes the task that is meant.
func (t *turn) completeTask(ctx context.Context, meant plan.Task) {
	done, err := t.domains.Tasks.CompleteTask(ctx,
		graph.CompleteTaskInput{Target: taskTarget(meant.Text), Confirm: t.confirm})
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, t.noTask(meant.Text)) {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	task := done.Task.Record()
	summary := t.say("Completed task: %s", "המשימה הושלמה: %s", core.OneLine(task.Text))
	if task.CompletedAt.IsZero() {
		summary += "\n" + t.say("It comes again %s.", "המועד הבא: %s.", t.taskTime(task))
	}
	t.wroteTask(summary, task)
}

// deleteTask deletes the task that is meant.
func (t *turn) deleteTask(ctx context.Context, meant plan.Task) {
	done, err := t.domains.Tasks.DeleteTask(ctx, graph.DeleteTaskInput{Target: taskTarget(meant.Text), Confirm: t.confirm})
	if err != nil || t.settled(ctx, done.UserErrors, done.Confirmation, err, t.noTask(meant.Text)) {
		if err != nil {
			t.fail(ctx, err)
		}
		return
	}
	t.wroteTask(t.say("Deleted task: %s", "המשימה נמחקה: %s", t.taskLine(done.Task.Record())), done.Task.Record())
	t.nodes = nil
}

// readTasks answers which tasks there are.
func (t *turn) readTasks(ctx context.Context, meant plan.Task) {
	wanted := wantedTasks{Overdue: meant.Overdue, Completed: meant.Completed, Category: meant.Category,
		Search: meant.Search}
	window := meant.Window
	if meant.Any {
		t.tasksAbout(ctx, meant.Search)
		return
	}
	if window != nil && !meant.Completed {
		wanted.From, wanted.To = window.From, window.To
	}
	tasks, total, err := t.domains.Tasks.FindTasks(ctx, t.v, wanted, agentReadMost)
	if err != nil {
		t.fail(ctx, err)
		return
	}
	if meant.Completed && window != nil {
		tasks = slices.DeleteFunc(tasks, func(task model.Task) bool {
			return task.CompletedAt.Before(window.From) || !task.CompletedAt.Before(window.To)
		})
		total = len(tasks)
	}
	if meant.Undated {
		tasks = slices.DeleteFunc(tasks, func(task model.Task) bool {
			return !task.DueAt.IsZero() || !task.NextReminderAt.IsZero()
		})
		total = len(tasks)
	}
	if total == 0 && meant.Search != "" && window == nil && !meant.Overdue && !meant.Completed && meant.Category == "" {
		t.tasksAbout(ctx, meant.Search) // by its words, in any form: "the tap" of "Fix the kitchen tap"
		return
	}
	summary := t.say("No tasks found.", "לא נמצאו משימות.")
	if total > 0 {
		summary = t.say("Found %d tasks:", "נמצאו %d משימות:", total)
		for _, task := range tasks {
			summary += "\n- " + t.taskLine(task)
		}
		if total > len(tasks) {
			summary += "\n" + t.say("… and %d more", "… ועוד %d", total-len(tasks))
		}
	}
	if t.planned.Ask != nil {
		t.answer(strconv.Itoa(total))
	}
	result, ids := t.tasksOf(tasks, total)
	t.told(summary, result, ids...)
}

// answer is what a question was after.
func (t *turn) answer(text string) { t.out.Answer = &text }
