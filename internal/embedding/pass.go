package embedding

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
)

// version names a memory as it was at one time.
type version struct {
	user   model.UserID
	memory model.UUID
	number int
}

func versionOf(m store.PendingMemory) version { return version{m.User, m.ID, m.Version} }

const (
	// skippedFor is for how long a text that the endpoint refused is not sent again.
	skippedFor = time.Hour
	// hopeless is how many texts may be refused before one is taken; then it is not the texts that are wrong.
	hopeless = 3
	// told is how often a long pass says how far it is, and many how many vectors make a pass worth a line.
	told = 30 * time.Second
	many = 100
)

// pass is one way through all memories that lack a vector of the model in use.
type pass struct {
	*Room
	began, told time.Time
	// taken counts the texts that the endpoint took, refused the others.
	taken, refused int
	kept           int
}

// pass makes vectors until nothing more lacks one. When memories are written meanwhile, it begins anew, so that they do not wait for those
// that have the vector of an earlier model.
func (r *Room) pass(ctx context.Context) error {
	p := &pass{Room: r, began: r.Now(), told: r.Now()}
	var place store.PendingPlace
	for {
		select {
		case <-r.wakes:
			place = store.PendingPlace{}
		default:
		}
		began := r.Now()
		pending, next, err := p.read(ctx, place)
		if err != nil {
			return fmt.Errorf("read memories without a vector: %w", err)
		}
		if len(pending) == 0 {
			p.done(ctx)
			return nil
		}
		place = next
		report, err := p.work(ctx, pending)
		p.kept += report.Kept
		r.Observe(report)
		if err != nil {
			return err
		}
		p.progress(ctx)
		if !rest(ctx, max(leastPause, r.Now().Sub(began)/2)) {
			return ctx.Err()
		}
	}
}

func (p *pass) read(ctx context.Context, place store.PendingPlace) ([]store.PendingMemory, store.PendingPlace, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return p.Store.PendingMemories(ctx, p.InUse.Name, p.Now(), place, batch)
}

// work makes and keeps the vectors of a batch. What was made before an error is kept.
func (p *pass) work(ctx context.Context, pending []store.PendingMemory) (report Report, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	var worth []store.PendingMemory
	var texts []string
	for _, m := range pending {
		text := memo.Text(model.Memory{ID: m.ID, Type: m.Type, Content: m.Content, Summary: m.Summary, Tags: m.Tags, Metadata: m.Metadata})
		switch {
		case p.skipped.has(versionOf(m), p.Now()):
		case !isWorth(text):
			report.Blank++
		default:
			worth, texts = append(worth, m), append(texts, text)
		}
	}
	made, failed := p.make(openai.InBackground(ctx), worth, texts, &report)
	if err := p.keep(ctx, made, &report); err != nil {
		return report, err
	}
	return report, failed
}

// made are vectors of one user's memories.
type made struct {
	user    model.UserID
	vectors []store.MemoryVectorOf
}

// make asks for the vectors of texts, in halves where one of them may be refused, so that one text that the endpoint does not take does not hold up the others.
// It gives what it has beside an error.
func (p *pass) make(ctx context.Context, memories []store.PendingMemory, texts []string, report *Report) ([]made, error) {
	if len(texts) == 0 {
		return nil, nil
	}
	all, err := p.embed(ctx, texts)
	switch {
	case err == nil:
		p.taken += len(texts)
		return grouped(memories, all, report), nil
	case ctx.Err() != nil || !openai.IsAboutTexts(err):
		return nil, err
	case len(texts) > 1:
		half := len(texts) / 2
		first, err := p.make(ctx, memories[:half], texts[:half], report)
		if err != nil {
			return first, err
		}
		second, err := p.make(ctx, memories[half:], texts[half:], report)
		return append(first, second...), err
	}
	report.Refused++
	p.refused++
	p.skipped.remember(versionOf(memories[0]), p.Now().Add(skippedFor))
	p.Logger.LogAttrs(ctx, slog.LevelWarn, "the endpoint refuses a memory's text; it is found by its words",
		slog.String("user", memories[0].User.String()), slog.String("memory", model.ID{Kind: model.KindMemory, UUID: memories[0].ID}.String()), slog.String("cause", model.CauseOf(err)))
	if p.taken == 0 && p.refused >= hopeless {
		return nil, err
	}
	return nil, nil
}

// grouped puts vectors to their users, in the order in which the users come. A vector that is none is left out.
func grouped(memories []store.PendingMemory, all []model.Embedding, report *Report) []made {
	var groups []made
	places := map[model.UserID]int{}
	for i, m := range memories {
		if all[i].Vector == nil {
			report.Blank++
			continue
		}
		at, ok := places[m.User]
		if !ok {
			at = len(groups)
			places[m.User] = at
			groups = append(groups, made{user: m.User})
		}
		groups[at].vectors = append(groups[at].vectors, store.MemoryVectorOf{ID: m.ID, Version: m.Version, Embedding: all[i]})
	}
	return groups
}

// keep writes vectors, one user after another.
func (p *pass) keep(ctx context.Context, groups []made, report *Report) error {
	for _, group := range groups {
		within, cancel := context.WithTimeout(ctx, storeTimeout)
		kept, err := p.Store.SaveVectors(within, group.user, group.vectors)
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
	p.Logger.InfoContext(ctx, "memories are being embedded", "model", p.InUse.Name, "vectors", p.kept, "took", now.Sub(p.began))
}

// done tells that nothing is left to do.
func (p *pass) done(ctx context.Context) {
	p.Observe(Report{CaughtUp: true})
	if p.kept >= many {
		p.Logger.InfoContext(ctx, "memories have been embedded", "model", p.InUse.Name, "vectors", p.kept, "took", p.Now().Sub(p.began))
	}
}
