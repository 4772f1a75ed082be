package sqlite

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBackgroundWorkSeeks: what is done over all users every few seconds, and what is forgotten, seeks by its time.
// What goes through users says so: those are as many as there are users, and not as there are rows.
func TestBackgroundWorkSeeks(t *testing.T) {
	p := newPlanner(t)
	now := time.Unix(1e9, 0)
	// perUser are what has a row or some for each user, and queues of what is to be done.
	perUser := []string{"users", "users USING INDEX sqlite_autoindex_users_1", "task_counts", "task_indexed",
		"task_pending", "p",
		"task_stale"}
	for what, c := range map[string]struct {
		ask func(ctx context.Context) error
		// index are those by which it seeks.
		index []string
		// users is whether it goes through the users, or what each of them has once.
		users bool
	}{
		"reminders": {ask: func(ctx context.Context) error {
			_, err := p.s.DueReminders(ctx, now, 10)
			return err
		}, index: []string{"COVERING INDEX tasks_reminders (next_reminder_at>? AND next_reminder_at<?)"}},
		"calendars": {ask: func(ctx context.Context) error {
			_, err := p.s.ClaimSyncs(ctx, now, now, 10)
			return err
		}, index: []string{"INDEX sync_states_due (next_at>? AND next_at<?)"}},
		"episodes": {ask: func(ctx context.Context) error {
			_, err := p.s.ClaimEpisodes(ctx, now, now, 10)
			return err
		}, index: []string{"COVERING INDEX episodes_queued (next_at<?)",
			"INDEX sqlite_autoindex_episodes_1 (user_id=? AND id=?)"}},
		"feeds of websets": {ask: func(ctx context.Context) error {
			_, err := p.s.DueWebsetFeeds(ctx, now, now, 10)
			return err
		}, index: []string{"INDEX webset_feeds_due (next_at<?)"}},
		"outbox": {ask: func(ctx context.Context) error {
			_, err := p.s.HeldOutgoing(ctx, now, 10)
			return err
		}, index: []string{"INDEX outbox_held (<expr><?)"}},
		"expired memories": {ask: func(ctx context.Context) error {
			_, err := p.s.ExpireMemories(ctx, now, 10)
			return err
		}, index: []string{"COVERING INDEX memories_expired (expires_at>? AND expires_at<?)"}},
		"sweep": {ask: func(ctx context.Context) error { return p.s.Sweep(ctx, now, time.Hour) }, users: true,
			index: []string{
				"INDEX idempotency_expires (expires_at<?)", "INDEX confirmations_expires (expires_at<?)",
				"INDEX outbox_forget (forget_at<?)", "INDEX webset_events_forget (forget_at<?)",
				"INDEX actions_undo (undo_until<?)", "INDEX actions_forget (forget_at<?)",
			}},
	} {
		p.sql = nil
		if err := c.ask(t.Context()); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var all strings.Builder
		for _, sql := range p.sql {
			if strings.HasPrefix(sql, "PRAGMA") || strings.HasPrefix(sql, "BEGIN") || strings.HasPrefix(sql, "COMMIT") {
				continue
			}
			plan := p.plan(sql)
			all.WriteString(plan + "\n")
			for line := range strings.SplitSeq(plan, "\n") {
				_, scanned, scan := strings.Cut(line, "SCAN ")
				if scan && !(c.users && slices.Contains(perUser, scanned)) && scanned != "CONSTANT ROW" && scanned != "d" ||
					strings.Contains(line, "TEMP B-TREE") {
					t.Errorf("%s:\n%s\n%s", what, plan, sql)
					break
				}
			}
		}
		for _, index := range c.index {
			if !strings.Contains(all.String(), index) {
				t.Errorf("%s: no %q in\n%s", what, index, all.String())
			}
		}
	}
}
