package engine

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"

	"github.com/99designs/gqlgen/graphql"
)

// The numbers of one user's subscriptions.
const (
	// MaxFollowed is how much memory a user's subscriptions may take, by estimate: followerBytes for each, and
	// documentBytes for each that asks for something that no other asks for. One more is refused.
	MaxFollowed   = 16 << 20
	followerBytes = 1 << 10
	documentBytes = 16 << 10
	// maxKeptBytes is how much of answers is kept for subscriptions of one user that have not taken them, and
	// maxKeptAnswers how many for those that ask the same. What is beyond they read again, once they take answers.
	maxKeptBytes   = 4 << 20
	maxKeptAnswers = 64
	// maxCatching is how many of a user's subscriptions may be answered apart from the others at a time.
	maxCatching = 8
	// maxAnswering is how many groups of a user are answered at a time: each holds an answer that is not counted yet.
	maxAnswering = 8
	// logPause is how long to wait before a log is read again that could not be read.
	logPause = time.Second
)

// live is all who follow a change log. Each user's log is read once for all of the user's subscriptions, and those that
// ask the same in the same way are answered together.
type live struct {
	mu    sync.Mutex
	users map[model.UserID]*followers
}

// followers are one user's subscriptions.
type followers struct {
	live *live
	id   model.UserID
	log  edge.Log
	// catching holds a value for each subscription that is answered apart.
	catching chan struct{}
	// stop ends the reading of the log.
	stop context.CancelFunc

	mu sync.Mutex
	// gone is set when the last subscription has left; another then begins anew.
	gone   bool
	groups map[any]*subscribers
	// place is how far the log was read for all.
	place int64
	// count is how many subscriptions there are.
	count int
	// kept are the answers of all groups that somebody has not taken yet, oldest first; bytes is their size.
	kept  list.List
	bytes int
	// due are the groups that are to be answered, answering is how many goroutines do so.
	due       []dueGroup
	answering int
}

// dueGroup is a group with the place after which it is to be answered, and what was read of the log behind that.
type dueGroup struct {
	group *subscribers
	place int64
	seen  *edge.Sight
}

// subscribers are those who ask the same: one document with the same variables, for one user with the same rights, zone
// and language. What is in it belongs to its user, but for the constant first fields.
type subscribers struct {
	user *followers
	key  any
	// operation answers for all. It is that of the first who came, as are the values of ctx, which ends with the group.
	operation *operation
	ctx       context.Context //nolint:containedctx // what the resolver is started with, again and again
	stop      context.CancelFunc
	types     []model.ChangeType

	members map[*subscription]struct{}
	// place is how far the log was answered. Running is set while more of it is; pending is what was read meanwhile.
	place   int64
	running bool
	pending *edge.Sight
	// answers are those that somebody has not taken yet, oldest first; what has a smaller place than lost, or the same, is
	// no longer there.
	answers []*queuedAnswer
	lost    int64
	// over is set when the log cannot be followed any more.
	over bool
}

// queuedAnswer is an answer that waiting members have not taken yet.
type queuedAnswer struct {
	group    *subscribers
	response *graphql.Response
	place    int64
	waiting  int
	size     int
	element  *list.Element
}

// follow makes a subscription a member of the group that asks the same. RATE_LIMITED when the user has too many.
func (l *live) follow(ctx context.Context, s *subscription, o *operation, followed edge.Followed) *model.Error {
	key := keyOf(ctx, o)
	for {
		u := l.of(ctx, followed)
		u.mu.Lock()
		if u.gone {
			u.mu.Unlock()
			continue
		}
		refused := u.add(ctx, s, o, key, followed)
		empty := u.count == 0
		u.mu.Unlock()
		if empty {
			l.remove(u)
		}
		return refused
	}
}

// of returns a user's followers, and begins to read the log for the first.
func (l *live) of(ctx context.Context, followed edge.Followed) *followers {
	l.mu.Lock()
	defer l.mu.Unlock()
	if u := l.users[followed.User]; u != nil {
		return u
	}
	u := &followers{live: l, id: followed.User, log: followed.Log, catching: make(chan struct{}, maxCatching),
		groups: map[any]*subscribers{}, place: followed.Head}
	if l.users == nil {
		l.users = map[model.UserID]*followers{}
	}
	l.users[followed.User] = u
	signals, unwatch := u.log.Watch(u.id) // before the first look, so that no change falls between
	ctx, u.stop = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer unwatch()
		u.read(ctx, signals)
	}()
	return u
}

// remove ends the reading for a user who follows nothing any more.
func (l *live) remove(u *followers) {
	l.mu.Lock()
	defer l.mu.Unlock()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.count > 0 || u.gone {
		return
	}
	u.gone = true
	u.stop()
	delete(l.users, u.id)
}

