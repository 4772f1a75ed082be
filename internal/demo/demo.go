// Package demo lays sample data for people who want to look around: a living board of tasks, a few lists and things to
// remember, a knowledge graph, a calendar and a mailbox, in English and Hebrew, placed relative to now.
//
// It promises to touch only users who have nothing yet, so that a restart changes nothing.
package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/when"
)

// Store is what Lay needs of a store.
type Store interface {
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
	ChangeHead(ctx context.Context, user model.UserID) (int64, error)
}

// Lay returns the user the sample, in one transaction, unless the user has ever had anything; it reports whether it
// did. idAt makes an id whose time is the record's creation.
func Lay(ctx context.Context, into Store, user model.UserID, moment when.Moment,
	idAt func(time.Time) model.UUID) (bool, error) {
	laid := false
	err := into.Write(ctx, user, func(ctx context.Context, tx store.Tx) error {
		head, err := into.ChangeHead(ctx, user)
		if err != nil || head > 0 {
			return err
		}
		laid = true
		return write(ctx, tx, Sample(moment, idAt))
	})
	if err != nil {
		return false, fmt.Errorf("lay the sample data: %w", err)
	}
	return laid, nil
}

func write(ctx context.Context, tx store.Tx, sample Data) error {
	if err := tx.InsertTasks(ctx, sample.Tasks); err != nil {
		return err
	}
	var steps []model.Subtask
	var history []model.TaskCompletion
	for _, task := range sample.Tasks {
		steps = append(steps, task.Subtasks...)
		history = append(history, task.Completions...)
	}
	if err := tx.SaveSubtasks(ctx, sample.At, steps, nil); err != nil {
		return err
	}
	if err := tx.AddCompletions(ctx, history); err != nil {
		return err
	}
	for _, list := range sample.Lists {
		if err := tx.InsertList(ctx, list); err != nil {
			return err
		}
	}
	if err := remember(ctx, tx, sample.Memories); err != nil {
		return err
	}
	return learn(ctx, tx, sample.Knowledge)
}

// remember writes the memories with their histories.
func remember(ctx context.Context, tx store.Tx, memories []model.Memory) error {
	bare := slices.Clone(memories)
	for i := range bare {
		bare[i].History = nil
	}
	if err := tx.InsertMemories(ctx, bare); err != nil {
		return err
	}
	for _, memory := range memories {
		if len(memory.History) == 0 {
			continue
		}
		if err := tx.RestoreHistory(ctx, memory.ID, memory.History); err != nil {
			return err
		}
	}
	return nil
}
