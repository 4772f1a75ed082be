package mcp

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"almanac/graph/model"
)

// agendaArgs are the arguments of the tool.
type agendaArgs struct {
	From        string   `json:"from"`
	To          string   `json:"to"`
	Kinds       []string `json:"kinds"`
	FreeMinutes int      `json:"freeMinutes"`
	MaxTokens   int      `json:"maxTokens"`
	Cursor      string   `json:"cursor"`
}

// agendaAnswer is the part of the answer that holds the agenda.
type agendaAnswer struct {
	From    string    `json:"from"`
	To      string    `json:"to"`
	Compact formatted `json:"compact"`
	Entries []struct {
		Cursor string `json:"cursor"`
		Node   struct {
			ID string `json:"id"`
		} `json:"node"`
	} `json:"entries"`
	Notes []struct {
		Kind         *string         `json:"kind"`
		Code         model.ErrorCode `json:"code"`
		Message      string          `json:"message"`
		ConnectURL   string          `json:"connectUrl"`
		RetryAfterMs int64           `json:"retryAfterMs"`
	} `json:"notes"`
}

// busyAnswer is the part of the answer that holds free times.
type busyAnswer struct {
	Free      []window `json:"free"`
	Calendars []struct {
		Error *model.ErrorCode `json:"error"`
	} `json:"calendars"`
}

// rowsFor is how many rows are asked for when a text may have so many tokens: no row has fewer than these.
func rowsFor(tokens, most int) int {
	const leastRow = 12
	return min(max(tokens/leastRow, 5), most)
}

// options are CompactOptions for so many tokens.
func options(tokens, rows int) map[string]any {
	return map[string]any{"maxTokens": max(tokens, minShare), "maxLines": min(max(rows, 20), 1_000), "maxLineLength": 200,
		"timeoutMs": 1_000}
}

// agenda is the tool of that name.
func (s *Server) agenda(ctx context.Context, c *call, in agendaArgs) (out outcome, err error) {
	after := ""
	if in.Cursor != "" {
		// A cursor holds for one stretch of time, which may have been relative to a now that has passed.
		parts := strings.Split(in.Cursor, ",")
		if len(parts) != 3 {
			return out, badCursor()
		}
		in.From, in.To, after = parts[0], parts[1], parts[2]
	}
	err = fit(in.MaxTokens, func(budget int) (string, error) {
		rows := rowsFor(budget, 200)
		variables := given(map[string]any{
			"from": moment(in.From), "to": moment(in.To), "kinds": listOrNil(in.Kinds), "first": rows, "after": orNil(after),
			"compact": options(budget, 2*rows),
			"free":    in.FreeMinutes > 0, "atLeast": orNil(in.FreeMinutes),
		})
		got, err := s.graphql.run(ctx, c, s.documents["agenda"], variables, "")
		if err != nil {
			return "", err
		}
		out, err = agendaOutcome(got, in.FreeMinutes > 0)
		return out.text, err
	})
	return out, err
}

func agendaOutcome(got answer, withFree bool) (outcome, error) {
	if isNull(got.Data["agenda"]) {
		return failure(got.faults()...), nil
	}
	var found agendaAnswer
	if err := json.Unmarshal(got.Data["agenda"], &found); err != nil {
		return outcome{}, err
	}
	out := outcome{}
	for _, entry := range found.Entries {
		out.IDs = append(out.IDs, entry.Node.ID)
		if found.Compact.Next != nil && *found.Compact.Next == entry.Cursor {
			break
		}
	}
	parts := []string{fenced(found.Compact)}
	if withFree && !isNull(got.Data["freeBusy"]) {
		var busy busyAnswer
		if err := json.Unmarshal(got.Data["freeBusy"], &busy); err != nil {
			return outcome{}, err
		}
		out.Free = busy.Free
		parts = append(parts, freeText(busy))
	}
	// The agenda's notes are in its text; here they are for programs. What could not be had beside it is told.
	for _, note := range found.Notes {
		p := problem{Code: note.Code, Message: note.Message, ConnectURL: note.ConnectURL, RetryAfterMs: note.RetryAfterMs}
		if note.Kind != nil {
			p.About = *note.Kind
		}
		out.Problems = append(out.Problems, p)
	}
	for _, p := range got.faults() {
		out.Problems = append(out.Problems, p)
		parts = append(parts, p.sentence())
	}
	if found.Compact.Next != nil {
		out.Cursor = found.From + "," + found.To + "," + *found.Compact.Next
		parts = append(parts, more("agenda", out.Cursor))
	}
	out.text = paragraphs(parts...)
	return out, nil
}

// freeText says free times in lines; a stretch of one day names it once.
func freeText(busy busyAnswer) string {
	for _, calendar := range busy.Calendars {
		if calendar.Error != nil {
			return "Free times are not known: a calendar cannot be read (" + string(*calendar.Error) + ")."
		}
	}
	if len(busy.Free) == 0 {
		return "Free: nothing of that length."
	}
	lines := []string{"Free:"}
	for _, free := range busy.Free {
		start, err := time.Parse(time.RFC3339, free.Start)
		end, err2 := time.Parse(time.RFC3339, free.End)
		if err != nil || err2 != nil {
			continue
		}
		const day, clock = "Mon 2006-01-02", "15:04"
		until := end.Format(clock)
		if end.Format(day) != start.Format(day) {
			until = end.Format(day + " " + clock)
		}
		lines = append(lines, "- "+start.Format(day+" "+clock)+" – "+until)
	}
	return strings.Join(lines, "\n")
}

// more says how to go on.
func more(tool, cursor string) string {
	return `More: call ` + tool + ` again with the same arguments and cursor "` + cursor + `".`
}

func badCursor() error {
	return model.BadInput("cursor", "this is not a cursor of this tool; give it as it was told, or leave it out")
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
