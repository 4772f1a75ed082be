package gmail

import (
	"encoding/binary"
	"slices"
	"strconv"

	"almanac/internal/standin/wire"
)

func (r *request) listHistory() (wire.Reply, error) {
	most, err := r.pageSize()
	if err != nil {
		return wire.Reply{}, err
	}
	text := r.call.Query.Get("startHistoryId")
	if text == "" {
		return wire.Reply{}, invalid("Missing startHistoryId")
	}
	start, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return wire.Reply{}, invalid("Invalid value at 'start_history_id'")
	}
	if start < r.box.floor(r) || start > r.box.HistoryID {
		return wire.Reply{}, notFound()
	}
	if token := r.call.Query.Get("pageToken"); token != "" {
		raw, ok := r.openToken(token)
		const size = 8
		if !ok || len(raw) != size {
			return wire.Reply{}, invalid("Invalid pageToken")
		}
		start = max(start, binary.BigEndian.Uint64(raw))
	}
	answer := object{"historyId": strconv.FormatUint(r.box.HistoryID, 10)}
	from, _ := slices.BinarySearchFunc(r.box.History, start+1, func(step record, id uint64) int {
		switch {
		case step.ID < id:
			return -1
		case step.ID > id:
			return 1
		}
		return 0
	})
	var rows []any
	last := start
	for _, step := range r.box.History[from:] {
		row := r.step(step)
		if row == nil {
			continue
		}
		if len(rows) == most {
			answer["nextPageToken"] = r.sealToken(binary.BigEndian.AppendUint64(nil, last))
			break
		}
		rows, last = append(rows, row), step.ID
	}
	if len(rows) > 0 {
		answer["history"] = rows
	}
	return reply(answer)
}

// floor is the lowest id that is still known: that of the last record forgotten, or that is too old by now.
func (a *account) floor(r *request) uint64 {
	floor, oldest := a.HistoryFloor, r.now.Add(-r.switches.historyLife()).Unix()
	for _, step := range a.History {
		if step.At >= oldest {
			break
		}
		floor = step.ID
	}
	return floor
}

// step returns a record as far as it was asked for; nil when it was not.
func (r *request) step(s record) object {
	if id := r.call.Query.Get("labelId"); id != "" && !slices.Contains(s.Labels, id) && !slices.Contains(s.Removed, id) {
		return nil
	}
	kinds := r.call.Query["historyTypes"]
	wanted := func(kind string) bool { return len(kinds) == 0 || slices.Contains(kinds, kind) }
	m := object{"id": s.Message, "threadId": s.Thread}
	whole := object{"id": s.Message, "threadId": s.Thread}
	if len(s.Labels) > 0 {
		whole["labelIds"] = list(s.Labels)
	}
	row := object{"id": strconv.FormatUint(s.ID, 10), "messages": []any{m}}
	if s.New && wanted("messageAdded") {
		row["messagesAdded"] = []any{object{"message": whole}}
	}
	if s.Gone && wanted("messageDeleted") {
		row["messagesDeleted"] = []any{object{"message": whole}}
	}
	if len(s.Added) > 0 && wanted("labelAdded") {
		row["labelsAdded"] = []any{object{"message": whole, "labelIds": list(s.Added)}}
	}
	if len(s.Removed) > 0 && wanted("labelRemoved") {
		row["labelsRemoved"] = []any{object{"message": whole, "labelIds": list(s.Removed)}}
	}
	if len(row) == 2 { // the id and the messages alone
		return nil
	}
	return row
}
