package resolvers

import (
	"context"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/compact"
)

// exaText is what a mutation of Exa's nouns did, as the formatter of compact text sees it.
func exaText(done compact.Count, rows []compact.Row, errors []model.UserError) compact.Payload {
	return compact.Payload{Counts: []compact.Count{done}, Rows: rows, UserErrors: userErrorsOf(errors)}
}

// previewWebsetText is what a query would be understood as.
func previewWebsetText(p *graph.PreviewWebsetPayload) compact.Payload {
	out := compact.Payload{Counts: []compact.Count{tallyOne("understood", p.Preview)},
		UserErrors: userErrorsOf(p.UserErrors)}
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

// compactExa writes a page of Exa's nouns. Behind one that is empty while more follows, the text leads on as the page
// does.
func compactExa[V any, R compact.Row](ctx context.Context, r *Resolver, options *projections.CompactOptions,
	kind compact.Kind, page projections.RemotePage[V], row func(V) R) (*projections.FormatResult, error) {
	shown := shownPage(kind, page.Page, row)
	text, err := r.compactPage(ctx, options, shown)
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
	if v, err := viewerFrom(ctx); err == nil && v.Locale == "he" {
		return "בדף הזה אין אף אחד שעונה על הקריטריונים; יש עוד: המשיכו מ-next"
	}
	return "None on this page satisfies a criterion; there are more: go on after next"
}

// compactItemSet writes all items of a webset. There is no cursor to go on after: websetItems has them.
func (r *Resolver) compactItemSet(ctx context.Context, options *projections.CompactOptions,
	set *graph.WebsetItemSet) (*projections.FormatResult, error) {
	return r.compactPage(ctx, options, pageShown{
		kind: compact.KindWebsetItems, hasNext: set.Truncated, cursor: func(int) string { return "" },
		rows: func(compact.Options) []compact.Row { return projections.Rows(set.Nodes, projections.WebsetItem.Row) },
	})
}
