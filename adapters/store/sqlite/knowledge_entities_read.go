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
func (s *Store) ListEntities(ctx context.Context, user model.UserID,
	query store.EntityQuery) (page store.EntityPage, err error) {
	filter, err := filterEntities(user, query.Where)
	if err != nil {
		return page, err
	}
	err = s.reading(ctx, inOneMoment(query.Total), func(q *session) error {
		if query.Page != nil {
			if err := readEntityPage(q, filter, &query, &page); err != nil {
				return err
			}
		}
		if !query.Total {
			return nil
		}
		var b statement
		b.add("SELECT count(*)")
		filter.set(&b)
		return q.read(&b, func(stmt *sqlite.Stmt) error { page.Total = stmt.ColumnInt(0); return nil })
	})
	if err != nil {
		return store.EntityPage{}, wrap("entities", err)
	}
	return page, nil
}

func readEntityPage(q *session, f *entityFilter, query *store.EntityQuery, page *store.EntityPage) error {
	type entityRow struct {
		entity model.Entity
		place  store.EntityPlace
	}
	window, limit := query.Page, max(query.Page.Limit, 0)
	selection := selectEntity(query.Columns)
	var b statement
	b.add("SELECT ")
	selection.write(&b)
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
	read := make([]entityRow, 0, min(limit+1, 128))
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		read = append(read, entityRow{})
		row := &read[len(read)-1]
		err := selection.read(stmt, &row.entity)
		row.place = store.EntityPlace{Name: stmt.ColumnText(selection.width()), ID: row.entity.ID.UUID}
		return err
	}); err != nil {
		return err
	}
	edges := rows.Edges{Backward: window.Backward, After: window.After != nil, Before: window.Before != nil}
	read, page.HasNext, page.HasPrevious = rows.Page(read, limit, edges)
	page.Entities, page.Places = make([]model.Entity, len(read)), make([]store.EntityPlace, len(read))
	for i := range read {
		page.Entities[i], page.Places[i] = read[i].entity, read[i].place
	}
	return nil
}

// EntitiesByID: see store.EntityReader. What is not there may have become part of another.
func (s *Store) EntitiesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EntityColumns) (map[model.UUID]model.Entity, error) {
	ids = rows.Distinct(ids)
	found := make(map[model.UUID]model.Entity, len(ids))
	if len(ids) == 0 {
		return found, ctx.Err()
	}
	err := s.reading(ctx, oneTransaction, func(q *session) error {
		selection := selectEntity(want)
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(" FROM entities m WHERE m.user_id = ? AND ", userArg(user))
			b.in("m.id", some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				var entity model.Entity
				err := selection.read(stmt, &entity)
				found[entity.ID.UUID] = entity
				return err
			}); err != nil {
				return err
			}
		}
		var others []model.UUID
		for _, id := range ids {
			if _, there := found[id]; !there {
				others = append(others, id)
			}
		}
		for some := range slices.Chunk(others, maxIDs) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(
				", r.id FROM entity_redirects r CROSS JOIN entities m ON m.user_id = r.user_id AND m.id = r.entity_id WHERE "+
					"r.user_id = ? AND ", userArg(user))
			b.in("r.id", some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				var entity model.Entity
				err := selection.read(stmt, &entity)
				found[columnID(stmt, selection.width())] = entity
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("entities by id", err)
	}
	return found, nil
}

// EntitiesByName: see store.EntityReader.
func (s *Store) EntitiesByName(ctx context.Context, user model.UserID, names []string,
	want store.EntityColumns) (map[string][]model.Entity, error) {
	if err := rows.Text(names...); err != nil {
		return nil, err
	}
	names = slices.Compact(slices.Sorted(slices.Values(names)))
	found := make(map[string][]model.Entity, len(names))
	if len(names) == 0 {
		return found, ctx.Err()
	}
	err := s.reading(ctx, inOneMoment(len(names) > maxIDs), func(q *session) error {
		selection := selectEntity(want)
		for some := range slices.Chunk(names, maxIDs) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(
				", r.name_key FROM entity_names r CROSS JOIN entities m ON m.user_id = r.user_id AND m.id = r.entity_id WHERE "+
					"r.user_id = ? AND ", userArg(user))
			b.inTexts("r.name_key", some)
			b.add(" ORDER BY r.name_key, r.entity_id")
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				var entity model.Entity
				err := selection.read(stmt, &entity)
				name := stmt.ColumnText(selection.width())
				found[name] = append(found[name], entity)
				return err
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("entities by name", err)
	}
	return found, nil
}
