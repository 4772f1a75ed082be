package plan

import (
	"time"

	"almanac/graph/model"
)

// Tool is one of the things that a sentence can ask for.
type Tool string

// The six tools of the calendar, as the agent's answers name them.
const (
	ToolCreate   Tool = "create"
	ToolRead     Tool = "read"
	ToolSearch   Tool = "search"
	ToolUpdate   Tool = "update"
	ToolDelete   Tool = "delete"
	ToolSchedule Tool = "schedule"
)

// The tools of other matters.
const (
	ToolCreateTask     Tool = "create_task"
	ToolReadTasks      Tool = "read_tasks"
	ToolUpdateTask     Tool = "update_task"
	ToolCompleteTask   Tool = "complete_task"
	ToolDeleteTask     Tool = "delete_task"
	ToolCreateList     Tool = "create_list"
	ToolReadLists      Tool = "read_lists"
	ToolUpdateList     Tool = "update_list"
	ToolDeleteList     Tool = "delete_list"
	ToolStoreMemory    Tool = "store_memory"
	ToolSearchMemories Tool = "search_memories"
	ToolDeleteMemory   Tool = "delete_memory"
	ToolReadMail       Tool = "read_mail"
	ToolUndo           Tool = "undo"
)

// Reads reports whether a tool changes nothing.
func (t Tool) Reads() bool {
	switch t {
	case ToolRead, ToolSearch, ToolSchedule, ToolReadTasks, ToolReadLists, ToolSearchMemories, ToolReadMail:
		return true
	}
	return false
}

// SameMatter reports whether two tools read of the same: the calendar, or what is remembered.
func (t Tool) SameMatter(other Tool) bool {
	kind, known := kindsOf[t]
	return known && t.Reads() && kind == kindsOf[other]
}

// Plan is what a sentence asks for. Tool says which of the parts is set: exactly one of them is, and none for undo.
type Plan struct {
	Tool     Tool
	Create   *Create
	Read     *Window
	Schedule *Window
	Search   *Search
	Update   *Update
	Delete   *Delete
	Task     *Task
	List     *List
	Memory   *Memory
	Mail     *Mail
	// Parts are the things that a sentence asks for which asks for several, in its order.
	Parts []Part
	// Ask says what of a reading is the answer; nil for all of it.
	Ask *Ask
	// Hebrew says that the sentence is in Hebrew, and so are the words of its answer.
	Hebrew bool
	// Asks says that the sentence is a question.
	Asks bool
	// MayTell says that the question may as well state a fact of an event that is not there yet.
	MayTell bool
	// Told says that the sentence states a fact, of which the event is made.
	Told bool
	// Verbless says that only a title and a time were said.
	Verbless bool
	// Definite says that what would be made was named as something that is there: "the lunch", "את הקפה".
	Definite bool
	// Proposed says that a change was put as a question ("can we do it on Monday instead?"), or only follows from what was
	// said ("I won't make it to the concert"), so that it is asked about before it is done.
	Proposed bool
	// Doubted says that another reader of sentences (projections/tagger) takes this one otherwise, or that it alone has
	// read it, so that what would be made is shown before it is made.
	Doubted bool
	// Spans say which bytes of the text gave which slot, in the order of the text.
	Spans []Span
	// Defaulted are the slots that the text did not give and that were filled by rule.
	Defaulted []Slot
	// Ambiguous are the places that people read in two ways, in the order of the text; the plan has the chosen reading.
	Ambiguous []Ambiguity
}

// Create is an event to be added.
type Create struct {
	// Title is as it was written, with a capital at its start; empty when none was said, and then SlotTitle is among the
	// defaulted.
	Title    string
	Location string
	// People are those said to take part; those with an address can be invited.
	People []Person
	// Start and End are both instants, in the zone of the moment, or both dates; End is exclusive.
	Start, End model.EventTime
	// Recurrence is one line of RFC 5545, "RRULE:…", of which Start is the first occurrence; empty for a single event.
	Recurrence string
	// TimeZone is the IANA name of a zone that the text names; empty for the viewer's.
	TimeZone string
}

// Person is somebody named: by a name, an address, or both.
type Person struct {
	Name, Email string
}

// Window is a stretch of time, From inclusive and To exclusive, both in the zone of the moment.
type Window struct {
	From, To time.Time
}

// Search is a question for events by their words.
type Search struct {
	// Query are the words to look for, never empty, without the general ones ("meetings with").
	Query string
	// Window is nil when the text names no time.
	Window *Window
	// Doubtful says that the words are not certain to name an event or somebody, as what a verb of searching is followed
	// by, names, quotations and kinds of events are: unless something has them, it is not known that they were understood.
	Doubtful bool
	// Any says that events which have only some of the words are an answer too, those with the most of them.
	Any bool
}

