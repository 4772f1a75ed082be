package postgres

import (
	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// pageReading takes the rows of a page, and the one beyond it where there is one.
type pageReading interface {
	// found returns how many rows there were.
	found() int
	// fill fills the page when all rows have been read.
	fill(page *store.TaskPage)
}

// wholePage gathers the rows.
type wholePage struct {
	*rows.Reading[model.Task, store.TaskPlace]

	window *store.Window[store.TaskPlace]
	each   func(task *model.Task) bool
}

func (p *wholePage) found() int { return len(p.Records) }

func (p *wholePage) fill(page *store.TaskPage) {
	page.HasNext, page.HasPrevious = p.Cut(p.window)
	page.Tasks, page.Places = p.Records, p.Places
	page.HandOut(p.each)
}

// eachTask hands the rows of a page that is read forward out as they come.
type eachTask struct {
	rows.Handing[model.Task]

	shape  *taskShape
	window *store.Window[store.TaskPlace]
	// place is read with a task and not used.
	place store.TaskPlace
}

func (e *eachTask) row(r *row) {
	e.shape.read(r, e.Next(), &e.place)
	if r.end() == nil {
		e.Filled()
	}
}

func (e *eachTask) found() int { return e.Found() }

func (e *eachTask) fill(page *store.TaskPage) {
	page.HasNext, page.HasPrevious = e.Ends(rows.EdgesOf(e.window))
}
