package plan

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// DeferDirective is the name that @defer must have in a document that is compiled. Nobody can write it, so gqlgen,
// whose executor has a @defer of its own, answers such a document whole.
const DeferDirective = "@defer"

// maxRunning bounds the deferred parts of one answer that run beside each other.
const maxRunning = 32

// deferred is what of a selection is left out of the part of the answer in which its object is.
type deferred struct {
	// usages are the fragments that begin at the object.
	usages []*usage
	// groups may belong to those and to fragments further up.
	groups []deferredGroup
}

type deferredGroup struct {
	usages    []*usage
	selection *Selection
}

// Defers reports whether something of the selection is deferred.
func (s *Selection) Defers() bool { return s.deferred != nil }

// Defers reports whether a fragment of the plan is deferred, so that Start must run it.
func (p *Plan) Defers() bool { return p.defers }

// scope are the deferred fragments that begin at one object, and those around it.
type scope struct {
	outer     *scope
	usages    []*usage
	fragments []*Fragment
}

// fragment returns the fragment of a usage; nil for nil.
func (s *scope) fragment(of *usage) *Fragment {
	for ; of != nil && s != nil; s = s.outer {
		for i, usage := range s.usages {
			if usage == of {
				return s.fragments[i]
			}
		}
	}
	return nil
}

// Fragment is a deferred fragment at one place of an answer.
type Fragment struct {
	// ID is its number in the answer.
	ID int
	// Label is "" for none.
	Label string
	// Path is that of the object in which it stands.
	Path ast.Path

	parent   *Fragment
	children []*Fragment
	// parts are the fragment's, in an order in which each comes behind those in which its place is; left of them have not
	// run.
	parts []*part
	left  int
	state state
	// errors are why it failed.
	errors gqlerror.List
}

type state int

const (
	// hidden: nothing is known of the fragment.
	hidden state = iota
	// known: the fragment is, but its parent is not there yet.
	known
	// pending: the fragment is announced.
	pending
	// failed: null has reached the fragment's object.
	failed
	over
)

// part are deferred fields of one object that belong to the same fragments.
type part struct {
	fragments []*Fragment
	selection *Selection
	// at is where the object begins in the buffer; without it there is no part.
	at   int
	path ast.Path
	// writer stands at the object; run appends the fields.
	writer *Writer
	run    func(ctx context.Context, w *Writer, s *Selection) bool
	ctx    context.Context
	// What has come of it.
	ok     bool
	errors gqlerror.List
	sent   bool
	queued bool
}

// Defer takes note of what the selection leaves out of the object, for which run appends a selection.
func (o *Object) Defer(ctx context.Context, w *Writer, s *Selection,
	run func(ctx context.Context, w *Writer, s *Selection) bool) {
	o.deferring, o.outer = true, w.scope
	path := w.parent(o.depth).Path()
	inner := &scope{outer: w.scope, usages: s.deferred.usages}
	w.scope = inner
	for _, usage := range s.deferred.usages {
		inner.fragments = append(inner.fragments,
			&Fragment{Label: usage.label, Path: path, parent: inner.fragment(usage.parent)})
	}
	for _, group := range s.deferred.groups {
		p := &part{selection: group.selection, at: o.start, path: path, writer: w.fork(o.depth), run: run, ctx: ctx}
		for _, usage := range group.usages {
			p.fragments = append(p.fragments, w.scope.fragment(usage))
		}
		w.parts = append(w.parts, p)
	}
}

// cut takes back what was appended from an index on, with what was deferred of it.
func (w *Writer) cut(to int) {
	w.buf = w.buf[:to]
	for last := len(w.parts) - 1; last >= 0 && w.parts[last].at >= to; last-- {
		w.parts = w.parts[:last]
	}
}

// splice appends what another writer has appended, from an index on.
func (w *Writer) splice(other *Writer, from int) {
	for _, p := range other.parts {
		p.at += len(w.buf) - from
	}
	w.parts = append(w.parts, other.parts...)
	w.buf = append(w.buf, other.buf[from:]...)
	w.counted += other.counted
}

// Message is what an answer says at a time.
type Message struct {
	// Pending are the fragments of which the client now knows that they come.
	Pending []*Fragment
	// Data is what is to be merged into the answer, in this order.
	Data []Data
	// Completed are fragments of which nothing more comes.
	Completed []Completed
	// More: other messages follow.
	More bool
}

// Data are fields of the object at a path, a JSON object.
type Data struct {
	// Fragment is one of those that the fields belong to. The path begins with the fragment's.
	Fragment *Fragment
	Path     ast.Path
	Fields   []byte
	Errors   gqlerror.List
}

// Completed says that a fragment is over. With errors it has failed: null has reached its object, of which the fields
// of the fragment stay away.
type Completed struct {
	Fragment *Fragment
	Errors   gqlerror.List
}

// Deferred is the rest of an answer. It is for one goroutine.
type Deferred struct {
	// queue are the parts that have not been started.
	queue []*part
	// running are those that have, pending the fragments that are announced.
	running, pending, ids int

	all  sync.WaitGroup
	wake chan struct{}
	mu   sync.Mutex
	// done are parts that have run and of which nothing has been said.
	done []*part
}

