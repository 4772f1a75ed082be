package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"almanac/graph/model"
)

// eventArgs are the arguments of change_events.
type eventArgs struct {
	dryArgs
	Action      string    `json:"action"`
	IDs         []string  `json:"ids"`
	Match       string    `json:"match"`
	Scope       string    `json:"scope"`
	Title       string    `json:"title"`
	Start       string    `json:"start"`
	End         string    `json:"end"`
	Location    maybe     `json:"location"`
	Description maybe     `json:"description"`
	Attendees   *[]string `json:"attendees"`
	Repeat      *[]string `json:"repeat"`
	Notify      bool      `json:"notify"`
}

// fields are what an event shall have.
func (in eventArgs) fields() map[string]any {
	out := map[string]any{}
	if in.Title != "" {
		out["summary"] = in.Title
	}
	if in.Start != "" {
		out["start"] = eventTime(in.Start)
	}
	if in.End != "" {
		out["end"] = eventTime(in.End)
	}
	in.Location.into(out, "location")
	in.Description.into(out, "description")
	if in.Attendees != nil {
		invited := make([]map[string]any, len(*in.Attendees))
		for i, email := range *in.Attendees {
			invited[i] = map[string]any{"email": email}
		}
		out["attendees"] = invited
	}
	if in.Repeat != nil {
		out["recurrence"] = *in.Repeat
	}
	return out
}

// changeEvents is the tool change_events.
func (s *Server) changeEvents(ctx context.Context, c *call, in eventArgs) (outcome, error) {
	switch in.Action {
	case "create":
		return s.createEvent(ctx, c, in)
	case "update":
		return s.updateEvent(ctx, c, in)
	default:
		return s.deleteEvents(ctx, c, in)
	}
}

func (s *Server) createEvent(ctx context.Context, c *call, in eventArgs) (outcome, error) {
	if in.Title == "" || in.Start == "" {
		return outcome{}, model.BadInput("title", "an event needs a title and a start")
	}
	one := step{Mutation: "createEvent", Input: in.fields()}
	if in.Notify {
		return s.approveNotice(ctx, c, in, one)
	}
	overlap := s.overlapping(ctx, c, in)
	out, err := s.perform(ctx, c, one, "")
	if err == nil && !out.failed {
		out.text = paragraphs(out.text, overlap)
	}
	return out, err
}

// overlapping says what is in the way of a new event; "" when nothing is, or it cannot be told.
func (s *Server) overlapping(ctx context.Context, c *call, in eventArgs) string {
	if dayForm.MatchString(in.Start) || in.Repeat != nil {
		return ""
	}
	end := in.End
	if end == "" {
		end = laterBy(in.Start, time.Hour)
	}
	got, err := s.graphql.run(ctx, c, s.documents["conflicts"],
		map[string]any{"slot": map[string]any{"start": in.Start, "end": end}}, "")
	var found struct {
		Count     int `json:"count"`
		Conflicts []struct {
			Event struct {
				ID string `json:"id"`
			} `json:"event1"`
		} `json:"conflicts"`
	}
	if err != nil || isNull(got.Data["eventConflicts"]) || json.Unmarshal(got.Data["eventConflicts"], &found) != nil ||
		found.Count == 0 {
		return ""
	}
	inTheWay := make([]string, len(found.Conflicts))
	for i, conflict := range found.Conflicts {
		inTheWay[i] = conflict.Event.ID
	}
	return fmt.Sprintf("It overlaps with %d events: %s", found.Count, strings.Join(inTheWay, ", "))
}

// laterBy moves a date-time, with or without an offset; "" when it is none.
func laterBy(text string, by time.Duration) string {
	for _, layout := range [...]string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t.Add(by).Format(layout)
		}
	}
	return text
}

