package cli

import (
	"encoding/json"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
)

type exportedUser struct {
	ID        string        `json:"id"`
	Subject   string        `json:"subject"`
	Email     string        `json:"email,omitempty"`
	TimeZone  string        `json:"timeZone"`
	Locale    string        `json:"locale"`
	WeekStart model.Weekday `json:"weekStart"`
	// DefaultCalendar is the id of the calendar that new events go to.
	DefaultCalendar string    `json:"defaultCalendar,omitempty"`
	CreatedAt       time.Time `json:"createdAt"`
}

type exportedConnection struct {
	ID       string                 `json:"id"`
	Provider model.Provider         `json:"provider"`
	Account  string                 `json:"account"`
	Number   int                    `json:"number"`
	Status   model.ConnectionStatus `json:"status"`
	Scopes   []string               `json:"scopes"`
	StandIn  bool                   `json:"standIn,omitempty"`
	LinkedAt time.Time              `json:"linkedAt"`
}

type exportedTask struct {
	ID             string              `json:"id"`
	Text           string              `json:"text"`
	Category       string              `json:"category,omitempty"`
	DueDate        time.Time           `json:"dueDate,omitzero"`
	Reminder       string              `json:"reminder,omitempty"`
	Recurrence     *exportedRecurrence `json:"recurrence,omitempty"`
	NextReminderAt time.Time           `json:"nextReminderAt,omitzero"`
	// RemindedAt is the occurrence of which the user was reminded, and which was not completed yet.
	RemindedAt  time.Time `json:"remindedAt,omitzero"`
	NudgeCount  int       `json:"nudgeCount,omitempty"`
	CompletedAt time.Time `json:"completedAt,omitzero"`
	CreatedAt   time.Time `json:"createdAt"`
	UpdatedAt   time.Time `json:"updatedAt"`
	// Position is where the task stands in the order made by hand; exports of earlier versions have none.
	Position    string               `json:"position,omitempty"`
	Subtasks    []exportedSubtask    `json:"subtasks,omitempty"`
	Completions []exportedCompletion `json:"completions,omitempty"`
}

type exportedRecurrence struct {
	Type       model.RecurrenceType `json:"type"`
	Time       string               `json:"time,omitempty"`
	Days       []model.Weekday      `json:"days,omitempty"`
	DayOfMonth int                  `json:"dayOfMonth,omitempty"`
	Interval   string               `json:"interval,omitempty"`
	Until      time.Time            `json:"until,omitzero"`
	TimeZone   string               `json:"timeZone,omitempty"`
}

type exportedSubtask struct {
	ID        string    `json:"id"`
	Text      string    `json:"text"`
	Completed bool      `json:"completed"`
	CreatedAt time.Time `json:"createdAt"`
}

type exportedCompletion struct {
	CompletedAt time.Time `json:"completedAt"`
	Occurrence  time.Time `json:"occurrence,omitzero"`
}

type exportedList struct {
	ID          string         `json:"id"`
	Name        string         `json:"name"`
	IsChecklist bool           `json:"isChecklist"`
	Items       []exportedItem `json:"items"`
	CreatedAt   time.Time      `json:"createdAt"`
	UpdatedAt   time.Time      `json:"updatedAt"`
}

type exportedItem struct {
	ID      string    `json:"id"`
	Text    string    `json:"text"`
	Checked bool      `json:"checked"`
	AddedAt time.Time `json:"addedAt"`
}

// exportedMemory is written as exportMemories writes it.
type exportedMemory model.Memory

// MarshalJSON implements json.Marshaler.
func (m exportedMemory) MarshalJSON() ([]byte, error) {
	return memo.Encode(model.Memory(m))
}