// Start is Run for a plan that defers. It returns the first part of the answer, and the rest of it; when the message
// says that there is no more, Close alone remains to be called. Nothing of the rest runs before Next is called.
func (p *Plan) Start(ctx context.Context, schema Schema, options Options, buf []byte) ([]byte, Message, *Deferred) {
	w := &Writer{buf: buf, counted: len(buf), run: p.run(ctx, options)}
	if !schema.AppendPlan(ctx, w, p.set) {
		w.cut(len(buf))
		w.buf = append(w.buf, null...)
	}
	w.within(1) // what has not been counted yet
	d := &Deferred{wake: make(chan struct{}, 1)}
	var m Message
	for _, root := range d.adopt(w.parts) {
		d.release(root, &m)
	}
	m.More = d.pending > 0
	return w.buf, m, d
}

// Next waits for the next message. It must not be called when the last one said that there is no more. The deadline of
// the context that was given to Start ends the waiting, since it ends resolvers.
func (d *Deferred) Next() Message {
	for {
		var m Message
		for _, p := range d.ran() {
			d.settle(p, &m)
		}
		d.start()
		if len(m.Pending)+len(m.Data)+len(m.Completed) > 0 || d.pending == 0 {
			m.More = d.pending > 0
			return m
		}
		<-d.wake
	}
}

// Close waits for what still runs. Whoever does not want to wait for resolvers cancels the context given to Start.
func (d *Deferred) Close() { d.all.Wait() }

func (d *Deferred) ran() []*part {
	d.mu.Lock()
	defer d.mu.Unlock()
	done := d.done
	d.done = nil
	return done
}

// start starts as many parts as may run.
func (d *Deferred) start() {
	for d.running < maxRunning && len(d.queue) > 0 {
		p := d.queue[0]
		d.queue = d.queue[1:]
		if !p.wanted() {
			continue
		}
		d.running++
		d.all.Go(func() {
			p.append()
			d.mu.Lock()
			d.done = append(d.done, p)
			d.mu.Unlock()
			select {
			case d.wake <- struct{}{}:
			default: // it is awake
			}
		})
	}
}

// wanted reports whether some fragment of the part has not failed.
func (p *part) wanted() bool {
	for _, f := range p.fragments {
		if f.state != failed {
			return true
		}
	}
	return false
}

// append runs the part.
func (p *part) append() {
	w, ctx := p.writer, graphql.WithFreshResponseContext(p.ctx)
	depth := len(w.path)
	defer func() {
		if r := recover(); r != nil {
			w.path = w.path[:depth]
			w.cut(0)
			w.run.operation.Error(ctx, w.run.operation.Recover(ctx, r))
			p.ok = false
		}
		if p.errors = graphql.GetErrors(ctx); !p.ok && len(p.errors) == 0 { // an abstract type's nil has no error of its own
			at, _ := w.at(ctx)
			w.run.operation.Error(at, errNull)
			p.errors = graphql.GetErrors(ctx)
		}
	}()
	p.ok = p.run(ctx, w, p.selection) && w.within(1)
}

// settle takes note of what has come of a part.
func (d *Deferred) settle(p *part, m *Message) {
	d.running--
	if !p.ok {
		for _, f := range p.fragments {
			d.fail(f, p.errors, m)
		}
		return
	}
	d.adopt(p.writer.parts)
	for _, f := range p.fragments {
		if f.left--; f.left == 0 && f.state == pending {
			d.complete(f, m)
		}
	}
}

// adopt takes new parts into their fragments. It returns the fragments that nothing has to come before.
func (d *Deferred) adopt(parts []*part) (roots []*Fragment) {
	for _, p := range parts {
		for _, f := range p.fragments {
			f.parts = append(f.parts, p)
			f.left++
			for ; f != nil && f.state == hidden; f = f.parent {
				f.state = known
				if f.parent == nil {
					roots = append(roots, f)
				} else {
					f.parent.children = append(f.parent.children, f)
				}
			}
		}
		d.enqueue(p)
	}
	return roots
}

// enqueue has a part run when some fragment of it is announced.
func (d *Deferred) enqueue(p *part) {
	for _, f := range p.fragments {
		if f.state == pending && !p.queued {
			p.queued = true
			d.queue = append(d.queue, p)
		}
	}
}

// release announces a fragment, whose parent is there.
func (d *Deferred) release(f *Fragment, m *Message) {
	if len(f.parts) == 0 { // all of its fields are there already
		f.state = over
		d.releaseAll(f.children, m)
		return
	}
	f.ID = d.ids
	d.ids++
	m.Pending = append(m.Pending, f)
	d.pending++
	if f.state == failed {
		d.pending--
		m.Completed = append(m.Completed, Completed{f, f.errors})
		return
	}
	f.state = pending
	for _, p := range f.parts {
		d.enqueue(p)
	}
	if f.left == 0 {
		d.complete(f, m)
	}
}

func (d *Deferred) releaseAll(fragments []*Fragment, m *Message) {
	for _, f := range fragments {
		d.release(f, m)
	}
}

func (d *Deferred) complete(f *Fragment, m *Message) {
	f.state = over
	d.pending--
	for _, p := range f.parts {
		if !p.sent {
			p.sent = true
			m.Data = append(m.Data, Data{Fragment: f, Path: p.path, Fields: p.writer.buf, Errors: p.errors})
		}
	}
	m.Completed = append(m.Completed, Completed{Fragment: f})
	f.parts = nil
	d.releaseAll(f.children, m)
}

// fail ends a fragment at whose object null has arrived, and with it those within.
func (d *Deferred) fail(f *Fragment, errors gqlerror.List, m *Message) {
	switch f.state {
	case pending:
		d.pending--
		m.Completed = append(m.Completed, Completed{f, errors})
	case known:
		f.errors = errors // said when it is announced
	default:
		return
	}
	f.state = failed
}
