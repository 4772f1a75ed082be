//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// result is a sentence with its judgement.
type result struct {
	*sentence
	judgement
	got string
}

// stage is where sentences of one language are tried: a server with users who have the language's world.
type stage struct {
	*server
	world *world
	mu    sync.Mutex
	made  int
}

// newStage makes a server on a folder of its own; close releases both.
func newStage(ctx context.Context, w *world) (s *stage, closeAll func() error, err error) {
	_, now, err := w.clock()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "almanac-sentences-")
	if err != nil {
		return nil, nil, err
	}
	made, err := newServer(ctx, dir, now, w.Zone)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &stage{server: made, world: w}, func() error { return errors.Join(made.Close(), os.RemoveAll(dir)) }, nil
}

// person is a user with the world as it was laid.
type person struct {
	*client
	state *state
}

func (s *stage) person(ctx context.Context) (*person, error) {
	s.mu.Lock()
	s.made++
	name := fmt.Sprintf("user%d", s.made)
	s.mu.Unlock()
	c, err := s.lay(ctx, name, s.world)
	if err != nil {
		return nil, err
	}
	now, err := c.read(ctx, s.world, nil)
	return &person{client: c, state: now}, err
}

// primers are said before a sentence that undoes, so that there is something of the assistant's own to undo.
var primers = map[string]struct{ text, title string }{
	"en": {"schedule rehearsal on 2026-12-18 at 18:00", "rehearsal"},
	"he": {"תוסיף חזרה ב-18.12.2026 בשעה 18:00", "חזרה"},
}

// try says one sentence to the assistant, for a person who has the world as it was laid. It returns the person as long
// as nothing was changed and nothing asked, so that the next sentence finds them as if they were new.
func (s *stage) try(ctx context.Context, who *person, a assistant, one *sentence) (*person, result, error) {
	fail := func(err error) (*person, result, error) { return nil, result{}, fmt.Errorf("%s: %w", one.ID, err) }
	var err error
	if who == nil {
		if who, err = s.person(ctx); err != nil {
			return fail(err)
		}
	}
	t := &trial{sentence: one, world: s.world, before: who.state}
	if one.Expect.Effect == "undo" {
		if err := s.prime(ctx, who, a, t); err != nil {
			return fail(err)
		}
	}
	if t.said, err = a.chat(ctx, who.client, one.Text); err != nil {
		return fail(err)
	}
	known := make([]string, 0, len(t.before.series))
	for id := range t.before.series {
		known = append(known, id)
	}
	after, err := who.read(ctx, s.world, known)
	if err != nil {
		return fail(err)
	}
	t.did = compare(t.before, after)
	out := result{sentence: one, judgement: t.judge(), got: t.said.String()}
	if !t.did.none() {
		out.got += " | " + t.did.String()
	}
	if !t.did.none() || t.said.Confirmation != nil || t.primer != "" {
		who = nil
	}
	return who, out, nil
}

// prime has the assistant make an event, and takes the state with it for the one before.
func (s *stage) prime(ctx context.Context, who *person, a assistant, t *trial) error {
	primer := primers[s.world.Lang]
	if _, err := a.chat(ctx, who.client, primer.text); err != nil {
		return err
	}
	now, err := who.read(ctx, s.world, nil)
	if err != nil {
		return err
	}
	made := compare(who.state, now).events.made
	if len(made) != 1 {
		return fmt.Errorf("%q has not made one event", primer.text)
	}
	t.before, t.primer = now, made[0].Summary
	return nil
}

// newAssistant makes the assistant that is judged, given any user.
type newAssistant func(ctx context.Context, c *client) (assistant, error)

// runAll tries all sentences, so many at a time, each language on a server of its own.
func runAll(ctx context.Context, set []sentence, worlds map[string]*world, parallel int,
	with newAssistant) ([]result, error) {
	results := make([]result, len(set))
	for lang, w := range worlds {
		var mine []int
		for i := range set {
			if set[i].Lang == lang {
				mine = append(mine, i)
			}
		}
		if err := runLanguage(ctx, set, mine, w, parallel, with, results); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// tries is how often a sentence is said, each time to a new user, when the server is too slow to answer.
const tries = 5

func runLanguage(ctx context.Context, set []sentence, mine []int, w *world, parallel int, with newAssistant,
	results []result) (err error) {
	s, closeAll, err := newStage(ctx, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll()) }()
	first, err := s.person(ctx)
	if err != nil {
		return err
	}
	a, err := with(ctx, first.client)
	if err != nil {
		return err
	}
	next := make(chan int)
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(next)
		for _, i := range mine {
			select {
			case next <- i:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for range parallel {
		group.Go(func() error {
			var who *person
			for i := range next {
				var err error
				for range tries {
					if who, results[i], err = s.try(ctx, who, a, &set[i]); err == nil || !errors.Is(err, errLate) {
						break
					}
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// byFile are the sentences of each file.
func byFile(all []result) map[string][]result {
	groups := map[string][]result{}
	for _, one := range all {
		groups[one.file] = append(groups[one.file], one)
	}
	return groups
}

// elapsed is a length of time for reports.
func elapsed(since time.Time) time.Duration { return time.Since(since).Round(100 * time.Millisecond) }
