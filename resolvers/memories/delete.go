package memories

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

const (
	// eraseChunk is how many memories one transaction erases: their words and versions go with them, and other writes of
	// the user wait.
	eraseChunk = 500
	// maxErased is how many one request erases by a filter.
	maxErased = 10_000
	// eraseTime is how long it goes on doing so.
	eraseTime = 15 * time.Second
	// shownErased is how many of them a question shows.
	shownErased = 5
)

// DeleteMemories erases memories for good.
func (r *Resolver) DeleteMemories(ctx context.Context,
	in graph.DeleteMemoriesInput) (*graph.DeleteMemoriesPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.DeleteMemoriesPayload{
		DeletedIds: []string{}, NotFound: []string{}, Errors: []model.BulkError{}, Context: noMemory(),
		UserErrors: []model.UserError{},
	}
	if in.Texts != nil && in.Ids == nil && in.Filter == nil {
		return out, core.Refuse(&out.UserErrors, r.eraseTexts(ctx, v, in, out))
	}
	if declined, err := r.Declined(ctx, v, in.Confirm); declined || err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	switch {
	case (in.Filter == nil) == (in.Ids == nil) || in.Texts != nil:
		err = model.BadInput("input", "give exactly one of ids, texts and filter")
	case in.Filter != nil:
		err = r.eraseFound(ctx, v, in, out)
	case in.Confirm != nil:
		err = model.BadInput("input.confirm", "nothing is asked about ids; leave confirm out")
	default:
		err = r.eraseNamed(ctx, v, in.Ids, out)
	}
	if err != nil {
		return out, core.Refuse(&out.UserErrors, err)
	}
	out.Context.IsEmpty = out.Deleted == 0
	return out, nil
}

// eraseNamed erases memories by their ids.
func (r *Resolver) eraseNamed(ctx context.Context, v *core.Viewer, texts []string,
	out *graph.DeleteMemoriesPayload) error {
	if err := core.AtMost("input.ids", len(texts)); err != nil {
		return err
	}
	var bulk core.BulkErrors
	var ids []model.UUID
	place := make(map[model.UUID]int)
	for i, text := range texts {
		id, err := core.OwnID("input.ids."+strconv.Itoa(i), text, model.KindMemory)
		if err != nil {
			if err := bulk.Add(i, &text, err); err != nil {
				return err
			}
			continue
		}
		if _, again := place[id]; !again {
			place[id] = i
			ids = append(ids, id)
		}
	}
	out.Total = int32(len(ids) + len(bulk.Items))
	var gone []model.UUID
	if len(ids) > 0 {
		err := r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
			alive, err := memoriesBy(ctx, tx, v, ids, 0) // what has expired is not there, though it may not be erased yet
			if err != nil {
				return err
			}
			// Of what is not there any more an action may still tell, which is erased too.
			_, err = tx.DeleteMemories(ctx, ids)
			gone = among(ids, alive)
			return err
		})
		if err != nil {
			return err
		}
	}
	showErased(out, gone)
	erased := make(map[model.UUID]bool, len(gone))
	for _, id := range gone {
		erased[id] = true
	}
	for _, id := range ids {
		if erased[id] {
			continue
		}
		given := memoryID(id)
		out.NotFound = append(out.NotFound, given)
		if err := bulk.Add(place[id], &given, model.NotFound("", "you have no memory %s", given)); err != nil {
			return err
		}
	}
	out.Deleted, out.Errors = int32(len(gone)), bulk.List()
	return nil
}

// showErased adds ids of what was erased, as far as there is room.
func showErased(out *graph.DeleteMemoriesPayload, gone []model.UUID) {
	for _, id := range gone[:min(len(gone), model.MaxBulk-len(out.DeletedIds))] {
		out.DeletedIds = append(out.DeletedIds, memoryID(id))
	}
}

// among are the ids of memories that were found, in the order given.
func among(ids []model.UUID, found map[model.UUID]model.Memory) []model.UUID {
	var out []model.UUID
	for _, id := range ids {
		if _, there := found[id]; there {
			out = append(out, id)
		}
	}
	return out
}

// eraseFound asks about what a filter finds, and erases it when the answer is yes.
func (r *Resolver) eraseFound(ctx context.Context, v *core.Viewer, in graph.DeleteMemoriesInput,
	out *graph.DeleteMemoriesPayload) error {
	where, err := memoryWhere(v, in.Filter, "input.filter")
	if err != nil {
		return err
	}
	if in.Confirm == nil {
		return r.askErasure(ctx, v, where, out)
	}
	t, err := r.OpenTicket(ctx, v, in.Confirm.Token)
	if err != nil {
		return err
	}
	picked, err := t.Pick(model.KindMemory, *in.Confirm)
	if err != nil {
		return err
	}
	count, asked, err := heldErasure(t)
	if err != nil {
		return err
	}
	if in.Confirm.All == nil || !*in.Confirm.All {
		return r.eraseChosen(ctx, v, t, asked, picked, out)
	}
	return r.eraseAll(ctx, v, t, unchangedSince(where, asked), count, out)
}

