package faultschema

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"almanac/graph/model"
)

// Chance decides what happens at a place: it is the seed of all below it.
type Chance uint64

// faults are how many places of a hundred fail.
const faults = 9

// below is the chance of a field, or of an element of a list.
func (c Chance) below(name string, index int) Chance {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, uint64(c), " ", name, " ", index)
	return Chance(h.Sum64())
}

// null reports whether the place is null.
func (c Chance) null() bool { return c%100 < faults }

// burst panics at some places.
func (c Chance) burst() {
	if c/100%100 < faults/3 {
		panic("the view at " + strconv.FormatUint(uint64(c), 10))
	}
}

// fail fails or panics at some places.
func (c Chance) fail() error {
	c.burst()
	switch what := c / 10_000 % 100; {
	case what < 2:
		return errors.New("a secret cause")
	case what < 4:
		return model.NotFound("id", "nothing at %d", uint64(c))
	case what < 6:
		return fmt.Errorf("wrapped: %w", model.BadInput("input.text", "the text is empty"))
	default:
		return nil
	}
}

func (c Chance) text() string {
	texts := []string{"plain", `quo"ted \ text`, "line\nbreak\ttab\r", "שלום", "\x00\x1f control", "",
		"🙂 long enough to grow"}
	return texts[c%Chance(len(texts))] + strconv.FormatUint(uint64(c)%1000, 10)
}

func (c Chance) number() int32 { return int32(c>>8) % 1000 }

func (c Chance) float() float64 {
	floats := []float64{0, 1, -1.5, 1e21, 1e20, 1e-7, 0.1, 123456789, 1.0 / 3, -0.000001, 100000, 1e6}
	return floats[c%Chance(len(floats))]
}

func (c Chance) color() string { return []string{"RED", "GREEN"}[c%2] }

func (c Chance) length() int { return int(c>>16) % 4 }

func orNull[T any](c Chance, v T) *T {
	if c.null() {
		return nil
	}
	return &v
}

func list[T any](c Chance, element func(c Chance) T) []T {
	if c.null() {
		return nil
	}
	out := make([]T, c.length())
	for i := range out {
		out[i] = element(c.below("", i))
	}
	return out
}

// Loose is a scalar that may write null, and may fail to.
type Loose struct{ chance Chance }

// MarshalLoose writes a value of any shape.
func MarshalLoose(l Loose) graphql.Marshaler {
	if l.chance.null() {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, `{"a":[1,"`+l.chance.color()+`"]}`) })
}

// UnmarshalLoose is never asked.
func UnmarshalLoose(any) (Loose, error) { return Loose{}, nil }

// The interfaces, and the union.
type (
	Being interface{ isBeing() }
	Named interface{ isNamed() }
	Any   interface{ isAny() }
)

// The objects.
type (
	Item  struct{ Chance }
	Other struct{ Chance }
	Leaf  struct {
		Word      string
		MaybeWord *string
	}
)

func (Item) isBeing()   {}
func (Item) isNamed()   {}
func (*Item) isAny()    {}
func (*Other) isBeing() {}
func (Other) isAny()    {}
func (Leaf) isAny()     {}

func leafOf(c Chance) Leaf { return Leaf{Word: c.text(), MaybeWord: orNull(c, c.text())} }

func beingOf(c Chance) Being {
	switch {
	case c.null():
		return nil
	case c%7 == 0:
		return (*Item)(nil)
	case c%3 == 0:
		return &Item{c}
	case c%3 == 1:
		return Item{c}
	default:
		return &Other{c}
	}
}

func anyOf(c Chance) Any {
	switch {
	case c.null():
		return nil
	case c%7 == 0:
		return (*Other)(nil)
	case c%3 == 0:
		return &Item{c}
	case c%3 == 1:
		return Other{c}
	default:
		return leafOf(c)
	}
}

func (i Item) at(field string) Chance {
	c := i.below(field, 0)
	c.burst()
	return c
}

