package graphiti

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// FindEntities implements knowledge.Searcher. With a text it is the server's search; with a name one for that name;
// otherwise what was read from all episodes.
func (b *Base) FindEntities(ctx context.Context, user model.UserID,
	ask knowledge.EntityAsk) (knowledge.Answer[model.Entity], error) {
	none := knowledge.Answer[model.Entity]{}
	after, err := readPlace(ask.Page.After)
	if err != nil {
		return none, err
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return none, err
	}
	group := b.groupOf(user)
	keep := func(all []model.Entity) []model.Entity {
		return slices.DeleteFunc(all, func(e model.Entity) bool { return !entityFits(&e, ask.Where) })
	}
	if ask.Text == "" && ask.Where.Name == "" {
		all, err := b.everything(ctx, group)
		if err != nil {
			return none, err
		}
		return listed(keep(all.entities), ask.Page, after, entityPlace, byName), nil
	}
	text := ask.Text
	if text == "" {
		text = ask.Where.Name
	}
	most := needed(ask.Page, after)
	if len(ask.Where.Types) > 0 || ask.Where.Name != "" || !ask.Where.CreatedFrom.IsZero() ||
		!ask.Where.CreatedTo.IsZero() {
		most = model.MaxSearchDepth
	}
	q := nodeSearch{text: text, most: most, types: labelsOf(ask.Where.Types)}
	all, err := b.searchNodes(ctx, group, q)
	if err == nil && len(all) == 0 && len(q.types) > 0 {
		q.types = nil // the server may write its types in another way
		all, err = b.searchNodes(ctx, group, q)
	}
	if err != nil {
		return none, err
	}
	if ask.Text == "" {
		return listed(keep(all), ask.Page, after, entityPlace, byName), nil
	}
	return found(keep(all), ask.Page, after), nil
}

func entityFits(e *model.Entity, where store.EntityWhere) bool {
	return (len(where.Types) == 0 || slices.Contains(where.Types, folded(e.Type))) &&
		(where.Name == "" || folded(e.Name) == where.Name) && within(e.CreatedAt, where.CreatedFrom, where.CreatedTo)
}

// within reports whether a moment is in a span; zero bounds ask nothing.
func within(at, from, to time.Time) bool {
	return (from.IsZero() || !at.Before(from)) && (to.IsZero() || at.Before(to))
}

// labelForm is what the server takes for a label; anything else it refuses as a whole.
var labelForm = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// labelsOf writes folded types as the server's own types are: with a capital. None when one of them cannot be.
func labelsOf(types []string) []string {
	var labels []string
	for _, t := range types {
		if !labelForm.MatchString(t) {
			return nil
		}
		labels = append(labels, strings.ToUpper(t[:1])+t[1:])
	}
	return labels
}

// EntitiesByID implements knowledge.Reader: one search by name for each id, several at a time.
func (b *Base) EntitiesByID(ctx context.Context, user model.UserID, ids []model.ID,
	_ store.EntityColumns) (map[model.ID]model.Entity, error) {
	return byID(ctx, ids, model.KindEntity, func(ctx context.Context, ref model.KnowledgeRef) (model.Entity, bool, error) {
		return b.entity(ctx, b.groupOf(user), ref)
	})
}

// atOnce is how many of the calls of one question run at the same time, so that one question leaves room for others.
const atOnce = 5

// byID asks for each reference of a kind once; ids of anything else are not there.
func byID[T any](ctx context.Context, ids []model.ID, kind model.Kind,
	get func(context.Context, model.KnowledgeRef) (T, bool, error)) (map[model.ID]T, error) {
	type want struct {
		id  model.ID
		ref model.KnowledgeRef
	}
	var wanted []want
	for _, id := range ids {
		if ref, ok := refOf(id, kind); ok && !slices.ContainsFunc(wanted, func(w want) bool { return w.id == id }) {
			wanted = append(wanted, want{id, ref})
		}
	}
	there := make(map[model.ID]T, len(wanted))
	if len(wanted) == 0 {
		return there, nil
	}
	if err := model.AskUpstream(ctx, model.UpstreamGraphiti); err != nil {
		return nil, err
	}
	got, ok := make([]T, len(wanted)), make([]bool, len(wanted))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, w := range wanted {
		group.Go(func() (err error) {
			got[i], ok[i], err = get(within, w.ref)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for i, w := range wanted {
		if ok[i] {
			there[w.id] = got[i]
		}
	}
	return there, nil
}
