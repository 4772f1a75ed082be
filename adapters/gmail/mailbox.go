package gmail

import (
	"sync"
	"time"

	"almanac/graph/model"
)

// concurrent is how many messages of one account are asked for at once: Gmail refuses more than a handful.
const concurrent = 6

// maxMailboxes is of how many mailboxes something is remembered; those used last.
const maxMailboxes = 4_096

// boxKey is what tells mailboxes apart.
type boxKey struct {
	user       model.UserID
	connection model.UUID
}

// mailbox is what is remembered of a mailbox between calls, in this process. All of it may be forgotten at any time.
type mailbox struct {
	// used is the turn in which it was last used; Client.mu guards it.
	used uint64
	// gets holds a token for each message that is being asked for, looking one for who looks at the history.
	gets    chan struct{}
	looking chan struct{}
	units   meter

	mu sync.Mutex
	// written counts the changes that were begun or ended from here, and seen is what written was when the last look at
	// the history began: labels hold only when that look came after the last change.
	written, seen uint64
	// checked is when the remote said that nothing has happened since the number checkedAs.
	checked   time.Time
	checkedAs string
	readings  map[string]*sharedRead
	labels    []model.EmailLabel
	labelsAt  time.Time
}

// mailbox returns what is remembered of a mailbox.
func (c *Client) mailbox(connection model.Connection) *mailbox {
	key := boxKey{connection.User, connection.ID}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	box, known := c.boxes[key]
	if !known {
		if c.boxes == nil {
			c.boxes = map[boxKey]*mailbox{}
		}
		box = &mailbox{gets: make(chan struct{}, concurrent), looking: make(chan struct{}, 1),
			readings: map[string]*sharedRead{}}
		c.boxes[key] = box
	}
	box.used = c.turn
	if len(c.boxes) > maxMailboxes {
		oldest := key
		for k, b := range c.boxes {
			if b.used < c.boxes[oldest].used {
				oldest = k
			}
		}
		delete(c.boxes, oldest)
	}
	return box
}

// changing says that a change begins or has ended: labels that were learned before do not hold.
func (b *mailbox) changing() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.written++
}

func (b *mailbox) changes() uint64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.written
}

// looked notes what a look has found that began when there had been so many changes.
func (b *mailbox) looked(changes uint64, history string, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen = max(b.seen, changes)
	b.checked, b.checkedAs = at, history
}
