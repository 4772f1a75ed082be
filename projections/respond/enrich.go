package respond

import (
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
)

// The keys that are put in.
const (
	keyMetadata    = "_metadata"
	keyItemContext = "_itemContext"
	keyCategorized = "_categorized"
	keyIsEmpty     = "_isEmpty"
)

const (
	// maxPath is how long the path of what is looked at may be, in bytes. What lies deeper stays as it is, without
	// siblings.
	maxPath = 512
	// maxTime is how large an object that is a start or an end may be, in bytes; Google's have some eighty.
	maxTime = 512
	// maxKept is how many keys that were in the way are named.
	maxKept = 100
)

// insertion is what is put into the text before the byte at an index.
type insertion struct {
	at   int
	text string
}

// enricher goes over the text once and notes what is put into it.
type enricher struct {
	*reader
	items   []Item
	next    int   // the first item that was not met yet; they stand in the order of the text
	current *Item // the item that is gone through
	base    int   // how long path was where it begins
	path    []byte
	// dates and taken are stacks: what was met in the objects that are open.
	dates []dated
	taken []string
	put   []insertion
	kept  []string
}

// dated is a date of an object that is open.
type dated struct {
	key   string
	value span
	date  date
}

// enrich notes what is put into the text: beside dates their words, within items their flags.
func (r *reader) enrich(items []Item) (put []insertion, kept []string) {
	e := enricher{reader: r, items: items}
	e.value(r.whole.from)
	slices.SortStableFunc(e.put, func(a, b insertion) int { return a.at - b.at })
	return e.put, e.kept
}

// value goes over the value at i, and returns the index behind it.
func (e *enricher) value(i int) int {
	switch {
	case len(e.path) > maxPath:
	case e.text[i] == '{':
		return e.object(i)
	case e.text[i] == '[':
		return e.list(i)
	}
	return e.skip(i)
}

func (e *enricher) list(i int) int {
	i = e.space(i + 1)
	for n := 0; e.text[i] != ']'; n++ {
		outer := len(e.path)
		e.path = strconv.AppendInt(append(e.path, '/'), int64(n), 10)
		i = e.space(e.value(i))
		e.path = e.path[:outer]
		if e.text[i] == ',' {
			i = e.space(i + 1)
		}
	}
	return i + 1
}

func (e *enricher) object(i int) int {
	own := e.enter(i)
	dates, taken, empty := len(e.dates), len(e.taken), true
	for i = e.space(i + 1); e.text[i] != '}'; empty = false {
		end := e.quoted(i)
		key := unquoted(string(e.text[i:end]))
		from := e.space(e.space(end) + 1)
		i = e.member(key, from)
		if isDateKey(key) {
			if at := e.readDate(span{from, i}, e.at.Zone); !at.isZero() {
				e.dates = append(e.dates, dated{key, span{from, i}, at})
			}
		}
		if key == keyItemContext || strings.HasSuffix(key, dateSuffix) {
			e.taken = append(e.taken, key)
		}
		if i = e.space(i); e.text[i] == ',' {
			i = e.space(i + 1)
		}
	}
	e.siblings(dates, taken)
	if own != nil {
		e.leave(own, i, empty, slices.Contains(e.taken[taken:], keyItemContext))
	}
	e.dates, e.taken = e.dates[:dates], e.taken[:taken]
	return i + 1
}

// member goes over the value of a key, and returns the index behind it.
func (e *enricher) member(key string, from int) int {
	if isLeftAlone(key) {
		return e.skip(from)
	}
	outer := len(e.path)
	if outer+len(key) > maxPath {
		return e.skip(from)
	}
	e.path = appendPath(e.path, key)
	end := e.value(from)
	e.path = e.path[:outer]
	return end
}

// appendPath adds a key to a path (RFC 6901).
func appendPath(path []byte, key string) []byte {
	path = append(path, '/')
	for _, c := range []byte(key) {
		switch c {
		case '~':
			path = append(path, "~0"...)
		case '/':
			path = append(path, "~1"...)
		default:
			path = append(path, c)
		}
	}
	return path
}

// enter returns the item that begins at i; nil when none does.
func (e *enricher) enter(i int) *Item {
	for e.next < len(e.items) && e.items[e.next].where.from < i {
		e.next++ // it is no object
	}
	if e.next == len(e.items) || e.items[e.next].where.from != i {
		return nil
	}
	e.current, e.base = &e.items[e.next], len(e.path)
	e.next++
	return e.current
}

// leave puts an item's flags in before its end.
func (e *enricher) leave(item *Item, end int, empty, inTheWay bool) {
	e.current = nil
	flags := item.flags()
	switch {
	case flags == "":
		return
	case inTheWay:
		e.keep(keyItemContext)
		return
	}
	e.put = append(e.put, insertion{end, comma(empty) + `"` + keyItemContext + `":` + flags})
}

// keep notes that a key of ours was there already.
func (e *enricher) keep(key string) {
	if len(e.kept) < maxKept {
		e.kept = append(e.kept, string(appendPath(e.path, key)))
	}
}

func comma(first bool) string {
	if first {
		return ""
	}
	return ","
}

// siblings puts the words of an object's dates beside them; of a key that stands there twice, beside the last. The end
// of whole days is the day after the last of them, and said as the last.
func (e *enricher) siblings(dates, taken int) {
	open := lastOfEach(e.dates[dates:])
	for _, d := range open {
		if d.key == "end" && !d.date.day.IsZero() {
			if start := dayOf(open, "start"); !start.IsZero() && start.Before(d.date.day) {
				d.date.day = d.date.day.AddDays(-1)
			}
		}
		words, key := d.date.words(e.at), d.key+dateSuffix
		if e.current != nil {
			path := string(appendPath(e.path[e.base:len(e.path):len(e.path)], d.key))
			e.current.Dates = append(e.current.Dates,
				FormattedDate{Path: path, Key: d.key, Value: e.plain(d.value), Text: words})
		}
		if slices.Contains(e.taken[taken:], key) {
			e.keep(key)
			continue
		}
		e.put = append(e.put, insertion{d.value.to, `,"` + key + `":` + quote(words)})
	}
}

// lastOfEach returns the last date of each key, in their order. There are few keys, however many dates.
func lastOfEach(dates []dated) []dated {
	var out []dated
	for _, d := range slices.Backward(dates) {
		if !slices.ContainsFunc(out, func(other dated) bool { return other.key == d.key }) {
			out = append(out, d)
		}
	}
	slices.Reverse(out)
	return out
}

// dayOf returns the day of a key; none when it is no whole day.
func dayOf(dates []dated, key string) model.Date {
	for _, d := range dates {
		if d.key == key {
			return d.date.day
		}
	}
	return model.Date{}
}

// plain returns what a string says, anything else as it is.
func (t text) plain(s span) string {
	if said, ok := t.string(s); ok {
		return said
	}
	return t.at(s)
}
