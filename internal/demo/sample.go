package demo

import (
	"slices"
	"time"

	"almanac/graph/model"
	"almanac/projections/recur"
	"almanac/projections/when"
)

// Data is the sample: tasks with their subtasks and history, lists with their items, and memories with their history,
// oldest first; and the knowledge graph.
type Data struct {
	At        time.Time
	Tasks     []model.Task
	Lists     []model.List
	Memories  []model.Memory
	Knowledge Knowledge
}

// day counts from today; 0 is today, -1 yesterday.
type day int

// entry is one task of the sample, written as a person would say it.
type entry struct {
	text, category string
	// due is the day and the wall-clock hour and minute; dated reports whether there is one.
	dated        bool
	due          day
	hour, minute int
	// soon places the due date this long after now instead, for what must lie ahead at any hour.
	soon     time.Duration
	reminder time.Duration
	rule     *recur.Input
	// age is how many days ago it was added.
	age   int
	steps []step
	// doneAgo completes it that many days ago, for good.
	doneAgo int
	// history are days ago on which a repeating task was completed.
	history []int
}

type step struct {
	text string
	done bool
}

func at(hour, minute int) *string {
	text := time.Date(2000, 1, 1, hour, minute, 0, 0, time.UTC).Format("15:04")
	return &text
}

func number[T any](n T) *T { return &n }

// entries are the tasks, oldest first, since ids grow with time.
func entries() []entry {
	all := []entry{
		{text: "Renew passport", category: "personal", age: 20,
			steps: []step{{"Photos", true}, {"Form", false}, {"Appointment at the office", false}}},
		{text: "לקרוא את החוזה של הדירה", category: "בית", age: 16},
		{text: "Back up the photos", age: 15, doneAgo: 2, dated: true, due: -2, hour: 21},
		{text: "Take vitamins", category: "health", age: 14, rule: &recur.Input{Type: model.Daily, Time: at(8, 0)},
			history: []int{3, 2, 1}},
		{text: "Water the plants", category: "home", age: 14, rule: &recur.Input{Type: model.Weekly,
			Days: []model.Weekday{model.Sunday, model.Wednesday}, Time: at(7, 30)}, history: []int{4}},
		{text: "Pay the rent", category: "finance", age: 13,
			rule: &recur.Input{Type: model.Monthly, DayOfMonth: number(1), Time: at(9, 0)}},
		{text: "אימון בפארק", category: "בריאות", age: 13, rule: &recur.Input{Type: model.Weekly,
			Days: []model.Weekday{model.Monday, model.Thursday}, Time: at(18, 30)}, history: []int{6, 2}},
		{text: "Electricity bill", category: "finance", dated: true, due: -3, hour: 12, age: 9},
		{text: "להחזיר ספר לספרייה", category: "משפחה", dated: true, due: -1, hour: 17, age: 8},
		{text: "Reply to Dana about the contract", category: "work", dated: true, due: -1, hour: 10, reminder: time.Hour,
			age: 4},
		{text: "Morning stand-up notes", category: "work", dated: true, due: 0, hour: 0, minute: 5, age: 2},
		{text: "Call mom", category: "family", soon: 45 * time.Minute, reminder: 15 * time.Minute, age: 1},
		{text: "לשלוח חשבונית ללקוח", category: "עבודה", soon: 2 * time.Hour, age: 1},
		{text: "Pick up the parcel", category: "errands", dated: true, due: 0, hour: 23, minute: 30, age: 1},
		{text: "Dentist", category: "health", dated: true, due: 1, hour: 9, minute: 30, reminder: 2 * time.Hour, age: 12},
		{text: "Prepare the quarterly review", category: "work", dated: true, due: 1, hour: 16, age: 6,
			steps: []step{{"Collect the numbers", true}, {"Draft the slides", true}, {"Ask Noa for comments", false}}},
		{text: "ארוחת ערב אצל סבתא, להביא פרחים", category: "משפחה", dated: true, due: 3, hour: 19, reminder: 3 * time.Hour,
			age: 3},
		{text: "Car inspection", category: "errands", dated: true, due: 5, hour: 8, minute: 15, age: 10},
		{text: "יום הולדת לאיתי — לקנות מתנה", category: "משפחה", dated: true, due: 8, hour: 12, age: 5},
		{text: "Flight to Berlin", category: "travel", dated: true, due: 19, hour: 6, minute: 40, reminder: 24 * time.Hour,
			age: 11},
		{text: "Answer the landlord", category: "home",
			rule: &recur.Input{Type: model.Nudge, Interval: number(30 * time.Minute)}, age: 1},
		{text: "Sort the inbox", age: 7},
		{text: "רעיונות לטיול באביב", category: "טיולים", age: 2},
		{text: "Fix the balcony light", category: "home", age: 0},
	}
	slices.SortStableFunc(all, func(a, b entry) int { return b.age - a.age })
	return all
}

