package calsync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
	"time"

	"almanac/adapters/gcal"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/seal"
)

// PushOptions say where the remote sends its notices.
type PushOptions struct {
	// Address is PathNotices at this server's public address, "https://almanac.example.com/webhooks/google".
	Address string
	// Box seals what a notice has to bring back to count.
	Box *seal.Box
	// NewID makes the ids of channels.
	NewID func() model.UUID
}

func (p *PushOptions) check() error {
	address, err := url.Parse(p.Address)
	if err != nil || address.Scheme != "https" || address.Host == "" || p.Box == nil || p.NewID == nil {
		return errors.New("calsync: Push needs an https address, a box and ids")
	}
	return nil
}

const (
	// renewAhead is how long before a channel's end the next one is opened. There is no renewal of a channel, and a day of
	// failures should not cost one.
	renewAhead = 24 * time.Hour
	// unwelcomeFor is how long no channel is asked for after the remote has refused one: that is about our address, and no
	// failure that passes by itself.
	unwelcomeFor = time.Hour
	// noChannel stands in a state for the channel of a calendar that has none, as Google's holidays and some shared ones,
	// until it ends: then the remote is asked again. It begins with no mark and is no token's channel.
	noChannel = "-"
	noneFor   = 7 * 24 * time.Hour
	// assumedLife is that of a channel of which the remote does not say when it ends. Google's own is a week.
	assumedLife = 48 * time.Hour
	// closeTimeout bounds the closing of a channel, which nothing waits for but the visit.
	closeTimeout = 10 * time.Second
)

// place is what tokens of channels are sealed for. Whose they are is inside, since a notice says nothing else.
func place() seal.Place { return seal.Place{Column: "calsync.channel"} }

// digestSize is how much of a hash stands for a name in a token, which may have 256 characters.
const digestSize = 16

func digest(name string) [digestSize]byte {
	sum := sha256.Sum256([]byte(name))
	return [digestSize]byte(sum[:digestSize])
}

// marked names a channel: which address it sends to, and an id that was never used before. When the server moves, its
// old channels are known by that, and new ones are opened.
func (p *PushOptions) marked() string {
	id := p.NewID()
	return p.mark() + string(id.AppendText(nil))
}

func (p *PushOptions) mark() string {
	sum := digest(p.Address)
	return hex.EncodeToString(sum[:6]) + "-"
}

// token is what Google sends back with each notice of a channel: user, connection, calendar and channel, sealed.
func (p *PushOptions) token(state store.SyncState, channel string) string {
	calendar, id := digest(state.Calendar), digest(channel)
	body := make([]byte, 0, tokenSize)
	body = append(body, state.User[:]...)
	body = append(body, state.Connection[:]...)
	body = append(body, calendar[:]...)
	return p.Box.SealText(place(), append(body, id[:]...))
}

const tokenSize = 16 + 16 + digestSize + digestSize

// sealed is what a token holds.
type sealed struct {
	user              model.UserID
	connection        model.UUID
	calendar, channel [digestSize]byte
}

// read opens the token that came with a notice of a channel; false for any that token has not made for that channel.
func (p *PushOptions) read(token, channel string) (sealed, bool) {
	body, err := p.Box.OpenText(place(), token)
	if err != nil || len(body) != tokenSize {
		return sealed{}, false
	}
	s := sealed{
		user: model.UserID(body[:16]), connection: model.UUID(body[16:32]),
		calendar: [digestSize]byte(body[32:48]), channel: [digestSize]byte(body[48:64]),
	}
	return s, s.channel == digest(channel)
}

// hears reports whether the remote tells this server of changes of a calendar.
func (w *Worker) hears(state store.SyncState, now time.Time) bool {
	return w.Push != nil && state.ChannelEnds.After(now) && strings.HasPrefix(state.Channel, w.Push.mark())
}

