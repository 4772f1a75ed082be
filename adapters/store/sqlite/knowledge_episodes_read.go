package sqlite

import (
	"context"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// ListEpisodes: see store.EpisodeReader.
func (r reader) ListEpisodes(ctx context.Context, user model.UserID,
	query store.EpisodeQuery) (store.EpisodePage, error) {
	if err := checkEpisodes(&query.Where); err != nil {
		return store.EpisodePage{}, err
	}
	moment := inOneMoment(query.Total)
	return answer(ctx, r, "episodes", moment, func(q *session) (page store.EpisodePage, err error) {
		if query.Page != nil {
			err = readEpisodePage(q, user, &query, &page)
		}
		if err == nil && query.Total {
			var b statement
			b.add("SELECT count(*)")
			fromEpisodes(&b, user, &query.Where)
			page.Total, err = q.count(&b)
		}
		return page, err
	})
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
	window, limit := query.Page, max(query.Page.Limit, 0)
	columns := episodeSelection(store.EpisodeTable.Read(query.Columns))
	var b statement
	b.add("SELECT ")
	columns.write(&b, "m")
	b.add(", m.reference_time")
	fromEpisodes(&b, user, &query.Where)
	beyondTime(&b, "m.reference_time", "<", window.After)
	beyondTime(&b, "m.reference_time", ">", window.Before)
	direction := " DESC"
	if window.Backward {
		direction = ""
	}
	b.add(" ORDER BY m.reference_time"+direction+", m.id"+direction+" LIMIT ?", intArg(limit+1))
	read := rows.NewReading[model.Episode, store.TimePlace](limit)
	if err := q.read(&b, func(stmt *sqlite.Stmt) error {
		episode, place := read.Next()
		err := columns.readRow(stmt, episode)
		*place = store.TimePlace{At: columnTime(stmt, len(columns)), ID: episode.ID.UUID}
		return err
	}); err != nil {
		return err
	}
	page.HasNext, page.HasPrevious = read.Cut(window)
	page.Episodes, page.Places = read.Records, read.Places
	return nil
}

// EpisodesByID: see store.EpisodeReader.
func (r reader) EpisodesByID(ctx context.Context, user model.UserID, ids []model.UUID,
	want store.EpisodeColumns) ([]model.Episode, error) {
	ids = rows.Distinct(ids)
	if len(ids) == 0 {
		return nil, ctx.Err()
	}
	moment := inOneMoment(len(ids) > maxIDs)
	return answer(ctx, r, "episodes by id", moment, func(q *session) ([]model.Episode, error) {
		columns := episodeSelection(store.EpisodeTable.Read(want))
		return readSome(q, ids, func(b *statement, some []model.UUID) {
			b.add("SELECT ")
			columns.write(b, "m")
			b.add(" FROM episodes m WHERE m.user_id = ? AND ", userArg(user))
			b.in("m.id", some)
		}, columns.readRow)
	})
}

// TwinEpisode: see store.EpisodeReader.
func (r reader) TwinEpisode(ctx context.Context, user model.UserID, twin model.Episode,
	want store.EpisodeColumns) (model.Episode, error) {
	if err := rows.Text(string(twin.Source), twin.Content); err != nil {
		return model.Episode{}, err
	}
	return answer(ctx, r, "twin of an episode", oneStatement, func(q *session) (model.Episode, error) {
		columns := episodeSelection(store.EpisodeTable.Read(want))
		var b statement
		b.add("SELECT ")
		columns.write(&b, "m")
		b.add(" FROM episodes m INDEXED BY episodes_content WHERE m.user_id = ? AND m.content_key = ? AND m.source = ?"+
			" AND m.reference_time = ? AND m.content = ? ORDER BY m.id LIMIT 1",
			userArg(user), bytesArg(contentKey(twin.Content)), textArg(string(twin.Source)), instantArg(twin.ReferenceTime),
			textArg(twin.Content))
		var episodes []model.Episode
		err := q.read(&b, into(&episodes, columns.readRow))
		return theOne(episodes, err)
	})
}

// MentionedIn: see store.EpisodeReader.
func (r reader) MentionedIn(ctx context.Context, user model.UserID, episode model.UUID, limit int,
	want store.EntityColumns) ([]model.Entity, error) {
	return answer(ctx, r, "mentioned in an episode", oneStatement, func(q *session) (entities []model.Entity, err error) {
		columns := entitySelection(store.EntityTable.Read(want))
		var b statement
		b.add("SELECT ")
		columns.write(&b, "m")
		b.add(" FROM (SELECT entity_id AS id FROM episode_mentions WHERE user_id = ? AND episode_id = ?", userArg(user),
			idArg(episode))
		for _, end := range [...]string{"source_id", "target_id"} {
			b.add(" UNION SELECT f."+end+" FROM fact_episodes r"+
				" CROSS JOIN facts f ON f.user_id = r.user_id AND f.id = r.fact_id"+
				" WHERE r.user_id = ? AND r.episode_id = ?", userArg(user), idArg(episode))
		}
		b.add(") r CROSS JOIN entities m ON m.user_id = ? AND m.id = r.id ORDER BY m.name_key, m.id LIMIT ?", userArg(user),
			intArg(max(limit, 0)))
		err = q.read(&b, into(&entities, columns.readRow))
		return entities, err
	})
}
