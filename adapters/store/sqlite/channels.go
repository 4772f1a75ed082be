package sqlite

import (
	"context"
	"time"

	"zombiezen.com/go/sqlite"

	"almanac/adapters/store"
	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

var (
	channelColumns = wholeOf(&store.ChannelTable)
	sqlChannels    = "SELECT c.user_id, " + channelColumns.names("c")
	sqlSaveChannel = upsertSQL(&store.ChannelTable, "user_id, id")
	// What is due and has nothing to deliver is passed over in the index and the users' own rows.
	sqlDueChannels = sqlChannels + ` FROM channels c INDEXED BY channels_due
WHERE c.due_at IS NOT NULL AND c.due_at <= ? 
	AND c.place < (SELECT u.change_seq FROM users u WHERE u.user_id = c.user_id)
ORDER BY c.due_at, c.user_id, c.id LIMIT ?`
)

const sqlChannelLoad = `SELECT count(*), min(c.due_at) FROM channels c INDEXED BY channels_due
WHERE c.due_at IS NOT NULL AND c.due_at <= ? 
	AND c.place < (SELECT u.change_seq FROM users u WHERE u.user_id = c.user_id)`

// readChannel reads a row of sqlChannels.
func readChannel(stmt *sqlite.Stmt, channel *model.Channel) error {
	channel.User = model.UserID(columnID(stmt, 0))
	return channelColumns.read(stmt, 1, channel)
}

// Channels: see store.ChannelReader.
func (r reader) Channels(ctx context.Context, user model.UserID) ([]model.Channel, error) {
	return answer(ctx, r, "channels", oneStatement, func(q *session) (channels []model.Channel, err error) {
		err = q.readSQL(sqlChannels+" FROM channels c WHERE c.user_id = ? ORDER BY c.id", into(&channels, readChannel),
			userArg(user))
		return channels, err
	})
}

// SaveChannel: see store.ChannelWriter.
func (f *frame) SaveChannel(ctx context.Context, operation model.Operation, channel model.Channel) error {
	err := f.atomically(ctx, func(q *session) error {
		roundChannel(&channel)
		args, err := argsOf(f.user, &store.ChannelTable, &channel)
		if err != nil {
			return err
		}
		if _, err := q.write(sqlSaveChannel, args...); err != nil {
			return err
		}
		return f.log(q, channel.Kind.ChangeTypeOf(), operation, channel.ID)
	})
	return wrap("save a channel", err)
}

func roundChannel(channel *model.Channel) {
	channel.CreatedAt, channel.UpdatedAt = rows.Time(channel.CreatedAt), rows.Time(channel.UpdatedAt)
	channel.DueAt = rows.Time(channel.DueAt)
}

// DeleteChannel: see store.ChannelWriter.
func (f *frame) DeleteChannel(ctx context.Context, channel model.Channel) error {
	err := f.atomically(ctx, func(q *session) error {
		if err := q.writeOne(`DELETE FROM channels WHERE user_id = ? AND id = ?`, userArg(f.user),
			idArg(channel.ID)); err != nil {
			return err
		}
		return f.log(q, channel.Kind.ChangeTypeOf(), model.OperationDeleted, channel.ID)
	})
	return wrap("delete a channel", err)
}

// ClaimChannels: see store.ChannelQueue.
func (s *Store) ClaimChannels(ctx context.Context, now, until time.Time, limit int) ([]model.Channel, error) {
	return claim(ctx, s, "claim channels", func(q *session) (due []model.Channel, err error) {
		err = q.readSQL(sqlDueChannels, into(&due, readChannel), instantArg(now), intArg(max(limit, 0)))
		return due, err
	}, func(q *session, channel *model.Channel) error {
		channel.DueAt = rows.Time(until)
		_, err := q.write(`UPDATE channels SET due_at = ? WHERE user_id = ? AND id = ?`, timeArg(until),
			userArg(channel.User), idArg(channel.ID))
		return err
	})
}

// SettleChannel: see store.ChannelQueue.
func (s *Store) SettleChannel(ctx context.Context, lease time.Time, channel model.Channel) error {
	err := s.exclusively(ctx, func(q *session) error {
		return q.writeOne(`UPDATE channels SET sealed = ?, state = ?, place = ?, due_at = ?
WHERE user_id = ? AND id = ? AND due_at = ?`, bytesArg(channel.Sealed), textArg(channel.State), intArg(channel.Place),
			timeArg(channel.DueAt), userArg(channel.User), idArg(channel.ID), instantArg(lease))
	})
	return wrap("settle a channel", err)
}

// ChannelLoad: see store.ChannelQueue.
func (s *Store) ChannelLoad(ctx context.Context, now time.Time) (behind int, due time.Time, err error) {
	err = s.reading(ctx, oneStatement, func(q *session) error {
		return q.readSQL(sqlChannelLoad, func(stmt *sqlite.Stmt) error {
			behind, due = stmt.ColumnInt(0), columnTime(stmt, 1)
			return nil
		}, instantArg(now))
	})
	return behind, due, wrap("channels behind", err)
}
