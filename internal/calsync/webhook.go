package calsync

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// PathNotices is where the remote posts its notices, below the server's own address.
const PathNotices = "/webhooks/google"

// The headers of a notice, which has no body (https://developers.google.com/workspace/calendar/api/guides/push).
const (
	headerChannel = "X-Goog-Channel-Id"
	headerToken   = "X-Goog-Channel-Token"
	headerState   = "X-Goog-Resource-State"
	// stateSync is sent once, when a channel is opened, and tells nothing.
	stateSync = "sync"
)

const (
	// maxTokenText and maxChannelID are Google's own bounds.
	maxTokenText = 256
	maxChannelID = 64
	// noticeTimeout bounds what a notice may wait for; Google sends one again that was answered with 503.
	noticeTimeout = 5 * time.Second
)

// ServeHTTP takes the notices that the remote posts to PathNotices. A notice with the token of a channel of ours makes
// the calendar due and is answered with 204; the syncing is done by Run, afterwards. Any other gets 404 and has no
// effect: without a token that this server has sealed, nothing is read or written. 503 asks the remote to come again.
func (w *Worker) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		rw.Header().Set("Allow", http.MethodPost)
		rw.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	rw.WriteHeader(w.notice(r.Context(), r.Header))
}

func (w *Worker) notice(ctx context.Context, header http.Header) (status int) {
	token, channel := header.Get(headerToken), header.Get(headerChannel)
	if w.Push == nil || token == "" || len(token) > maxTokenText || len(channel) > maxChannelID {
		return http.StatusNotFound
	}
	named, ok := w.Push.read(token, channel)
	if !ok {
		return http.StatusNotFound
	}
	w.once.Do(w.prepare)
	ctx, cancel := context.WithTimeout(ctx, noticeTimeout)
	defer cancel()
	all, err := w.Store.SyncStates(ctx, named.user, named.connection)
	if err == nil {
		// Also a channel that the state does not name any more, or not yet, tells the truth.
		i := slices.IndexFunc(all, func(s store.SyncState) bool { return digest(s.Calendar) == named.calendar })
		switch {
		case i < 0:
			return http.StatusNotFound
		case header.Get(headerState) == stateSync:
			return http.StatusNoContent
		}
		err = w.notify(ctx, all[i])
	}
	switch {
	case errors.Is(err, store.ErrNotFound):
		return http.StatusNotFound
	case err != nil:
		w.Logger.WarnContext(ctx, "a notice was not taken", "user", named.user.String(), "cause", model.CauseOf(err))
		return http.StatusServiceUnavailable
	}
	return http.StatusNoContent
}
