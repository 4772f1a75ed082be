package websets

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"almanac/adapters/exa"
	"almanac/projections"
	"almanac/resolvers/core"
)

// Bounds of what one request reads of a list of Exa's.
const (
	// maxExaPages is how many pages one page of ours may be made of.
	maxExaPages = 20
	// exaItems and exaOthers are the largest pages that Exa gives: of items, and of everything else.
	exaItems, exaOthers = 50, 100
	// mostExaCounted is up to how many totalCount counts, in at most maxCountPages pages.
	mostExaCounted, maxCountPages = 1_000, 40

	defaultWebsets, defaultWebsetItems = 25, 50
)

// exaPlace is a place in a list of Exa's. A page of theirs is found again by their cursor, and a place in it by the
// item before: when that is gone, what came after it stands one further ahead.
type exaPlace struct {
	// page is Exa's cursor of the page; empty for the first one.
	page string
	// before is how many of the page's items lie before the place, and item tells the last of them.
	before int
	item   uint64
}

// pack writes a place for a cursor.
func (p exaPlace) pack() []byte {
	packed := binary.AppendUvarint(nil, uint64(max(p.before, 0)))
	packed = binary.BigEndian.AppendUint64(packed, p.item)
	return append(packed, p.page...)
}

// decodeExaPlace reads what pack wrote.
func decodeExaPlace(packed []byte) (exaPlace, bool) {
	const eight = 8
	before, n := binary.Uvarint(packed)
	if n <= 0 || before > mostExaCounted || len(packed) < n+eight {
		return exaPlace{}, false
	}
	return exaPlace{before: int(before), item: binary.BigEndian.Uint64(packed[n:]), page: string(packed[n+eight:])}, true
}

// exaList is a list of Exa's.
type exaList[N any] struct {
	// purpose names the list and what is asked of it: a cursor fits only there.
	purpose string
	fetch   func(ctx context.Context, page exa.Page) (exa.List[N], error)
	// key tells an item from the others.
	key func(N) string
	// keep tells what belongs into the list; nil: everything.
	keep func(N) bool
	// most is how long a page of Exa's may be.
	most int
}

func (l exaList[N]) keeps(record N) bool { return l.keep == nil || l.keep(record) }

func (l exaList[N]) mark(record N) uint64 {
	sum := sha256.Sum256([]byte(l.key(record)))
	return binary.BigEndian.Uint64(sum[:])
}

// start is the index of the first item of a page behind a place.
func (l exaList[N]) start(items []N, at exaPlace) int {
	if at.before == 0 {
		return 0
	}
	for i, item := range items {
		if l.mark(item) == at.item {
			return i + 1
		}
	}
	return min(at.before-1, len(items))
}

// exaRead is what was read of a list.
type exaRead[N any] struct {
	items []N
	// places are those behind each item, end that behind everything that was looked at.
	places   []exaPlace
	end      exaPlace
	excluded int
	hasNext  bool
}

// read returns up to first items behind a place, going on past pages that hold nothing of the list, at most maxExaPages
// of them.
func (l exaList[N]) read(ctx context.Context, at exaPlace, first int) (out exaRead[N], err error) {
	for range maxExaPages {
		limit := l.most
		if l.keep == nil {
			limit = min(at.before+first-len(out.items), l.most)
		}
		page, err := l.fetch(ctx, exa.Page{Limit: limit, After: at.page})
		if err != nil {
			return out, err
		}
		for i := l.start(page.Items, at); i < len(page.Items); i++ {
			item := page.Items[i]
			out.end = exaPlace{page: at.page, before: i + 1, item: l.mark(item)}
			if i == len(page.Items)-1 && page.Next != "" {
				out.end = exaPlace{page: page.Next}
			}
			if !l.keeps(item) {
				out.excluded++
				continue
			}
			out.items, out.places = append(out.items, item), append(out.places, out.end)
			if len(out.items) == first {
				rest := page.Items[i+1:]
				if out.hasNext = page.Next != "" || l.anyOf(rest); !out.hasNext {
					out.excluded += len(rest) // nobody comes to count them
				}
				return out, nil
			}
		}
		if page.Next == "" {
			return out, nil
		}
		at = exaPlace{page: page.Next}
		out.end = at
	}
	out.hasNext = true
	return out, nil
}

func (l exaList[N]) anyOf(items []N) bool {
	for _, item := range items {
		if l.keeps(item) {
			return true
		}
	}
	return false
}

// count counts the list by reading it; nil when it is too long for that.
func (l exaList[N]) count(ctx context.Context) (*int, error) {
	count, looked, after := 0, 0, ""
	for range maxCountPages {
		page, err := l.fetch(ctx, exa.Page{Limit: l.most, After: after})
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			if l.keeps(item) {
				count++
			}
		}
		looked += len(page.Items)
		switch {
		case looked > mostExaCounted:
			return nil, nil //nolint:nilnil // not counted is no error
		case page.Next == "":
			return &count, nil
		case looked == mostExaCounted:
			return nil, nil //nolint:nilnil // as above
		}
		after = page.Next
	}
	return nil, nil //nolint:nilnil // as above
}

// exaPage answers a connection: one page of the list, and its number where that is asked for.
func exaPage[N, V any](ctx context.Context, r *Resolver, v *core.Viewer, list exaList[N], first *int32, after *string,
	byDefault int, view func(N) V) (projections.RemotePage[V], int, error) {
	var page projections.RemotePage[V]
	limit, err := projections.PageSize("first", first, byDefault)
	if err != nil {
		return page, 0, err
	}
	from, err := core.OpenCursor(r.Base, v, "after", list.purpose, after, decodeExaPlace)
	if err != nil {
		return page, 0, err
	}
	var at exaPlace
	if from != nil {
		at = *from
	}
	read, err := list.read(ctx, at, limit)
	if err != nil {
		return page, 0, err
	}
	page.Items = make([]V, len(read.items))
	for i, record := range read.items {
		page.Items[i] = view(record)
	}
	page.HasNext, page.HasPrevious = read.hasNext, from != nil
	page.Cursor = func(i int) string { return r.Sealer.Seal(list.purpose, v.User, read.places[i].pack()) }
	page.End = func() string { return r.Sealer.Seal(list.purpose, v.User, read.end.pack()) }
	if core.Answered(ctx).Has("totalCount") {
		if n := len(read.items); from == nil && !read.hasNext {
			page.Counted = &n
		} else if page.Counted, err = list.count(ctx); err != nil {
			return page, 0, err
		}
	}
	return page, read.excluded, nil
}
