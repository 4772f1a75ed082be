package share_test

import (
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/share"
)

func TestATokenSpendsItsOwnShare(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	user := model.UserID{1}
	token := func(id byte, bound model.PaidPerHour) model.Caller {
		return model.Caller{UserID: user, Token: "phone", TokenID: model.UUID{id}, PaidPerHour: bound}
	}
	paid := share.NewPaid(5, func() time.Time { return now })
	ask := func(caller model.Caller, want model.ErrorCode) {
		t.Helper()
		var is model.ErrorCode
		if err := paid.Ask(caller); err != nil {
			is = err.Code
			if is == model.CodeRateLimited && (err.RetryAfter <= 0 || err.RetryAfter > time.Hour) {
				t.Errorf("come again after %v", err.RetryAfter)
			}
		}
		if is != want {
			t.Errorf("%q, want %q", is, want)
		}
	}
	const fine = model.ErrorCode("")
	for range 3 {
		ask(token(9, model.PaidNone), model.CodeForbidden)
	}
	ask(token(1, 2), fine)
	ask(token(1, 2), fine)
	for range 9 { // takes nothing from the user
		ask(token(1, 2), model.CodeRateLimited)
	}
	ask(token(2, 1), fine) // another one of the same name
	ask(token(3, 0), fine) // without a bound of its own
	ask(model.Caller{UserID: user}, fine)
	ask(model.Caller{UserID: user}, model.CodeRateLimited)
	ask(token(4, 100), model.CodeRateLimited) // the user's own bound holds as well
	ask(model.Caller{UserID: model.UserID{2}}, fine)
	now = now.Add(30 * time.Minute) // half of each share has come back
	ask(token(1, 2), fine)
	ask(token(1, 2), model.CodeRateLimited)

	unbounded := share.NewPaid(0, func() time.Time { return now })
	for range 50 {
		if err := unbounded.Ask(model.Caller{UserID: user}); err != nil {
			t.Fatal(err)
		}
	}
	if err := unbounded.Ask(token(1, 1)); err != nil {
		t.Error(err)
	}
	if err := unbounded.Ask(token(1, 1)); err == nil {
		t.Error("without a bound for users a token has none either")
	}
}
