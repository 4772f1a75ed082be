package calendar

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"almanac/internal/standin/discovery"
	"almanac/internal/standin/wire"
)

// Options say how a Service starts.
type Options struct {
	// Now is the clock for what does not come with a request, such as AddAccount. It must be set.
	Now func() time.Time
	// Seed makes ids repeat: two services with one seed give the same ids in the same order.
	Seed uint64
	// Notify is told of every push notification, in order, and with no lock held. Nil: nobody listens.
	Notify func(Notification)
	// Logger is told when a series was cut off at the expansion cap. Nil: nobody is.
	Logger *slog.Logger
	// Switches choose where Google's behaviour is not settled.
	Switches Switches
}

// Switches choose between behaviours that are both reported of Google. The zero value is the careful choice: the one
// that shows a client's wrong assumption soonest.
type Switches struct {
	// PageBeforeFilter counts a page's rows before they are filtered, so that pages come short or empty with a token.
	PageBeforeFilter bool
	// DropOrphans cancels exceptions that a changed recurrence no longer generates. Otherwise they stay visible.
	DropOrphans bool
	// StartAlwaysCounts makes the first start an occurrence even when the rule does not generate it.
	StartAlwaysCounts bool
	// SkipGapOccurrences leaves out occurrences at a clock reading that the zone skips. Otherwise they are moved later.
	SkipGapOccurrences bool
	// SingleAsInstances makes events.instances of an event that is no series list the event. Otherwise it is refused.
	SingleAsInstances bool
	// NoChangeKeepsEtag leaves etag and updated alone when a patch of an event changes nothing.
	NoChangeKeepsEtag bool
	// MatchPrefixes lets a word of q match the beginning of a word. Otherwise only whole words match.
	MatchPrefixes bool
	// Conference says what becomes of a request for a conference.
	Conference Conference
	// ExpansionCap is the most instances of one series in one answer; 730 when zero.
	ExpansionCap int
	// CalendarLimit is how many calendars an account may ever make; 38 when zero.
	CalendarLimit int
	// UpdatedMinReach is how far back updatedMin may lie; 30 days when zero.
	UpdatedMinReach time.Duration
	// SyncTokenLife is how long a sync token is good; 30 days when zero.
	SyncTokenLife time.Duration
	// DeadPagesAreGone answers 410 to a page token that ExpirePageTokens has ended. Otherwise it is 400.
	DeadPagesAreGone bool
	// SeriesLast lists exceptions before their series in the order that nothing is said about. Otherwise they come after.
	SeriesLast bool
	// OpaqueInstanceIDs makes instances have ids that say nothing of their series and start. Exceptions that are stored
	// keep the ids that they have, and the older form is understood as well.
	OpaqueInstanceIDs bool
}

// Conference is what becomes of a request for a conference.
type Conference int

// A conference is made at once, is pending until ResolveConferences, or fails though the event is made.
const (
	ConferenceAtOnce Conference = iota
	ConferencePending
	ConferenceFails
)

func (s Switches) expansionCap() int {
	if s.ExpansionCap > 0 {
		return s.ExpansionCap
	}
	return 730
}

func (s Switches) calendarLimit() int {
	if s.CalendarLimit > 0 {
		return s.CalendarLimit
	}
	return 38
}

func (s Switches) updatedMinReach() time.Duration {
	if s.UpdatedMinReach > 0 {
		return s.UpdatedMinReach
	}
	return 30 * 24 * time.Hour
}

func (s Switches) syncTokenLife() time.Duration {
	if s.SyncTokenLife > 0 {
		return s.SyncTokenLife
	}
	return 30 * 24 * time.Hour
}

// Service is the Calendar API of the stand-in. It is safe for calls at once.
type Service struct {
	now     func() time.Time
	notify  func(Notification)
	logger  *slog.Logger
	methods map[string]method
	// events is the shape of what of an event may be written.
	events objectShape

	mu       sync.RWMutex
	switches Switches
	state    state

	// deliveries are what Notify has not been told yet, in the order of the changes; one goroutine at a time tells it.
	deliveries struct {
		sync.Mutex
		waiting  []Notification
		underWay bool
	}
}

var _ wire.Service = (*Service)(nil)

// method is how one method of the API is served.
type method struct {
	serve func(*request) (wire.Reply, error)
	// reads says that serve changes nothing, so that others may read meanwhile.
	reads bool
}

// New returns a service that knows nobody.
func New(options Options) *Service {
	s := &Service{
		now:      options.Now,
		notify:   options.Notify,
		logger:   options.Logger,
		switches: options.Switches,
		state:    newState(options.Seed),
	}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.methods, s.events = methods(), eventShape()
	return s
}

