package google

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	// maxUpload bounds the media of one request, whatever the description allows (Gmail: 35 MB of a message).
	maxUpload = 36 << 20
	// Sessions of resumable uploads are bounded in number, in what they hold together and in time.
	maxSessions     = 64
	maxSessionBytes = 256 << 20
	sessionLife     = 7 * 24 * time.Hour
)

// upload serves a body with media: media alone, JSON with media, or the first step of a resumable upload.
func (s *Server) upload(w *seen, r *http.Request, a *ask, raw []byte) {
	var p *problem
	switch kind := a.query.Get("uploadType"); kind {
	case "media":
		a.media, a.mediaType = raw, r.Header.Get("Content-Type")
	case "multipart":
		p = a.readMultipart(r.Header.Get("Content-Type"), raw)
	case "resumable":
		if p = a.readJSON(r.Header.Get("Content-Type"), raw); p == nil {
			s.begin(w, r, a)
			return
		}
	default:
		p = fail(http.StatusBadRequest, "badRequest",
			"Upload requests must have the parameter uploadType: media, multipart or resumable.")
	}
	if p == nil && int64(len(a.media)) > min(a.method.MaxUpload, maxUpload) {
		p = fail(http.StatusRequestEntityTooLarge, "uploadTooLarge", "Request payload size exceeds the limit.")
	}
	if p != nil {
		w.problem(p)
		return
	}
	s.answer(w, a)
}

// readMultipart reads two parts: JSON, then media (multipart/related, RFC 2387).
func (a *ask) readMultipart(contentType string, raw []byte) *problem {
	bad := fail(http.StatusBadRequest, "badContent",
		"Media upload requests of type multipart have a JSON part and a media part.")
	media, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || !strings.HasPrefix(media, "multipart/") {
		return bad
	}
	parts := multipart.NewReader(bytes.NewReader(raw), parameters["boundary"])
	for i := range 2 {
		part, err := parts.NextRawPart()
		if err != nil {
			return bad
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return bad
		}
		if i == 0 {
			if p := a.readJSON(part.Header.Get("Content-Type"), content); p != nil {
				return p
			}
			continue
		}
		a.media, a.mediaType = content, part.Header.Get("Content-Type")
	}
	if _, err := parts.NextRawPart(); !errors.Is(err, io.EOF) {
		return bad
	}
	return nil
}

// uploads are the resumable ones under way, and those finished whose answer may be asked for again.
type uploads struct {
	mu       sync.Mutex
	sessions map[string]*session
	// size is what all of them hold, in bytes.
	size int
}

type session struct {
	// ask is the request of the first step; it does not change.
	ask     *ask
	expires time.Time

	// busy is held while a chunk is taken in, so that chunks of one upload come one after another. It guards content and
	// answer, which is there when the upload is finished.
	busy    sync.Mutex
	content []byte
	answer  *partAnswer

	// held and finished are for the accounts of uploads, and guarded by its mu.
	held     int
	finished bool
}

// begin opens a session and says where its content goes.
func (s *Server) begin(w *seen, r *http.Request, a *ask) {
	if p := s.check(a); p != nil {
		w.problem(p)
		return
	}
	announced, _ := strconv.ParseInt(r.Header.Get("X-Upload-Content-Length"), 10, 64)
	if announced > min(a.method.MaxUpload, maxUpload) {
		w.problem(fail(http.StatusRequestEntityTooLarge, "uploadTooLarge", "Request payload size exceeds the limit."))
		return
	}
	a.mediaType = r.Header.Get("X-Upload-Content-Type")
	id := s.secrets.next("")
	if !s.uploads.open(id, &session{ask: a, expires: s.now().Add(sessionLife)}, s.now()) {
		w.problem(fail(http.StatusServiceUnavailable, "backendError", "Too many uploads are under way."))
		return
	}
	query := copyOf(a.query)
	query.Set("upload_id", id)
	scheme := "https"
	if host, _, _ := strings.Cut(r.Host, ":"); r.TLS == nil && !s.isGoogle(host) {
		scheme = "http"
	}
	w.Header().Set("Location", scheme+"://"+r.Host+r.URL.EscapedPath()+"?"+query.Encode())
	w.Header().Set("X-GUploader-UploadID", id)
	w.send(http.StatusOK, nil)
}

