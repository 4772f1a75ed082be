package extract

import (
	"context"
	"fmt"
	"time"

	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/when"
)

const (
	// minPartTokens is what no part is halved below when the model takes or gives less than was thought.
	minPartTokens = 32
	// maxAsksOfPart bounds how many questions halving may make of an episode, for each of its parts; a text must not be
	// able to have it asked about for ever.
	maxAsksOfPart = 16
	// maxTold is how many entities of earlier parts are shown with a later one, the latest of them.
	maxTold = 60
)

// reading is an episode that this process has claimed.
type reading struct {
	*Extractor
	store.QueuedEpisode
	// until is when the claim ends.
	until time.Time
	*found
	report Report
	// at is the episode's time in the user's zone.
	at time.Time
	// maxAsks is how many questions there may be before no part is halved any more.
	maxAsks int
}

// counted says which of how many.
func counted(number, of int) string { return fmt.Sprintf("%d of %d", number, of) }

// read asks the model about each part of the episode, one after another, so that later parts know the names of earlier
// ones.
func (r *reading) read(ctx context.Context) error {
	user, err := r.user(ctx)
	if err != nil {
		return err
	}
	r.at = r.Episode.ReferenceTime.In(when.ZoneOr(time.UTC, user.Settings.TimeZone))
	parts := partsOf(r.Episode.Content, r.Episode.Source, r.PartTokens)
	r.maxAsks = maxAsksOfPart * len(parts)
	for i, part := range parts {
		if err := r.readPart(ctx, part, i+1, len(parts)); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) user(ctx context.Context) (model.User, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	return r.Store.User(ctx, r.User)
}

// readPart asks about one part. When question or answer turn out to be too long, its halves are asked about.
func (r *reading) readPart(ctx context.Context, text string, number, of int) error {
	if err := r.hold(ctx); err != nil {
		return err
	}
	known, err := r.lookUp(ctx, r.User, text, r.at)
	if err != nil {
		return fmt.Errorf("read what is known: %w", err)
	}
	p := piece{episode: &r.Episode, text: text, number: number, of: of, at: r.at,
		before: r.told[max(0, len(r.told)-maxTold):], known: known}
	answer, err := r.Model.Ask(openai.InBackground(ctx), openai.Question{
		Model: r.ModelName, Messages: p.messages(), Form: form(), MaxTokens: r.AnswerTokens,
	})
	r.report.Parts++
	r.report.PromptTokens += answer.PromptTokens
	r.report.AnswerTokens += answer.AnswerTokens
	if err == nil {
		return r.take(answer.Text, p)
	}
	half := openai.Tokens(text) / 2
	if !isTooMuch(err) || half < minPartTokens || r.report.Parts >= r.maxAsks || ctx.Err() != nil {
		return err
	}
	halves := partsOf(text, r.Episode.Source, half)
	for _, part := range halves {
		if err := r.readPart(ctx, part, number, max(of, 2)); err != nil {
			return err
		}
	}
	return nil
}

// isTooMuch reports whether less text might have an answer.
func isTooMuch(err error) bool {
	return openai.IsTooLong(err) || reasonOf(err) == openai.ReasonLength
}
