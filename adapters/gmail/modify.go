package gmail

import (
	"context"
	"slices"

	"google.golang.org/api/gmail/v1"

	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// maxModified is how many messages one call changes.
const maxModified = 1_000

// Modify puts labels on messages and takes others off, by the remote's ids; a label in both lists is taken off. Doing
// it twice is doing it once, so it is repeated until it is known to be done. Gmail does not say which messages are
// gone. UPSTREAM_REJECTED for a label that is not there.
func (c *Client) Modify(ctx context.Context, connection model.Connection, ids, add, remove []string) error {
	add = slices.DeleteFunc(slices.Clone(add), func(label string) bool { return slices.Contains(remove, label) })
	ids = slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(ids))), func(id string) bool { return !isID(id) })
	if len(ids) == 0 || len(add) == 0 && len(remove) == 0 {
		return nil
	}
	s := c.session(ctx, connection)
	if dryrun.Is(ctx) {
		return s.wouldModify(ctx, slices.Concat(add, remove))
	}
	for some := range slices.Chunk(ids, maxModified) {
		before, kept := s.keptAs(ctx)
		err := s.change(ctx, methodModify, func(ctx context.Context, api *gmail.Service) error {
			return api.Users.Messages.BatchModify(me, &gmail.BatchModifyMessagesRequest{Ids: some, AddLabelIds: add,
				RemoveLabelIds: remove}).Context(ctx).Do()
		})
		if err != nil {
			return google.Classify(err)
		}
		if kept {
			s.relabel(context.WithoutCancel(ctx), before, some, add, remove)
		}
	}
	return nil
}
