package emails

import (
	"context"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// Find returns the newest e-mails of all linked accounts that a filter finds, with their headers; more reports that
// there are others.
func (r *Resolver) Find(ctx context.Context, v *core.Viewer, filter graph.EmailFilter,
	most int) (found []model.Email, more bool, err error) {
	accounts, err := r.Accounts(ctx, v, "account", nil)
	if err != nil {
		return nil, false, err
	}
	boxes, question, err := r.boxes(ctx, v, accounts, &filter)
	if err != nil {
		return nil, false, err
	}
	start := &mailPlace{question: question}
	for _, b := range boxes {
		b.place = start.of(b.account, most)
	}
	taken, more, err := r.mergeBoxes(ctx, boxes, most, store.MailHeaders)
	if err != nil {
		return nil, false, err
	}
	for _, one := range taken {
		found = append(found, one.email)
	}
	return found, more, nil
}
