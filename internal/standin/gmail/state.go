package gmail

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strconv"
	"sync"
	"time"
)

// state is all that is kept, in the form in which a snapshot holds it. Lower-case fields are derived and built anew.
type state struct {
	Version int    `json:"version"`
	Seed    uint64 `json:"seed,string"`
	Minted  uint64 `json:"minted,string"`

	Accounts map[string]*account `json:"accounts"`
	Outgoing []Transmission      `json:"outgoing,omitempty"`

	// bytes is what all raw messages take.
	bytes int64
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

func newState(seed uint64) state {
	return state{Version: snapshotVersion, Seed: seed, Accounts: map[string]*account{}}
}

// account is one mailbox.
type account struct {
	Email     string              `json:"email"`
	Name      string              `json:"name,omitempty"`
	Aliases   []Alias             `json:"aliases,omitempty"`
	Signature string              `json:"signature,omitempty"`
	Messages  map[string]*message `json:"messages"`
	// Drafts are the messages of drafts, by the draft's id.
	Drafts map[string]string `json:"drafts"`
	Labels map[string]*label `json:"labels"`
	// LabelsMade numbers the labels; a number is not given twice.
	LabelsMade int `json:"labelsMade"`
	// HistoryID is the last one given. Records up to HistoryFloor are gone.
	HistoryID    uint64   `json:"historyId,string"`
	HistoryFloor uint64   `json:"historyFloor,string"`
	History      []record `json:"history,omitempty"`
	// Spent are the recipients of the last day, for the limit on sending.
	Spent []spent `json:"spent,omitempty"`

	// inOrder are the messages, the newest first.
	inOrder []*message
	threads map[string][]*message
	byRFC   map[string][]*message
	// draftOf returns a message's draft.
	draftOf map[string]string
}

// message is one message of a mailbox.
type message struct {
	ID     string `json:"id"`
	Thread string `json:"thread"`
	// Labels are ids, sorted.
	Labels []string `json:"labels,omitempty"`
	// History is the id of its last record.
	History uint64 `json:"history,string"`
	// Date is the internal date, in milliseconds since 1970; Received, when it came into the mailbox, is what searches go
	// by.
	Date     int64 `json:"date"`
	Received int64 `json:"received"`
	// RFC is its Message-ID without brackets, Subject what threads are compared by.
	RFC     string `json:"rfc,omitempty"`
	Subject string `json:"subject,omitempty"`
	Raw     []byte `json:"raw"`

	parseOnce  sync.Once
	tree       *part
	searchOnce sync.Once
	search     searchable
}

// spent is a number of recipients at a time, in seconds since 1970.
type spent struct {
	At int64 `json:"at"`
	N  int   `json:"n"`
}

// parts is the tree of a message, found when it is first asked for.
func (m *message) parts() *part {
	m.parseOnce.Do(func() { m.tree = parse(m.Raw) })
	return m.tree
}

func (m *message) has(label string) bool {
	_, found := slices.BinarySearch(m.Labels, label)
	return found
}

// later orders messages, the newest first; of one moment the one with the higher id.
func later(a, b *message) int {
	return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(b.ID, a.ID))
}

// random returns 32 bytes that repeat with the seed.
func (s *state) random() [sha256.Size]byte {
	s.Minted++
	return scramble("mint", s.Seed, s.Minted)
}

func scramble(use string, a, b uint64) [sha256.Size]byte {
	raw := binary.BigEndian.AppendUint64([]byte(use), a)
	return sha256.Sum256(binary.BigEndian.AppendUint64(raw, b))
}

// newID makes the id of a message: the time in milliseconds and 20 bits, as 16 digits.
func (s *state) newID(a *account, now time.Time) string {
	for {
		random := s.random()
		low := uint64(binary.BigEndian.Uint32(random[:]) >> 12)
		id := hexID(uint64(max(now.UnixMilli(), 1<<40))<<20 | low)
		if _, taken := a.Messages[id]; !taken && len(a.threads[id]) == 0 {
			return id
		}
	}
}

func hexID(n uint64) string {
	text := strconv.FormatUint(n, 16)
	const digits = 16
	for len(text) < digits {
		text = "0" + text
	}
	return text
}

// newDraftID makes "r" and a number, as Gmail does.
func (s *state) newDraftID(a *account) string {
	for {
		random := s.random()
		id := "r" + strconv.FormatInt(int64(binary.BigEndian.Uint64(random[:])), 10)
		if _, taken := a.Drafts[id]; !taken {
			return id
		}
	}
}

// newMessageID makes a Message-ID without brackets.
func (s *state) newMessageID() string {
	random := s.random()
	return "CA" + base64.RawURLEncoding.EncodeToString(random[:30]) + "@mail.gmail.com"
}

// nextHistory moves the mailbox's history on, by a step that nobody can foretell.
func (s *state) nextHistory(a *account) uint64 {
	random := s.random()
	const widest = 40
	a.HistoryID += 1 + uint64(random[0])%widest
	return a.HistoryID
}

// keep puts a message into the derived tables.
func (a *account) keep(m *message) {
	a.Messages[m.ID] = m
	i, _ := slices.BinarySearchFunc(a.inOrder, m, later)
	a.inOrder = slices.Insert(a.inOrder, i, m)
	thread := a.threads[m.Thread]
	i, _ = slices.BinarySearchFunc(thread, m, func(x, y *message) int { return later(y, x) })
	a.threads[m.Thread] = slices.Insert(thread, i, m)
	if m.RFC != "" {
		a.byRFC[m.RFC] = append(a.byRFC[m.RFC], m)
	}
}

// drop takes a message out of all tables, with the draft that it is of.
func (a *account) drop(m *message) {
	delete(a.Messages, m.ID)
	same := func(x *message) bool { return x == m }
	if i, found := slices.BinarySearchFunc(a.inOrder, m, later); found {
		a.inOrder = slices.Delete(a.inOrder, i, i+1)
	}
	if a.threads[m.Thread] = slices.DeleteFunc(a.threads[m.Thread], same); len(a.threads[m.Thread]) == 0 {
		delete(a.threads, m.Thread)
	}
	if a.byRFC[m.RFC] = slices.DeleteFunc(a.byRFC[m.RFC], same); len(a.byRFC[m.RFC]) == 0 {
		delete(a.byRFC, m.RFC)
	}
	if draft, is := a.draftOf[m.ID]; is {
		delete(a.Drafts, draft)
		delete(a.draftOf, m.ID)
	}
}

// derive builds the tables anew.
func (a *account) derive() {
	a.inOrder, a.threads, a.byRFC, a.draftOf = nil, map[string][]*message{}, map[string][]*message{}, map[string]string{}
	for _, m := range a.Messages {
		a.inOrder = append(a.inOrder, m)
	}
	slices.SortFunc(a.inOrder, later)
	for _, m := range slices.Backward(a.inOrder) {
		a.threads[m.Thread] = append(a.threads[m.Thread], m)
		if m.RFC != "" {
			a.byRFC[m.RFC] = append(a.byRFC[m.RFC], m)
		}
	}
	for draft, m := range a.Drafts {
		a.draftOf[m] = draft
	}
}
