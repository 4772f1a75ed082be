package memories

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// memoryWhere resolves everything relative in a filter; field is its path, for messages. nil asks nothing.
// BAD_USER_INPUT beyond model.MaxFilterParts and model.MaxFilterDepth, and for parts that nothing could satisfy
// together.
func memoryWhere(v *core.Viewer, filter *graph.MemoryFilter, field string) (store.MemoryWhere, error) {
	if filter == nil {
		return store.MemoryWhere{}, nil
	}
	reader := filterReader{v: v, root: field}
	return reader.read(*filter, field, 0)
}

// filterReader counts the conditions of a filter while it reads them.
type filterReader struct {
	v     *core.Viewer
	root  string
	parts int
}

// count counts so many conditions.
func (f *filterReader) count(n int) error {
	if f.parts += n; f.parts > model.MaxFilterParts {
		return model.BadInput(f.root,
			"a filter has at most %d conditions, each nested filter, tag, bound of time and entry of metadata counted",
			model.MaxFilterParts)
	}
	return nil
}

func (f *filterReader) read(in graph.MemoryFilter, field string, depth int) (where store.MemoryWhere, err error) {
	if depth > model.MaxFilterDepth {
		return where, model.BadInput(f.root, "and, or and not nest at most %d deep", model.MaxFilterDepth)
	}
	if err = f.count(min(depth, 1)); err != nil { // a nested filter is a condition of the one around it
		return where, err
	}
	for _, one := range in.Type {
		if !slices.Contains(where.Types, one) {
			where.Types = append(where.Types, one)
		}
	}
	if err = f.tags(in, field, &where); err != nil {
		return where, err
	}
	if err = f.metadata(in, field, &where); err != nil {
		return where, err
	}
	if err = f.times(in, field, &where); err != nil {
		return where, err
	}
	if where.And, err = f.all(in.And, field+".and", depth); err != nil {
		return where, err
	}
	if where.Or, err = f.all(in.Or, field+".or", depth); err != nil {
		return where, err
	}
	if in.Not != nil {
		not, err := f.read(*in.Not, field+".not", depth+1)
		if err != nil {
			return where, err
		}
		where.Not = &not
	}
	return where, nil
}

func (f *filterReader) all(in []graph.MemoryFilter, field string, depth int) ([]store.MemoryWhere, error) {
	var out []store.MemoryWhere
	for i, one := range in {
		where, err := f.read(one, field+"."+strconv.Itoa(i), depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, where)
	}
	return out, nil
}

// tags reads the three lists of tags. They are counted before they are folded, so that a list without end costs
// nothing.
func (f *filterReader) tags(in graph.MemoryFilter, field string, where *store.MemoryWhere) error {
	for _, part := range []struct {
		name string
		in   []string
		out  *[]string
	}{{"tags", in.Tags, &where.TagsAll}, {"tagsAny", in.TagsAny, &where.TagsAny},
		{"tagsNone", in.TagsNone, &where.TagsNone}} {
		if err := f.count(len(part.in)); err != nil {
			return err
		}
		tags, err := memoryTags(field+"."+part.name, part.in)
		if err != nil {
			return err
		}
		*part.out = tags
	}
	for _, tag := range where.TagsAll {
		if slices.ContainsFunc(where.TagsNone, func(other string) bool { return memo.TagKey(other) == memo.TagKey(tag) }) {
			return model.BadInput(field+".tagsNone", "%q stands in tags too, so nothing can be found", tag)
		}
	}
	return nil
}

// metadata reads what the metadata must have.
func (f *filterReader) metadata(in graph.MemoryFilter, field string, where *store.MemoryWhere) error {
	where.HasMetadata = in.HasMetadata
	if in.Metadata == nil || *in.Metadata == "null" {
		return nil
	}
	pairs, err := metadataPairs(field+".metadata", *in.Metadata)
	if err != nil {
		return err
	}
	if len(pairs) > 0 && in.HasMetadata != nil && !*in.HasMetadata {
		return model.BadInput(field+".hasMetadata", "what has no metadata has none of these entries, so nothing can be found")
	}
	where.Pairs = pairs
	return f.count(len(pairs))
}

// metadataPairs are the entries of an object, as memories are found by them.
func metadataPairs(field string, value model.JSON) ([]string, error) {
	if len(value) > model.MaxMemoryMetadata {
		return nil, model.BadInput(field, "this has %d bytes; at most %d are allowed", len(value), model.MaxMemoryMetadata)
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal([]byte(value), &entries); err != nil {
		return nil, model.BadInput(field, `this is not a JSON object, such as { "source": "text" }`)
	}
	return memo.Pairs(string(value)), nil
}

// times reads the four bounds.
func (f *filterReader) times(in graph.MemoryFilter, field string, where *store.MemoryWhere) error {
	for _, bound := range []struct {
		in  *model.DateTimeInput
		out *time.Time
	}{
		{in.CreatedAfter, &where.CreatedFrom},
		{in.CreatedBefore, &where.CreatedTo},
		{in.UpdatedAfter, &where.UpdatedFrom},
		{in.UpdatedBefore, &where.UpdatedTo},
	} {
		if bound.in == nil {
			continue
		}
		if err := f.count(1); err != nil {
			return err
		}
		*bound.out = when.Resolve(*bound.in, f.v.Zone)
	}
	if core.NoTimeBetween(where.CreatedFrom, where.CreatedTo) {
		return model.BadInput(field+".createdBefore", "createdBefore is not after createdAfter, so nothing can be found")
	}
	if core.NoTimeBetween(where.UpdatedFrom, where.UpdatedTo) {
		return model.BadInput(field+".updatedBefore", "updatedBefore is not after updatedAfter, so nothing can be found")
	}
	return nil
}
