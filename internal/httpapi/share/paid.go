package share

import (
	"time"

	"almanac/graph/model"
)

// Paid is what may be asked of systems that cost money: by each user, and by each API token that has a bound of its
// own.
type Paid struct {
	users  *Budget
	tokens *Budget
}

// paidWindow is the time in which a bound is meant.
const paidWindow = time.Hour

// NewPaid makes the bounds of so many questions of a user an hour, 0 for no bound; now is the process's clock.
func NewPaid(perUser int64, now func() time.Time) *Paid {
	return &Paid{users: NewBudget(perUser, paidWindow, now), tokens: NewBudget(1, paidWindow, now)}
}

// Ask counts one question of a caller, for their token and for themselves. Its error is a *model.Error: FORBIDDEN for a
// token that may put none, RATE_LIMITED until when there is a share again. What the token refuses takes nothing from
// its user.
func (p *Paid) Ask(caller model.Caller) *model.Error {
	switch bound := caller.PaidPerHour; {
	case bound < 0:
		return model.Errorf(model.CodeForbidden, "This token may put no questions that cost money.")
	case bound > 0:
		if err := p.tokens.spend(model.UserID(caller.TokenID), 1, float64(bound),
			"This token has put the %d questions that cost money which it may in %v."); err != nil {
			return err
		}
	}
	return p.users.Spend(caller.UserID, 1)
}