// read reads the log until the context is done, and has the groups answer what concerns them.
func (u *followers) read(ctx context.Context, signals <-chan struct{}) {
	for {
		u.mu.Lock()
		place := u.place
		u.mu.Unlock()
		seen, err := u.look(ctx, place)
		switch {
		case ctx.Err() != nil:
			return
		case model.CodeOf(err) == model.CodeConflict:
			u.lose()
			return
		case err != nil:
			select {
			case <-time.After(logPause):
			case <-ctx.Done():
				return
			}
			continue
		}
		u.tell(seen)
		if seen.More {
			continue
		}
		select {
		case <-signals:
		case <-ctx.Done():
			return
		}
	}
}

func (u *followers) look(ctx context.Context, after int64) (seen *edge.Sight, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic while the change log was read: %v", r)
		}
	}()
	return u.log.Look(ctx, u.id, after)
}

// tell has the groups answer what was read.
func (u *followers) tell(seen *edge.Sight) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.place = max(u.place, seen.UpTo)
	for _, g := range u.groups {
		if g.running {
			g.pending = seen
		} else {
			g.advance(seen)
		}
	}
}

// lose ends all subscriptions: the log no longer reaches back to where they are. Those who come later begin anew.
func (u *followers) lose() {
	u.live.mu.Lock()
	u.mu.Lock()
	if !u.gone {
		u.gone = true
		delete(u.live.users, u.id)
	}
	var wake []func()
	for _, g := range u.groups {
		wake = append(wake, g.finish()...)
	}
	u.mu.Unlock()
	u.live.mu.Unlock()
	callAll(wake)
}

func callAll(all []func()) {
	for _, f := range all {
		f()
	}
}

// add is called with the user's mu held, as are all methods below but those that say otherwise.
func (u *followers) add(ctx context.Context, s *subscription, o *operation, key any,
	followed edge.Followed) *model.Error {
	g := u.groups[key]
	more := followerBytes
	if g == nil {
		more += documentBytes
	}
	if u.count*followerBytes+len(u.groups)*documentBytes+more > MaxFollowed {
		refused := model.Errorf(model.CodeRateLimited,
			"This user's subscriptions take all the memory that they may. Complete some first.")
		refused.RetryAfter = time.Second
		return refused
	}
	if g == nil {
		g = &subscribers{user: u, key: key, operation: o, types: followed.Types, place: u.place, lost: u.place,
			members: map[*subscription]struct{}{}}
		g.ctx, g.stop = context.WithCancel(context.WithoutCancel(ctx))
		u.groups[key] = g
	}
	u.count++
	g.members[s] = struct{}{}
	s.group, s.place, s.away = g, followed.Place, true
	g.comeBack(s)
	return nil
}

// comeBack counts a member among those who take the group's answers, unless it is behind them.
func (g *subscribers) comeBack(s *subscription) {
	if !s.away || s.place < g.lost {
		return
	}
	s.away = false
	for _, k := range g.answers {
		if k.place > s.place {
			k.waiting++
		}
	}
}

// goAway no longer counts a member among them.
func (g *subscribers) goAway(s *subscription) {
	if s.away {
		return
	}
	s.away = true
	for _, k := range g.answers {
		if k.place > s.place {
			k.waiting--
		}
	}
	g.trim()
}

// trim drops the answers that everybody has taken.
func (g *subscribers) trim() {
	for len(g.answers) > 0 && g.answers[0].waiting == 0 {
		g.drop()
	}
}

// drop drops the oldest answer. Those who have not taken it are behind from now on.
func (g *subscribers) drop() {
	oldest := g.answers[0]
	g.answers[0] = nil
	g.answers = g.answers[1:]
	g.lost = oldest.place
	g.user.kept.Remove(oldest.element)
	g.user.bytes -= oldest.size
}

// take returns the next answer of a member. Without one, the state is Ready at the end, Blocks when the member is
// behind, and Waits when there is none yet. It is called without mu.
func (g *subscribers) take(s *subscription) (*graphql.Response, Waiting) {
	u := g.user
	u.mu.Lock()
	defer u.mu.Unlock()
	g.comeBack(s)
	switch {
	case s.place < g.lost:
		g.goAway(s)
		return nil, Blocks
	case s.away:
		return nil, Ready // it has left
	}
	for _, k := range g.answers {
		if k.place <= s.place {
			continue
		}
		s.place = k.place
		k.waiting--
		g.trim()
		return k.response, Ready
	}
	if g.over {
		return nil, Ready
	}
	return nil, Waits
}

// wait is subscription.Wait for a member. It is called without mu.
func (g *subscribers) wait(s *subscription, ready func()) Waiting {
	u := g.user
	u.mu.Lock()
	defer u.mu.Unlock()
	g.comeBack(s)
	_, member := g.members[s]
	if !member || s.away || s.place < g.lost || g.over ||
		len(g.answers) > 0 && g.answers[len(g.answers)-1].place > s.place {
		return Ready
	}
	s.ready = ready
	return Waits
}

