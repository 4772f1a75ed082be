package core

import (
	"context"
	"strings"

	"almanac/graph/model"
)

// shortIDs completes the short ids of one user's requests.
type shortIDs struct {
	*Base
	user model.UserID
}

// CompleteID implements ids.Completer.
func (s shortIDs) CompleteID(ctx context.Context, short string) (string, error) {
	end, ok := model.ShortEnd(short)
	if !ok {
		return short, nil
	}
	found, err := s.Store.IDsEnding(ctx, s.user, end, 2)
	switch {
	case err != nil:
		return "", err
	case len(found) == 0 && !strings.ContainsAny(short, "0123456789"):
		return short, nil // it may be a word, of an answer to a question for one; whoever takes it says what it is not
	case len(found) == 0:
		return "", model.NotFound("", "you have nothing whose id ends in %s", short)
	case len(found) > 1:
		return "", model.BadInput("", "%s is the end of several ids, %s and %s among them; give the whole id", short,
			found[0], found[1])
	}
	return found[0].String(), nil
}
