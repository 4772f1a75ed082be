package gmail

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/wire"
)

// object is a value of JSON on the wire.
type object = map[string]any

// Options say how a Service starts.
type Options struct {
	// Now is the clock for what does not come with a request, such as AddAccount. It must be set.
	Now func() time.Time
	// Seed makes ids repeat: two services with one seed give the same ids in the same order.
	Seed uint64
	// Switches choose where Google's behaviour is not settled, and how much there is room for.
	Switches Switches
}

// Switches choose between behaviours that are both reported of Google, and set limits.
type Switches struct {
	// ThreadByReferences lets messages.send without threadId join the thread that its References and its subject lead to.
	// Otherwise only threadId does, as was measured.
	ThreadByReferences bool
	// StableAttachmentIDs returns an attachment one id for ever. Otherwise each answer has another one; all of them are
	// good.
	StableAttachmentIDs bool
	// SendLimit is how many recipients an account may write to within 24 hours; 500 when zero, below zero any number.
	SendLimit int
	// HistoryLife is how long records of history are kept; 7 days when zero.
	HistoryLife time.Duration
	// MaxBytes bounds the raw messages of all mailboxes together; 128 MiB when zero.
	MaxBytes int64
	// MaxMessages bounds the messages of one mailbox; 100,000 when zero.
	MaxMessages int
}

// MaxMessage is the most bytes a message may have: the discovery document's limit on uploads.
const MaxMessage = 36_700_160

func (s Switches) sendLimit() int {
	if s.SendLimit != 0 {
		return s.SendLimit
	}
	return 500
}

func (s Switches) historyLife() time.Duration {
	if s.HistoryLife > 0 {
		return s.HistoryLife
	}
	return 7 * 24 * time.Hour
}

func (s Switches) maxBytes() int64 {
	if s.MaxBytes > 0 {
		return s.MaxBytes
	}
	return 128 << 20
}

func (s Switches) maxMessages() int {
	if s.MaxMessages > 0 {
		return s.MaxMessages
	}
	return 100_000
}

// Service is the Gmail API of the stand-in. It is safe for calls at once.
type Service struct {
	now     func() time.Time
	methods map[string]method
	// shown counts attachment ids that were given, so that no two are alike.
	shown atomic.Uint64

	mu       sync.RWMutex
	switches Switches
	state    state
}

var _ wire.Service = (*Service)(nil)

// method is how one method of the API is served.
type method struct {
	serve func(*request) (wire.Reply, error)
	// reads says that serve changes nothing, so that others may read meanwhile.
	reads bool
}

// New returns a service without mailboxes.
func New(options Options) *Service {
	return &Service{now: options.Now, switches: options.Switches, state: newState(options.Seed), methods: methods()}
}

// methods are what is served. The rest of the document answers 501.
func methods() map[string]method {
	read := func(serve func(*request) (wire.Reply, error)) method { return method{serve: serve, reads: true} }
	write := func(serve func(*request) (wire.Reply, error)) method { return method{serve: serve} }
	all := map[string]method{
		"getProfile": read((*request).getProfile),
		"watch":      read((*request).watch),
		"stop":       read((*request).stop),

		"messages.list":            read((*request).listMessages),
		"messages.get":             read((*request).getMessage),
		"messages.attachments.get": read((*request).getAttachment),
		"messages.send":            write((*request).sendMessage),
		"messages.insert":          write((*request).insertMessage),
		"messages.import":          write((*request).importMessage),
		"messages.modify":          write((*request).modifyMessage),
		"messages.trash":           write((*request).trashMessage),
		"messages.untrash":         write((*request).untrashMessage),
		"messages.delete":          write((*request).deleteMessage),
		"messages.batchModify":     write((*request).batchModify),
		"messages.batchDelete":     write((*request).batchDelete),

		"threads.list":    read((*request).listThreads),
		"threads.get":     read((*request).getThread),
		"threads.modify":  write((*request).modifyThread),
		"threads.trash":   write((*request).trashThread),
		"threads.untrash": write((*request).untrashThread),
		"threads.delete":  write((*request).deleteThread),

		"drafts.list":   read((*request).listDrafts),
		"drafts.get":    read((*request).getDraft),
		"drafts.create": write((*request).createDraft),
		"drafts.update": write((*request).updateDraft),
		"drafts.delete": write((*request).deleteDraft),
		"drafts.send":   write((*request).sendDraft),

		"labels.list":   read((*request).listLabels),
		"labels.get":    read((*request).getLabel),
		"labels.create": write((*request).createLabel),
		"labels.patch":  write((*request).patchLabel),
		"labels.update": write((*request).updateLabel),
		"labels.delete": write((*request).deleteLabel),

		"history.list": read((*request).listHistory),

		"settings.sendAs.list": read((*request).listSendAs),
		"settings.sendAs.get":  read((*request).getSendAs),
	}
	named := make(map[string]method, len(all))
	for name, m := range all {
		named["gmail.users."+name] = m
	}
	return named
}

// Document returns the description of the Gmail API.
func (s *Service) Document() *discovery.Document { return discovery.Gmail() }

// SetSwitches replaces the switches from the next request on.
func (s *Service) SetSwitches(switches Switches) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.switches = switches
}

// Serve answers a call. Errors are *wire.Problem: 501 for a method that is not imitated, 400 for an account without a
// mailbox.
func (s *Service) Serve(call wire.Call) (wire.Reply, error) {
	m, known := s.methods[call.Method]
	if !known {
		return wire.Reply{}, notImplemented(call.Method)
	}
	if call.Now.IsZero() {
		call.Now = s.now()
	}
	r := &request{Service: s, call: call, now: call.Now.UTC()}
	if m.reads {
		s.mu.RLock()
		defer s.mu.RUnlock()
	} else {
		s.mu.Lock()
		defer s.mu.Unlock()
	}
	return r.answer(m)
}

// request is one call while it is served. Its methods run under the service's lock.
type request struct {
	*Service
	call wire.Call
	now  time.Time
	box  *account
}

func (r *request) answer(m method) (wire.Reply, error) {
	own := canonical(r.call.Account)
	if user := r.call.Path["userId"]; user != "me" && canonical(user) != own {
		return wire.Reply{}, forbidden("Delegation denied for " + clip(own))
	}
	box, known := r.state.Accounts[own]
	if !known {
		return wire.Reply{}, failedPrecondition("Mail service not enabled")
	}
	r.box = box
	return m.serve(r)
}

// onlyMetadata reports whether the token has the scope that shows headers alone. Beside a wider one it narrows that
// too.
func (r *request) onlyMetadata() bool {
	return slices.Contains(r.call.Scopes, "https://www.googleapis.com/auth/gmail.metadata")
}

func canonical(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

func reply(body object) (wire.Reply, error) { return wire.Reply{Body: body}, nil }

func noContent() (wire.Reply, error) { return wire.Reply{Status: http.StatusNoContent}, nil }
