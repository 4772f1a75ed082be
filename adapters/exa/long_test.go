package exa_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"almanac/adapters/exa"
	"almanac/adapters/remote"
	"almanac/graph/model"
	"almanac/internal/standin/loopback"
)

// shelf answers lists of so many items, each with so many bytes of content, and nothing else.
type shelf struct{ count, content int }

// ServeHTTP implements http.Handler.
func (s shelf) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/items") {
		http.NotFound(out, r)
		return
	}
	limit, from := 20, 0
	if given := r.URL.Query().Get("limit"); given != "" {
		limit, _ = strconv.Atoi(given)
	}
	if cursor := r.URL.Query().Get("cursor"); cursor != "" {
		from, _ = strconv.Atoi(cursor)
	}
	if limit < 1 || limit > 50 {
		http.Error(out, `{"statusCode":400,"message":"limit"}`, http.StatusBadRequest)
		return
	}
	var all []string
	for i := from; i < min(from+limit, s.count); i++ {
		all = append(all, s.item(i))
	}
	next := "null"
	if from+limit < s.count {
		next = strconv.Quote(strconv.Itoa(from + limit))
	}
	_, _ = fmt.Fprintf(out, `{"data":[%s],"hasMore":%t,"nextCursor":%s}`, strings.Join(all, ","), from+limit < s.count,
		next)
}

func (s shelf) item(i int) string {
	return fmt.Sprintf(
		`{"id":"item_%d","object":"webset_item","websetId":"ws","properties":{"type":"company","url":"https://%d.example","description":"d","content":"%s",`+
			`"company":{"name":"Number %d"}},"evaluations":[]}`, i, i, strings.Repeat("x", s.content), i)
}

// shelved is an account that has a webset of such items.
func shelved(s shelf, limits exa.Limits) *exa.Account {
	limits.Websets = 1e6
	return &exa.Account{Key: secretKey, Client: &exa.Client{Base: loopback.Transport(s), Limits: limits}}
}

// The whole of a long list comes, page by page, each thing once and in order; and pages are never longer than the
// remote gives.
func TestTenThousandItems(t *testing.T) {
	t.Parallel()
	const count = 10_000
	a := shelved(shelf{count: count}, exa.Limits{})
	next, pages := 0, 0
	for at := (exa.Page{Limit: 1000}); ; {
		list, err := a.Items(t.Context(), "ws", "", at)
		page := must(t, list, err)
		pages++
		for _, i := range page.Items {
			if i.Ref.ID != "item_"+strconv.Itoa(next) {
				t.Fatalf("%s in place %d", i.Ref.ID, next)
			}
			next++
		}
		if at.After = page.Next; at.After == "" {
			break
		}
	}
	if next != count || pages != count/50 {
		t.Errorf("%d items on %d pages", next, pages)
	}
}

// Items with much content come byte for byte; where a page would be too large, fewer are asked for, and the rest
// follows.
func TestLongItems(t *testing.T) {
	t.Parallel()
	s := shelf{count: 7, content: 200_000}
	all := func(limits exa.Limits, most int) {
		t.Helper()
		a := shelved(s, limits)
		next := 0
		for at := (exa.Page{Limit: 50}); ; {
			list, err := a.Items(t.Context(), "ws", "", at)
			page := must(t, list, err)
			if len(page.Items) > most {
				t.Errorf("%d items on a page", len(page.Items))
			}
			for _, i := range page.Items {
				if i.Raw != s.item(next) || i.Name != fmt.Sprintf("Number %d", next) {
					t.Errorf("item %d: %d bytes of %q", next, len(i.Raw), i.Name)
				}
				next++
			}
			if at.After = page.Next; at.After == "" {
				break
			}
		}
		if next != s.count {
			t.Errorf("%d items", next)
		}
	}
	all(exa.Limits{}, 7)
	all(exa.Limits{Limits: remote.Limits{Answer: 500_000}}, 2)
	_, err := shelved(s, exa.Limits{Limits: remote.Limits{Answer: 100_000}}).Items(t.Context(), "ws", "", exa.Page{})
	if shown := model.CodeOf(err); shown != model.CodeUpstreamRejected || !strings.Contains(err.Error(), "larger") {
		t.Error(err)
	}
}
