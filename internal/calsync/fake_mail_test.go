package calsync_test

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"sync"

	"almanac/adapters/gmail"
	"almanac/adapters/google"
	"almanac/graph/model"
)

// mailboxes are those of all accounts, as History shows them: their number is how much has happened in them.
type mailboxes struct {
	mu       sync.Mutex
	happened map[model.UUID][]happened
	// forgotten is up to which number it does not remember.
	forgotten int
	failing   func() error
	// profiles and histories count the calls.
	profiles, histories int
}

type happened struct {
	what   string // added, labelled or deleted
	id     string
	labels []string
}

func newMailboxes() *mailboxes { return &mailboxes{happened: map[model.UUID][]happened{}} }

func (m *mailboxes) do(c model.Connection, what, id string, labels ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.happened[c.ID] = append(m.happened[c.ID], happened{what, id, labels})
}

func (m *mailboxes) enter(ctx context.Context, calls *int) error {
	m.mu.Lock()
	*calls++
	failing := m.failing
	m.mu.Unlock()
	if failing != nil {
		return cmp.Or(failing(), ctx.Err())
	}
	return ctx.Err()
}

func (m *mailboxes) Profile(ctx context.Context, c model.Connection) (address, history string, err error) {
	if err := m.enter(ctx, &m.profiles); err != nil {
		return "", "", err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return c.Account, strconv.Itoa(len(m.happened[c.ID])), nil
}

// History says of each message the last that has happened, but that it was added when it was, with the labels that it
// has now.
func (m *mailboxes) History(ctx context.Context, c model.Connection, since string) (gmail.History, error) {
	if err := m.enter(ctx, &m.histories); err != nil {
		return gmail.History{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	from, err := strconv.Atoi(since)
	if err != nil || from < m.forgotten {
		return gmail.History{Lost: true}, nil //nolint:nilerr // a number of no use is no error
	}
	all := m.happened[c.ID]
	h := gmail.History{At: strconv.Itoa(len(all))}
	last := map[string]happened{}
	var order []string
	for _, one := range all[from:] {
		before, again := last[one.id]
		if !again {
			order = append(order, one.id)
		}
		if again && before.what == "added" && one.what == "labelled" {
			one.what = "added"
		}
		last[one.id] = one
	}
	for _, id := range order {
		one := last[id]
		arrived := gmail.Arrived{Message: id, Thread: "a1", Labels: slices.Clone(one.labels)}
		switch one.what {
		case "added":
			h.Added = append(h.Added, arrived)
		case "labelled":
			h.Labelled = append(h.Labelled, arrived)
		case "deleted":
			h.Deleted = append(h.Deleted, id)
		}
	}
	return h, nil
}

// openAccount is account(1), whose mailbox may be read.
func openAccount() model.Connection {
	c := account(1)
	c.Scopes = []string{google.ScopeGmailModify}
	return c
}
