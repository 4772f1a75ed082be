//go:build bench

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// cluster is a PostgreSQL of this run's own, which flushes to the disk as one does that people rely on. It can be
// killed.
type cluster struct {
	bin, dir, password string
	owner              *syscall.Credential
	log                *os.File
	// node is the server that is written to; standby follows it, nil for none.
	*node
	standby *node
	// late: the standby is waited for by nobody, and has not got the last second when it is promoted.
	late      bool
	nodes     int
	databases int
}

// node is a server of a cluster.
type node struct {
	data, address string
	command       *exec.Cmd
	// exited is closed when the postmaster is gone; outcome is then how it ended.
	exited  chan struct{}
	outcome error
}

// newNode is a server that has no data yet.
func (c *cluster) newNode(ctx context.Context) (*node, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	c.nodes++
	return &node{data: filepath.Join(c.dir, fmt.Sprintf("data-%d", c.nodes)), address: address}, nil
}

// newCluster makes a cluster in a folder and starts it. The programs are those that tools/postgres.sh finds.
func newCluster(ctx context.Context, dir string) (*cluster, error) {
	out, err := exec.CommandContext(ctx, "sh", "tools/postgres.sh", "programs").Output()
	if err != nil {
		return nil, fmt.Errorf("find PostgreSQL's programs (run this from the root of the project): %w", err)
	}
	c := &cluster{bin: strings.TrimSpace(string(out)), dir: filepath.Join(dir, "postgres"), password: rand.Text()}
	if c.owner, err = postgresOwner(); err != nil {
		return nil, err
	}
	if c.node, err = c.newNode(ctx); err != nil {
		return nil, err
	}
	if err := c.make(ctx); err != nil {
		return nil, err
	}
	if err := c.start(ctx); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

// postgresOwner is whom the server runs as: it refuses to be run by root.
func postgresOwner() (*syscall.Credential, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		found, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err1 := strconv.ParseUint(found.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(found.Gid, 10, 32)
		if err1 == nil && err2 == nil {
			return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
		}
	}
	return nil, errors.New("no user to run PostgreSQL as")
}

func (c *cluster) program(name string, args ...string) *exec.Cmd {
	command := exec.Command(filepath.Join(c.bin, name), args...) //nolint:noctx // ended by signals
	command.Dir = "/"
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	// A group of its own, so that a key press at the terminal does not reach it before it is ended in order.
	command.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner, Setpgid: true}
	return command
}

func (c *cluster) make(ctx context.Context) error {
	if err := os.Mkdir(c.dir, 0o700); err != nil {
		return err
	}
	secrets := filepath.Join(c.dir, "password")
	if err := os.WriteFile(secrets, []byte(c.password+"\n"), 0o600); err != nil {
		return err
	}
	if c.owner != nil {
		for _, path := range []string{c.dir, secrets} {
			if err := os.Chown(path, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
				return err
			}
		}
	}
	init := c.program("initdb", "-D", c.data, "-U", "postgres", "-E", "UTF8", "--locale=C", "-A", "scram-sha-256",
		"--pwfile="+secrets)
	if out, err := init.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	var err error
	c.log, err = os.Create(filepath.Join(filepath.Dir(c.dir), "postgres.log"))
	return errors.Join(err, ctx.Err())
}

// launch starts the postmaster of a server and does not wait until it takes connections.
func (c *cluster) launch(n *node) error {
	_, port, err := net.SplitHostPort(n.address)
	if err != nil {
		return err
	}
	n.command = c.program("postgres", "-D", n.data, "-c", "listen_addresses=127.0.0.1", "-c", "port="+port, "-c",
		"unix_socket_directories=",
		"-c", "max_connections=100", "-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "full_page_writes=on", "-c",
		"jit=off", "-c", "checkpoint_timeout=30s")
	n.command.Stderr, n.command.Stdout = c.log, c.log
	if err := n.command.Start(); err != nil {
		return err
	}
	exited, command := make(chan struct{}), n.command
	n.exited = exited
	go func() {
		n.outcome = command.Wait()
		close(exited)
	}()
	return nil
}

