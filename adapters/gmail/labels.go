package gmail

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"google.golang.org/api/gmail/v1"

	"almanac/adapters/google"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

const (
	// labelsKept is how long the list of labels is kept in memory.
	labelsKept = 5 * time.Minute
	// labelsAnew is how old it must be before it is read anew for an id that is not in it.
	labelsAnew = 5 * time.Second
)

// Labels returns the mailbox's labels: Gmail's own, then the user's by name. They may be five minutes old; labels made
// from here are in it at once. The caller does not change the list.
func (c *Client) Labels(ctx context.Context, connection model.Connection) ([]model.EmailLabel, error) {
	return c.session(ctx, connection).labels(ctx, labelsKept)
}

// LabelsOf is Labels for who needs labels by their ids: with an id that is not in the list the labels are read anew, at
// most every five seconds. What is not there then is not in the mailbox any more.
func (c *Client) LabelsOf(ctx context.Context, connection model.Connection, ids []string) ([]model.EmailLabel, error) {
	s := c.session(ctx, connection)
	labels, err := s.labels(ctx, labelsKept)
	unknown := func(id string) bool {
		return !slices.ContainsFunc(labels, func(l model.EmailLabel) bool { return l.SourceID == id })
	}
	if err != nil || !slices.ContainsFunc(ids, unknown) {
		return labels, err
	}
	return s.labels(ctx, labelsAnew)
}

// LabelsNow is Labels as they are now, for who has not found a name in the list.
func (c *Client) LabelsNow(ctx context.Context, connection model.Connection) ([]model.EmailLabel, error) {
	return c.session(ctx, connection).labels(ctx, 0)
}

// labels returns the list if it is no older than that, and reads it otherwise.
func (s *session) labels(ctx context.Context, most time.Duration) ([]model.EmailLabel, error) {
	s.box.mu.Lock()
	labels, age := s.box.labels, s.client.Now().Sub(s.box.labelsAt)
	s.box.mu.Unlock()
	if labels != nil && age < most {
		return labels, nil
	}
	var answer *gmail.ListLabelsResponse
	asked := s.client.Now()
	err := s.ask(ctx, methodLabels, func(ctx context.Context, api *gmail.Service) (err error) {
		answer, err = api.Users.Labels.List(me).Context(ctx).Fields("labels(id,name,type)").Do()
		return err
	})
	if err != nil {
		return nil, google.Classify(err)
	}
	labels = make([]model.EmailLabel, 0, len(answer.Labels))
	for _, label := range answer.Labels {
		if label == nil || label.Id == "" {
			continue
		}
		labels = append(labels, labelOf(label))
	}
	slices.SortStableFunc(labels, func(a, b model.EmailLabel) int {
		if a.System != b.System {
			if a.System {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.SourceID, b.SourceID))
	})
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	if asked.After(s.box.labelsAt) || s.box.labels == nil {
		s.box.labels, s.box.labelsAt = labels, asked
	}
	return labels, nil
}

// forgetLabels makes the next Labels read them.
func (s *session) forgetLabels() {
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	s.box.labels, s.box.labelsAt = nil, s.client.Now()
}

func labelOf(label *gmail.Label) model.EmailLabel {
	return model.EmailLabel{SourceID: label.Id, Name: label.Name, System: label.Type == "system"}
}

// CreateLabel makes a label. CONFLICT when there is one of the name; UPSTREAM_REJECTED for a name that Gmail does not
// take. When the answer is lost, it is found out whether the label is there.
func (c *Client) CreateLabel(ctx context.Context, connection model.Connection, name string) (model.EmailLabel, error) {
	s := c.session(ctx, connection)
	if dryrun.Is(ctx) {
		return s.wouldCreateLabel(ctx, name)
	}
	defer s.forgetLabels()
	var made *gmail.Label
	err := s.change(ctx, methodCreateLabel, func(ctx context.Context, api *gmail.Service) (err error) {
		made, err = api.Users.Labels.Create(me, &gmail.Label{Name: name}).Context(ctx).Fields("id,name").Do()
		return err
	})
	if err == nil && made.Id == "" {
		err = unknownOutcome(unreadable(errIncomplete))
	}
	switch {
	case err == nil:
		return labelOf(made), nil
	case !errors.Is(err, ErrUnknownOutcome):
		return model.EmailLabel{}, google.Classify(err)
	}
	labels, failed := s.labels(ctx, 0)
	if i := slices.IndexFunc(labels,
		func(l model.EmailLabel) bool { return l.Name == name && !l.System }); failed == nil && i >= 0 {
		return labels[i], nil
	}
	return model.EmailLabel{}, err
}
