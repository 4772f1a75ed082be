package projections

import (
	"time"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Viewer is who asks, as seen at the moment of asking.
type Viewer struct {
	caller   model.Caller
	at       *Moment
	calendar string
}

// ViewerAt returns the caller's view. calendar is the default calendar of the settings, which no moment has.
func ViewerAt(caller model.Caller, at *Moment, calendar string) *Viewer {
	return &Viewer{caller: caller, at: at, calendar: calendar}
}

// IsNode marks the view as a Node.
func (*Viewer) IsNode() {}

// ID is the user's public id.
func (v *Viewer) ID() model.ID { return v.caller.UserID.ID() }

// Email is the address that the identity provider vouches for, nil when it names none.
func (v *Viewer) Email() *string { return optional(v.caller.Email) }

// Settings are the settings that this answer is given by: the stored ones, overrides applied.
func (v *Viewer) Settings() model.Settings {
	settings := v.at.Settings()
	settings.DefaultCalendar = v.calendar
	return settings
}

// Now is the moment.
func (v *Viewer) Now() model.DateTime { return v.at.DateTime(v.at.Now) }

// Scopes are what the request's token allows.
func (v *Viewer) Scopes() []string {
	scopes := make([]string, len(v.caller.Scopes))
	for i, scope := range v.caller.Scopes {
		scopes[i] = string(scope)
	}
	return scopes
}

// Settings are those that the moment was made from; it knows no default calendar.
func (m *Moment) Settings() model.Settings {
	return model.Settings{TimeZone: m.Zone.String(), Locale: m.Locale, WeekStart: m.WeekStart}
}

// formatted says an instant for people, in another language or zone than the viewer's where one is given.
func (m *Moment) formatted(t time.Time, locale, timeZone *string) (string, error) {
	if locale == nil && timeZone == nil {
		return m.Format(t), nil
	}
	moment, err := m.Override(locale, timeZone)
	if err != nil {
		return "", err
	}
	return when.Format(t, moment), nil
}

// Override returns the moment with another language or zone; nil keeps the viewer's. BAD_USER_INPUT for an unknown one.
func (m *Moment) Override(locale, timeZone *string) (when.Moment, error) {
	out := m.Moment
	if locale != nil {
		known, ok := when.ParseLocale(*locale)
		if !ok {
			return out, model.BadInput("locale", "locale %q is not served; use en or he", *locale)
		}
		out.Locale = known
	}
	if timeZone != nil {
		zone, err := when.LoadZone(*timeZone)
		if err != nil {
			return out, err
		}
		out.Zone = zone
	}
	return out, nil
}