// reached notes how far a member came that was answered apart. It is called without mu.
func (u *followers) reached(s *subscription, place int64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	s.place = max(s.place, place)
}

func (u *followers) placeOf(s *subscription) int64 {
	u.mu.Lock()
	defer u.mu.Unlock()
	return s.place
}

// leave ends a membership, and the group with the last. It is called without mu.
func (g *subscribers) leave(s *subscription) {
	u := g.user
	u.mu.Lock()
	ready := s.ready
	s.ready = nil
	if _, member := g.members[s]; member {
		g.goAway(s)
		delete(g.members, s)
		u.count--
		if len(g.members) == 0 {
			g.stop()
			if u.groups[g.key] == g {
				delete(u.groups, g.key)
			}
		}
	}
	empty := u.count == 0
	u.mu.Unlock()
	if empty {
		u.live.remove(u)
	}
	if ready != nil {
		ready()
	}
}

// advance answers what was read, where it concerns the group.
func (g *subscribers) advance(seen *edge.Sight) {
	switch {
	case g.allAway(): // each reads for itself, and comes back behind what nobody has heard
		g.place = max(g.place, seen.UpTo)
		g.lost = g.place
	case g.place < seen.After: // it has missed some
		g.start(nil)
	case seen.Concerns(g.types, g.place):
		g.start(seen)
	default:
		g.place = max(g.place, seen.UpTo)
	}
}

func (g *subscribers) allAway() bool {
	for s := range g.members {
		if !s.away {
			return false
		}
	}
	return true
}

func (g *subscribers) start(seen *edge.Sight) {
	u := g.user
	g.running = true
	u.due = append(u.due, dueGroup{g, g.place, seen})
	if u.answering < maxAnswering {
		u.answering++
		go u.answerDue()
	}
}

// answerDue answers groups until none is due. It is called without mu.
func (u *followers) answerDue() {
	for {
		u.mu.Lock()
		if len(u.due) == 0 {
			u.due = nil
			u.answering--
			u.mu.Unlock()
			return
		}
		next := u.due[0]
		u.due[0] = dueGroup{}
		u.due = u.due[1:]
		u.mu.Unlock()
		next.group.answer(next.place, next.seen)
	}
}

// answer answers what was changed after a place, to the end of the log. It is called without mu.
func (g *subscribers) answer(place int64, seen *edge.Sight) {
	following := &edge.Following{From: &place, Seen: seen}
	started, _ := g.operation.begin(g.ctx, following)
	for response := started.next(); response != nil; response = started.next() {
		callAll(g.keep(response, started.place))
	}
	started.cancel()
	callAll(g.answered(following))
}

// keep passes an answer to the members, and returns what tells those who wait. It is called without mu.
func (g *subscribers) keep(response *graphql.Response, place int64) (wake []func()) {
	u := g.user
	u.mu.Lock()
	defer u.mu.Unlock()
	k := &queuedAnswer{group: g, response: response, place: max(place, g.place), size: answerSize(response)}
	g.place = k.place
	for s := range g.members {
		if s.away || s.place >= k.place {
			continue
		}
		k.waiting++
		if s.ready != nil {
			wake = append(wake, s.ready)
			s.ready = nil
		}
	}
	g.answers = append(g.answers, k)
	k.element = u.kept.PushBack(k)
	u.bytes += k.size
	g.trim()
	for len(g.answers) > maxKeptAnswers {
		g.drop()
	}
	for u.bytes > maxKeptBytes && u.kept.Len() > 1 {
		if oldest, is := u.kept.Front().Value.(*queuedAnswer); is {
			oldest.group.drop()
		}
	}
	return wake
}

// answered notes the end of answering, and goes on with what was read meanwhile. It is called without mu.
func (g *subscribers) answered(following *edge.Following) (wake []func()) {
	u := g.user
	u.mu.Lock()
	defer u.mu.Unlock()
	g.running = false
	place, whole := following.Reached()
	if !whole {
		if g.ctx.Err() != nil {
			return nil
		}
		return g.finish()
	}
	g.place = max(g.place, place)
	if seen := g.pending; seen != nil {
		g.pending = nil
		g.advance(seen)
	}
	return nil
}

// finish ends the group: its members take what is left, and nobody joins it. It returns what tells those who wait.
func (g *subscribers) finish() (wake []func()) {
	g.over = true
	if g.user.groups[g.key] == g {
		delete(g.user.groups, g.key)
	}
	for s := range g.members {
		if s.ready != nil {
			wake = append(wake, s.ready)
			s.ready = nil
		}
	}
	return wake
}

// answerBytes is what an answer takes beside its data.
const answerBytes = 512

func answerSize(response *graphql.Response) int { return len(response.Data) + answerBytes }
