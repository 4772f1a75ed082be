package calsync

import (
	"time"

	"almanac/graph/model"
)

// overlap is how far before the last look an event may have been made and still be new: the remote's clock has whole
// seconds, and an event may be made while the pages of a look are read. An event that was told already is known by the
// log.
const overlap = time.Minute

// tell turns what a calendar says has changed into lines of the change log. last are the last lines about the same
// events, seen is when the calendar was looked at before, by the remote's clock. Rows that the log has already, from a
// write of our own or from a look that was cut off, are counted and left out.
func tell(rows []model.Event, last map[model.UUID]model.Change, seen time.Time) (lines []model.Change, echoes int) {
	for _, row := range rows {
		id := row.Ref.ID()
		before, known := last[id.UUID]
		line := model.Change{Type: model.ChangeEvent, ID: id.UUID, Remote: id.Remote}
		deleted := known && before.Operation == model.OperationDeleted
		switch {
		case row.Status == model.EventCancelled:
			if deleted {
				echoes++
				continue
			}
			line.Operation = model.OperationDeleted
		case known && !deleted && row.Version != "" && before.Version == row.Version:
			echoes++
			continue
		default:
			line.Version = row.Version
			line.Operation = model.OperationUpdated
			if deleted || !known && isNew(row, seen) {
				line.Operation = model.OperationCreated
			}
		}
		lines = append(lines, line)
	}
	return lines, echoes
}

// isNew reports whether an event was made since. An occurrence is not: its series had it before it was changed.
func isNew(row model.Event, seen time.Time) bool {
	return !row.IsOccurrence() && !row.CreatedAt.IsZero() && !row.CreatedAt.Before(seen.Add(-overlap))
}

// distinct returns each event once, as it was said last; one that changes while pages are read may stand on two of
// them.
func distinct(rows []model.Event) []model.Event {
	place := make(map[model.EventRef]int, len(rows))
	once := make([]model.Event, 0, len(rows))
	for _, row := range rows {
		if row.Ref.Event == "" {
			continue // nothing could be asked about it
		}
		if i, again := place[row.Ref]; again {
			once[i] = row
			continue
		}
		place[row.Ref] = len(once)
		once = append(once, row)
	}
	return once
}
