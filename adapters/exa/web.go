package exa

import (
	"context"
	"net/http"

	"almanac/adapters/remote"
	"almanac/graph/model"
)

// The search of the web (https://docs.exa.ai/reference/search, find-similar-links, get-contents, answer). It keeps
// nothing, so it is repeated where that may help.

// mostAddresses is how many pages Contents reads at once.
const mostAddresses = 100

type sentContents struct {
	MaxCharacters int `json:"maxCharacters"`
}

type sentWebSearch struct {
	Query    string                   `json:"query,omitempty"`
	URL      string                   `json:"url,omitempty"`
	Type     string                   `json:"type,omitempty"`
	Count    int                      `json:"numResults,omitempty"`
	Category string                   `json:"category,omitempty"`
	Include  []string                 `json:"includeDomains,omitempty"`
	Exclude  []string                 `json:"excludeDomains,omitempty"`
	After    string                   `json:"startPublishedDate,omitempty"`
	Until    string                   `json:"endPublishedDate,omitempty"`
	Contents map[string]*sentContents `json:"contents,omitempty"`
}

func webSearchOf(s WebSearch) sentWebSearch {
	sent := sentWebSearch{Query: s.Query, Type: s.Type, Count: s.Count, Category: s.Category, Include: s.IncludeDomains,
		Exclude: s.ExcludeDomains}
	if !s.PublishedAfter.IsZero() {
		sent.After = stamp(s.PublishedAfter)
	}
	if !s.PublishedUntil.IsZero() {
		sent.Until = stamp(s.PublishedUntil)
	}
	if s.MaxCharacters > 0 {
		sent.Contents = map[string]*sentContents{"text": {s.MaxCharacters}}
	}
	return sent
}

// SearchWeb finds pages, the best first.
func (a *Account) SearchWeb(ctx context.Context, search WebSearch) ([]WebPage, error) {
	told, err := a.web(ctx, "search", webSearchOf(search))
	return told.pages(), err
}

// FindSimilar finds pages that are like the one at the address in Query.
func (a *Account) FindSimilar(ctx context.Context, search WebSearch) ([]WebPage, error) {
	sent := webSearchOf(search)
	sent.URL, sent.Query, sent.Type = search.Query, "", ""
	told, err := a.web(ctx, "findSimilar", sent)
	return told.pages(), err
}

// Contents reads pages by address, at most 100, and returns one for each in the order asked for: with its Problem when
// it could not be read.
func (a *Account) Contents(ctx context.Context, urls []string, maxCharacters int) ([]WebPage, error) {
	if len(urls) > mostAddresses {
		return nil, model.BadInput("urls", "at most %d pages are read at once", mostAddresses)
	}
	if len(urls) == 0 {
		return nil, nil
	}
	type body struct {
		URLs []string `json:"urls"`
		Text any      `json:"text"`
	}
	sent := body{URLs: urls, Text: true}
	if maxCharacters > 0 {
		sent.Text = sentContents{maxCharacters}
	}
	told, err := a.web(ctx, "contents", sent)
	if err != nil {
		return nil, err
	}
	return told.inOrder(urls), nil
}

// Answer answers a question from the web.
func (a *Account) Answer(ctx context.Context, query string) (WebAnswer, error) {
	type body struct {
		Query string `json:"query"`
		Text  bool   `json:"text"`
	}
	told, err := a.web(ctx, "answer", body{query, false})
	if err != nil {
		return WebAnswer{}, err
	}
	answer := WebAnswer{Answer: told.Answer}
	for _, c := range told.Citations {
		answer.Citations = append(answer.Citations, c.page())
	}
	return answer, nil
}

type wirePage struct {
	ID            string         `json:"id"`
	URL           string         `json:"url"`
	Title         string         `json:"title"`
	Author        string         `json:"author"`
	Text          string         `json:"text"`
	PublishedDate wireTime       `json:"publishedDate"`
	Score         maybe[float64] `json:"score"`
}

func (w wirePage) page() WebPage {
	return WebPage{ID: w.ID, URL: w.URL, Title: w.Title, Author: w.Author, Text: w.Text, PublishedAt: w.PublishedDate.Time,
		Score: w.Score.value}
}

// wireWeb is what all four answer.
type wireWeb struct {
	Results  []wirePage `json:"results"`
	Statuses []struct {
		ID     string `json:"id"`
		Status string `json:"status"`
		Error  struct {
			Tag string `json:"tag"`
		} `json:"error"`
	} `json:"statuses"`
	Answer    string     `json:"answer"`
	Citations []wirePage `json:"citations"`
}

func (w wireWeb) pages() []WebPage {
	var all []WebPage
	for _, r := range w.Results {
		all = append(all, r.page())
	}
	return all
}

// unread is the problem of a page about which the answer says nothing.
const unread = "UNREAD"

// inOrder returns a page for each address: what was read is named by its id, which is the address as it was asked for,
// or by its address.
func (w wireWeb) inOrder(urls []string) []WebPage {
	read := map[string]WebPage{}
	for _, r := range w.Results {
		page := r.page()
		for _, name := range []string{page.URL, page.ID} {
			if _, there := read[name]; name != "" && !there {
				read[name] = page
			}
		}
	}
	problems := map[string]string{}
	for _, s := range w.Statuses {
		if s.Status != "success" {
			problems[s.ID] = orElse(remote.Identifier(s.Error.Tag, ""), unread)
		}
	}
	all := make([]WebPage, 0, len(urls))
	for _, address := range urls {
		page, ok := read[address]
		if !ok {
			page = WebPage{ID: address, URL: address, Problem: orElse(problems[address], unread)}
		}
		all = append(all, page)
	}
	return all
}

// web asks one of the four.
func (a *Account) web(ctx context.Context, operation string, body any) (wireWeb, error) {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return wireWeb{}, err
	}
	raw, lost := a.send(ctx, ask{operation: operation, method: http.MethodPost, path: []string{operation}, body: body,
		budget: budgetWeb, again: true})
	if lost != nil {
		return wireWeb{}, a.shown(lost)
	}
	told, err := read[wireWeb](raw)
	if err != nil {
		return wireWeb{}, shown(unreadable())
	}
	return told, nil
}