type shelf struct {
	name  string
	check bool
	age   int
	items []step
}

func shelves() []shelf {
	return []shelf{
		{"Books to read", false, 30, []step{{"The Remains of the Day", false}, {"סיפור על אהבה וחושך", false},
			{"A Pattern Language", false}}},
		{"Packing", true, 10, []step{{"Passport", false}, {"Charger", true}, {"Rain jacket", false}, {"Headphones", true}}},
		{"קניות", true, 3, []step{{"חלב", false}, {"לחם", true}, {"עגבניות", false}, {"קפה", false}}},
		{"Groceries", true, 2,
			[]step{{"Milk", false}, {"Eggs", true}, {"Olive oil", false}, {"Bread", false}, {"Lemons", true}}},
		{"Gift ideas", false, 1, []step{{"איתי: כדורסל", false}, {"Mom: a scarf", false}}},
	}
}

// Sample is the sample data as of a moment. What is due soon lies after now, what is overdue before it; the rest is
// placed on days in the moment's zone.
func Sample(moment when.Moment, idAt func(time.Time) model.UUID) Data {
	out := Data{At: moment.Now}
	for i, e := range entries() {
		out.Tasks = append(out.Tasks, e.task(moment, created(moment, e.age, i), idAt))
	}
	for i, s := range shelves() {
		added := created(moment, s.age, i)
		list := model.List{ID: idAt(added), Name: s.name, IsChecklist: s.check, CreatedAt: added, UpdatedAt: added}
		for j, item := range s.items {
			list.Items = append(list.Items, model.ListItem{
				ID: idAt(added), ListID: list.ID, Position: int64(j+1) << 20, Text: item.text, Checked: item.done, AddedAt: added,
			})
		}
		out.Lists = append(out.Lists, list)
	}
	for i, t := range thoughts() {
		out.Memories = append(out.Memories, t.memory(created(moment, t.age, i), moment, idAt))
	}
	out.Knowledge = Graph(moment, idAt)
	return out
}

// created places additions of one day a minute apart, before now.
func created(moment when.Moment, daysAgo, index int) time.Time {
	return moment.Now.AddDate(0, 0, -daysAgo).Add(-time.Hour + time.Duration(index)*time.Minute).UTC()
}

// onDay returns a wall-clock time on a day counted from today, in the moment's zone.
func onDay(moment when.Moment, d day, hour, minute int) time.Time {
	year, month, date := moment.Now.In(moment.Zone).Date()
	wall := time.Date(year, month, date+int(d), hour, minute, 0, 0, time.UTC)
	return when.Instant(wall, moment.Zone)
}

func (e entry) task(moment when.Moment, added time.Time, idAt func(time.Time) model.UUID) model.Task {
	task := model.Task{ID: idAt(added), Text: e.text, Category: e.category, Reminder: e.reminder, CreatedAt: added,
		UpdatedAt: added}
	task.Position = model.NewPosition(task.ID)
	switch {
	case e.soon > 0:
		task.DueAt = moment.Now.Add(e.soon).Truncate(time.Minute).Add(time.Minute).UTC()
	case e.dated:
		task.DueAt = onDay(moment, e.due, e.hour, e.minute)
	}
	if e.rule != nil {
		// The sample's rules are right by construction; the test proves it.
		if rule, err := recur.Normalise(*e.rule, moment.Now, moment.Zone); err == nil {
			task.Recurrence = &rule
		}
	}
	if planned, err := recur.Plan(task, moment.Now, recur.Creating); err == nil {
		task = planned
	}
	for _, s := range e.steps {
		task.Subtasks = append(task.Subtasks,
			model.Subtask{ID: idAt(added), TaskID: task.ID, Text: s.text, Completed: s.done, CreatedAt: added})
	}
	for _, ago := range e.history {
		done := onDay(moment, day(-ago), 20, 0)
		task.Completions = append(task.Completions,
			model.TaskCompletion{TaskID: task.ID, CompletedAt: done, Occurrence: onDay(moment, day(-ago), 8, 0)})
	}
	if e.doneAgo > 0 {
		task.CompletedAt = onDay(moment, day(-e.doneAgo), 20, 30)
		task.NextReminderAt = time.Time{}
		task.Completions = []model.TaskCompletion{{TaskID: task.ID, CompletedAt: task.CompletedAt}}
	}
	return task
}
