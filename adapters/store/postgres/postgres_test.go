package postgres_test

import (
	"net/url"
	"os"
	"sync"
	"testing"

	"almanac/adapters/store"
	"almanac/adapters/store/postgres"
	"almanac/adapters/store/storetest"
	"almanac/internal/teststore"
)

// opener opens for the suite stores on databases of their own.
func opener(change func(*postgres.Options)) func(t *testing.T, options storetest.Options) store.Store {
	var (
		mu   sync.Mutex
		urls = map[store.Store]string{}
	)
	return func(t *testing.T, options storetest.Options) store.Store {
		t.Helper()
		own := postgres.Options{Now: options.Now, Trace: options.Trace}
		if options.Beside != nil {
			mu.Lock()
			own.URL = urls[options.Beside]
			mu.Unlock()
		} else {
			own.URL = teststore.NewPostgres(t)
		}
		if change != nil {
			change(&own)
		}
		s := open(t, own)
		mu.Lock()
		urls[s] = own.URL
		mu.Unlock()
		return s
	}
}

// open returns a migrated store that is closed with the test.
func open(t testing.TB, options postgres.Options) *postgres.Store {
	t.Helper()
	s, err := postgres.Open(t.Context(), options)
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

func TestStore(t *testing.T) {
	t.Parallel()
	statements := inOrder(t)
	t.Cleanup(statements.end)
	storetest.Run(t, opener(statements.look))
}

// poolerVariable names a proxy, as host:port, that lends a connection of the test server for a transaction at a time.
// Without one, the suite runs the pooler's mode against the server itself, which shows its SQL but not that nothing is
// left on a connection.
const poolerVariable = "ALMANAC_TEST_POOLER"

func TestStoreBehindAPooler(t *testing.T) {
	t.Parallel()
	storetest.Run(t, opener(func(o *postgres.Options) {
		o.Pooler = true
		if host := os.Getenv(poolerVariable); host != "" {
			through, err := url.Parse(o.URL)
			if err != nil {
				t.Fatal(err)
			}
			through.Host = host
			o.URL = through.String()
		}
	}))
}

func execute(t testing.TB, s *postgres.Store, sql string) {
	t.Helper()
	if err := s.Execute(t.Context(), sql); err != nil {
		t.Fatal(err)
	}
}
