package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// ListEntities: see store.EntityReader.
func (r reader) ListEntities(ctx context.Context, user model.UserID,
	query store.EntityQuery) (store.EntityPage, error) {
	filter, err := filterEntities(user, query.Where)
	if err != nil {
		return store.EntityPage{}, err
	}
	moment := inOneMoment(query.Total)
	return answer(ctx, r, "entities", moment, func(q *session) (page store.EntityPage, err error) {
		if query.Page != nil {
			err = readEntityPage(q, filter, &query, &page)
		}
		if err == nil && query.Total {
			var b statement
			b.add("SELECT count(*)")
			filter.set(&b)
			page.Total, err = q.count(&b)
		}
		return page, err
	})
}

func readEntityPage(q *session, f *entityFilter, query *store.EntityQuery, page *store.EntityPage) error {
	window, limit := query.Page, max(query.Page.Limit, 0)
	columns := entitySelection(store.EntityTable.Read(query.Columns))
	var b statement
	b.add("SELECT ")
	columns.write(&b, "m")
	b.add(", m.name_key")
	f.inOrder(&b)
	for _, bound := range [...]struct {
		compare string
		place   *store.EntityPlace
	}{{">", window.After}, {"<", window.Before}} {
		if bound.place != nil {
			if err := rows.Text(bound.place.Name); err != nil {
				return err
			}
			b.add(" AND (m.name_key, m.id) "+bound.compare+" (?, ?)", textArg(bound.place.Name), idArg(bound.place.ID))
		}
	}
	direction := ""
	if window.Backward {
		direction = " DESC"
	}
	b.add(" ORDER BY m.name_key"+direction+", m.id"+direction+" LIMIT ?", intArg(limit+1))
	read := rows.NewReading[model.Entity, store.EntityPlace](limit)
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		entity, place := read.Next()
		err := columns.readRow(stmt, entity)
		*place = store.EntityPlace{Name: stmt.ColumnText(len(columns)), ID: entity.ID.UUID}
		return err
	}); err != nil {
		return err
	}
	page.HasNext, page.HasPrevious = read.Cut(window)
	page.Entities, page.Places = read.Records, read.Places
	return nil
}

// EntitiesByID: see store.EntityReader. What is not there may have become part of another.
func (r reader) EntitiesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EntityColumns) (map[model.UUID]model.Entity, error) {
	ids = rows.Distinct(ids)
	found := make(map[model.UUID]model.Entity, len(ids))
	if len(ids) == 0 {
		return found, ctx.Err()
	}
	columns := entitySelection(store.EntityTable.Read(want))
	// look finds entities by ids in a column; what follows the columns is FROM, and the column is read behind them.
	look := func(q *session, ids []model.UUID, id, from string) error {
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add("SELECT ")
			columns.write(&b, "m")
			b.add(", "+id+from, userArg(user))
			b.in(id, some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				var entity model.Entity
				err := columns.readRow(stmt, &entity)
				found[columnID(stmt, len(columns))] = entity
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	}
	return answer(ctx, r, "entities by id", oneTransaction, func(q *session) (map[model.UUID]model.Entity, error) {
		if err := look(q, ids, "m.id", " FROM entities m WHERE m.user_id = ? AND "); err != nil {
			return nil, err
		}
		var others []model.UUID
		for _, id := range ids {
			if _, there := found[id]; !there {
				others = append(others, id)
			}
		}
		return found, look(q, others, "r.id", " FROM entity_redirects r"+
			" CROSS JOIN entities m ON m.user_id = r.user_id AND m.id = r.entity_id WHERE r.user_id = ? AND ")
	})
}

// EntitiesByName: see store.EntityReader.
func (r reader) EntitiesByName(ctx context.Context, user model.UserID, names []string,
	want store.EntityColumns) (map[string][]model.Entity, error) {
	if err := rows.Text(names...); err != nil {
		return nil, err
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	found := make(map[string][]model.Entity, len(names))
	if len(names) == 0 {
		return found, ctx.Err()
	}
	moment := inOneMoment(len(names) > maxIDs)
	return answer(ctx, r, "entities by name", moment, func(q *session) (map[string][]model.Entity, error) {
		columns := entitySelection(store.EntityTable.Read(want))
		for some := range slices.Chunk(names, maxIDs) {
			var b statement
			b.add("SELECT ")
			columns.write(&b, "m")
			b.add(", r.name_key FROM entity_names r"+
				" CROSS JOIN entities m ON m.user_id = r.user_id AND m.id = r.entity_id WHERE r.user_id = ? AND ", userArg(user))
			b.inTexts("r.name_key", some)
			b.add(" ORDER BY r.name_key, r.entity_id")
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				var entity model.Entity
				err := columns.readRow(stmt, &entity)
				name := stmt.ColumnText(len(columns))
				found[name] = append(found[name], entity)
				return err
			}); err != nil {
				return nil, err
			}
		}
		return found, nil
	})
}
