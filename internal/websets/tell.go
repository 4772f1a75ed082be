package websets

import (
	"context"
	"fmt"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// maxPerWrite bounds how long one user's writes are locked.
const maxPerWrite = 200

// told is what came of telling some events.
type told struct {
	// lines were added to the log; known events had been told before; silent ones are about nothing that the log has a
	// word for; late ones are no news.
	lines, known, silent, late int
}

// tell takes events in a transaction of their user, in their order, and adds the lines of those that were not taken
// before.
func tell(ctx context.Context, tx store.Tx, events []model.WebsetEvent, at time.Time) (told, error) {
	ids := make([]string, 0, len(events))
	byID := make(map[string]model.WebsetEvent, len(events))
	for _, event := range events {
		if !model.SoundWebsetID(event.Ref.ID) {
			continue // nothing could be asked about it, nor could it be known again
		}
		ids = append(ids, event.Ref.ID)
		byID[event.Ref.ID] = event
	}
	fresh, err := tx.TakeWebsetEvents(ctx, ids, at)
	if err != nil {
		return told{}, fmt.Errorf("take events: %w", err)
	}
	out := told{known: len(byID) - len(fresh)}
	lines := make([]model.Change, 0, len(fresh))
	records := make([]model.UUID, 0, len(fresh))
	for _, id := range fresh {
		line, ok := lineOf(byID[id])
		if !ok {
			out.silent++
			continue
		}
		lines, records = append(lines, line), append(records, line.ID)
	}
	if len(lines) == 0 {
		return out, nil
	}
	last, err := tx.LastRemote(ctx, records)
	if err != nil {
		return told{}, fmt.Errorf("read the last lines: %w", err)
	}
	kept := lines[:0]
	for _, line := range lines {
		before, known := last[line.ID]
		if known && isNoNews(line, before) {
			out.late++
			continue
		}
		if !known || line.Operation == model.OperationDeleted || isAfter(line, before) {
			last[line.ID] = line
		}
		kept = append(kept, line)
	}
	out.lines = len(kept)
	if len(kept) == 0 {
		return out, nil
	}
	if err := tx.LogRemote(ctx, kept); err != nil {
		return told{}, fmt.Errorf("log what happened: %w", err)
	}
	return out, nil
}

// lineOf is the line of the log that an event comes to; false when the log has no word for what it is about.
func lineOf(event model.WebsetEvent) (model.Change, bool) {
	line := model.Change{Operation: model.OperationUpdated}
	ref := event.Subject
	itself := true
	switch ref.Kind {
	case model.KindWebset:
		line.Type = model.ChangeWebset
	case model.KindWebsetSearch, model.KindEnrichment:
		line.Type, ref, itself = model.ChangeWebset, model.WebsetRef{Kind: model.KindWebset, ID: ref.Within}, false
	case model.KindWebsetItem:
		line.Type = model.ChangeWebsetItem
	case model.KindMonitor:
		line.Type = model.ChangeMonitor
	case model.KindMonitorRun:
		line.Type, ref, itself = model.ChangeMonitor, model.WebsetRef{Kind: model.KindMonitor, ID: ref.Within}, false
	case model.KindWebsetImport:
		line.Type = model.ChangeWebsetImport
	default:
		return model.Change{}, false
	}
	id := ref.PublicID()
	if _, err := model.WebsetRefOf(id); err != nil {
		return model.Change{}, false
	}
	line.ID, line.Remote, line.Version = id.UUID, id.Remote, versionOf(event.CreatedAt)
	switch word := event.Type[strings.LastIndexByte(event.Type, '.')+1:]; {
	case itself && word == "created":
		line.Operation = model.OperationCreated
	case itself && word == "deleted":
		line.Operation = model.OperationDeleted
	}
	return line, true
}

// versionForm is a time whose texts are in the order of the times.
const versionForm = "2006-01-02T15:04:05.000000Z"

func versionOf(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(versionForm)
}

// isNoNews reports whether the log has said already what a line says: that something is there, that it is gone, or what
// was so before it was gone.
func isNoNews(line, before model.Change) bool {
	if before.Operation != model.OperationDeleted {
		return line.Operation == model.OperationCreated
	}
	return line.Operation == model.OperationDeleted || !isAfter(line, before)
}

// isAfter reports whether a line is of a later event than another. One whose time nobody knows is. A line of this
// server's own doing has no version, and the time of the log stands for it.
func isAfter(line, other model.Change) bool {
	version := other.Version
	if version == "" {
		version = versionOf(other.At)
	}
	return line.Version == "" || line.Version > version
}