type exportedEntity struct {
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Type       string          `json:"type,omitempty"`
	Summary    string          `json:"summary,omitempty"`
	Aliases    []string        `json:"aliases,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	CreatedAt  time.Time       `json:"createdAt"`
	UpdatedAt  time.Time       `json:"updatedAt"`
	Version    int             `json:"version"`
	// Mentions are the episodes that speak of it, FormerIDs those of entities that became part of it.
	Mentions  []string `json:"mentions,omitempty"`
	FormerIDs []string `json:"formerIds,omitempty"`
}

type exportedFact struct {
	ID         string          `json:"id"`
	Source     string          `json:"source"`
	Relation   string          `json:"relation"`
	Target     string          `json:"target"`
	Fact       string          `json:"fact"`
	ValidAt    time.Time       `json:"validAt,omitzero"`
	InvalidAt  time.Time       `json:"invalidAt,omitzero"`
	CreatedAt  time.Time       `json:"createdAt"`
	ExpiredAt  time.Time       `json:"expiredAt,omitzero"`
	Confidence *float64        `json:"confidence,omitempty"`
	Attributes json.RawMessage `json:"attributes,omitempty"`
	ReplacedBy string          `json:"replacedBy,omitempty"`
	Version    int             `json:"version"`
	Episodes   []string        `json:"episodes,omitempty"`
}

type exportedEpisode struct {
	ID                string              `json:"id"`
	Name              string              `json:"name"`
	Content           string              `json:"content"`
	Source            model.EpisodeSource `json:"source"`
	SourceDescription string              `json:"sourceDescription,omitempty"`
	ReferenceTime     time.Time           `json:"referenceTime"`
	CreatedAt         time.Time           `json:"createdAt"`
	State             model.EpisodeState  `json:"state"`
	Problem           string              `json:"problem,omitempty"`
	// Attempts and NextAt are those of reading it, of one that is queued.
	Attempts int       `json:"attempts,omitempty"`
	NextAt   time.Time `json:"nextAt,omitzero"`
}

func publicID(kind model.Kind, id model.UUID) string {
	return model.ID{Kind: kind, UUID: id}.String()
}

// publicIDs returns them sorted, so that two exports of the same are the same.
func publicIDs(kind model.Kind, ids []model.UUID) (out []string) {
	for _, id := range ids {
		out = append(out, publicID(kind, id))
	}
	slices.Sort(out)
	return out
}

func durationOut(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return model.Duration{Duration: d}.ISO()
}

func userOut(user model.User) exportedUser {
	return exportedUser{
		ID: user.ID.String(), Subject: user.Subject, Email: user.Email, TimeZone: user.Settings.TimeZone,
		Locale: user.Settings.Locale, WeekStart: user.Settings.WeekStart,
		DefaultCalendar: user.Settings.DefaultCalendar, CreatedAt: user.CreatedAt,
	}
}

func connectionOut(c model.Connection) exportedConnection {
	return exportedConnection{
		ID: publicID(model.KindConnection, c.ID), Provider: c.Provider, Account: c.Account, Number: c.Number,
		Status: c.Status, Scopes: c.Scopes, StandIn: c.StandIn, LinkedAt: c.LinkedAt,
	}
}

func taskOut(task model.Task) exportedTask {
	out := exportedTask{
		ID: publicID(model.KindTask, task.ID), Text: task.Text, Category: task.Category, DueDate: task.DueAt,
		Reminder: durationOut(task.Reminder), NextReminderAt: task.NextReminderAt,
		RemindedAt: task.RemindedAt, NudgeCount: task.NudgeCount,
		CompletedAt: task.CompletedAt, CreatedAt: task.CreatedAt, UpdatedAt: task.UpdatedAt, Position: task.Position,
	}
	if rule := task.Recurrence; rule != nil {
		out.Recurrence = &exportedRecurrence{
			Type: rule.Type, Time: rule.Time, Days: rule.Days, DayOfMonth: rule.DayOfMonth,
			Interval: durationOut(rule.Interval), Until: rule.Until, TimeZone: rule.TimeZone,
		}
	}
	for _, step := range task.Subtasks {
		out.Subtasks = append(out.Subtasks,
			exportedSubtask{publicID(model.KindSubtask, step.ID), step.Text, step.Completed, step.CreatedAt})
	}
	for _, done := range task.Completions {
		out.Completions = append(out.Completions, exportedCompletion{done.CompletedAt, done.Occurrence})
	}
	return out
}

func listOut(list model.List) exportedList {
	out := exportedList{
		ID: publicID(model.KindList, list.ID), Name: list.Name, IsChecklist: list.IsChecklist, Items: []exportedItem{},
		CreatedAt: list.CreatedAt, UpdatedAt: list.UpdatedAt,
	}
	for _, item := range list.Items {
		out.Items = append(out.Items,
			exportedItem{publicID(model.KindListItem, item.ID), item.Text, item.Checked, item.AddedAt})
	}
	return out
}

// exportedAction is what a mutation has done.
type exportedAction struct {
	ID        string             `json:"id"`
	At        time.Time          `json:"at"`
	Kind      string             `json:"kind"`
	Source    model.ActionSource `json:"source"`
	Token     string             `json:"token,omitempty"`
	Client    string             `json:"client,omitempty"`
	Summary   string             `json:"summary,omitempty"`
	Touched   []string           `json:"touched,omitempty"`
	UndoUntil time.Time          `json:"undoUntil,omitzero"`
	UndoneBy  string             `json:"undoneBy,omitempty"`
	Undoes    string             `json:"undoes,omitempty"`
}

func actionOut(a model.Action) exportedAction {
	out := exportedAction{ID: publicID(model.KindAction, a.ID), At: a.At, Kind: a.Kind, Source: a.Source, Token: a.Token,
		Client: a.Client, Summary: a.Summary, Touched: a.Touched, UndoUntil: a.UndoUntil}
	if a.UndoneBy != (model.UUID{}) {
		out.UndoneBy = publicID(model.KindAction, a.UndoneBy)
	}
	if a.Undoes != (model.UUID{}) {
		out.Undoes = publicID(model.KindAction, a.Undoes)
	}
	return out
}

func episodeOut(e model.Episode) exportedEpisode {
	return exportedEpisode{
		ID: e.ID.String(), Name: e.Name, Content: e.Content, Source: e.Source, SourceDescription: e.SourceDescription,
		ReferenceTime: e.ReferenceTime, CreatedAt: e.CreatedAt, State: e.State, Problem: e.Problem,
		Attempts: e.Attempts, NextAt: e.NextAt,
	}
}

func entityOut(e model.Entity, links store.EntityLinks) exportedEntity {
	return exportedEntity{
		Mentions: publicIDs(model.KindEpisode, links.Mentions), FormerIDs: publicIDs(model.KindEntity, links.Redirects),
		ID: e.ID.String(), Name: e.Name, Type: e.Type, Summary: e.Summary, Aliases: e.Aliases,
		Attributes: rawJSON(e.Attributes),
		CreatedAt:  e.CreatedAt, UpdatedAt: e.UpdatedAt, Version: e.Version,
	}
}

func factOut(f model.Fact) exportedFact {
	out := exportedFact{
		ID: f.ID.String(), Source: f.Source.ID.String(), Relation: f.Relation, Target: f.Target.ID.String(), Fact: f.Sentence,
		ValidAt: f.ValidAt, InvalidAt: f.InvalidAt, CreatedAt: f.CreatedAt, ExpiredAt: f.ExpiredAt, Confidence: f.Confidence,
		Attributes: rawJSON(f.Attributes), Version: f.Version,
	}
	if f.ReplacedBy != (model.ID{}) {
		out.ReplacedBy = f.ReplacedBy.String()
	}
	for _, episode := range f.Episodes {
		out.Episodes = append(out.Episodes, episode.String())
	}
	return out
}

// rawJSON is a kept JSON object, nil for none.
func rawJSON(text string) json.RawMessage {
	if text == "" {
		return nil
	}
	return json.RawMessage(text)
}
