package sqlite_test

import (
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/adapters/store/storetest"
	"almanac/internal/teststore"
)

func TestContract(t *testing.T) {
	var paths sync.Map // store.Store to its path
	storetest.Run(t, func(t *testing.T, options storetest.Options) store.Store {
		var path string
		if options.Beside != nil {
			beside, _ := paths.Load(options.Beside)
			path = beside.(string)
		} else {
			path = teststore.SQLite(t)
		}
		s := open(t, sqlite.Options{Path: path, Now: options.Now, Trace: options.Trace, WatchInterval: 5 * time.Millisecond})
		paths.Store(store.Store(s), path)
		return s
	})
}

// open opens and migrates a store and closes it with the test.
func open(t testing.TB, options sqlite.Options) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}
