package store

import (
	"time"

	"almanac/graph/model"
)

// MaxCompletions is how many lines of a task's history come with it.
const MaxCompletions = 100

// TaskWhere is a filter with everything relative resolved. All parts are ANDed; the zero value of a part asks nothing.
type TaskWhere struct {
	// DueFrom (inclusive) and DueTo (exclusive) bound the due date; a task without one is outside of any bound.
	DueFrom, DueTo time.Time
	// NoDueDate asks for tasks without a due date.
	NoDueDate bool
	Type      model.TaskType
	// Category is compared folded; nil asks nothing, "" asks for tasks without one.
	Category *string
	// Completed: nil asks nothing.
	Completed *bool
	// Search is found, folded, anywhere in the text or the category.
	Search string
}

// Window asks for one page of a connection: the first or the last Limit rows between two places, both exclusive.
type Window[P any] struct {
	Limit int
	// Backward asks for the last rows instead of the first; rows come in the list's order all the same.
	Backward      bool
	After, Before *P
}

// TaskPlace is a task's place in an order: its id and the value it is ordered by.
type TaskPlace struct {
	ID model.UUID
	// At is the value of CREATED_AT, DUE_DATE (zero for none) or UPDATED_AT. CREATED_AT orders by id alone, which is
	// time-ordered.
	At time.Time
	// Text is the value of TEXT, folded, or of POSITION.
	Text string
}

// TaskQuery is one question about tasks.
type TaskQuery struct {
	Where   TaskWhere
	Order   model.TaskOrder
	Columns TaskColumns
	// Page is nil when no rows are wanted, only counts or the board.
	Page  *Window[TaskPlace]
	Total bool
	Board *BoardQuery
	// Each, unless it is nil, is handed the tasks of the page one after the other, in the page's order, until it returns
	// false; TaskPage has none of them then. The record is used again for the next task, what it refers to is not. When
	// Tasks fails, some may have been handed out. Each must not call the store.
	Each func(task *model.Task) bool
	// Ends asks for the places of the first and the last task of a page that is handed out; without, there are none.
	Ends bool
}

// BoardQuery asks for the five buckets over the whole filtered set. Rows of a bucket are in the query's order.
type BoardQuery struct {
	// Now and Tomorrow (the start of the viewer's next day) are the bounds of overdue, today and upcoming.
	Now, Tomorrow time.Time
	Counts        bool
	// Columns are those of the rows in buckets.
	Columns TaskColumns
	// First is how many rows of each bucket are wanted; none when absent.
	First map[model.TaskBucket]int
}

// TaskPage answers a TaskQuery.
type TaskPage struct {
	Tasks []model.Task
	// Places are the places of Tasks, index by index; see TaskQuery.Ends.
	Places []TaskPlace
	// HasNext and HasPrevious tell whether rows of the filtered set lie after and before Tasks. Forward, HasPrevious is
	// whether After was given; backward, HasNext is whether Before was.
	HasNext, HasPrevious bool
	Total                int
	Board                Board
}

// HandOut hands the tasks of a page that was read as a whole to each, and takes them from the page; see TaskQuery.Each
// and Ends.
func (p *TaskPage) HandOut(each func(task *model.Task) bool, ends bool) {
	if each == nil {
		return
	}
	for i := range p.Tasks {
		if !each(&p.Tasks[i]) {
			break
		}
	}
	places := p.Places
	p.Tasks, p.Places = nil, nil
	if ends && len(places) > 0 {
		p.Places = []TaskPlace{places[0], places[len(places)-1]}
	}
}

// Board answers a BoardQuery.
type Board struct {
	Counts map[model.TaskBucket]int
	Rows   map[model.TaskBucket][]model.Task
}

// ListPlace is a list's place in an order.
type ListPlace struct {
	ID model.UUID
	// At is the value of UPDATED_AT; CREATED_AT orders by id alone.
	At time.Time
	// Name is the value of NAME, folded.
	Name string
}

// ListQuery is one question about lists.
type ListQuery struct {
	// Search is found, folded, anywhere in the name.
	Search  string
	Order   model.ListOrder
	Columns ListColumns
	Page    *Window[ListPlace]
	Total   bool
}

// ListPage answers a ListQuery; the fields mean what TaskPage's mean.
type ListPage struct {
	Lists                []model.List
	Places               []ListPlace
	HasNext, HasPrevious bool
	Total                int
}