// methods are what is served. The rest of the document answers 501.
func methods() map[string]method {
	read := func(serve func(*request) (wire.Reply, error)) method { return method{serve: serve, reads: true} }
	write := func(serve func(*request) (wire.Reply, error)) method { return method{serve: serve} }
	return map[string]method{
		"calendar.events.list":      read((*request).listEvents),
		"calendar.events.instances": read((*request).listInstances),
		"calendar.events.get":       read((*request).getEvent),
		"calendar.events.insert":    write((*request).insertEvent),
		"calendar.events.import":    write((*request).importEvent),
		"calendar.events.quickAdd":  write((*request).quickAdd),
		"calendar.events.patch":     write((*request).patchEvent),
		"calendar.events.update":    write((*request).updateEvent),
		"calendar.events.delete":    write((*request).deleteEvent),
		"calendar.events.move":      write((*request).moveEvent),
		"calendar.events.watch":     write((*request).watchEvents),

		"calendar.calendarList.list":   read((*request).listEntries),
		"calendar.calendarList.get":    read((*request).getEntry),
		"calendar.calendarList.insert": write((*request).insertEntry),
		"calendar.calendarList.patch":  write((*request).patchEntry),
		"calendar.calendarList.delete": write((*request).deleteEntry),
		"calendar.calendarList.watch":  write((*request).watchEntries),

		"calendar.calendars.get":    read((*request).getCalendar),
		"calendar.calendars.insert": write((*request).insertCalendar),
		"calendar.calendars.patch":  write((*request).patchCalendar),
		"calendar.calendars.delete": write((*request).deleteCalendar),
		"calendar.calendars.clear":  write((*request).clearCalendar),

		"calendar.acl.list":       read((*request).listRules),
		"calendar.colors.get":     read((*request).getColors),
		"calendar.settings.list":  read((*request).listSettings),
		"calendar.settings.get":   read((*request).getSetting),
		"calendar.freebusy.query": read((*request).queryFreeBusy),
		"calendar.channels.stop":  write((*request).stopChannel),
	}
}

// Document returns the description of the Calendar API.
func (s *Service) Document() *discovery.Document { return discovery.Calendar() }

// SetSwitches replaces the switches from the next request on.
func (s *Service) SetSwitches(switches Switches) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.switches = switches
}

// Serve answers a call. Errors are *wire.Problem: 501 for a method that is not imitated, 404 for an account nobody
// added.
func (s *Service) Serve(call wire.Call) (wire.Reply, error) {
	return s.serve(call, false)
}

// serve answers a call. A seeding one may also write what only Google itself writes.
func (s *Service) serve(call wire.Call, seeding bool) (wire.Reply, error) {
	m, known := s.methods[call.Method]
	if !known {
		return wire.Reply{}, notImplemented(call.Method)
	}
	if call.Now.IsZero() {
		call.Now = s.now()
	}
	r := &request{Service: s, call: call, now: call.Now.UTC(), seeding: seeding}
	reply, err := r.run(m)
	if r.capped > 0 {
		s.logger.Info("series were cut off at the expansion cap", "method", call.Method, "series", r.capped)
	}
	if err != nil {
		return wire.Reply{}, err
	}
	return conditional(r.call, reply, m), nil
}

// request is one call while it is served. Its methods run under the service's lock.
type request struct {
	*Service
	call    wire.Call
	now     time.Time
	account *account
	seeding bool
	// changed are the resources whose watchers are to be told.
	changed []string
	notices []Notification
	// capped counts series that were cut off at the expansion cap.
	capped int
}

// run serves under the lock, and tells of changes when it has been given back.
func (r *request) run(m method) (wire.Reply, error) {
	if m.reads {
		r.mu.RLock()
		defer r.mu.RUnlock()
		return r.answer(m)
	}
	reply, err := r.underLock(m)
	r.deliver()
	return reply, err
}

func (r *request) underLock(m method) (wire.Reply, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	reply, err := r.answer(m)
	if err == nil {
		r.tellChannels()
		r.deliveries.Lock()
		r.deliveries.waiting = append(r.deliveries.waiting, r.notices...)
		r.deliveries.Unlock()
	}
	return reply, err
}

// deliver tells what waits. Who writes while it is told, be it the one who is told, leaves the telling to who is at it.
func (s *Service) deliver() {
	d := &s.deliveries
	d.Lock()
	defer d.Unlock()
	if d.underWay {
		return
	}
	d.underWay = true
	defer func() { d.underWay = false }()
	for len(d.waiting) > 0 {
		next := d.waiting[0]
		d.waiting = d.waiting[1:]
		if s.notify != nil {
			d.Unlock()
			s.notify(next)
			d.Lock()
		}
	}
}

func (r *request) answer(m method) (wire.Reply, error) {
	account, known := r.state.Accounts[canonical(r.call.Account)]
	if !known {
		return wire.Reply{}, notFound()
	}
	r.account = account
	return m.serve(r)
}

// conditional returns reads their ETag, and 304 to who has it already.
func conditional(call wire.Call, reply wire.Reply, m method) wire.Reply {
	etag, _ := reply.Body["etag"].(string) // A reply without an etag has none to compare.
	if etag == "" {
		return reply
	}
	if reply.Header == nil {
		reply.Header = http.Header{}
	}
	reply.Header.Set("ETag", etag)
	if m.reads && call.Header.Get("If-None-Match") == etag {
		return wire.Reply{Status: http.StatusNotModified, Header: reply.Header}
	}
	return reply
}
