package websets

import (
	"context"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
	"almanac/resolvers/core"
)

// ExaText is what a mutation of Exa's nouns did, as the formatter of compact text sees it.
func ExaText(done compact.Count, rows []compact.Row, errors []model.UserError) compact.Payload {
	return compact.Payload{Counts: []compact.Count{done}, Rows: rows, UserErrors: core.UserErrorsOf(errors)}
}

// PreviewWebsetText is what a query would be understood as.
func PreviewWebsetText(p *graph.PreviewWebsetPayload) compact.Payload {
	out := compact.Payload{Counts: []compact.Count{core.TallyOne("understood", p.Preview)},
		UserErrors: core.UserErrorsOf(p.UserErrors)}
	if p.Preview == nil {
		return out
	}
	seen := compact.WebsetPreview{EntityType: p.Preview.EntityType, Criteria: p.Preview.Criteria}
	for _, e := range p.Preview.Enrichments {
		seen.Enrichments = append(seen.Enrichments, compact.WebsetEnrichment{Description: e.Description, Format: e.Format})
	}
	for _, i := range p.Preview.Items {
		seen.Items = append(seen.Items,
			compact.WebsetItem{Name: i.Name, URL: i.URL, EntityType: i.EntityType, Description: i.Description})
	}
	out.Rows = seen.Rows()
	return out
}

// CompactExa writes a page of Exa's nouns. Behind one that is empty while more follows, the text leads on as the page
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