// open opens a channel when there is none or it ends soon. That it cannot be opened is no failure of the sync: the
// calendar is asked, as if there were no channels.
func (v *visit) open(ctx context.Context) {
	now := v.Now()
	switch {
	case v.Push == nil:
		v.replaces = v.claimed.Channel != "" // from when there was Push
		return
	case v.hears(v.claimed, now.Add(renewAhead)), v.isUnwelcome(now), hasNone(v.claimed, now):
		return
	}
	id := v.Push.marked()
	channel, err := v.Calendar.Watch(ctx, v.account, v.claimed.Calendar, id, v.Push.token(v.claimed, id), v.Push.Address,
		0)
	if err != nil {
		switch {
		case isWithoutPush(err): // which says nothing of the others
			v.opened, v.replaces = &gcal.Channel{ID: noChannel, Expires: now.Add(noneFor)}, true
			return
		case model.CodeOf(err) == model.CodeUpstreamRejected:
			v.refuse(now)
		}
		if ctx.Err() == nil {
			v.Logger.WarnContext(ctx, "a push channel was not opened", "user", v.claimed.User.String(), "connection",
				v.account.Number,
				"code", string(model.CodeOf(err)), "cause", model.CauseOf(err))
		}
		return
	}
	if !channel.Expires.After(now) {
		channel.Expires = now.Add(assumedLife)
	}
	v.opened, v.replaces = &channel, true
}

// isWithoutPush reports whether an error says that this calendar, whatever the address, has no channels.
func isWithoutPush(err error) bool {
	shown, ok := errors.AsType[*model.Error](err)
	return ok && shown.Reason == "pushNotSupportedForRequestedResource"
}

// hasNone reports whether the remote has said that a calendar has no channels, and need not be asked again yet.
func hasNone(state store.SyncState, now time.Time) bool {
	return state.Channel == noChannel && state.ChannelEnds.After(now)
}

func (w *Worker) isUnwelcome(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return now.Before(w.unwelcome)
}

func (w *Worker) refuse(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unwelcome = now.Add(unwelcomeFor)
}

// hand puts the channel that was opened into the state in place of the one before, and remembers which of them is to be
// closed.
func (v *visit) hand(state *store.SyncState) {
	switch {
	case !v.replaces:
	case state.Channel != v.claimed.Channel: // another worker was quicker
		v.closes = v.opened
	default:
		v.closes = channelOf(*state)
		state.Channel, state.Resource, state.ChannelEnds = "", "", time.Time{}
		if v.opened != nil {
			state.Channel, state.Resource, state.ChannelEnds = v.opened.ID, v.opened.ResourceID, v.opened.Expires
		}
	}
}

// channelOf is the channel of a state; nil when it has none.
func channelOf(state store.SyncState) *gcal.Channel {
	if state.Channel == "" || state.Channel == noChannel {
		return nil
	}
	return &gcal.Channel{ID: state.Channel, ResourceID: state.Resource, Expires: state.ChannelEnds}
}

// close closes a channel that is not needed any more, if there is one and it goes on. One that stays open ends by
// itself, and its notices do no harm.
func (v *visit) close(ctx context.Context, channel *gcal.Channel) {
	if channel == nil || channel.ID == noChannel || v.Calendar == nil || !channel.Expires.After(v.Now()) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	if err := v.Calendar.StopWatch(ctx, v.account, *channel); err != nil && ctx.Err() == nil {
		v.Logger.WarnContext(ctx, "a push channel was not closed", "user", v.claimed.User.String(), "connection",
			v.account.Number,
			"code", string(model.CodeOf(err)), "cause", model.CauseOf(err))
	}
}

// Stop closes the push channels of an account while its tokens still work; it is for the moment before they are erased.
// The states know of no channel afterwards, so that an account which stays after all is asked again.
func (w *Worker) Stop(ctx context.Context, account model.Connection) error {
	w.once.Do(w.prepare)
	all, err := w.Store.SyncStates(ctx, account.User, account.ID)
	if err != nil {
		return err
	}
	var failed []error
	for _, one := range all {
		channel := channelOf(one)
		if channel == nil {
			continue
		}
		if w.Calendar != nil && channel.Expires.After(w.Now()) {
			failed = append(failed, w.Calendar.StopWatch(ctx, account, *channel))
		}
		err := w.change(ctx, one.User, one.Connection, one.Calendar,
			func(_ context.Context, _ store.Tx, state *store.SyncState) error {
				if state.Channel == one.Channel {
					state.Channel, state.Resource, state.ChannelEnds = "", "", time.Time{}
					state.NextAt = sooner(state.NextAt, w.Now().Add(w.Interval))
				}
				return nil
			})
		if !errors.Is(err, errGone) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// sooner is the earlier one of when a state is due and when it might be; one that is never due stays so.
func sooner(due, might time.Time) time.Time {
	if might.Before(due) {
		return might
	}
	return due
}
