package websets

import (
	"context"

	"almanac/graph"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// CompactExa writes a page of Exa's records. Behind one that is empty while more follows, the text leads on as the page
// does.
func CompactExa[V any, R compact.Row](ctx context.Context, r *Resolver, options *projections.CompactOptions,
	kind compact.Kind, page projections.RemotePage[V], row func(V) R) (*projections.FormatResult, error) {
	shown := core.ShownPage(kind, page.Page, row)
	text, err := r.CompactPage(ctx, options, shown)
	if err == nil && len(page.Items) == 0 && page.HasNext && page.End != nil {
		next := page.End()
		text.Next = &next
		text.Output = emptyPage(ctx)
		text.Tokens = compact.Tokens(text.Output)
	}
	return text, err
}

// emptyPage says of a page from which everything was left out that more follow: "none found" would be untrue.
func emptyPage(ctx context.Context) string {
	if v, err := core.ViewerFrom(ctx); err == nil && v.Locale == "he" {
		return "בדף הזה אין אף אחד שעונה על הקריטריונים; יש עוד: המשיכו מ-next"
	}
	return "None on this page satisfies a criterion; there are more: go on after next"
}

// CompactItemSet writes all items of a webset. There is no cursor to go on after: websetItems has them.
func (r *Resolver) CompactItemSet(ctx context.Context, options *projections.CompactOptions,
	set *graph.WebsetItemSet) (*projections.FormatResult, error) {
	return r.CompactPage(ctx, options, core.PageShown{
		Kind: compact.KindWebsetItems, HasNext: set.Truncated, Cursor: func(int) string { return "" },
		Rows: func(compact.Options) []compact.Row { return projections.Rows(set.Nodes, projections.WebsetItem.Row) },
	})
}
