//go:build bench

// Package websets measures how small the projection of a webset's item is beside what Exa sends of it.
//
// It promises that both are of the same items, of searches that are made here for every type of thing; that the
// projection is the answer to a query for all of its fields but ids and raw, as compact JSON; and that raw is what was
// sent, byte for byte.
package websets

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"almanac/adapters/exa"
	"almanac/graph/model"
	standin "almanac/internal/standin/exa"
	"almanac/projections"
)

// Figure is the size of one item, in bytes.
type Figure struct{ Projected, Raw int }

// Sizes are those of some items.
type Sizes []Figure

// At returns the sizes at a rank: 0.5 is the median, of the projections and of what was sent each by itself.
func (s Sizes) At(rank float64) Figure {
	pick := func(of func(Figure) int) int {
		all := make([]int, len(s))
		for i, f := range s {
			all[i] = of(f)
		}
		slices.Sort(all)
		return all[min(int(rank*float64(len(all))), len(all)-1)]
	}
	return Figure{Projected: pick(func(f Figure) int { return f.Projected }),
		Raw: pick(func(f Figure) int { return f.Raw })}
}

// Times returns how many times smaller projections are, at a rank: 0 is the worst.
func (s Sizes) Times(rank float64) float64 {
	all := make([]float64, len(s))
	for i, f := range s {
		all[i] = float64(f.Raw) / float64(f.Projected)
	}
	slices.Sort(all)
	return all[min(int(rank*float64(len(all))), len(all)-1)]
}

// item is what a query for all fields but ids and raw answers.
type item struct {
	Name        string       `json:"name"`
	URL         string       `json:"url"`
	EntityType  string       `json:"entityType"`
	Description string       `json:"description"`
	Evaluations []evaluation `json:"evaluations"`
	Enrichments []result     `json:"enrichments"`
}

type evaluation struct {
	Criterion string `json:"criterion"`
	Satisfied string `json:"satisfied"`
}

type result struct {
	Description *string  `json:"description"`
	Format      *string  `json:"format"`
	Result      []string `json:"result"`
}

// Shape is a webset by what is asked of its items, from nothing but a search to what the sample account has.
type Shape struct{ Criteria, Enrichments int }

// Shapes are those that are measured, each with a search for every type of thing.
func Shapes() []Shape { return []Shape{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {3, 2}, {3, 4}} }

// Measure makes websets of all shapes at the stand-in, lets the time pass that they need, and returns the sizes of
// their items by shape.
func Measure(ctx context.Context) (map[Shape]Sizes, error) {
	const key = "bench"
	clock := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	now := func() time.Time { return clock }
	server := standin.New(standin.Options{Now: now, Keys: []string{key}})
	account := exa.Account{Client: &exa.Client{Base: server.Transport(), Now: now, Limits: exa.Limits{Websets: 1_000}},
		Key: key}
	made := map[string]Shape{}
	for _, shape := range Shapes() {
		for _, subject := range subjects() {
			webset, err := account.CreateWebset(ctx, subject.webset(shape))
			if err != nil {
				return nil, fmt.Errorf("make a webset: %w", err)
			}
			made[webset.Ref.ID] = shape
		}
	}
	clock = clock.Add(24 * time.Hour)
	sizes := map[Shape]Sizes{}
	for webset, shape := range made {
		for page := (exa.Page{Limit: 50}); ; {
			items, err := account.Items(ctx, webset, "", page)
			if err != nil {
				return nil, fmt.Errorf("read the items: %w", err)
			}
			for _, record := range items.Items {
				size, err := sizeOf(record)
				if err != nil {
					return nil, err
				}
				sizes[shape] = append(sizes[shape], size)
			}
			if page.After = items.Next; page.After == "" {
				break
			}
		}
	}
	return sizes, nil
}

// All returns the sizes of all shapes together.
func All(of map[Shape]Sizes) Sizes {
	var all Sizes
	for _, sizes := range of {
		all = append(all, sizes...)
	}
	return all
}

// subject is something to search for.
type subject struct {
	entity, query         string
	criteria, enrichments []string
}

func subjects() []subject {
	return []subject{
		{"company", "water technology companies in Israel",
			[]string{"Headquartered in Israel", "Works on water, food or agriculture", "Has at least 20 employees"},
			[]string{"Contact e-mail address", "Number of employees", "Stage of funding",
				"What the company sells, in one sentence"}},
		{"person", "חוקרות אנרגיה בתל אביב", []string{"עובדת במחקר", "גרה בתל אביב", "פרסמה בשנתיים האחרונות"},
			[]string{"כתובת דואר", "תפקיד נוכחי", "תואר אחרון", "תחום המחקר במשפט אחד"}},
		{"article", "articles about desalination", []string{"Published in the last two years", "Names a place",
			"Has figures"}, []string{"Author", "Date", "Main claim", "Sources named"}},
		{"research_paper", "papers on membrane fouling", []string{"Peer reviewed", "Has an experiment", "Open data"},
			[]string{"Year", "Method", "Result in one sentence", "Institution"}},
		{"custom", "public grants for clean energy", []string{"Open for applications", "For small companies",
			"Above 100,000 euros"}, []string{"Deadline", "Amount", "Who may apply", "Address of the form"}},
	}
}

// webset is a webset of a shape about the subject, with 25 items.
func (s subject) webset(shape Shape) exa.NewWebset {
	const count = 25
	out := exa.NewWebset{Search: &exa.Search{Query: s.query, Count: count, Entity: &exa.Entity{Type: s.entity},
		Criteria: s.criteria[:shape.Criteria]}}
	if s.entity == "custom" {
		out.Search.Entity.Description = "grants"
	}
	for _, description := range s.enrichments[:shape.Enrichments] {
		out.Enrichments = append(out.Enrichments, exa.Enrichment{Description: description, Format: "text"})
	}
	return out
}

func sizeOf(record model.WebsetItem) (Figure, error) {
	view := projections.WebsetItemAt(record, nil)
	answer := item{Name: view.Name(), URL: view.URL(), EntityType: view.EntityType(), Description: view.Description()}
	for _, e := range view.Evaluations() {
		answer.Evaluations = append(answer.Evaluations, evaluation(e))
	}
	for _, e := range view.Enrichments() {
		answer.Enrichments = append(answer.Enrichments, result(e))
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(answer); err != nil {
		return Figure{}, fmt.Errorf("write an item: %w", err)
	}
	return Figure{Projected: text.Len() - 1, Raw: len(record.Raw)}, nil
}

// Run measures, and writes the report.
func Run(ctx context.Context, out io.Writer) error {
	sizes, err := Measure(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out,
		"\n## Items of websets\n\nAll fields of the projection but ids against what Exa's stand-in sends, in bytes, by what "+
			"is asked of each item.\n\n")
	fmt.Fprintln(out,
		"| criteria | enrichments | items | projected: median | p95 | sent: median | p95 | times smaller: median | least |\n"+
			"|---|---|---|---|---|---|---|---|---|")
	row := func(name string, of Sizes) error {
		median, late := of.At(0.5),
			of.At(0.95) //nolint:mnd // ranks
		_, err := fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %.0f | %.1f |\n", name, len(of), median.Projected,
			late.Projected, median.Raw, late.Raw, of.Times(0.5), of.Times(0)) //nolint:mnd // the median
		return err
	}
	for _, shape := range Shapes() {
		if err := row(fmt.Sprintf("%d | %d", shape.Criteria, shape.Enrichments), sizes[shape]); err != nil {
			return err
		}
	}
	return row("all | ", All(sizes))
}
