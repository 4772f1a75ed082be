package record

import (
	"context"

	"almanac/graph/model"
)

// settings are the user's settings, under the user's id.
type settings struct{}

func (settings) read(ctx context.Context, in scope, ids []model.UUID) (map[model.UUID]any, error) {
	user, err := in.users.User(ctx, in.user)
	if err != nil {
		return nil, err
	}
	return map[model.UUID]any{ids[0]: &user.Settings}, nil
}

func (settings) layout() layout { return layout{} }

func (settings) join(parts Parts) (any, error) { return joined[model.Settings](parts) }

func (settings) about(any) []model.ID { return nil }

func (settings) put(ctx context.Context, in scope, changes []change) error {
	for _, c := range changes {
		if want, is := c.want.(*model.Settings); is {
			if err := in.tx.SaveSettings(ctx, *want); err != nil {
				return err
			}
		}
	}
	return nil
}

// SaveSettings records and writes.
func (t *recording) SaveSettings(ctx context.Context, settings model.Settings) error {
	if err := t.before(ctx, model.KindUser, model.UUID(t.r.User)); err != nil {
		return err
	}
	return t.Tx.SaveSettings(ctx, settings)
}
