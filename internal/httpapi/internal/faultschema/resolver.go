package faultschema

import (
	"context"
	_ "embed"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph/plan"
)

//go:embed schema.graphqls
var text string

// Resolver answers the schema.
type Resolver struct {
	// Seed is what all chances follow from.
	Seed Chance

	mu sync.Mutex
	// asked counts the calls of resolvers by path.
	asked map[string]int
	count int32
	read  int
}

// New makes the executable schema.
func New(r *Resolver) graphql.ExecutableSchema {
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: text})
	return NewExecutableSchema(Config{Resolvers: root{r}, Schema: schema})
}

// Asked returns how often each resolver ran, by its path, and forgets it.
func (r *Resolver) Asked() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	asked := r.asked
	r.asked, r.count = nil, 0
	return asked
}

// Read returns how many pages were left to be read while they are appended.
func (r *Resolver) Read() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read
}

// ask returns the chance of the field that is resolved: it follows from the path, so that a wrong path shows.
func (r *Resolver) ask(ctx context.Context) (Chance, error) {
	path := place(graphql.GetFieldContext(ctx))
	for _, field := range graphql.CollectFieldsCtx(ctx, nil) {
		path += " " + field.Name
	}
	r.mu.Lock()
	if r.asked == nil {
		r.asked = map[string]int{}
	}
	r.asked[path]++
	r.mu.Unlock()
	c := r.Seed.below(path, 0)
	return c, c.fail()
}

// place returns the path of a field, with the fields above it. Within a subscription it begins below the subscription's
// field, of which gqlgen's executor tells nothing there.
func place(field *graphql.FieldContext) string {
	path, objects := field.Path(), ""
	for at := field; at != nil; at = at.Parent {
		switch {
		case at.Field.Field == nil:
		case at.Object == "Subscription" && at != field:
			path = path[1:]
		default:
			objects += " " + at.Object + "." + at.Field.Name
		}
	}
	return path.String() + objects
}

func item(c Chance, err error) (*Item, error) { return orNull(c, Item{c}), err }

func said(c Chance, say *string) Chance {
	if say == nil {
		return c
	}
	return c.below(*say, 1)
}

type root struct{ *Resolver }

func (r root) Item() ItemResolver                 { return itemResolver(r) }
func (r root) Other() OtherResolver               { return otherResolver(r) }
func (r root) Query() QueryResolver               { return query(r) }
func (r root) Mutation() MutationResolver         { return mutation(r) }
func (r root) Subscription() SubscriptionResolver { return subscription(r) }

type (
	itemResolver  struct{ *Resolver }
	otherResolver struct{ *Resolver }
	query         struct{ *Resolver }
	mutation      struct{ *Resolver }
	subscription  struct{ *Resolver }
)

func (r itemResolver) Slow(ctx context.Context, _ *Item) (*string, error) {
	c, err := r.ask(ctx)
	return orNull(c, c.text()), err
}

func (r itemResolver) MustSlow(ctx context.Context, _ *Item) (string, error) {
	c, err := r.ask(ctx)
	return c.text(), err
}

func (r itemResolver) SlowItem(ctx context.Context, _ *Item) (*Item, error) { return item(r.ask(ctx)) }

func (r itemResolver) MustSlowItem(ctx context.Context, _ *Item, say *string) (*Item, error) {
	c, err := r.ask(ctx)
	return item(said(c, say), err)
}

func (r itemResolver) SlowItems(ctx context.Context, _ *Item, n *int32) ([]Item, error) {
	return items(n)(r.ask(ctx))
}

func items(n *int32) func(Chance, error) ([]Item, error) {
	return func(c Chance, err error) ([]Item, error) {
		if n == nil {
			return nil, err
		}
		out := make([]Item, max(0, min(*n, 3)))
		for i := range out {
			out[i] = Item{c.below("", i)}
		}
		return out, err
	}
}

func (r itemResolver) SlowAny(ctx context.Context, _ *Item) (Any, error) {
	c, err := r.ask(ctx)
	return anyOf(c), err
}

func (r itemResolver) SlowBeing(ctx context.Context, _ *Item) (Being, error) {
	c, err := r.ask(ctx)
	return beingOf(c), err
}

func (r itemResolver) SlowColors(ctx context.Context, _ *Item) ([]string, error) {
	c, err := r.ask(ctx)
	return list(c, Chance.color), err
}

func (r otherResolver) SlowNote(ctx context.Context, _ *Other) (string, error) {
	c, err := r.ask(ctx)
	return c.text(), err
}

func (r query) Page(ctx context.Context) (*Page, error)     { return r.page(ctx) }
func (r query) MustPage(ctx context.Context) (*Page, error) { return r.page(ctx) }

// page returns the items, or the error, when they are appended if it may.
func (r query) page(ctx context.Context) (*Page, error) {
	c, err := r.ask(ctx)
	page := pageOf(c)
	if page == nil || !plan.Streams(ctx) {
		return page, err
	}
	page.Reader, page.items = &PageReader{page.items, err}, nil
	r.mu.Lock()
	r.read++
	r.mu.Unlock()
	return page, nil
}

func (r query) Item(ctx context.Context) (*Item, error)     { return item(r.ask(ctx)) }
func (r query) MustItem(ctx context.Context) (*Item, error) { return item(r.ask(ctx)) }

func (r query) Items(ctx context.Context, first *int32) ([]Item, error) {
	return items(first)(r.ask(ctx))
}

func (r query) MaybeItems(ctx context.Context) ([]*Item, error) {
	c, err := r.ask(ctx)
	return list(c, func(c Chance) *Item { return orNull(c, Item{c}) }), err
}

func (r query) Any(ctx context.Context) (Any, error) {
	c, err := r.ask(ctx)
	return anyOf(c), err
}

func (r query) Anys(ctx context.Context) ([]Any, error) {
	c, err := r.ask(ctx)
	return list(c, anyOf), err
}

func (r query) Being(ctx context.Context) (Being, error) {
	c, err := r.ask(ctx)
	return beingOf(c), err
}

func (r query) Text(ctx context.Context, say *string) (*string, error) {
	c, err := r.ask(ctx)
	return orNull(c, said(c, say).text()), err
}

func (r query) Leaf(ctx context.Context) (*Leaf, error) {
	c, err := r.ask(ctx)
	return orNull(c, leafOf(c)), err
}

func (r mutation) Act(ctx context.Context, say *string) (*Item, error) {
	c, err := r.ask(ctx)
	return item(said(c, say), err)
}

func (r mutation) MustAct(ctx context.Context) (*Item, error) { return item(r.ask(ctx)) }

func (r mutation) Acts(ctx context.Context) ([]*Item, error) {
	c, err := r.ask(ctx)
	return list(c, func(c Chance) *Item { return orNull(c, Item{c}) }), err
}

// Count counts its calls, so that mutations in another order have another answer.
func (r mutation) Count(context.Context) (int32, error) {
	r.count++
	return r.count, nil
}

func (r mutation) Text(ctx context.Context) (*string, error) {
	c, err := r.ask(ctx)
	return orNull(c, c.text()), err
}

func (r subscription) Ticks(ctx context.Context, count int32) (<-chan *Item, error) {
	c, err := r.ask(ctx)
	ticks := make(chan *Item, max(count, 0))
	for i := range max(count, 0) {
		at := c.below("tick", int(i))
		ticks <- orNull(at, Item{at})
	}
	close(ticks)
	return ticks, err
}

func (r subscription) MustTicks(ctx context.Context, count int32) (<-chan *Item, error) {
	return r.Ticks(ctx, count)
}
