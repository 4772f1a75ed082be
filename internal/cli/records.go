package cli

import (
	"context"
	"slices"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections/memo"
	"almanac/resolvers/memories"
)

// How users, linked accounts, memories and actions stand in an export, and how the first two are read and written
// again.

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

// exportedMemory is written as exportMemories writes it.
type exportedMemory model.Memory

// MarshalJSON implements json.Marshaler.
func (m exportedMemory) MarshalJSON() ([]byte, error) {
	return memo.Encode(model.Memory(m))
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

func (w *intake) readUser(data []byte) (exportedUser, error) {
	var in exportedUser
	if err := decode(data, &in); err != nil {
		return in, err
	}
	var c checks
	c.text("timeZone", in.TimeZone, maxZone)
	c.zone("timeZone", in.TimeZone)
	oneOf(&c, "locale", in.Locale, "en", "he")
	oneOf(&c, "weekStart", in.WeekStart, model.Sunday, model.Monday, model.Tuesday, model.Wednesday, model.Thursday,
		model.Friday, model.Saturday)
	c.at("createdAt", in.CreatedAt)
	if in.DefaultCalendar != "" {
		if _, err := model.ParseID(in.DefaultCalendar); err != nil {
			c.refuse("defaultCalendar", "%q is no id", model.Clip(in.DefaultCalendar))
		}
	}
	w.head = &in
	return in, c.err
}

// writeSettings sets the settings of the file for a user who has chosen nothing yet.
func (w *intake) writeSettings(ctx context.Context, tx store.Tx, users []exportedUser) ([]memories.ImportedAs, error) {
	in := users[0]
	settings := model.Settings{TimeZone: in.TimeZone, Locale: in.Locale, WeekStart: in.WeekStart,
		DefaultCalendar: in.DefaultCalendar}
	there, err := w.User(ctx, w.user)
	switch {
	case err != nil:
		return nil, err
	case there.Settings == settings:
		w.note("settings: there already")
	case !w.fresh:
		w.note("settings: left as they are here, since they were chosen here")
	default:
		w.note("settings: taken over")
		return []memories.ImportedAs{memories.Imported}, tx.SaveSettings(ctx, settings)
	}
	return []memories.ImportedAs{memories.ImportedAlready}, nil
}

func readConnection(data []byte) (connection model.Connection, err error) {
	var in exportedConnection
	if err := decode(data, &in); err != nil {
		return connection, err
	}
	var c checks
	oneOf(&c, "provider", in.Provider, model.ProviderGoogle, model.ProviderExa)
	c.text("account", in.Account, maxAccount)
	c.at("linkedAt", in.LinkedAt)
	if in.Number < 1 || in.Number > maxNumber {
		c.refuse("number", "%d is none of an account", in.Number)
	}
	return model.Connection{ID: c.id(model.KindConnection, "id", in.ID), Number: in.Number, Provider: in.Provider,
		Account: in.Account, Status: model.ConnectionExpired, Scopes: in.Scopes, StandIn: in.StandIn,
		LinkedAt: in.LinkedAt}, c.err
}

const (
	// maxZone is longer than the name of a time zone.
	maxZone = 100
	// maxAccount is longer than an e-mail address may be.
	maxAccount = 500
	// maxNumber bounds numbers that a file gives, so that counting goes on from them.
	maxNumber = 1_000_000_000
)

// writeConnections adds accounts without their secrets, so that their ids stay when they are linked again.
func (w *intake) writeConnections(ctx context.Context, tx store.Tx, all []model.Connection) ([]memories.ImportedAs,
	error) {
	there, err := tx.Connections(ctx, w.user)
	if err != nil {
		return nil, err
	}
	fates := make([]memories.ImportedAs, len(all))
	for i, connection := range all {
		if slices.ContainsFunc(there, func(c model.Connection) bool {
			return c.Provider == connection.Provider && c.Account == connection.Account
		}) {
			fates[i] = memories.ImportedAlready
			continue
		}
		if err := tx.SkipNumbers(ctx, store.Numbers{Connections: int64(connection.Number) - 1}); err != nil {
			return nil, err
		}
		connection.UpdatedAt = w.now()
		saved, err := tx.SaveConnection(ctx, connection, model.Credentials{})
		if err != nil {
			return nil, err
		}
		there = append(there, saved)
		w.note("link again: %s (%s)", saved.Account, saved.Provider)
		if saved.Number != connection.Number {
			w.note("ids of what is in the account %s are others here", saved.Account)
		}
	}
	return fates, nil
}
