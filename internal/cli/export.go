package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
)

// export is the command of that name: everything a user has, one JSON object a line, in the form that import takes in.
func (p Program) export(ctx context.Context, args []string) error {
	own := newFlags("export", "out")
	user := own.String("user", auth.LocalSubject, "whose data: the subject, as a JWT would name it")
	path := own.String("out", "-", "the file to write, which must not exist; - for standard output")
	return p.withStore(ctx, args, own, func(ctx context.Context, d database) error {
		if *path == "-" {
			return writeExport(ctx, p.Out, d.Store, *user, d.now())
		}
		file, err := os.OpenFile(*path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(writeExport(ctx, file, d.Store, *user, d.now()), file.Close()); err != nil {
			return errors.Join(err, os.Remove(*path)) // half an export must not look like one
		}
		return nil
	})
}

const (
	// exportPage is how many records are read at once.
	exportPage = 500
	// exportLargePage is the same for memories, which may have a hundred versions, and episodes, which may have 100,000
	// characters.
	exportLargePage = 50
)

// exportFormat is the version of the form of exports; one that says another is not taken in.
const exportFormat = 1

// line is one line of an export: the kind of record and the record. Times are RFC 3339 in UTC, durations ISO 8601.
type line struct {
	Kind string `json:"kind"`
	// Format is that of the whole file. The first line has it, which is the user's.
	Format int `json:"format,omitzero"`
	Data   any `json:"data"`
}

// exportEnd is what the last line says, so that a file that was cut is known as one.
type exportEnd struct {
	// Lines counts those before.
	Lines int `json:"lines"`
}

// exporter writes what a user has.
type exporter struct {
	from  store.Store
	user  model.UserID
	out   *json.Encoder
	lines int
}

func (e *exporter) write(kind string, data any) error {
	l := line{Kind: kind, Data: data}
	if e.lines == 0 {
		l.Format = exportFormat
	}
	e.lines++
	return e.out.Encode(l)
}

func writeExport(ctx context.Context, out io.Writer, from store.Store, subject string, now time.Time) error {
	id := model.UserIDOf(subject)
	user, err := from.User(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("there is no user %q", subject)
	}
	if err != nil {
		return err
	}
	buffered := bufio.NewWriter(out)
	e := &exporter{from: from, user: id, out: json.NewEncoder(buffered)}
	e.out.SetEscapeHTML(false)
	if err := e.write("user", userOut(user)); err != nil {
		return err
	}
	for _, write := range []func(context.Context) error{
		e.tasks, e.lists, func(ctx context.Context) error { return e.memories(ctx, now) },
		e.calendars, e.episodes, e.entities, e.facts, e.connections, e.actions,
	} {
		if err := write(ctx); err != nil {
			return err
		}
	}
	if err := e.write("end", exportEnd{e.lines}); err != nil {
		return err
	}
	return buffered.Flush()
}

// exportPages writes the records of each page that read returns, from the first to the last; window is that of read's
// query.
func exportPages[T, P, R any](e *exporter, kind string, window *store.Window[P], record func(T) R,
	read func() (items []T, places []P, more bool, err error)) error {
	for {
		items, places, more, err := read()
		if err != nil {
			return err
		}
		for _, item := range items {
			if err := e.write(kind, record(item)); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
		window.After = &places[len(places)-1]
	}
}

func (e *exporter) tasks(ctx context.Context) error {
	query := store.TaskQuery{
		Order:   model.TaskOrder{Field: model.TaskOrderCreatedAt, Direction: model.Descending},
		Columns: store.TaskRow | store.TaskSubtasks,
		Page:    &store.Window[store.TaskPlace]{Limit: exportPage},
	}
	return exportPages(e, "task", query.Page, taskOut, func() ([]model.Task, []store.TaskPlace, bool, error) {
		page, err := e.from.Tasks(ctx, e.user, query)
		if err == nil {
			err = e.histories(ctx, page.Tasks)
		}
		return page.Tasks, page.Places, page.HasNext, err
	})
}

// histories fills in all completions of tasks, newest first.
func (e *exporter) histories(ctx context.Context, tasks []model.Task) error {
	ids := make([]model.UUID, len(tasks))
	at := make(map[model.UUID]int, len(tasks))
	for i, task := range tasks {
		ids[i], at[task.ID] = task.ID, i
	}
	done, err := e.from.TaskHistories(ctx, e.user, ids)
	if err != nil {
		return err
	}
	for _, completion := range slices.Backward(done) {
		task := &tasks[at[completion.TaskID]]
		task.Completions = append(task.Completions, completion)
	}
	for i := range tasks {
		slices.SortStableFunc(tasks[i].Completions, func(a, b model.TaskCompletion) int {
			return b.CompletedAt.Compare(a.CompletedAt)
		})
	}
	return nil
}

func (e *exporter) lists(ctx context.Context) error {
	query := store.ListQuery{
		Order:   model.ListOrder{Field: model.ListOrderCreatedAt, Direction: model.Descending},
		Columns: store.ListRow | store.ListItems,
		Page:    &store.Window[store.ListPlace]{Limit: exportPage},
	}
	return exportPages(e, "list", query.Page, listOut, func() ([]model.List, []store.ListPlace, bool, error) {
		page, err := e.from.Lists(ctx, e.user, query)
		return page.Lists, page.Places, page.HasNext, err
	})
}

// memories writes memories in the form that importMemories and the import command take.
func (e *exporter) memories(ctx context.Context, now time.Time) error {
	query := store.MemoryQuery{
		Now: now, Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Descending},
		Columns: store.MemoryRow | store.MemoryHistory, Page: &store.Window[store.MemoryPlace]{Limit: exportLargePage},
	}
	return exportPages(e, "memory", query.Page, func(m model.Memory) exportedMemory { return exportedMemory(m) },
		func() ([]model.Memory, []store.MemoryPlace, bool, error) {
			page, err := e.from.Memories(ctx, e.user, query)
			return page.Memories, page.Places, page.HasNext, err
		})
}

// entities begins with the graph that the database keeps; what a Graphiti server keeps is that server's.
func (e *exporter) entities(ctx context.Context) error {
	query := store.EntityQuery{Columns: store.EntityRow, Page: &store.Window[store.EntityPlace]{Limit: exportPage}}
	var links map[model.UUID]store.EntityLinks
	record := func(entity model.Entity) exportedEntity { return entityOut(entity, links[entity.ID.UUID]) }
	return exportPages(e, "entity", query.Page, record, func() ([]model.Entity, []store.EntityPlace, bool, error) {
		page, err := e.from.ListEntities(ctx, e.user, query)
		if err != nil {
			return nil, nil, false, err
		}
		ids := make([]model.UUID, len(page.Entities))
		for i, entity := range page.Entities {
			ids[i] = entity.ID.UUID
		}
		links, err = e.from.EntityLinks(ctx, e.user, ids)
		return page.Entities, page.Places, page.HasNext, err
	})
}

// facts writes them whether they hold or not.
func (e *exporter) facts(ctx context.Context) error {
	query := store.FactQuery{Want: store.FactWant{Fact: store.FactRow | store.FactEpisodes},
		Page: &store.Window[store.TimePlace]{Limit: exportPage}}
	return exportPages(e, "fact", query.Page, factOut, func() ([]model.Fact, []store.TimePlace, bool, error) {
		page, err := e.from.ListFacts(ctx, e.user, query)
		return page.Facts, page.Places, page.HasNext, err
	})
}

func (e *exporter) episodes(ctx context.Context) error {
	query := store.EpisodeQuery{Columns: store.EpisodeRow, Page: &store.Window[store.TimePlace]{Limit: exportLargePage}}
	return exportPages(e, "episode", query.Page, episodeOut, func() ([]model.Episode, []store.TimePlace, bool, error) {
		page, err := e.from.ListEpisodes(ctx, e.user, query)
		return page.Episodes, page.Places, page.HasNext, err
	})
}

// actions writes what was done, without what undoing needs, which is the same records once more.
func (e *exporter) actions(ctx context.Context) error {
	window := store.Window[model.UUID]{Limit: exportPage, After: &model.UUID{}}
	return exportPages(e, "action", &window, actionOut, func() ([]model.Action, []model.UUID, bool, error) {
		page, err := e.from.Actions(ctx, e.user, store.ActionWhere{}, *window.After, window.Limit)
		places := make([]model.UUID, len(page))
		for i, action := range page {
			places[i] = action.ID
		}
		return page, places, len(page) == window.Limit, err
	})
}

// connections writes which accounts are linked, without what they granted: tokens are not the user's to carry about.
func (e *exporter) connections(ctx context.Context) error {
	all, err := e.from.Connections(ctx, e.user)
	if err != nil {
		return err
	}
	for _, c := range all {
		if err := e.write("connection", connectionOut(c)); err != nil {
			return err
		}
	}
	return nil
}