func (s *Server) updateEvent(ctx context.Context, c *call, in eventArgs) (outcome, error) {
	if err := targets(in.IDs, in.Match); err != nil {
		return outcome{}, err
	}
	if len(in.IDs) > 1 {
		return outcome{}, model.BadInput("ids", "change one event at a time")
	}
	set := in.fields()
	if len(set) == 0 {
		return outcome{}, model.BadInput("action", "say what to change")
	}
	input := given(map[string]any{"set": set, "scope": orNil(in.Scope)})
	if in.Match != "" {
		input["target"] = map[string]any{"match": map[string]any{"summary": in.Match}}
	} else {
		input["id"] = in.IDs[0]
	}
	one := step{Mutation: "updateEvent", Input: input}
	if in.Notify {
		return s.approveNotice(ctx, c, in, one)
	}
	return s.perform(ctx, c, one, "")
}

// approveNotice asks before guests are written to.
func (s *Server) approveNotice(ctx context.Context, c *call, in eventArgs, one step) (outcome, error) {
	one.Input["sendUpdates"] = "ALL"
	about := []string{strings.TrimSpace(in.Title + " " + in.Match)}
	locale := ""
	if len(in.IDs) > 0 {
		found, language, failed, err := s.things(ctx, c, in.IDs)
		if err != nil || failed != nil {
			return failedOr(failed), err
		}
		about, locale = labelsOf(found), language
	}
	if in.Start != "" {
		about = append(about, in.Start+" – "+in.End)
	}
	if in.Attendees != nil {
		about = append(about, *in.Attendees...)
	}
	return s.approve(ctx, c, question{confirmation: confirmation{Question: say(locale, sayNotify)}, about: about,
		plan: pending{Steps: []step{one}}})
}

// deleteEvents asks always: about these ids, which occurrences of a series, or which of those that have the title.
func (s *Server) deleteEvents(ctx context.Context, c *call, in eventArgs) (outcome, error) {
	if err := targets(in.IDs, in.Match); err != nil {
		return outcome{}, err
	}
	base := given(map[string]any{"scope": orNil(in.Scope)})
	if in.Notify {
		base["sendUpdates"] = "ALL"
	}
	if in.Match != "" {
		found, locale, failed, err := s.candidatesOf(ctx, c, "events", in.Match, in.Start, in.End)
		if err != nil || failed != nil {
			return failedOr(failed), err
		}
		return s.approve(ctx, c, which(locale, found, false, step{Mutation: "deleteEvent", Input: base}, slotID))
	}
	if !ofKind(in.IDs, model.KindEvent) {
		return outcome{}, model.BadInput("ids", "these are not all ids of events")
	}
	found, locale, failed, err := s.things(ctx, c, in.IDs)
	if err != nil || failed != nil {
		return failedOr(failed), err
	}
	if len(found) == 1 && in.Scope == "" && found[0].repeats() {
		input := cloned(base)
		input["id"] = found[0].ID
		return s.approve(ctx, c, question{
			confirmation: confirmation{
				Kind: model.RecurringScope, Question: say(locale, sayWhichOfSeries),
				Candidates: []candidate{{"FROM_NOW", say(locale, sayFromNow)}, {"THIS", say(locale, sayThis)},
					{"FOLLOWING", say(locale, sayFollowing)}, {"SERIES", say(locale, saySeries)}},
			},
			detail: "", about: labelsOf(found),
			plan: pending{Steps: []step{{Mutation: "deleteEvent", Input: input}}, Slot: slotScope},
		})
	}
	steps := make([]step, len(found))
	for i, one := range found {
		input := cloned(base)
		input["id"] = one.ID
		if len(found) > 1 && in.Scope == "" {
			input["scope"] = "THIS"
		}
		steps[i] = step{Mutation: "deleteEvent", Input: input}
	}
	return s.approve(ctx, c, question{
		confirmation: confirmation{Question: say(locale, sayDelete, len(found))}, about: labelsOf(found),
		plan: pending{Steps: steps},
	})
}
