package tasks

import (
	"context"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/fold"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

// Wanted is which tasks a question is about.
type Wanted = struct {
	// From and To bound the due date, To exclusive; zero for none.
	From, To time.Time
	// Overdue asks for open tasks whose due date has passed, Completed for those that are done.
	Overdue, Completed bool
	// Category and Search are empty for any.
	Category, Search string
}

// FindTasks returns the first tasks of those that are wanted, soonest due first, and how many there are.
func (r *Resolver) FindTasks(ctx context.Context, v *core.Viewer, wanted Wanted, most int) ([]model.Task, int, error) {
	where := store.TaskWhere{DueFrom: wanted.From, DueTo: wanted.To, Completed: &wanted.Completed,
		Search: fold.Text(wanted.Search)}
	order := model.TaskOrder{Field: model.TaskOrderDueDate, Direction: model.Ascending}
	if wanted.Overdue {
		where.DueTo = v.Now
	}
	if wanted.Category != "" {
		where.Category = &wanted.Category
	}
	page, err := r.Store.Tasks(ctx, v.User, store.TaskQuery{
		Where: where, Columns: store.TaskRow, Order: order, Total: true, Page: &store.Window[store.TaskPlace]{Limit: most},
	})
	return page.Tasks, page.Total, err
}

// FindLists returns the lists that a name may mean, whole: one when it is clear, several to choose from when it is not;
// with an empty name the first of all, without their items.
func (r *Resolver) FindLists(ctx context.Context, v *core.Viewer, name string, most int) ([]model.List, error) {
	if name == "" {
		page, err := r.Store.Lists(ctx, v.User, store.ListQuery{
			Order: model.ListOrder{Field: model.ListOrderName, Direction: model.Ascending}, Columns: store.ListRow,
			Page: &store.Window[store.ListPlace]{Limit: most},
		})
		return page.Lists, err
	}
	of, err := listCandidates(ctx, r, v)
	if err != nil {
		return nil, err
	}
	decided := of.decide(naming.New(name, naming.List), naming.Rules{})
	ids := make([]model.UUID, len(decided.Matches))
	for i, match := range decided.Matches {
		ids[i] = match.ID
	}
	if decided.Outcome == naming.Found {
		ids = ids[:1]
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return r.Store.ListsByID(ctx, v.User, ids, wholeList)
}
