// Package calendarfiles serves calendars of users as files at signed addresses.
//
// It promises that an address opens one calendar of one user for ten minutes and nothing else; that it tells nothing to
// whoever sees it; and that a few files are made at a time, of one user a few in a minute.
package calendarfiles

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/adapters/calfiles"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// Path is where files are served, below the server's own address; Suffix is what addresses end with.
const (
	Path   = "/exports/"
	Suffix = ".ics"
)

const (
	// life is for how long an address is good.
	life = 10 * time.Minute
	// taking is how long whoever downloads may take for it, making the time to make the file.
	taking = 5 * time.Minute
	making = 30 * time.Second
	// atOnce is how many files are made at the same time, each in memory.
	atOnce = 2
	// maxToken is longer than any address that is made here.
	maxToken = 1_000
)

// Calendars writes calendars; the contract is that of calfiles.Files.
type Calendars interface {
	Render(ctx context.Context, user model.UserID, calendar int, window calfiles.Window,
		form model.CalendarForm) ([]byte, error)
}

// Files makes addresses and serves them. It is made by New; then it is safe for goroutines.
type Files struct {
	Calendars Calendars
	Box       *seal.Box
	// Base is where browsers reach this server.
	Base *url.URL
	Now  func() time.Time
	// Spend counts a download of a user, and refuses it when there are too many.
	Spend  func(user model.UserID) *model.Error
	Logger *slog.Logger

	slots chan struct{}
}

// New makes files ready to serve.
func New(f Files) *Files {
	f.slots = make(chan struct{}, atOnce)
	return &f
}

// ticket is what an address says.
type ticket struct {
	User     model.UserID
	Calendar int
	From, To time.Time
	Form     model.CalendarForm
	Ends     time.Time
}

var place = seal.Place{Column: "calendar files"}

// URL returns an address that is good for ten minutes.
func (f *Files) URL(user model.UserID, calendar int, window calfiles.Window, form model.CalendarForm) string {
	packed, err := json.Marshal(ticket{User: user, Calendar: calendar, From: window.From, To: window.To, Form: form,
		Ends: f.Now().Add(life)})
	if err != nil {
		panic(err) // plain values
	}
	return f.Base.JoinPath(Path, base64.RawURLEncoding.EncodeToString(f.Box.Seal(place, packed))+Suffix).String()
}

func (f *Files) read(path string) (t ticket, ok bool) {
	token, ok := strings.CutSuffix(strings.TrimPrefix(path, Path), Suffix)
	if !ok || len(token) > maxToken {
		return t, false
	}
	sealed, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return t, false
	}
	packed, err := f.Box.Open(place, sealed)
	return t, err == nil && json.Unmarshal(packed, &t) == nil
}

// ServeHTTP serves the file of an address: 404 for what is none, and for a calendar that is gone; 410 after its time;
// 413 for too large a calendar; 429 for too many of one user; 503 when too many are made at once.
func (f *Files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Cache-Control", "private, no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "A calendar is downloaded with GET.", http.StatusMethodNotAllowed)
		return
	}
	named, ok := f.read(r.URL.Path)
	switch {
	case !ok:
		http.Error(w, "This is not the address of a calendar.", http.StatusNotFound)
		return
	case !f.Now().Before(named.Ends):
		http.Error(w, "This address was good for ten minutes; export the calendar again.", http.StatusGone)
		return
	}
	if busy := f.Spend(named.User); busy != nil {
		header.Set("Retry-After", strconv.Itoa(int(busy.RetryAfter/time.Second)+1))
		http.Error(w, "You are downloading too many calendars; try again later.", http.StatusTooManyRequests)
		return
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	default:
		header.Set("Retry-After", "5")
		http.Error(w, "Too many calendars are being downloaded; try again in a moment.", http.StatusServiceUnavailable)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), making)
	defer cancel()
	text, err := f.Calendars.Render(ctx, named.User, named.Calendar, calfiles.Window{From: named.From, To: named.To},
		named.Form)
	if err != nil {
		f.fail(w, r, err)
		return
	}
	// A client that does not take its file must not hold it in memory for ever.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(taking)) // best effort: tests' writers have none
	header.Set("Content-Type", "text/calendar; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="calendar.ics"`)
	header.Set("Content-Length", strconv.Itoa(len(text)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(text)
	}
}

// fail answers an error without anything of its cause.
func (f *Files) fail(w http.ResponseWriter, r *http.Request, err error) {
	switch model.CodeOf(err) {
	case model.CodeNotFound:
		http.Error(w, "The calendar is gone.", http.StatusNotFound)
	case model.CodeBadUserInput:
		http.Error(w, "The calendar is too large for one file; export a part of it.", http.StatusRequestEntityTooLarge)
	default:
		if r.Context().Err() != nil {
			return // nobody waits for an answer
		}
		f.Logger.ErrorContext(r.Context(), "a calendar could not be exported", slog.String("cause", model.CauseOf(err)))
		http.Error(w, "Something went wrong here.", http.StatusInternalServerError)
	}
}