// Target is the event, or the events, that a change or a deletion is about. What is empty was not said.
type Target struct {
	// Title are words of the event's title, people included ("lunch with Dana"), with the articles that Hebrew writes into
	// them. Of "all my meetings" it is "meetings", of "all my meetings with Dana" it is "Dana"; of "all events" and
	// "everything" it is empty.
	Title string
	// Window is when the event is: the day, the week, or the hours said.
	Window *Window
	// DayOfWeek is set, beside no window, where every such day is meant ("all my Monday standups").
	DayOfWeek model.Weekday
	// StartTime is the hour at which it starts, "15:00".
	StartTime string
	// All means everything in the window that fits the title, not one event; the window is set then, or the title with
	// ScopeSeries.
	All bool
	// Except are words of titles to be left alone; only with All.
	Except []string
}

// Clock is a time of day in the moment's zone.
type Clock struct {
	Hour, Minute int
	// Vague says that it may as well be twelve hours away from what stands here: the event's own hour settles it.
	Vague bool
}

// Change is what becomes of the target. What is nil, empty or zero stays.
type Change struct {
	// Title and Location are the new ones; Note is added to the description.
	Title, Location, Note string
	// Date is the new day of the start; the hour stays unless Start says one.
	Date model.Date
	// Weekday says that of Date only the day of the week was said: it is the coming one, and the event may lie behind it.
	// Later says that the event is put off, so that its new day is behind the old one.
	Weekday, Later bool
	// Start is the new hour of the start, on Date, or else on the event's own day.
	Start *Clock
	// EndDate, exclusive, is set beside Date for an event that becomes all-day on several days.
	EndDate model.Date
	// End is the new hour of the end; one that is not after the start is on the next day. Without it, and without
	// Duration, the length stays.
	End *Clock
	// Duration is the new length; Lengthen is what is added to the length, taken away when negative.
	Duration, Lengthen time.Duration
	// ShiftDays and Shift move start and end, earlier when negative: by days of the calendar, and by time.
	ShiftDays int
	Shift     time.Duration
	// AllDay makes it all-day.
	AllDay bool
	// AddPeople are to be invited beside those who are; RemovePeople no longer.
	AddPeople, RemovePeople []Person
}

// Update is an event to be changed.
type Update struct {
	Target Target
	Change Change
	// Scope is empty when the text does not say which occurrences of a series are meant.
	Scope model.EventScope
}

// Delete is an event, or a window, to be cleared.
type Delete struct {
	Target Target
	Scope  model.EventScope
}

// Slot names a part of a plan.
type Slot string

// The slots.
const (
	SlotTool       Slot = "tool"
	SlotTitle      Slot = "title"
	SlotLocation   Slot = "location"
	SlotPeople     Slot = "people"
	SlotDate       Slot = "date"
	SlotStart      Slot = "start"
	SlotEnd        Slot = "end"
	SlotWindow     Slot = "window"
	SlotRecurrence Slot = "recurrence"
	SlotTimeZone   Slot = "timeZone"
	SlotQuery      Slot = "query"
	SlotTarget     Slot = "target"
	SlotExcept     Slot = "except"
	SlotChange     Slot = "change"
	SlotScope      Slot = "scope"
)

// Span are the bytes of the text, From inclusive and To exclusive, that gave a slot.
type Span struct {
	Slot     Slot
	From, To int
}

// Ambiguity is a place that people read in two ways.
type Ambiguity struct {
	What Doubt
	Span Span
	// Readings are the usual ones, the chosen one first: dates as 2026-11-24, hours as 09:00, instants with their offset.
	Readings []string
}

// Doubt says what about a place is ambiguous.
type Doubt string

// The doubts.
const (
	DoubtNextWeekday Doubt = "NEXT_WEEKDAY" // "next Tuesday": the coming one, or that of the week after
	DoubtComingWeek  Doubt = "COMING_WEEK"  // "השבוע הקרוב": the week that begins next, or the one that goes on
	DoubtSameWeekday Doubt = "SAME_WEEKDAY" // "Saturday", said on a Saturday
	DoubtHalfOfDay   Doubt = "HALF_OF_DAY"  // "at 9": morning or evening
	DoubtDayMonth    Doubt = "DAY_MONTH"    // "3/12": the day or the month first
	DoubtMidnight    Doubt = "MIDNIGHT"     // "Friday at midnight": before or after that Friday
	DoubtYear        Doubt = "YEAR"         // "29 February": the next leap year
	DoubtUntil       Doubt = "UNTIL"        // "until June": with or without June
	DoubtWorkdays    Doubt = "WORKDAYS"     // "every weekday": from Sunday or from Monday
	DoubtWithin      Doubt = "WITHIN"       // "next week", of a task: the day of it that was taken
	DoubtClockChange Doubt = "CLOCK_CHANGE" // an hour that clocks skip or show twice on that day
)
