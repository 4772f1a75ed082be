//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/jackc/pgx/v5"
)

// plantLate: the standby misses what was acknowledged last, so that it is seen to be found.
const plantLate = "late"

// standbyName is how the standby names itself; no commit is acknowledged before that one has it on its disk.
const standbyName = "standby"

// follow makes a standby of the server that is written to, and returns once commits wait for it. Writing goes on
// meanwhile.
func (c *cluster) follow(ctx context.Context) error {
	n, err := c.newNode(ctx)
	if err != nil {
		return err
	}
	host, port, err := net.SplitHostPort(c.address)
	if err != nil {
		return err
	}
	// What is given here the standby connects with too.
	from := fmt.Sprintf("host=%s port=%s user=postgres password=%s application_name=%s", host, port, c.password,
		standbyName)
	copied := c.program("pg_basebackup", "--pgdata="+n.data, "--dbname="+from, "--checkpoint=fast",
		"--write-recovery-conf")
	if out, err := copied.CombinedOutput(); err != nil {
		return fmt.Errorf("pg_basebackup: %w\n%s", err, out)
	}
	if err := c.launch(n); err != nil {
		return err
	}
	c.standby = n
	if err := c.ready(ctx, n); err != nil {
		return err
	}
	if err := c.until(ctx, `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming'
AND pg_wal_lsn_diff(pg_current_wal_lsn(), flush_lsn) < 1000000)`); err != nil {
		return err
	}
	if c.late {
		return nil
	}
	err = c.exec(ctx, c.url("postgres"), "ALTER SYSTEM SET synchronous_standby_names = '"+standbyName+"'",
		"SELECT pg_reload_conf()")
	if err != nil {
		return err
	}
	return c.until(ctx, `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'sync')`)
}

// until waits until a question to the server that is written to is answered with yes.
func (c *cluster) until(ctx context.Context, question string) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // it has only read
	for {
		var yes bool
		if err := conn.QueryRow(ctx, question).Scan(&yes); err != nil || yes {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the standby does not follow: %w", ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// promote makes the standby the server that is written to. The one before must be gone.
func (c *cluster) promote(ctx context.Context) error {
	err := c.exec(ctx, c.urlBy(c.standby.address, "postgres"), "SELECT pg_promote()")
	if err != nil {
		return fmt.Errorf("promote the standby: %w", err)
	}
	before := c.node
	c.node, c.standby = c.standby, nil
	return os.RemoveAll(before.data)
}

// unfollow ends the standby, so that commits wait for nobody.
func (c *cluster) unfollow(ctx context.Context) error {
	if c.standby == nil {
		return nil
	}
	err := c.exec(ctx, c.url("postgres"), "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()")
	ended := c.standby
	c.standby = nil
	return errors.Join(err, ended.end(), os.RemoveAll(ended.data))
}

// promoteStandby kills the PostgreSQL that is written to, whole, and goes on with its standby, which gets one of its
// own while clients write.
func promoteStandby(ctx context.Context, s *stage) error {
	if s.cluster.late {
		err := s.cluster.exec(ctx, s.cluster.urlBy(s.cluster.standby.address, "postgres"),
			"ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()")
		if err != nil {
			return err
		}
		pause(ctx, time.Second)
	}
	if err := s.cluster.killAll(); err != nil {
		return err
	}
	s.marks["PostgreSQL killed (-9), its standby promoted"]++
	if err := s.cluster.promote(ctx); err != nil {
		return err
	}
	s.proxy.aim(s.cluster.address)
	s.recovery.begin(time.Now())
	return s.cluster.follow(ctx)
}
