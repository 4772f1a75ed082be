//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	mailbox "almanac/internal/standin/gmail"
)

// lay gives a new user the world, through the GraphQL API; only mail comes by the stand-in, as nobody writes a mail to
// themselves through the API.
func (s *server) lay(ctx context.Context, name string, w *world) (*client, error) {
	c := &client{server: s, user: name, lang: w.Lang}
	var viewer json.RawMessage
	if _, err := c.ask(ctx, &viewer, `{ viewer { id } }`, nil); err != nil {
		return nil, err
	}
	email := name + "@example.com"
	if err := s.link(ctx, name, email); err != nil {
		return nil, fmt.Errorf("link an account: %w", err)
	}
	if err := s.deliver(email, w); err != nil {
		return nil, err
	}
	if err := c.write(ctx, w); err != nil {
		return nil, fmt.Errorf("lay the world: %w", err)
	}
	return c, nil
}

// deliver puts the mails of the world into the account's inbox.
func (s *server) deliver(email string, w *world) error {
	zone, _, err := w.clock()
	if err != nil {
		return err
	}
	for i, mail := range w.Mail {
		at, err := time.ParseInLocation(localForm, mail.Date, zone)
		if err != nil {
			return err
		}
		letter := mailbox.Letter{From: fmt.Sprintf("%s <sender%d@example.org>", mail.From, i), To: email,
			Subject: mail.Subject, Text: mail.Subject, Date: at, MessageID: fmt.Sprintf("%d@example.org", i)}
		labels := []string{"INBOX"}
		if mail.Unread {
			labels = append(labels, "UNREAD")
		}
		if _, err := s.mailbox.Deliver(email, letter.Bytes(), at, labels...); err != nil {
			return fmt.Errorf("deliver a mail: %w", err)
		}
	}
	return nil
}

const (
	layTasks    = `mutation($in: CreateTasksInput!) { done: createTasks(input: $in) { created errors { message } } }`
	layList     = `mutation($in: CreateListInput!) { done: createList(input: $in) { list { id } userErrors { message } } }`
	layMemories = `mutation($in: StoreMemoriesInput!) { done: storeMemories(input: $in) { created errors { message } } }`
	layEvents   = `mutation($in: CreateEventsInput!) { done: createEvents(input: $in) { created errors { message } } }`
)

// endOfDay is the hour of a task that is due on a day: it is overdue once the day has passed.
const endOfDay = "T23:59"

// write lays tasks, lists, memories and events.
func (c *client) write(ctx context.Context, w *world) error {
	if err := c.create(ctx, layTasks, map[string]any{"tasks": w.taskInputs()}, len(w.Tasks)); err != nil {
		return err
	}
	for name, items := range w.Lists {
		if err := c.create(ctx, layList, map[string]any{"name": name, "items": items}, 0); err != nil {
			return err
		}
	}
	memories := make([]any, len(w.Memories))
	for i, text := range w.Memories {
		memories[i] = map[string]any{"content": text}
	}
	err := c.create(ctx, layMemories, map[string]any{"memories": memories, "onConflict": "KEEP_BOTH"}, len(memories))
	if err != nil {
		return err
	}
	events, err := w.eventInputs()
	if err != nil {
		return err
	}
	return c.create(ctx, layEvents, map[string]any{"events": events}, len(events))
}

// create runs a mutation that must make so many records; 0: it does not say how many.
func (c *client) create(ctx context.Context, mutation string, in map[string]any, want int) error {
	var out struct {
		Done struct {
			Created    int
			Errors     []problem
			UserErrors []problem
		}
	}
	problems, err := c.ask(ctx, &out, mutation, map[string]any{"in": in})
	if err != nil {
		return err
	}
	if len(problems)+len(out.Done.Errors)+len(out.Done.UserErrors) > 0 || out.Done.Created != want {
		return fmt.Errorf("%d of %d records made: %v %v %v", out.Done.Created, want, problems, out.Done.Errors,
			out.Done.UserErrors)
	}
	return nil
}

func (w *world) taskInputs() []any {
	days := map[time.Weekday]string{time.Sunday: "SUNDAY", time.Monday: "MONDAY", time.Tuesday: "TUESDAY",
		time.Wednesday: "WEDNESDAY", time.Thursday: "THURSDAY", time.Friday: "FRIDAY", time.Saturday: "SATURDAY"}
	inputs := make([]any, len(w.Tasks))
	for i, task := range w.Tasks {
		in := map[string]any{"text": task.Title}
		switch {
		case task.Recurrence != "": // the worlds have weekly ones alone, on the day that they are due on
			due, _ := time.Parse(time.DateOnly, task.Due)
			in["recurrence"] = map[string]any{"type": "WEEKLY", "days": []string{days[due.Weekday()]}}
		case task.Due != "":
			in["dueDate"] = task.Due + endOfDay
		}
		inputs[i] = in
	}
	return inputs
}

func (w *world) eventInputs() ([]any, error) {
	inputs := make([]any, len(w.Events))
	for i, event := range w.Events {
		in := map[string]any{"summary": event.Title, "onDuplicate": "ALLOW"}
		if event.Location != "" {
			in["location"] = event.Location
		}
		if event.Recurrence != "" {
			in["recurrence"] = []string{"RRULE:" + event.Recurrence}
		}
		if event.AllDay {
			last, err := time.Parse(time.DateOnly, event.End)
			if err != nil {
				return nil, err
			}
			in["start"] = map[string]any{"date": event.Start}
			in["end"] = map[string]any{"date": last.AddDate(0, 0, 1).Format(time.DateOnly)}
		} else {
			in["start"] = map[string]any{"dateTime": event.Start}
			in["end"] = map[string]any{"dateTime": event.End}
		}
		inputs[i] = in
	}
	return inputs, nil
}

// series are the titles of the events that repeat.
func (w *world) series() []string {
	var titles []string
	for _, event := range w.Events {
		if event.Recurrence != "" {
			titles = append(titles, event.Title)
		}
	}
	return titles
}

// touches reports whether an event of the world has an occurrence that touches the days.
func touches(start, end, from, to string) bool {
	return strings.Compare(start[:len(time.DateOnly)], to) <= 0 && strings.Compare(end[:len(time.DateOnly)], from) >= 0
}
