package rows

import (
	"almanac/graph/model"
)

// Connection returns a connection as it is kept for the user, but for its number, and its scopes as one text.
// BAD_USER_INPUT for texts that cannot be stored.
func Connection(user model.UserID, connection model.Connection) (kept model.Connection, scopes string, err error) {
	if err := Text(string(connection.Provider), connection.Account, string(connection.Status)); err != nil {
		return model.Connection{}, "", err
	}
	if scopes, err = Words(connection.Scopes); err != nil {
		return model.Connection{}, "", err
	}
	kept = connection
	kept.User, kept.Number, kept.Scopes = user, 0, WordsOf(scopes)
	kept.LinkedAt, kept.UpdatedAt = Time(connection.LinkedAt), Time(connection.UpdatedAt)
	return kept, scopes, nil
}