func (i *Item) ID() string         { return "item_" + strconv.FormatUint(uint64(i.at("id")), 10) }
func (i *Item) Kin() []Being       { return list(i.at("kin"), beingOf) }
func (i *Item) Label() string      { return i.at("label").text() }
func (i *Item) Boss() *Item        { return i.itemOf("boss") }
func (i *Item) Name() *string      { return orNull(i.at("name"), i.at("name").text()) }
func (i *Item) Strict() *string    { return orNull(i.at("strict"), i.at("strict").text()) }
func (i *Item) Count() int32       { return i.at("count").number() }
func (i *Item) MaybeCount() *int32 { return orNull(i.at("maybeCount"), i.at("maybeCount").number()) }
func (i *Item) Ratio() *float64    { return orNull(i.at("ratio"), i.at("ratio").float()) }
func (i *Item) MustRatio() float64 { return i.at("mustRatio").float() }
func (i *Item) Flag() bool         { return i.at("flag")%2 == 0 }
func (i *Item) Stamp() *time.Time {
	return orNull(i.at("stamp"), time.Unix(int64(i.at("stamp").number()), 0).UTC())
}
func (i *Item) Loose() *Loose       { return orNull(i.at("loose"), Loose{i.at("loose") / 3}) }
func (i *Item) MustLoose() Loose    { return Loose{i.at("mustLoose")} }
func (i *Item) Color() string       { return i.at("color").color() }
func (i *Item) MaybeColor() *string { return orNull(i.at("maybeColor"), i.at("maybeColor").color()) }
func (i *Item) Strings() []*string {
	return list(i.at("strings"), func(c Chance) *string { return orNull(c, c.text()) })
}
func (i *Item) MaybeStrings() []*string {
	return list(i.at("maybeStrings"), func(c Chance) *string { return orNull(c, c.text()) })
}
func (i *Item) Colors() []*string {
	return list(i.at("colors"), func(c Chance) *string { return orNull(c, c.color()) })
}
func (i *Item) Child() *Item     { return i.itemOf("child") }
func (i *Item) MustChild() *Item { return i.itemOf("mustChild") }
func (i *Item) Other() Other     { return Other{i.at("other")} }
func (i *Item) Value() Leaf      { return leafOf(i.at("value")) }
func (i *Item) Leaves() []Leaf   { return list(i.at("leaves"), leafOf) }
func (i *Item) MaybeLeaves() []*Leaf {
	return list(i.at("maybeLeaves"), func(c Chance) *Leaf { return orNull(c, leafOf(c)) })
}
func (i *Item) Items() []*Item {
	return list(i.at("items"), func(c Chance) *Item { return orNull(c, Item{c}) })
}
func (i *Item) Any() Any                  { return anyOf(i.at("any")) }
func (i *Item) Anys() []Any               { return list(i.at("anys"), anyOf) }
func (i *Item) Checked() (*string, error) { c := i.at("checked"); return orNull(c, c.text()), c.fail() }
func (i *Item) MustChecked() (string, error) {
	c := i.at("mustChecked")
	return c.text(), c.fail()
}

func (i *Item) itemOf(field string) *Item { return orNull(i.at(field), Item{i.at(field)}) }

func (i *Item) Matrix() [][]*int32 {
	return list(i.at("matrix"), func(c Chance) []*int32 {
		return list(c, func(c Chance) *int32 { return orNull(c, c.number()) })
	})
}

func (i *Item) Grid() [][]Item {
	return list(i.at("grid"), func(c Chance) []Item { return list(c, func(c Chance) Item { return Item{c} }) })
}

func (i *Item) Sized(n *int32, color, say *string) ([]Item, error) {
	c := i.at("sized")
	if n == nil || *n < 0 {
		return nil, model.BadInput("n", "not so many")
	}
	if color != nil {
		c = c.below(*color, 0)
	}
	if say != nil {
		c = c.below(*say, 0)
	}
	out := make([]Item, min(*n, 3))
	for at := range out {
		out[at] = Item{c.below("", at)}
	}
	return out, c.fail()
}

// Timed has a context, and so runs beside other fields, though it is no resolver.
func (i *Item) Timed(ctx context.Context) (*string, error) {
	c := i.at("timed")
	path := place(graphql.GetFieldContext(ctx))
	return &path, c.fail()
}

func (o Other) at(field string) Chance { return Item(o).at(field) }

func (o *Other) ID() string   { return "other_" + strconv.FormatUint(uint64(o.at("id")), 10) }
func (o *Other) Kin() []Being { return list(o.at("kin"), beingOf) }
func (o *Other) Note() string { return o.at("note").text() }
func (o *Other) Item() *Item  { return orNull(o.at("item"), Item{o.at("item")}) }

// Page is a connection: with its items, or with a reader of them.
type Page struct {
	chance Chance
	items  []Item
	Reader *PageReader
}

// PageReader appends the items, or fails before the first.
type PageReader struct {
	items []Item
	err   error
}

func pageOf(c Chance) *Page {
	return orNull(c, Page{chance: c, items: list(c, func(c Chance) Item { return Item{c} })})
}

// Nodes are the items.
func (p *Page) Nodes() []Item { return p.items }

// Size is any number.
func (p *Page) Size() int32 { return p.chance.number() }

// Streams reports whether there is a reader.
func (p *Page) Streams() bool { return p.Reader != nil }

// Each implements plan.Reader.
func (r *PageReader) Each(_ context.Context, list interface{ Append(item *Item) bool }) error {
	if r.err != nil {
		return r.err
	}
	var item Item // it is used again for the next
	for _, item = range r.items {
		if !list.Append(&item) {
			break
		}
	}
	return nil
}
