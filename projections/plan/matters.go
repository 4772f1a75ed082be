package plan

import (
	"time"

	"almanac/graph/model"
)

// Task is what a sentence asks of tasks.
type Task struct {
	// New are the tasks to add, in the order of the sentence.
	New []NewTask
	// Text names the open task that is to be changed, completed or deleted.
	Text string
	// Due and NewText are what becomes of it; zero and empty stay.
	Due     time.Time
	NewText string
	// Window is when the tasks that are asked about are due; nil for any time.
	Window *Window
	// Overdue and Completed ask for those alone.
	Overdue, Completed bool
	// Undated asks for those that are due at no time.
	Undated bool
	// Category is the one that they have, and Search words of their text; empty for any.
	Category, Search string
	// Any says that tasks which have only some of the words of Search are an answer too.
	Any bool
}

// NewTask is a task to be added.
type NewTask struct {
	// Text is as it was written, with a capital at its start.
	Text     string
	Category string
	// Due is zero when no time was said. When only a day was, SlotStart is among the defaulted.
	Due    time.Time
	Repeat *TaskRepeat
	// Beside is set where the task is due at a distance from an event. Without a text it has the event's name.
	Beside *Beside
	// Alters names what the text would change, where the sentence says that somebody needs to do it: "yoga" of "I need to
	// postpone yoga". It may be an event that is there, of which it was not said what it is to become.
	Alters string
}

// Beside is a time that is counted from an event.
type Beside struct {
	// Event are words of the event's title; Window is when it is, nil when that was not said.
	Event  string
	Window *Window
	// Days and Length are how far from it the time is, before it when negative. Hour is the hour of that day; 0 for the
	// event's own.
	Days   int
	Length time.Duration
	Hour   int
	// End counts from the event's end.
	End bool
	// Or are other ways to divide the words into an event and what is to be done; the first that names an event counts.
	Or []NewTask
}

// TaskRepeat is how a task repeats: daily, weekly on days, or monthly on a day.
type TaskRepeat struct {
	Type model.RecurrenceType
	// Time is the hour, "08:00"; empty for the usual one.
	Time       string
	Days       []model.Weekday
	DayOfMonth int
	// Until is the last instant; zero for none.
	Until time.Time
}

// List is what a sentence asks of lists.
type List struct {
	// Name names the list; empty for all lists.
	Name string
	// Items are those to add, or those of a new list; Check and Remove name items that are there.
	Items, Check, Remove []string
	// Has is the item that a question is about; without a name it may be on any list.
	Has string
}

// Memory is what a sentence asks of memories.
type Memory struct {
	// Content is what to keep.
	Content string
	// Query is what to look for, or what to erase.
	Query string
}

// Mail is what a sentence asks of e-mails.
type Mail struct {
	// From is in the sender's name or address, Text anywhere.
	From, Text       string
	Unread, Attached bool
	// Window is when they were received; nil for any time.
	Window *Window
}

// Ask is a question of which a reading holds the answer.
type Ask struct {
	What Asked
	// Doing says that the question is about what somebody does ("when do we fly"), which no title need have.
	Doing bool
	// Length is that of the gap that is looked for.
	Length time.Duration
}

// Asked says what a question is about.
type Asked string

// The questions.
const (
	AskCount  Asked = "COUNT"  // how many
	AskNext   Asked = "NEXT"   // the next one
	AskWhen   Asked = "WHEN"   // when it begins
	AskUntil  Asked = "UNTIL"  // when it ends
	AskWhere  Asked = "WHERE"  // its place
	AskFree   Asked = "FREE"   // whether nothing is there
	AskMissed Asked = "MISSED" // what has passed
	AskGap    Asked = "GAP"    // the first free time of a length
	AskWho    Asked = "WHO"    // who takes part
)
