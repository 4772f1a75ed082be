package memories

import (
	"context"
	"strings"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/memo"
	"almanac/resolvers/core"
)

const (
	// exportStep is how many memories are read at once for an export: each may have a hundred versions.
	exportStep = 20
	// exportBytes is the size at which a page of an export ends early, so that importMemories takes it back in one
	// request.
	exportBytes = 512 << 10
)

// ExportMemories answers the query of that name.
func (r *Resolver) ExportMemories(ctx context.Context, filter *graph.MemoryFilter,
	args core.PageArgs) (*projections.MemoryExport, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	query := store.MemoryQuery{
		Now: v.Now, Order: model.MemoryOrder{Field: model.MemoryOrderCreatedAt, Direction: model.Ascending},
		Columns: store.MemoryRow | store.MemoryHistory,
	}
	purpose := memoryPurpose(query.Order)
	if query.Page, err = core.Window(r.Base, v, args, purpose, decodeMemoryPlace); err != nil {
		return nil, err
	}
	if query.Where, err = memoryWhere(v, filter, "filter"); err != nil {
		return nil, err
	}
	left := query.Page.Limit
	var lines []byte
	out := &projections.MemoryExport{PageInfo: model.PageInfo{HasPreviousPage: query.Page.After != nil}}
	cursor := func(place store.MemoryPlace) *string {
		text := r.Sealer.Seal(purpose, v.User, core.EncodePlace(place.ID, place.At, ""))
		return &text
	}
	for {
		query.Page.Limit = min(left, exportStep)
		page, err := r.Store.Memories(ctx, v.User, query)
		if err != nil {
			return nil, err
		}
		for i, memory := range page.Memories {
			line, err := memo.Encode(memory)
			if err != nil {
				return nil, err
			}
			if out.Count > 0 && len(lines)+len(line) >= exportBytes {
				out.PageInfo.HasNextPage, out.JSONLines = true, string(lines)
				return out, nil
			}
			lines = append(append(lines, line...), '\n')
			place := page.Places[i]
			if out.Count++; out.Count == 1 {
				out.PageInfo.StartCursor = cursor(place)
			}
			out.PageInfo.EndCursor, query.Page.After = cursor(place), &place
		}
		left -= len(page.Memories)
		if out.PageInfo.HasNextPage = page.HasNext; !page.HasNext || left <= 0 {
			out.JSONLines = string(lines)
			return out, nil
		}
	}
}

// importedMany is what came of an import.
type importedMany struct {
	Created   int               `json:"created"`
	Updated   int               `json:"updated"`
	Unchanged int               `json:"unchanged"`
	Errors    []model.BulkError `json:"errors"`
}

// ImportMemories makes memories from JSON Lines.
func (r *Resolver) ImportMemories(ctx context.Context,
	in graph.ImportMemoriesInput) (*graph.ImportMemoriesPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.ImportMemoriesPayload{Errors: []model.BulkError{}, Context: noMemory(), UserErrors: []model.UserError{}}
	result, again, err := core.Earlier[importedMany](ctx, r.Base, v)
	if err == nil && !again {
		result, err = r.importLines(ctx, v, in)
	}
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Created, out.Updated, out.Unchanged = int32(result.Created), int32(result.Updated), int32(result.Unchanged)
	out.Errors = append(out.Errors, result.Errors...)
	out.Context = &projections.MemoryContext{IsEmpty: result.Created+result.Updated+result.Unchanged == 0,
		IsNew: result.Created > 0}
	return out, nil
}

// splitLines returns the lines that are not blank, and their places among all. BAD_USER_INPUT beyond model.MaxBulk.
func splitLines(text string) (lines []string, places []int, err error) {
	place := -1
	for line := range strings.Lines(text) {
		place++
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if len(lines) == model.MaxBulk {
			return nil, nil, model.BadInput("input.jsonLines", "one request takes at most %d lines; split the file",
				model.MaxBulk)
		}
		lines, places = append(lines, line), append(places, place)
	}
	return lines, places, nil
}

// importLines does what importMemories says at the first try.
func (r *Resolver) importLines(ctx context.Context, v *core.Viewer,
	in graph.ImportMemoriesInput) (importedMany, error) {
	lines, places, err := splitLines(in.JSONLines)
	if err != nil {
		return importedMany{}, err
	}
	bulk := core.BulkErrors{Atomic: in.Atomic}
	memories, err := r.readLines(v, lines, places, &bulk)
	if err != nil {
		return importedMany{}, err
	}
	if bulk.Undone() || len(memories) == 0 {
		return importedMany{Errors: bulk.List()}, nil
	}
	if err := r.embedUnknown(ctx, v, memories); err != nil {
		return importedMany{}, err
	}
	result, err := core.Once(ctx, r.Base, v, func(ctx context.Context, tx store.Tx) (importedMany, error) {
		fates, err := ImportMemories(ctx, tx, v.User, memories, v.Now)
		if err != nil {
			return importedMany{}, err
		}
		out := importedMany{Errors: bulk.List()}
		for _, fate := range fates {
			switch fate {
			case Imported:
				out.Created++
			case ImportedOver:
				out.Updated++
			case ImportedAlready:
				out.Unchanged++
			}
		}
		return out, nil
	})
	if err == nil {
		r.wake(ctx, memories...)
	}
	return result, err
}

// readLines reads the memories of lines; those that cannot be read, or have the id of an earlier one, are refused in
// bulk.
func (r *Resolver) readLines(v *core.Viewer, lines []string, places []int,
	bulk *core.BulkErrors) ([]model.Memory, error) {
	memories := make([]model.Memory, 0, len(lines))
	seen := make(map[model.UUID]int, len(lines))
	for i, line := range lines {
		memory, err := ReadLine([]byte(line), v.Now, r.NewID)
		var id *string
		if first, twice := seen[memory.ID]; err == nil && twice {
			given := memoryID(memory.ID)
			id, err = &given, model.Errorf(model.CodeConflict, "line %d has this id already", first)
		}
		if err != nil {
			if err = bulk.Add(places[i], id, core.NamingField(err)); err != nil {
				return nil, err
			}
			continue
		}
		seen[memory.ID] = places[i]
		memories = append(memories, memory)
	}
	return memories, nil
}

// embedUnknown sets the vectors of those of the memories that are not there already.
func (r *Resolver) embedUnknown(ctx context.Context, v *core.Viewer, memories []model.Memory) error {
	ids := make([]model.UUID, len(memories))
	for i, memory := range memories {
		ids[i] = memory.ID
	}
	there, err := memoriesBy(ctx, r.Store, v, ids, store.MemoryRow)
	if err != nil {
		return err
	}
	var fresh []*model.Memory
	for i := range memories {
		if known, ok := there[memories[i].ID]; !ok || memo.Text(known) != memo.Text(memories[i]) {
			fresh = append(fresh, &memories[i])
		}
	}
	r.embed(ctx, fresh, false)
	return nil
}
