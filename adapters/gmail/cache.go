package gmail

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// What is kept of a message begins with a byte that tells its form. Another form, or another list of headers, needs
// another byte: what has one that is not known is read anew.
const (
	formPlain  = 1
	formPacked = 2
)

const (
	// packFrom is the size from which on content is packed.
	packFrom = 2 << 10
	// maxKept is the size above which a message is not kept, and maxKeptBodies above which its texts are not.
	maxKept       = 1 << 20
	maxKeptBodies = 256 << 10
)

// keepFor is how long keeping messages may take.
const keepFor = 5 * time.Second

// What is kept of a message are its head, and for depths that have more, the rest, each sealed for itself: a list of
// headers does not unpack what its messages say.

// head is what lists show of a message, and never changes.
type head struct {
	Depth   Depth               `json:"d"`
	Thread  string              `json:"t,omitempty"`
	Date    int64               `json:"i,omitempty"`
	Snippet string              `json:"s,omitempty"`
	Size    int64               `json:"z,omitempty"`
	Headers []model.EmailHeader `json:"h,omitempty"`
}

// rest is all headers and the tree.
type rest struct {
	Headers []model.EmailHeader `json:"h,omitempty"`
	Root    *model.EmailPart    `json:"r,omitempty"`
}

// known is a message of the cache.
type known struct {
	email model.Email
	depth Depth
	stale bool
}

// recall returns what is kept of messages, with labels that hold unless they are stale, and the number under which
// others may be kept. What the cache cannot tell is not there.
func (s *session) recall(ctx context.Context, ids []string, depth Depth) (map[string]known, store.Mailbox, error) {
	at, ok := s.keptAs(ctx) // first, so that the messages are of that number or of a later one
	if !ok {
		return nil, store.Mailbox{}, nil
	}
	rows := s.rows(ctx, ids)
	age := ageOf(ctx)
	ago, known := s.since(at)
	showsKept := age != nil && known && ago <= lookAtLeast
	if s.needsLook(at, rows, depth) && !(showsKept && age.kept) {
		now, err := s.look(ctx)
		if err != nil && showsKept && ctx.Err() == nil && mayShowKept(err) {
			age.note(s.client.Now().Add(-ago), err)
			return s.openAll(ctx, rows, depth), at, nil
		}
		if err != nil {
			return nil, store.Mailbox{}, err
		}
		if now.History == "" { // what was learned could not be written down, so what is kept is not to be trusted
			return nil, store.Mailbox{}, nil
		}
		if now.History != at.History {
			rows = s.rows(ctx, ids)
		}
		at = now
	}
	found := s.openAll(ctx, rows, depth)
	if ago, known := s.since(at); age != nil && known && len(found) > 0 {
		age.note(s.client.Now().Add(-ago), nil)
	}
	return found, at, nil
}

// openAll opens what is kept of messages.
func (s *session) openAll(ctx context.Context, rows map[string]store.CachedMail, depth Depth) map[string]known {
	found := make(map[string]known, len(rows))
	for id, row := range rows {
		if mail, ok := s.open(ctx, row, depth); ok {
			found[id] = mail
		}
	}
	return found
}

// needsLook reports whether labels must be looked at: those of messages that are kept whole, and from time to time
// those of others, lest the number grow old.
func (s *session) needsLook(at store.Mailbox, rows map[string]store.CachedMail, depth Depth) bool {
	ago, ok := s.since(at)
	if !ok || ago > lookAtLeast {
		return true
	}
	if ago < labelsHold {
		return false
	}
	for _, row := range rows {
		if !row.Stale && row.Depth >= depth {
			return true
		}
	}
	return false
}

func (s *session) rows(ctx context.Context, ids []string) map[string]store.CachedMail {
	rows, err := s.client.Cache.CachedMails(ctx, s.connection.User, s.connection.ID, ids, s.client.Now())
	if err != nil {
		s.warn(ctx, "reading messages", err)
		return nil
	}
	return rows
}

// keep saves messages as they were read at a depth, their labels as of a number that the mailbox had before they were
// read.
func (s *session) keep(ctx context.Context, at store.Mailbox, emails map[string]model.Email, depth Depth) {
	if at.History == "" || len(emails) == 0 {
		return
	}
	now := s.client.Now()
	mails := make([]store.CachedMail, 0, len(emails))
	for id, email := range emails {
		sealed, reached, err := s.seal(id, email, depth)
		if err != nil {
			s.warn(ctx, "sealing a message", err)
			continue
		}
		if sealed != nil {
			mails = append(mails, store.CachedMail{ID: id, Depth: reached, Labels: email.Labels, Sealed: sealed, UsedAt: now})
		}
	}
	// what was paid for is kept though its caller is gone
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepFor)
	defer cancel()
	if err := s.client.Cache.SaveMails(ctx, s.connection.User, s.connection.ID, at.History, mails); err != nil &&
		!errors.Is(err, store.ErrNotFound) {
		s.warn(ctx, "saving messages", err)
	}
}

// The two parts of what is kept of a message.
const (
	partHead = "head"
	partRest = "rest"
)

// place is where a part of a message is sealed for: it opens for no other message, account or user, and as no other
// part.
func (s *session) place(id, part string) seal.Place {
	return seal.Place{User: s.connection.User, Row: s.connection.ID, Column: "mail_cache.sealed " + part + " " + id}
}