// askErasure asks whether all that a filter finds shall be erased.
func (r *Resolver) askErasure(ctx context.Context, v *core.Viewer, where store.MemoryWhere,
	out *graph.DeleteMemoriesPayload) error {
	page, err := r.Store.Memories(ctx, v.User, store.MemoryQuery{
		Where: where, Now: v.Now, Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Descending},
		Columns: store.MemoryContent | store.MemorySummary | store.MemoryUpdatedAt,
		Page:    &store.Window[store.MemoryPlace]{Limit: shownErased}, Total: true,
	})
	if err != nil || page.Total == 0 {
		return err
	}
	out.Total = int32(page.Total)
	say := memoryPhrasesIn(v.Locale)
	q := core.Question{
		Kind: model.Approval, Text: fmt.Sprintf(say.eraseSome, page.Total),
		Held: []string{strconv.Itoa(page.Total), strconv.FormatInt(v.Now.UnixMicro(), 10)},
	}
	if page.Total == 1 && len(page.Memories) == 1 {
		q.Text = fmt.Sprintf(say.eraseOne, memoryLabel(page.Memories[0], v))
	}
	for _, memory := range page.Memories {
		q.Offered = append(q.Offered, memory.ID)
		v.About.Tells(model.ID{Kind: model.KindMemory, UUID: memory.ID})
		q.Candidates = append(q.Candidates,
			projections.Candidate{Key: memoryID(memory.ID), Label: memoryLabel(memory, v), Score: 1})
	}
	out.Confirmation, err = r.Ask(ctx, v, q)
	return err
}

// heldErasure reads how many memories a question was about, and when it was asked.
func heldErasure(t core.Ticket) (count int, asked time.Time, err error) {
	if len(t.Held) != 2 {
		return 0, asked, core.InvalidConfirmation("this confirmation says nothing of memories")
	}
	count, err = strconv.Atoi(t.Held[0])
	micros, wrong := strconv.ParseInt(t.Held[1], 10, 64)
	if err != nil || wrong != nil {
		return 0, asked, core.InvalidConfirmation("this confirmation says nothing of memories")
	}
	return count, time.UnixMicro(micros).UTC(), nil
}

// unchangedSince narrows a filter to what was there, as it is, at a moment.
func unchangedSince(where store.MemoryWhere, asked time.Time) store.MemoryWhere {
	end := asked.Add(time.Microsecond) // what was written in that moment was seen
	return store.MemoryWhere{And: []store.MemoryWhere{where, {CreatedTo: end, UpdatedTo: end}}}
}

// eraseChosen erases some of those that the question has shown, as far as they are still what it has shown.
func (r *Resolver) eraseChosen(ctx context.Context, v *core.Viewer, t core.Ticket, asked time.Time, picked []model.UUID,
	out *graph.DeleteMemoriesPayload) error {
	out.Total = int32(len(picked))
	var gone []model.UUID
	err := r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
		if err := core.Use(ctx, tx, t); err != nil {
			return err
		}
		alive, err := memoriesBy(ctx, tx, v, picked, store.MemoryUpdatedAt)
		if err != nil {
			return err
		}
		for id, memory := range alive {
			if memory.UpdatedAt.After(asked) { // nobody has seen what it is now
				delete(alive, id)
			}
		}
		gone, err = tx.DeleteMemories(ctx, among(picked, alive))
		return err
	})
	if err != nil {
		return err
	}
	out.Deleted = int32(len(gone))
	showErased(out, gone)
	var bulk core.BulkErrors
	for i, id := range picked {
		if given := memoryID(id); !slices.Contains(gone, id) {
			out.NotFound = append(out.NotFound, given)
			if err := bulk.Add(i, &given, model.NotFound("", "the memory %s has been changed or erased since the question",
				given)); err != nil {
				return err
			}
		}
	}
	out.Errors = bulk.List()
	return nil
}

// eraseAll erases what was there when the question was asked and has not been changed since, a chunk at a time. When it
// cannot go on it tells how far it has come. CONFIRMATION_INVALID when there is more than the question said.
func (r *Resolver) eraseAll(ctx context.Context, v *core.Viewer, t core.Ticket, where store.MemoryWhere, count int,
	out *graph.DeleteMemoriesPayload) error {
	query := store.MemoryQuery{
		Where: where, Now: v.Now, Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Descending},
		Page: &store.Window[store.MemoryPlace]{Limit: eraseChunk}, Total: true,
	}
	erased := 0
	for {
		var gone []model.UUID
		more := false
		err := r.Store.Write(ctx, v.User, func(ctx context.Context, tx store.Tx) error {
			page, err := tx.Memories(ctx, v.User, query)
			if err != nil {
				return err
			}
			if query.Total {
				if err := core.Use(ctx, tx, t); err != nil {
					return err
				}
				if page.Total > count {
					return core.InvalidConfirmation("the filter finds more than the question said; ask again without confirm")
				}
				out.Total = int32(page.Total)
			}
			ids := make([]model.UUID, len(page.Memories))
			for i, memory := range page.Memories {
				ids[i] = memory.ID
			}
			if more = page.HasNext; len(ids) == 0 {
				return nil
			}
			gone, err = tx.DeleteMemories(ctx, ids)
			return err
		})
		if err != nil && erased == 0 {
			out.Total = 0
			return err
		}
		if err != nil {
			core.AddError(ctx, err)
			return nil
		}
		erased += len(gone)
		out.Deleted = int32(erased)
		showErased(out, gone)
		if query.Total = false; !more || erased >= maxErased || r.Now().Sub(v.Now) > eraseTime {
			return nil
		}
	}
}
