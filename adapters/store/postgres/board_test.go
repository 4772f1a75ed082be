package postgres_test

import (
	"testing"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
)

// TestBoardOfMany runs the suite's boards against a store that takes nearly everybody for somebody with many tasks.
func TestBoardOfMany(t *testing.T) {
	t.Parallel()
	open := opener(nil)
	storetest.RunBoard(t, func(t *testing.T, options storetest.Options) store.Store {
		t.Helper()
		s := open(t, options)
		if own, is := s.(*postgres.Store); is {
			own.ManyBeyond(3)
		}
		return s
	})
}