// seal returns what is to be kept of a message, and to which depth; nil when it is too large.
func (s *session) seal(id string, email model.Email, depth Depth) (sealed []byte, reached Depth, err error) {
	var rest []byte
	if depth >= store.MailStructure {
		if rest, depth, err = s.restOf(email, depth); err != nil || rest == nil {
			return nil, 0, err
		}
	}
	short := shaped(email, min(depth, store.MailHeaders))
	content := head{Depth: depth, Thread: email.Thread, Snippet: email.Snippet, Size: email.Size, Headers: short.Headers}
	if !email.Date.IsZero() {
		content.Date = email.Date.UnixMilli()
	}
	form, err := s.client.pack(content)
	if errors.Is(err, errTooLarge) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	first := s.client.Box.Seal(s.place(id, partHead), form)
	sealed = append(binary.AppendUvarint(nil, uint64(len(first))), first...)
	if rest != nil {
		sealed = append(sealed, s.client.Box.Seal(s.place(id, partRest), rest)...)
	}
	return sealed, depth, nil
}

// restOf returns the rest of a message, without its texts when they are too long; nil when it is too large all the
// same.
func (s *session) restOf(email model.Email, depth Depth) (form []byte, reached Depth, err error) {
	if depth >= store.MailFull && sizeOf(email.Root) > maxKeptBodies {
		depth = store.MailStructure
	}
	email = shaped(email, depth)
	form, err = s.client.pack(rest{Headers: email.Headers, Root: email.Root})
	if errors.Is(err, errTooLarge) {
		return nil, 0, nil
	}
	return form, depth, err
}

// sizeOf is how many bytes the contents of a tree have.
func sizeOf(part *model.EmailPart) int {
	if part == nil {
		return 0
	}
	size := len(part.Content)
	for i := range part.Parts {
		size += sizeOf(&part.Parts[i])
	}
	return size
}

// open reads what is kept of a message as far as a depth needs it; ok is false when that cannot be, and it has to be
// read anew.
func (s *session) open(ctx context.Context, row store.CachedMail, depth Depth) (mail known, ok bool) {
	size, n := binary.Uvarint(row.Sealed)
	if n <= 0 || size > uint64(len(row.Sealed)-n) {
		return known{}, false
	}
	first, second := row.Sealed[n:n+int(size)], row.Sealed[n+int(size):]
	var content head
	err := s.openPart(s.place(row.ID, partHead), first, &content)
	email := model.Email{
		Ref: model.EmailRef{Connection: s.connection.Number, Message: row.ID}, Thread: content.Thread,
		Account: s.connection.Account,
		Labels:  row.Labels, Snippet: content.Snippet, Size: content.Size, Headers: content.Headers,
	}
	if content.Date != 0 {
		email.Date = time.UnixMilli(content.Date).UTC()
	}
	if err == nil && depth >= store.MailStructure && content.Depth >= store.MailStructure {
		var more rest
		err = s.openPart(s.place(row.ID, partRest), second, &more)
		email.Headers, email.Root = more.Headers, more.Root
	}
	if err != nil {
		if !errors.Is(err, seal.ErrNoKey) { // the key was changed
			s.warn(ctx, "opening a message", err)
		}
		return known{}, false
	}
	return known{email: email, depth: content.Depth, stale: row.Stale}, true
}

func (s *session) openPart(at seal.Place, sealed []byte, into any) error {
	form, err := s.client.Box.Open(at, sealed)
	if err != nil {
		return fmt.Errorf("gmail: what is kept: %w", err)
	}
	raw, err := unpack(form)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("gmail: what is kept: %w", err)
	}
	return nil
}

// errTooLarge says that a message is too large to be kept.
var errTooLarge = errors.New("gmail: too large to be kept")

// pack returns content in its form. errTooLarge.
func (c *Client) pack(content any) ([]byte, error) {
	raw, err := json.Marshal(content)
	if err != nil {
		return nil, fmt.Errorf("gmail: writing what is kept: %w", err)
	}
	if len(raw) > maxKept {
		return nil, errTooLarge
	}
	return c.packed(raw)
}

func (c *Client) packed(raw []byte) ([]byte, error) {
	if len(raw) < packFrom {
		return append([]byte{formPlain}, raw...), nil
	}
	var out bytes.Buffer
	out.WriteByte(formPacked)
	packer, kept := c.packers.Get().(*flate.Writer) // a new one takes half a megabyte
	if kept {
		packer.Reset(&out)
	} else {
		var err error
		if packer, err = flate.NewWriter(&out, flate.BestSpeed); err != nil {
			return nil, fmt.Errorf("gmail: packing: %w", err)
		}
	}
	defer c.packers.Put(packer)
	if _, err := packer.Write(raw); err != nil {
		return nil, fmt.Errorf("gmail: packing: %w", err)
	}
	if err := packer.Close(); err != nil {
		return nil, fmt.Errorf("gmail: packing: %w", err)
	}
	return out.Bytes(), nil
}

var errForm = errors.New("gmail: kept in another form")

func unpack(form []byte) ([]byte, error) {
	if len(form) == 0 {
		return nil, errForm
	}
	switch form[0] {
	case formPlain:
		return form[1:], nil
	case formPacked:
		reader := flate.NewReader(bytes.NewReader(form[1:]))
		raw, err := io.ReadAll(io.LimitReader(reader, maxKept+1))
		if err == nil && len(raw) > maxKept {
			err = errForm
		}
		if err != nil {
			return nil, fmt.Errorf("gmail: unpacking: %w", err)
		}
		return raw, nil
	default:
		return nil, errForm
	}
}
