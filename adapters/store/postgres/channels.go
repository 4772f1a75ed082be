package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

var (
	channelColumns = wholeOf(&store.ChannelTable)
	channelNames   = "user_id, " + strings.Join(channelColumns.names(), ", ")

	sqlChannels = `SELECT ` + channelNames + ` FROM channels WHERE user_id = $1 ORDER BY id`

	sqlSaveChannel = `INSERT INTO channels (` + channelNames + `) VALUES ($1, ` +
		numbered(2, len(channelColumns)) + `)
ON CONFLICT (user_id, id) DO UPDATE SET ` + excluded(store.Names(store.ChannelTable.Replaced())...)

	// dueChannels are those that are behind their user's log.
	dueChannels = queue{tables: []string{"channels", "users"},
		from:  "channels AS q JOIN users AS u ON u.user_id = q.user_id",
		where: "q.due_at <= $1 AND q.place < u.change_seq", order: "q.due_at, q.user_id, q.id"}
	sqlClaimChannels = sqlTaking("channels", "due_at", []string{"id"},
		"q.due_at <= $1 AND q.place < (SELECT change_seq FROM users WHERE user_id = $4)", "", channelNames)
)

const (
	sqlDeleteChannel = `DELETE FROM channels WHERE user_id = $1 AND id = $2`
	sqlSettleChannel = `UPDATE channels SET sealed = $4, state = $5, place = $6, due_at = $7
WHERE user_id = $1 AND id = $2 AND due_at = $3`
	sqlChannelLoad = `SELECT count(*), min(c.due_at) FROM channels AS c JOIN users AS u ON u.user_id = c.user_id
WHERE c.due_at <= $1 AND c.place < u.change_seq`
)

// readChannel reads what channelNames names.
func readChannel(r *row, channel *model.Channel) {
	channel.User = model.UserID(r.uuid())
	channelColumns.read(r, channel)
}

// Channels returns all of the user's channels, the oldest first.
func (d reader) Channels(ctx context.Context, user model.UserID) ([]model.Channel, error) {
	q := newQuery(userArg(user))
	q.add(sqlChannels)
	return records(ctx, d, "read channels", q, 0, readChannel)
}

// SaveChannel inserts or replaces a channel.
func (t tx) SaveChannel(ctx context.Context, operation model.Operation, channel model.Channel) error {
	args, err := values(t.user(), channelColumns, channel)
	if err != nil {
		return err
	}
	b := newBatch()
	b.exec(sqlSaveChannel, nil, args...)
	return t.write(ctx, "save a channel", b, changesOf(channel.Kind.ChangeTypeOf(), operation, channel.ID))
}

// DeleteChannel deletes a channel.
func (t tx) DeleteChannel(ctx context.Context, channel model.Channel) error {
	b := newBatch()
	b.exec(sqlDeleteChannel, all(1, store.ErrNotFound), t.user(), uuidArg(channel.ID))
	return t.write(ctx, "delete a channel", b,
		changesOf(channel.Kind.ChangeTypeOf(), model.OperationDeleted, channel.ID))
}

// ClaimChannels returns channels that are due and sets when they are due next.
func (s *Store) ClaimChannels(ctx context.Context, now, until time.Time, limit int) ([]model.Channel, error) {
	return claim(ctx, s, "claim channels", dueChannels, sqlClaimChannels, readChannel, now, until, limit)
}

// SettleChannel keeps how far a channel has come.
func (s *Store) SettleChannel(ctx context.Context, lease time.Time, channel model.Channel) error {
	b := newBatch()
	b.exec(sqlSettleChannel, all(1, store.ErrNotFound), userArg(channel.User), uuidArg(channel.ID), instantArg(lease),
		channel.Sealed, channel.State, channel.Place, timeArg(channel.DueAt))
	if err := s.write(ctx, b); err != nil {
		return fmt.Errorf("postgres: settle a channel: %w", err)
	}
	return nil
}

// ChannelLoad returns how many channels are behind, and since when.
func (s *Store) ChannelLoad(ctx context.Context, now time.Time) (behind int, due time.Time, err error) {
	b := newBatch()
	b.query(sqlChannelLoad, func(r *row) { behind, due = int(r.int64()), r.time() }, instantArg(now))
	if err := s.write(ctx, b); err != nil {
		return 0, time.Time{}, fmt.Errorf("postgres: channels behind: %w", err)
	}
	return behind, due, nil
}
