package embedding

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"almanac/adapters/openai"
	"almanac/graph/model"
)

const (
	// skippedFor is for how long a text that the endpoint refused is not sent again.
	skippedFor = time.Hour
	// hopeless is how many texts may be refused before one is taken; then it is not the texts that are wrong.
	hopeless = 3
	// told is how often a long pass says how far it is, and many how many vectors make a pass worth a line.
	told = 30 * time.Second
	many = 100
)

// pass is one way through all rows that lack a vector of the model in use.
type pass struct {
	*Embedder
	began, told time.Time
	// taken counts the texts that the endpoint took, refused the others.
	taken, refused int
	kept           map[string]int
}

// pass makes vectors until nothing more lacks one, a batch of each source in turn, so that none waits for another's
// long way. When rows are written meanwhile, it begins anew, so that they do not wait for those that have the vector of
// an earlier model.
func (r *Embedder) pass(ctx context.Context) error {
	p := &pass{Embedder: r, began: r.Now(), told: r.Now(), kept: map[string]int{}}
	left := r.sources()
	for turn := 0; len(left) > 0; turn++ {
		select {
		case <-r.wakes:
			left = r.sources()
		default:
		}
		turn %= len(left)
		s := left[turn]
		began := r.Now()
		rows, err := p.read(ctx, s)
		if err != nil {
			return fmt.Errorf("read %s without a vector: %w", s.name(), err)
		}
		if len(rows) == 0 {
			p.done(ctx, s)
			left = slices.Delete(left, turn, turn+1)
			turn--
			continue
		}
		report, err := p.work(ctx, s, rows)
		p.kept[s.name()] += report.Kept
		r.Observe(report)
		if err != nil {
			return err
		}
		p.progress(ctx)
		if !rest(ctx, max(leastPause, r.Now().Sub(began)/2)) {
			return ctx.Err()
		}
	}
	return nil
}

func (p *pass) read(ctx context.Context, s source) ([]row, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return s.next(ctx, p.InUse.Name, p.Now())
}

// work makes and keeps the vectors of a batch. What was made before an error is kept.
func (p *pass) work(ctx context.Context, s source, rows []row) (report Report, err error) {
	report.Of = s.name()
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	var worth []row
	var texts []string
	for _, one := range rows {
		switch {
		case p.skipped.has(one.version, p.Now()):
		case !isWorth(one.text):
			report.Blank++
		default:
			worth, texts = append(worth, one), append(texts, one.text)
		}
	}
	made, failed := p.make(openai.InBackground(ctx), worth, texts, &report)
	if err := p.keep(ctx, s, made, &report); err != nil {
		return report, err
	}
	return report, failed
}

// made are vectors of one user's rows.
type made struct {
	user    model.UserID
	vectors []vectorOf
}

// make asks for the vectors of texts, in halves where one of them may be refused, so that one text that the endpoint
// does not take does not hold up the others. It returns what it has beside an error.
func (p *pass) make(ctx context.Context, rows []row, texts []string, report *Report) ([]made, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	all, err := p.embed(ctx, texts)
	switch {
	case err == nil:
		p.taken += len(texts)
		return grouped(rows, all, report), nil
	case ctx.Err() != nil || !openai.IsAboutTexts(err):
		return nil, err
	case len(texts) > 1:
		half := len(texts) / 2
		first, err := p.make(ctx, rows[:half], texts[:half], report)
		if err != nil {
			return first, err
		}
		second, err := p.make(ctx, rows[half:], texts[half:], report)
		return append(first, second...), err
	}
	report.Refused++
	p.refused++
	p.skipped.remember(rows[0].version, p.Now().Add(skippedFor))
	p.Logger.LogAttrs(ctx, slog.LevelWarn, "the endpoint refuses a text; what it is of is found by its words",
		slog.String("user", rows[0].user.String()), slog.String("id",
			model.ID{Kind: rows[0].kind, UUID: rows[0].id}.String()), slog.String("cause", model.CauseOf(err)))
	if p.taken == 0 && p.refused >= hopeless {
		return nil, err
	}
	return nil, nil
}

// grouped puts vectors to their users, in the order in which the users come. A vector that is none is left out.
func grouped(rows []row, all []model.Embedding, report *Report) []made {
	var groups []made
	places := map[model.UserID]int{}
	for i, one := range rows {
		if all[i].Vector == nil {
			report.Blank++
			continue
		}
		at, ok := places[one.user]
		if !ok {
			at = len(groups)
			places[one.user] = at
			groups = append(groups, made{user: one.user})
		}
		groups[at].vectors = append(groups[at].vectors, vectorOf{one.version, all[i], one.entries})
	}
	return groups
}

// keep writes vectors, one user after another.
func (p *pass) keep(ctx context.Context, s source, groups []made, report *Report) error {
	for _, group := range groups {
		within, cancel := context.WithTimeout(ctx, storeTimeout)
		kept, err := s.keep(within, group.user, group.vectors)
		cancel()
		if err != nil {
			return fmt.Errorf("keep vectors: %w", err)
		}
		report.Kept += kept
		report.Overtaken += len(group.vectors) - kept
	}
	return nil
}

// progress says how far a long pass is.
func (p *pass) progress(ctx context.Context) {
	now := p.Now()
	if now.Sub(p.told) < told {
		return
	}
	p.told = now
	for _, name := range slices.Sorted(maps.Keys(p.kept)) {
		p.Logger.InfoContext(ctx, "vectors are being made", "of", name, "model", p.InUse.Name, "vectors", p.kept[name],
			"took", now.Sub(p.began))
	}
}

// done says that nothing of a source is left to do.
func (p *pass) done(ctx context.Context, s source) {
	p.Observe(Report{Of: s.name(), CaughtUp: true})
	if n := p.kept[s.name()]; n >= many {
		p.Logger.InfoContext(ctx, "vectors have been made", "of", s.name(), "model", p.InUse.Name, "vectors", n, "took",
			p.Now().Sub(p.began))
		p.kept[s.name()] = 0
	}
}
