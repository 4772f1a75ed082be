package sqlite

import (
	"context"
	"slices"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// ListEpisodes: see store.EpisodeReader.
func (s *Store) ListEpisodes(ctx context.Context, user model.UserID,
	query store.EpisodeQuery) (page store.EpisodePage, err error) {
	if err := checkEpisodes(&query.Where); err != nil {
		return page, err
	}
	err = s.reading(ctx, inOneMoment(query.Total), func(q *session) error {
		if query.Page != nil {
			if err := readEpisodePage(q, user, &query, &page); err != nil {
				return err
			}
		}
		if !query.Total {
			return nil
		}
		var b statement
		b.add("SELECT count(*)")
		fromEpisodes(&b, user, &query.Where)
		return q.read(&b, func(stmt *sqlite.Stmt) error { page.Total = stmt.ColumnInt(0); return nil })
	})
	if err != nil {
		return store.EpisodePage{}, wrap("episodes", err)
	}
	return page, nil
}

// checkEpisodes checks the texts of a filter.
func checkEpisodes(where *store.EpisodeWhere) error {
	for _, source := range where.Sources {
		if err := rows.Text(string(source)); err != nil {
			return err
		}
	}
	for _, state := range where.States {
		if err := rows.Text(string(state)); err != nil {
			return err
		}
	}
	return nil
}

// fromEpisodes appends FROM and WHERE of the episodes that a filter finds, in the order of a listing.
func fromEpisodes(b *statement, user model.UserID, where *store.EpisodeWhere) {
	b.add(" FROM episodes m INDEXED BY episodes_reference WHERE m.user_id = ?", userArg(user))
	within(b, "m.reference_time", where.From, where.To)
	isOneOf(b, "m.source", where.Sources)
	isOneOf(b, "m.state", where.States)
}

// isOneOf appends the condition that a column has one of the values; nothing for none.
func isOneOf[T ~string](b *statement, column string, values []T) {
	if len(values) == 0 {
		return
	}
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	b.add(" AND ")
	b.inTexts(column, texts)
}

func readEpisodePage(q *session, user model.UserID, query *store.EpisodeQuery, page *store.EpisodePage) error {
	type episodeRow struct {
		episode model.Episode
		place   store.TimePlace
	}
	window, limit := query.Page, max(query.Page.Limit, 0)
	selection := selectEpisode(query.Columns)
	var b statement
	b.add("SELECT ")
	selection.write(&b)
	b.add(", m.reference_time")
	fromEpisodes(&b, user, &query.Where)
	beyondTime(&b, "m.reference_time", "<", window.After)
	beyondTime(&b, "m.reference_time", ">", window.Before)
	direction := " DESC"
	if window.Backward {
		direction = ""
	}
	b.add(" ORDER BY m.reference_time"+direction+", m.id"+direction+" LIMIT ?", intArg(limit+1))
	read := make([]episodeRow, 0, min(limit+1, 128))
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		read = append(read, episodeRow{})
		row := &read[len(read)-1]
		err := selection.read(stmt, &row.episode)
		row.place = store.TimePlace{At: columnTime(stmt, selection.width()), ID: row.episode.ID.UUID}
		return err
	}); err != nil {
		return err
	}
	edges := rows.Edges{Backward: window.Backward, After: window.After != nil, Before: window.Before != nil}
	read, page.HasNext, page.HasPrevious = rows.Page(read, limit, edges)
	page.Episodes, page.Places = make([]model.Episode, len(read)), make([]store.TimePlace, len(read))
	for i := range read {
		page.Episodes[i], page.Places[i] = read[i].episode, read[i].place
	}
	return nil
}

// EpisodesByID: see store.EpisodeReader.
func (s *Store) EpisodesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EpisodeColumns) ([]model.Episode, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	var episodes []model.Episode
	err := s.reading(ctx, inOneMoment(len(ids) > maxIDs), func(q *session) error {
		selection := selectEpisode(want)
		episodes = make([]model.Episode, 0, len(ids))
		for some := range slices.Chunk(ids, maxIDs) {
			var b statement
			b.add("SELECT ")
			selection.write(&b)
			b.add(" FROM episodes m WHERE m.user_id = ? AND ", userArg(user))
			b.in("m.id", some)
			if err := q.read(&b, func(stmt *sqlite.Stmt) error {
				episodes = append(episodes, model.Episode{})
				return selection.read(stmt, &episodes[len(episodes)-1])
			}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, wrap("episodes by id", err)
	}
	return episodes, nil
}

// TwinEpisode: see store.EpisodeReader.
func (s *Store) TwinEpisode(ctx context.Context, user model.UserID, twin model.Episode,
	want store.EpisodeColumns) (episode model.Episode, err error) {
	if err := rows.Text(string(twin.Source), twin.Content); err != nil {
		return model.Episode{}, err
	}
	found := false
	err = s.reading(ctx, oneStatement, func(q *session) error {
		selection := selectEpisode(want)
		var b statement
		b.add("SELECT ")
		selection.write(&b)
		b.add(
			" FROM episodes m INDEXED BY episodes_content WHERE m.user_id = ? AND m.content_key = ? AND m.source = ? AND "+
				"m.reference_time = ? AND m.content = ? ORDER BY m.id LIMIT 1",
			userArg(user), bytesArg(contentKey(twin.Content)), textArg(string(twin.Source)), instantArg(twin.ReferenceTime),
			textArg(twin.Content))
		return q.read(&b, func(stmt *sqlite.Stmt) error { found = true; return selection.read(stmt, &episode) })
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return episode, wrap("twin of an episode", err)
}

// MentionedIn: see store.EpisodeReader.
func (s *Store) MentionedIn(ctx context.Context, user model.UserID, episode model.UUID, limit int,
	want store.EntityColumns) ([]model.Entity, error) {
	var entities []model.Entity
	err := s.reading(ctx, oneStatement, func(q *session) error {
		selection := selectEntity(want)
		var b statement
		b.add("SELECT ")
		selection.write(&b)
		b.add(" FROM (SELECT entity_id AS id FROM episode_mentions WHERE user_id = ? AND episode_id = ?", userArg(user),
			idArg(episode))
		for _, end := range [...]string{"source_id", "target_id"} {
			b.add(" UNION SELECT f."+end+
				" FROM fact_episodes r CROSS JOIN facts f ON f.user_id = r.user_id AND f.id = r.fact_id WHERE r.user_id = ? AND "+
				"r.episode_id = ?", userArg(user), idArg(episode))
		}
		b.add(") r CROSS JOIN entities m ON m.user_id = ? AND m.id = r.id ORDER BY m.name_key, m.id LIMIT ?", userArg(user),
			intArg(max(limit, 0)))
		return q.read(&b, func(stmt *sqlite.Stmt) error {
			entities = append(entities, model.Entity{})
			return selection.read(stmt, &entities[len(entities)-1])
		})
	})
	if err != nil {
		return nil, wrap("mentioned in an episode", err)
	}
	return entities, nil
}
