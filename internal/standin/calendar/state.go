package calendar

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"
)

// state is all that is kept, in the form in which a snapshot holds it. Lower-case fields are derived and built anew.
type state struct {
	Version   int                  `json:"version"`
	Seed      uint64               `json:"seed,string"`
	Minted    uint64               `json:"minted,string"`
	Accounts  map[string]*account  `json:"accounts"`
	Calendars map[string]*calendar `json:"calendars"`
	Channels  map[string]*channel  `json:"channels"`
	Mail      []Mail               `json:"mail"`
}

// snapshotVersion changes when an older snapshot can no longer be read.
const snapshotVersion = 1

func newState(seed uint64) state {
	return state{
		Version:   snapshotVersion,
		Seed:      seed,
		Accounts:  map[string]*account{},
		Calendars: map[string]*calendar{},
		Channels:  map[string]*channel{},
	}
}

// account is one person at Google.
type account struct {
	Email          string            `json:"email"`
	Name           string            `json:"name,omitempty"`
	ServiceAccount bool              `json:"serviceAccount,omitempty"`
	Settings       map[string]string `json:"settings"`
	Entries        map[string]*entry `json:"entries"`
	// Changes counts what happened to Entries; sync tokens of the list say how far they have seen.
	Changes uint64 `json:"changes"`
	// Epoch makes older sync tokens worthless, PageEpoch older page tokens.
	Epoch     uint64 `json:"epoch"`
	PageEpoch uint64 `json:"pageEpoch,omitempty"`
	// CalendarsMade is never given back, see Switches.CalendarLimit.
	CalendarsMade int `json:"calendarsMade"`
}

// entry is one line of an account's list of calendars.
type entry struct {
	Calendar         string     `json:"calendar"`
	SummaryOverride  string     `json:"summaryOverride,omitempty"`
	ColorID          string     `json:"colorId,omitempty"`
	Background       string     `json:"background,omitempty"`
	Foreground       string     `json:"foreground,omitempty"`
	Hidden           bool       `json:"hidden,omitempty"`
	Selected         bool       `json:"selected,omitempty"`
	DefaultReminders []Reminder `json:"defaultReminders,omitempty"`
	Notifications    []any      `json:"notifications,omitempty"`
	Deleted          bool       `json:"deleted,omitempty"`
	Order            uint64     `json:"order"`
	Changed          uint64     `json:"changed"`
}

// calendar is one calendar with its events.
type calendar struct {
	ID          string `json:"id"`
	Summary     string `json:"summary"`
	Description string `json:"description,omitempty"`
	Location    string `json:"location,omitempty"`
	TimeZone    string `json:"timeZone"`
	// Owner is the account that owns the data; empty for a calendar of nobody here, such as one of holidays.
	Owner   string          `json:"owner,omitempty"`
	Primary bool            `json:"primary,omitempty"`
	Rights  map[string]role `json:"rights"`
	// RightsChanged counts how often what an account may do was changed, which ends its sync tokens.
	RightsChanged map[string]uint64 `json:"rightsChanged,omitempty"`
	// WithoutPush refuses channels, as Google's own calendars do.
	WithoutPush bool `json:"withoutPush,omitempty"`
	// Labels and Conferences are properties that are kept and given back.
	Labels      object            `json:"labels,omitempty"`
	Conferences object            `json:"conferences,omitempty"`
	Events      map[string]*event `json:"events"`
	// Changes counts what happened to Events, Revision what happened to the calendar's own properties.
	Changes  uint64    `json:"changes"`
	Revision uint64    `json:"revision"`
	Orders   uint64    `json:"orders"`
	Updated  time.Time `json:"updated"`

	zone *time.Location
	// exceptions are the stored instances of each series, by the series' id.
	exceptions map[string]map[string]*event
	// splits are the ids of the series that Google's screen split off, by their base.
	splits map[string][]string
	// inOrder are the events by their Order.
	inOrder []*event
}

// person is a creator or an organizer.
type person struct {
	Email string `json:"email,omitempty"`
	Name  string `json:"name,omitempty"`
}

// event is what is stored of a single event, a series, or an exception: an instance of a series that differs from it.
type event struct {
	ID      string `json:"id"`
	ICalUID string `json:"iCalUID"`
	Type    string `json:"type"`
	Status  string `json:"status"`
	// Order is the place in the unspecified but stable order of listings.
	Order uint64 `json:"order"`
	// Changed is the calendar's count at the last change.
	Changed uint64    `json:"changed"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	// Stamp is the time of the last change of any kind, reminders included; the etag is made of it.
	Stamp     time.Time `json:"stamp"`
	Sequence  int       `json:"sequence"`
	Creator   person    `json:"creator"`
	Organizer person    `json:"organizer"`
	// Body holds the writable properties in wire form. Of an exception it holds only what differs from the series, a null
	// for what the series has and the exception has not; start and end always.
	Body object `json:"body"`
	// Series and Original are set on exceptions.
	Series   string  `json:"series,omitempty"`
	Original *moment `json:"original,omitempty"`
	// Reminders are each person's own, by account.
	Reminders map[string]*reminders `json:"reminders,omitempty"`
	// Moved marks the tombstone that a move left behind.
	Moved bool `json:"moved,omitempty"`
	// Former are recurrences of earlier times: what they generated and the present one does not has been cancelled.
	Former []former `json:"former,omitempty"`
	// Recurs says that the event is a series, RecursSince at which change it became one after having been a single event.
	Recurs      bool   `json:"recurs,omitempty"`
	RecursSince uint64 `json:"recursSince,omitempty"`

	start, end moment
	series     *series
}

// former is a recurrence that a series had until a change.
type former struct {
	Until      uint64 `json:"until"`
	Start      moment `json:"start"`
	Recurrence []any  `json:"recurrence"`
}

// isSeries says whether the event recurs.
func (e *event) isSeries() bool { return e.series != nil }

func (e *event) cancelled() bool { return e.Status == statusCancelled }

// The statuses of an event.
const (
	statusConfirmed = "confirmed"
	statusTentative = "tentative"
	statusCancelled = "cancelled"
)

// typeDefault is the type of an ordinary event.
const typeDefault = "default"

// object is a JSON object as the wire speaks it. Numbers in stored objects are json.Number.
type object = map[string]any

// canonical is the form in which e-mail addresses are compared.
func canonical(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

// mint returns 32 bytes that nobody has seen, and that repeat with the seed.
func (s *state) mint() [sha256.Size]byte {
	s.Minted++
	var in [16]byte
	binary.BigEndian.PutUint64(in[:8], s.Seed)
	binary.BigEndian.PutUint64(in[8:], s.Minted)
	return sha256.Sum256(in[:])
}

// base32hex is the alphabet of event ids.
var base32hex = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

// newEventID returns an id of 26 characters, as the server chooses them.
func (s *state) newEventID() string {
	sum := s.mint()
	return base32hex.EncodeToString(sum[:])[:26]
}

func (s *state) newCalendarID() string {
	sum := s.mint()
	return "c_" + hex.EncodeToString(sum[:]) + "@group.calendar.google.com"
}
