package gmail

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// What a dry run answers in place of a change. Each reads something that is cheap, so that an account that must be
// linked again, or is left alone, is found out as by the change itself.

// errNoLabel is the cause when a label is not there that a dry run would put on or take off.
var errNoLabel = errors.New("gmail: a label of a dry run is not there")

// wouldModify is nil when labels could be put on and taken off.
func (s *session) wouldModify(ctx context.Context, ids []string) error {
	labels, err := s.labels(ctx, 0)
	if err != nil {
		return err
	}
	for _, id := range ids {
		known := slices.ContainsFunc(labels, func(l model.EmailLabel) bool { return l.SourceID == id })
		if !known && id != dryrun.Invented { // one that the same dry run would make
			return &model.Error{Code: model.CodeUpstreamRejected, Reason: "invalidArgument",
				Message: "Google would refuse this: there is no label " + id, Cause: errNoLabel}
		}
	}
	return nil
}

// wouldCreateLabel is the label that would be made.
func (s *session) wouldCreateLabel(ctx context.Context, name string) (model.EmailLabel, error) {
	labels, err := s.labels(ctx, 0)
	if err != nil {
		return model.EmailLabel{}, err
	}
	if slices.ContainsFunc(labels, func(l model.EmailLabel) bool { return l.Name == name }) {
		return model.EmailLabel{}, model.Errorf(model.CodeConflict, "there is a label of this name already")
	}
	return model.EmailLabel{SourceID: dryrun.Invented, Name: name}, nil
}

// wouldDraft is the draft that would be made.
func (s *session) wouldDraft(ctx context.Context, mail Outgoing) (Draft, error) {
	if _, err := s.labels(ctx, 0); err != nil {
		return Draft{}, err
	}
	return Draft{ID: dryrun.Invented, Message: dryrun.Invented, Thread: cmp.Or(mail.Thread, dryrun.Invented)}, nil
}
