package websets

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// Bounds of what the web is asked.
const (
	maxWebQuery    = 2_000
	maxWebPages    = 100
	maxWebText     = 20_000
	maxWebDomains  = 100
	maxWebDomain   = 253
	maxWebAddress  = 2_000
	maxWebCategory = 100
)

// webSearchTypes are the ways in which Exa searches.
func webSearchTypes() []string { return []string{"auto", "neural", "keyword", "fast"} }

// WebAsked is what is asked of the web.
type WebAsked struct {
	First, Characters int32
	Include, Exclude  []string
}

func (a WebAsked) read(search *exa.WebSearch) (err error) {
	if a.First < 1 || a.First > maxWebPages {
		return model.BadInput("first", "first is %d; it must be from 1 to %d", a.First, maxWebPages)
	}
	if err := charactersFrom(a.Characters, 0); err != nil {
		return err
	}
	search.Count, search.MaxCharacters = int(a.First), int(a.Characters)
	if search.IncludeDomains, err = domains("includeDomains", a.Include); err != nil {
		return err
	}
	search.ExcludeDomains, err = domains("excludeDomains", a.Exclude)
	return err
}

func charactersFrom(n int32, least int32) error {
	if n < least || n > maxWebText {
		return model.BadInput("maxCharacters", "maxCharacters is %d; it must be from %d to %d", n, least, maxWebText)
	}
	return nil
}

// domains reads names of domains.
func domains(field string, texts []string) ([]string, error) {
	if len(texts) > maxWebDomains {
		return nil, model.BadInput(field, "give at most %d domains, not %d", maxWebDomains, len(texts))
	}
	var out []string
	for i, text := range texts {
		name := strings.ToLower(strings.TrimSpace(text))
		if name == "" || utf8.RuneCountInString(name) > maxWebDomain || strings.ContainsAny(name, " \t\r\n") ||
			strings.Contains(name, "://") || !model.SoundRemoteID(name) {
			return nil, model.BadInput(field+"."+strconv.Itoa(i), "%q is not a domain such as example.com", model.Clip(text))
		}
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out, nil
}

// webAddress reads the address of a page of the web.
func webAddress(field, text string, schemes ...string) (string, error) {
	address := strings.TrimSpace(text)
	u, err := url.Parse(address)
	if err != nil || len(address) > maxWebAddress || !slices.Contains(schemes, u.Scheme) || u.Hostname() == "" ||
		u.User != nil || !model.SoundRemoteID(address) {
		return "", model.BadInput(field, "%q is not an address such as %s://example.com, of at most %d bytes",
			model.Clip(text), schemes[0], maxWebAddress)
	}
	return address, nil
}

// WebSearch answers the query of that name.
func (r *Resolver) WebSearch(ctx context.Context, query, kind string, category *string, after,
	before *model.DateTimeInput, asked WebAsked) ([]projections.WebPage, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	search := exa.WebSearch{Type: kind}
	if search.Query, err = core.CleanText("query", query, maxWebQuery); err != nil {
		return nil, err
	}
	if err := oneOfWords("type", kind, "type of search", webSearchTypes()); err != nil {
		return nil, err
	}
	if category != nil {
		if search.Category, err = core.CleanText("category", *category, maxWebCategory); err != nil {
			return nil, err
		}
	}
	if after != nil {
		search.PublishedAfter = when.Resolve(*after, v.Zone)
	}
	if before != nil {
		if search.PublishedUntil = when.Resolve(*before, v.Zone); search.PublishedUntil.Before(search.PublishedAfter) {
			return nil, model.BadInput("publishedBefore", "publishedBefore must not be before publishedAfter")
		}
	}
	if err := asked.read(&search); err != nil {
		return nil, err
	}
	account, err := r.exaOf(ctx, v)
	if err != nil {
		return nil, err
	}
	pages, err := account.SearchWeb(ctx, search)
	return webPages(pages, v), err
}

// WebSimilar answers the query of that name.
func (r *Resolver) WebSimilar(ctx context.Context, address string, asked WebAsked) ([]projections.WebPage, error) {
	var search exa.WebSearch
	var err error
	if search.Query, err = webAddress("url", address, "https", "http"); err != nil {
		return nil, err
	}
	if err := asked.read(&search); err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	pages, err := account.FindSimilar(ctx, search)
	return webPages(pages, v), err
}

// WebContents answers the query of that name.
func (r *Resolver) WebContents(ctx context.Context, addresses []string,
	characters int32) ([]projections.WebPage, error) {
	if len(addresses) == 0 || len(addresses) > maxWebPages {
		return nil, model.BadInput("urls", "give 1 to %d addresses, not %d", maxWebPages, len(addresses))
	}
	clean := make([]string, len(addresses))
	for i, text := range addresses {
		var err error
		if clean[i], err = webAddress("urls."+strconv.Itoa(i), text, "https", "http"); err != nil {
			return nil, err
		}
	}
	if err := charactersFrom(characters, 1); err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	pages, err := account.Contents(ctx, clean, int(characters))
	return webPages(pages, v), err
}

// WebAnswer answers the query of that name.
func (r *Resolver) WebAnswer(ctx context.Context, query string) (*graph.WebAnswer, error) {
	clean, err := core.CleanText("query", query, maxWebQuery)
	if err != nil {
		return nil, err
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := account.Answer(ctx, clean)
	if err != nil {
		return nil, err
	}
	return &graph.WebAnswer{Answer: answer.Answer, Citations: webPages(answer.Citations, v)}, nil
}

func webPages(pages []exa.WebPage, v *core.Viewer) []projections.WebPage {
	out := make([]projections.WebPage, len(pages))
	for i, p := range pages {
		out[i] = projections.WebPageOf(p.URL, p.Title, p.Author, p.Text, p.Problem, p.PublishedAt, p.Score, v.Moment)
	}
	return out
}