// start launches it and waits until it takes connections, crash recovery included.
func (c *cluster) start(ctx context.Context) error {
	if err := c.launch(c.node); err != nil {
		return err
	}
	return c.ready(ctx, c.node)
}

// ready waits until a server takes connections.
func (c *cluster) ready(ctx context.Context, n *node) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, c.urlBy(n.address, "postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-n.exited:
			return fmt.Errorf("PostgreSQL ended at its start: %w", n.outcome)
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not come up: %w", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// url is the address of a database of it, past every proxy.
func (c *cluster) url(database string) string { return c.urlBy(c.address, database) }

// urlBy is the same by another address.
func (c *cluster) urlBy(address, database string) string {
	u := url.URL{Scheme: "postgres", User: url.UserPassword("postgres", c.password), Host: address, Path: "/" + database,
		RawQuery: "sslmode=disable"}
	return u.String()
}

// newDatabase makes an empty database and returns its name.
func (c *cluster) newDatabase(ctx context.Context) (string, error) {
	c.databases++
	name := fmt.Sprintf("ledger_%d", c.databases)
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "CREATE DATABASE "+name+" TEMPLATE template0")
	return name, errors.Join(err, conn.Close(ctx))
}

// exec runs statements in a database of it.
func (c *cluster) exec(ctx context.Context, url string, statements ...string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	for _, statement := range statements {
		if _, err = conn.Exec(ctx, statement); err != nil {
			break
		}
	}
	return errors.Join(err, conn.Close(ctx))
}

// stop stops every process of it, so that it answers nothing and breaks no connection, until the function that it
// returns is called.
func (c *cluster) stop() (proceed func(), err error) {
	postmaster := c.command.Process.Pid
	if err := syscall.Kill(postmaster, syscall.SIGSTOP); err != nil { // so that it starts no other meanwhile
		return nil, err
	}
	children := childrenOf(postmaster)
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGSTOP) // it may have ended
	}
	return func() {
		for _, pid := range append(children, postmaster) {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}, nil
}

// killAll ends every process of it without a warning, and waits until all are gone.
func (c *cluster) killAll() error {
	postmaster := c.command.Process.Pid
	children := childrenOf(postmaster)
	if err := c.command.Process.Kill(); err != nil {
		return err
	}
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL) // some have ended with their parent
	}
	<-c.exited
	for deadline := time.Now().Add(startPatience); ; time.Sleep(time.Millisecond) {
		if !anyAlive(children) {
			return nil
		}
		if time.Now().After(deadline) {
			return errors.New("processes of PostgreSQL outlive their kill")
		}
	}
}

// killOne ends the process of one session without a warning; PostgreSQL then ends all others and recovers by itself.
func (c *cluster) killOne(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.url("postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // it is ended with all others
	var pid int
	err = conn.QueryRow(ctx,
		`SELECT pid FROM pg_stat_activity WHERE application_name = 'almanac' ORDER BY state = 'active' DESC, random()
			LIMIT 1`).Scan(&pid)
	if err != nil {
		return fmt.Errorf("find a session: %w", err)
	}
	return syscall.Kill(pid, syscall.SIGKILL)
}

// stopFast ends it as its owner would: sessions are ended, transactions rolled back.
func (n *node) stopFast() error {
	if err := n.command.Process.Signal(syscall.SIGINT); err != nil {
		return err
	}
	select {
	case <-n.exited:
		return nil
	case <-time.After(startPatience):
		return errors.New("PostgreSQL does not end")
	}
}

// remove ends it for good.
func (c *cluster) remove() error { return errors.Join(c.standby.end(), c.node.end()) }

// end ends a server that may not run, or not be there.
func (n *node) end() error {
	if n == nil || n.exited == nil {
		return nil
	}
	select {
	case <-n.exited:
		return nil
	default:
		return n.stopFast()
	}
}