// resume takes a chunk in, or tells how much is here; with the last chunk the method is served.
func (s *Server) resume(w *seen, r *http.Request, a *ask, raw []byte) {
	id := a.query.Get("upload_id")
	open := s.uploads.find(id, s.now())
	if open == nil || open.ask.account != a.account || open.ask.method.ID != a.method.ID {
		w.problem(fail(http.StatusNotFound, "notFound", "The upload session is not there, or not any more."))
		return
	}
	open.busy.Lock()
	defer open.busy.Unlock()
	if open.answer != nil { // the client has lost it
		open.answer.replay(w)
		return
	}
	start, total, ok := contentRange(r.Header.Get("Content-Range"), len(raw))
	limit := min(a.method.MaxUpload, maxUpload)
	switch {
	case !ok:
		w.problem(fail(http.StatusBadRequest, "badRequest", "Failed to parse Content-Range header."))
		return
	case max(total, int64(len(open.content)+len(raw))) > limit:
		w.problem(fail(http.StatusRequestEntityTooLarge, "uploadTooLarge", "Request payload size exceeds the limit."))
		return
	case len(raw) > 0 && start == int64(len(open.content)):
		if !s.uploads.grow(open, len(raw)) {
			w.problem(fail(http.StatusServiceUnavailable, "backendError", "Too many uploads are under way."))
			return
		}
		open.content = append(open.content, raw...)
	}
	if total < 0 || int64(len(open.content)) < total {
		incomplete(w, r, len(open.content))
		return
	}
	finished := *open.ask
	finished.media, finished.header = open.content, r.Header
	answer := &partAnswer{header: http.Header{}}
	s.answer(&seen{ResponseWriter: answer, request: r, part: true}, &finished)
	open.answer, open.content = answer, nil
	s.uploads.finish(open)
	answer.replay(w)
}

// incomplete says how much is here. Google's own clients ask for 200 instead of 308, which has got another meaning
// since (RFC 9110, 15.4.9).
func incomplete(w *seen, r *http.Request, have int) {
	if have > 0 {
		w.Header().Set("Range", fmt.Sprintf("bytes=0-%d", have-1))
	}
	if r.Header.Get("X-GUploader-No-308") != "" {
		w.Header().Set("X-HTTP-Status-Code-Override", "308")
		w.send(http.StatusOK, nil)
		return
	}
	w.send(http.StatusPermanentRedirect, nil)
}

// contentRange reads "bytes 0-99/200", "bytes 0-99/*" and "bytes */200"; without the header the body is everything.
// total is -1 when it is not known yet.
func contentRange(header string, length int) (start, total int64, ok bool) {
	if header == "" {
		return 0, int64(length), true
	}
	span, size, cut := strings.Cut(strings.TrimPrefix(header, "bytes "), "/")
	if !cut || !strings.HasPrefix(header, "bytes ") {
		return 0, 0, false
	}
	total = -1
	if size != "*" {
		var err error
		if total, err = strconv.ParseInt(size, 10, 64); err != nil || total < 0 {
			return 0, 0, false
		}
	}
	if span == "*" {
		return 0, total, length == 0
	}
	first, last, _ := strings.Cut(span, "-")
	start, err := strconv.ParseInt(first, 10, 64)
	end, endErr := strconv.ParseInt(last, 10, 64)
	if err != nil || endErr != nil || start < 0 || end-start+1 != int64(length) || (total >= 0 && end >= total) {
		return 0, 0, false
	}
	return start, total, true
}

// open keeps a session. When there are too many, one that is finished makes room.
func (u *uploads) open(id string, s *session, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	finished := ""
	for old, other := range u.sessions {
		if !now.Before(other.expires) {
			u.drop(old)
		} else if other.finished {
			finished = old
		}
	}
	if len(u.sessions) >= maxSessions {
		u.drop(finished)
	}
	if len(u.sessions) >= maxSessions {
		return false
	}
	if u.sessions == nil {
		u.sessions = map[string]*session{}
	}
	u.sessions[id] = s
	return true
}

func (u *uploads) find(id string, now time.Time) *session {
	u.mu.Lock()
	defer u.mu.Unlock()
	s := u.sessions[id]
	if s == nil || !now.Before(s.expires) {
		return nil
	}
	return s
}

func (u *uploads) grow(s *session, by int) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.size+by > maxSessionBytes {
		return false
	}
	u.size += by
	s.held += by
	return true
}

func (u *uploads) finish(s *session) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.size -= s.held
	s.held, s.finished = 0, true
}

func (u *uploads) drop(id string) {
	if s := u.sessions[id]; s != nil {
		u.size -= s.held
		s.held = 0
		delete(u.sessions, id)
	}
}
