package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// oneEpisode reads an episode by its id. NOT_FOUND of the field.
func oneEpisode(ctx context.Context, from store.EpisodeReader, user model.UserID, id model.ID, field string,
	want store.EpisodeColumns) (model.Episode, error) {
	if own(id, model.KindEpisode) {
		there, err := from.EpisodesByID(ctx, user, []model.UUID{id.UUID}, want)
		if err != nil || len(there) > 0 {
			return append(there, model.Episode{})[0], err
		}
	}
	return model.Episode{}, model.NotFound(field, "you have no episode %s", model.Clip(id.String()))
}

// AddEpisode implements knowledge.Writer. The same text, source and time is known, whatever it is called; it stays as
// it is, and is not read again. Without a time it happened now.
func (b *Base) AddEpisode(ctx context.Context, user model.UserID,
	add knowledge.NewEpisode) (out knowledge.Added, err error) {
	now := stored(add.Now)
	e := add.Episode
	if e.ReferenceTime = stored(e.ReferenceTime); e.ReferenceTime.IsZero() {
		e.ReferenceTime = now
	}
	if e.Name == "" {
		e.Name = beginning(e.Content)
	}
	e.CreatedAt, e.Problem, e.Attempts, e.NextAt = now, "", 0, time.Time{}
	if e.State == model.EpisodeQueued && b.Extraction.Model != "" {
		e.NextAt = now
	} else {
		e.State = model.EpisodeVerbatim
	}
	err = b.write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		twin, err := tx.TwinEpisode(ctx, user, e, store.EpisodeRow)
		switch {
		case err == nil:
			out = knowledge.Added{Episode: twin, Known: true}
			return nil
		case !errors.Is(err, store.ErrNotFound):
			return fmt.Errorf("look for the same episode: %w", err)
		}
		e.ID = model.ID{Kind: model.KindEpisode, UUID: b.NewID()}
		out = knowledge.Added{Episode: e}
		if err := tx.SaveEpisodes(ctx, []model.Episode{e}); err != nil {
			return fmt.Errorf("save an episode: %w", err)
		}
		return nil
	})
	if err != nil {
		return knowledge.Added{}, err
	}
	return out, nil
}

// maxBeginning is how long a name is that is made of an episode's beginning, in characters.
const maxBeginning = 60

// beginning makes a name of the beginning of a text: of its first line, up to the end of a word.
func beginning(text string) string {
	// What makes a name stands early; the rest need not be looked at.
	const enough = 20 * maxBeginning
	if len(text) > enough {
		text = strings.ToValidUTF8(text[:enough], "") // a character may have been cut
	}
	line := ""
	for one := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(one), " "); line != "" {
			break
		}
	}
	runes := []rune(line)
	if len(runes) <= maxBeginning {
		return line
	}
	cut := string(runes[:maxBeginning])
	if runes[maxBeginning] != ' ' {
		if space := strings.LastIndexByte(cut, ' '); space > len(cut)/2 {
			cut = cut[:space]
		}
	}
	return strings.TrimRight(cut, " ") + "…"
}

// Extract implements knowledge.Editor. An episode that waits already stays where it is in the queue.
func (b *Base) Extract(ctx context.Context, user model.UserID, episode model.ID,
	now time.Time) (out model.Episode, err error) {
	if b.Extraction.Model == "" {
		return out, model.Errorf(model.CodeNotConfigured, "no model is configured that reads episodes (ALMANAC_CHAT_MODEL)")
	}
	err = b.write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		if out, err = oneEpisode(ctx, tx, user, episode, "input.id", store.EpisodeRow); err != nil ||
			out.State == model.EpisodeQueued {
			return err
		}
		out.State, out.Problem, out.Attempts, out.NextAt = model.EpisodeQueued, "", 0, stored(now)
		if err := tx.SaveEpisodes(ctx, []model.Episode{out}); err != nil {
			return fmt.Errorf("queue an episode: %w", err)
		}
		return nil
	})
	if err != nil {
		return model.Episode{}, err
	}
	return out, nil
}

// AddExtracted writes what a model has read from an episode, in one transaction: entities and facts as AddFacts has it,
// what the episode speaks of, and that it has been read. What has a problem is left out, and is no error. NOT_FOUND
// when the episode is gone, CONFLICT when it does not wait any more, or somebody else has taken it since: then nothing
// is done, so that it is harmless to come twice.
func (b *Base) AddExtracted(ctx context.Context, user model.UserID,
	found knowledge.Extracted) (out knowledge.FactsAdded, err error) {
	if len(found.Facts) > model.MaxFactsAtOnce || len(found.Entities) > 2*model.MaxFactsAtOnce {
		return out, model.Errorf(model.CodeBadUserInput,
			"more has been read from one episode than can be added at once: %d entities and %d facts", len(found.Entities),
			len(found.Facts))
	}
	err = b.write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		episode, err := oneEpisode(ctx, tx, user, found.Episode, "", store.EpisodeRow)
		if err != nil {
			return err
		}
		if episode.State != model.EpisodeQueued || episode.Attempts != found.Attempt {
			return model.Errorf(model.CodeConflict, "the episode %s has been read, or is being read, by somebody else",
				episode.ID)
		}
		done, problems, err := b.tell(ctx, tx, user,
			telling{facts: found.Facts, mentions: found.Entities, episode: episode.ID, now: stored(found.Now)}, false)
		if err != nil {
			return err
		}
		out = done.answer(problems)
		episode.State, episode.Problem, episode.NextAt = model.EpisodeExtracted, "", time.Time{}
		if err := tx.NoteMentions(ctx, episode.ID.UUID, mentions(done)); err != nil {
			return fmt.Errorf("note what an episode speaks of: %w", err)
		}
		if err := tx.SaveEpisodes(ctx, []model.Episode{episode}); err != nil {
			return fmt.Errorf("save an episode: %w", err)
		}
		return nil
	})
	if err != nil {
		return knowledge.FactsAdded{}, err
	}
	return out, nil
}

// mentions are the entities that a plan's input speaks of, each once. The ends of facts are known by the facts.
func mentions(done plan) []model.UUID {
	var all []model.UUID
	for _, id := range done.mentioned {
		if id != (model.ID{}) && !slices.Contains(all, id.UUID) {
			all = append(all, id.UUID)
		}
	}
	return all
}
