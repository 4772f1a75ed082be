//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"

	"almanac/graph/model"
)

// citusWorkers is how many servers hold the rows of users, beside the coordinator, which holds none.
const citusWorkers = 2

// newCitus makes a coordinator and its workers of the programs in a folder, and starts them.
func newCitus(ctx context.Context, bin, dir string) (*cluster, error) {
	c, err := clusterOf(bin, filepath.Join(dir, "citus"))
	if err != nil {
		return nil, err
	}
	for _, setting := range []string{
		"shared_preload_libraries=citus", "citus.shard_count=4", "citus.enable_statistics_collection=off",
		"citus.node_conninfo=sslmode=disable", "wal_level=logical", "max_prepared_transactions=200",
		"max_worker_processes=32", "citus.recover_2pc_interval=1s",
	} {
		c.settings = append(c.settings, "-c", setting)
	}
	if c.node, err = c.newServer(ctx); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	for range citusWorkers {
		worker, err := c.newServer(ctx)
		c.workers = append(c.workers, worker)
		if err != nil {
			return nil, errors.Join(err, c.remove())
		}
	}
	return c, nil
}

// join makes one database of those of that name on the coordinator and its workers. Without workers it does nothing.
func (c *cluster) join(ctx context.Context, database string) error {
	if len(c.workers) == 0 {
		return nil
	}
	host, port, err := net.SplitHostPort(c.address)
	if err != nil {
		return err
	}
	joins := []string{"CREATE EXTENSION citus", fmt.Sprintf("SELECT citus_set_coordinator_host('%s', %s)", host, port)}
	for _, worker := range c.workers {
		if err := c.exec(ctx, c.urlBy(worker.address, database), "CREATE EXTENSION citus"); err != nil {
			return err
		}
		if host, port, err = net.SplitHostPort(worker.address); err != nil {
			return err
		}
		joins = append(joins, fmt.Sprintf("SELECT citus_add_node('%s', %s)", host, port))
	}
	return c.exec(ctx, c.url(database), joins...)
}

// killable is the worker that killWorker kills: always the same one, so that the users of the other must notice
// nothing.
func (c *cluster) killable() *node { return c.workers[len(c.workers)-1] }

// unaffected returns those of the people whose rows are on another worker than the killable one; Citus itself says
// where.
func (s *stage) unaffected(ctx context.Context, people []*person) (map[model.UserID]bool, error) {
	conn, err := pgx.Connect(ctx, s.database)
	if err != nil {
		return nil, err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // it has only read
	on := map[model.UserID]bool{}
	for _, one := range people {
		var address string
		err := conn.QueryRow(ctx, `SELECT nodename || ':' || nodeport FROM pg_dist_shard_placement
WHERE shardid = get_shard_id_for_distribution_column('users', $1::uuid)`, fmt.Sprintf("%x", one.id[:])).Scan(&address)
		if err != nil {
			return nil, fmt.Errorf("ask Citus where a user is: %w", err)
		}
		if address != s.cluster.killable().address {
			on[one.id] = true
		}
	}
	if len(on) == 0 || len(on) == len(people) {
		return nil, fmt.Errorf("%d of %d users are on the other worker; take more users", len(on), len(people))
	}
	return on, nil
}

// killWorker kills one server of Citus whole and starts it again.
func killWorker(ctx context.Context, s *stage) error {
	worker := s.cluster.killable()
	if err := worker.killAll(); err != nil {
		return err
	}
	pause(ctx, s.between(200*time.Millisecond, 4*time.Second))
	s.marks["worker of Citus killed (-9), all processes"]++
	return s.cluster.start(ctx, worker)
}

// moveShard moves a share of the users, with their rows in all tables, from one worker to another.
func moveShard(ctx context.Context, s *stage) error {
	conn, err := pgx.Connect(ctx, s.database)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx)) //nolint:errcheck // each statement is a transaction of its own
	var shard int64
	var host string
	var port int32
	err = conn.QueryRow(ctx, `SELECT shardid, nodename, nodeport FROM pg_dist_shard_placement
JOIN pg_dist_shard USING (shardid) WHERE logicalrelid = 'users'::regclass ORDER BY random() LIMIT 1`).
		Scan(&shard, &host, &port)
	if err != nil {
		return fmt.Errorf("find a shard: %w", err)
	}
	for _, worker := range s.cluster.workers {
		if worker.address == net.JoinHostPort(host, fmt.Sprint(port)) {
			continue
		}
		toHost, toPort, err := net.SplitHostPort(worker.address)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, fmt.Sprintf("SELECT citus_move_shard_placement(%d, '%s', %d, '%s', %s, 'force_logical')",
			shard, host, port, toHost, toPort))
		if err != nil {
			return fmt.Errorf("move a shard: %w", err)
		}
		s.marks["shard of Citus moved"]++
		return nil
	}
	return errors.New("there is no worker to move a shard to")
}

// auditUnaffected holds against the server each request that failed of those whose worker was never killed. What a
// client did to itself is no failure.
func (b *breaches) auditUnaffected(writers []*writer, unaffected map[model.UserID]bool) (acknowledged int) {
	for _, one := range writers {
		if !unaffected[one.person.id] {
			continue
		}
		acknowledged += one.tally.acks
		for class, n := range one.tally.classes {
			if class != brokenLeft {
				b.note(&b.other, "%d requests of %s, whose worker was not killed, failed with %q", n, one.script.name, class)
			}
		}
	}
	return acknowledged
}
