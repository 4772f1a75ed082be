package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/adapters/store/sqlite"
	"almanac/adapters/store/storetest"
	"almanac/graph/model"
)

// TestALockedFileHoldsNobody: while another process holds the right to write, every method of the contract returns
// without the caller's doing; the first calls after that succeed.
func TestALockedFileHoldsNobody(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "almanac.db")
	s := open(t, sqlite.Options{Path: path, CallTimeout: 100 * time.Millisecond})
	other := open(t, sqlite.Options{Path: path})
	calls := storetest.Every(s)
	locked, unlock := make(chan struct{}), make(chan struct{})
	written := make(chan error, 1)
	go func() {
		written <- other.Write(context.Background(), model.UserIDOf("other"), func(context.Context, store.Tx) error {
			close(locked)
			<-unlock
			return nil
		})
	}()
	<-locked
	var (
		group   sync.WaitGroup
		mu      sync.Mutex
		refused int
	)
	for method, call := range calls {
		group.Go(func() {
			err := call(context.Background())
			if errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, store.ErrUnavailable) {
				t.Errorf("%s of a locked file: %v", method, err)
			}
			mu.Lock()
			defer mu.Unlock()
			if errors.Is(err, store.ErrUnavailable) {
				refused++
			}
		})
	}
	group.Wait() // it ends
	if refused < 10 {
		t.Errorf("%d methods waited for the right to write, so little was tested", refused)
	}
	close(unlock)
	if err := <-written; err != nil {
		t.Error(err)
	}
	for method, call := range calls {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if err := call(ctx); errors.Is(err, store.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s of a file that is no longer locked: %v", method, err)
		}
		cancel()
	}
}
