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
	ends   bool
}

func (p *wholePage) found() int { return len(p.Records) }

func (p *wholePage) fill(page *store.TaskPage) {
	page.HasNext, page.HasPrevious = p.Cut(p.window)
	page.Tasks, page.Places = p.Records, p.Places
	page.HandOut(p.each, p.ends)
}

// eachTask hands the rows of a page that is read forward out as they come.
type eachTask struct {
	rows.Handing[model.Task]

	shape  *taskShape
	window *store.Window[store.TaskPlace]
	// place is that of the row, ends are those of the first and the last one of the page; withEnds: they are asked for.
	place    store.TaskPlace
	ends     [2]store.TaskPlace
	withEnds bool
}

func (e *eachTask) row(r *row) {
	e.shape.read(r, e.Next(), &e.place)
	if r.end() == nil {
		if e.Found() == 1 {
			e.ends[0] = e.place
		}
		if e.Found() <= e.Limit {
			e.ends[1] = e.place
		}
		e.Filled()
	}
}

func (e *eachTask) found() int { return e.Found() }

func (e *eachTask) fill(page *store.TaskPage) {
	page.HasNext, page.HasPrevious = e.Ends(rows.EdgesOf(e.window))
	if e.withEnds && min(e.Found(), e.Limit) > 0 {
		page.Places = e.ends[:]
	}
}
