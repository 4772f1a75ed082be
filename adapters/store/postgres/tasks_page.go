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

// eachTask hands the rows of a page that is read forward out as they come, all in one record.
type eachTask struct {
	shape  *taskShape
	window *store.Window[store.TaskPlace]
	each   func(task *model.Task) bool

	rows int
	task model.Task
	// place is read with a task and not used.
	place store.TaskPlace
	ended bool
}

func (e *eachTask) row(r *row) {
	e.rows++
	e.task = model.Task{}
	e.shape.read(r, &e.task, &e.place)
	if r.end() == nil && e.rows <= e.window.Limit && !e.ended {
		e.ended = !e.each(&e.task)
	}
}

func (e *eachTask) found() int { return e.rows }

func (e *eachTask) fill(page *store.TaskPage) {
	page.HasNext = e.rows > max(e.window.Limit, 0) || e.window.Before != nil
	page.HasPrevious = e.window.After != nil
}
