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
	// settings are arguments of every server beyond those that all clusters have.
	settings []string
	// node is the server that is written to; standby follows it, nil for none.
	*node
	standby *node
	// late: the standby is waited for by nobody, and has not got the last second when it is promoted.
	late bool
	// workers are the other servers of Citus, whose coordinator is node.
	workers   []*node
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
	c, err := clusterOf(strings.TrimSpace(string(out)), filepath.Join(dir, "postgres"))
	if err != nil {
		return nil, err
	}
	if c.node, err = c.newServer(ctx); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

// clusterOf is a cluster of the programs in a folder. It has no server yet.
func clusterOf(bin, dir string) (*cluster, error) {
	owner, err := postgresOwner()
	if err != nil {
		return nil, err
	}
	c := &cluster{bin: bin, dir: dir, password: rand.Text(), owner: owner}
	err = c.make()
	return c, err
}

// newServer makes a server with empty data and starts it.
func (c *cluster) newServer(ctx context.Context) (*node, error) {
	n, err := c.newNode(ctx)
	if err != nil {
		return nil, err
	}
	init := c.program("initdb", "-D", n.data, "-U", "postgres", "-E", "UTF8", "--locale=C", "-A", "scram-sha-256",
		"--pwfile="+filepath.Join(c.dir, "password"))
	if out, err := init.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return n, c.start(ctx, n)
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
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "PGPASSFILE=" + c.passFile()}
	// A group of its own, so that a key press at the terminal does not reach it before it is ended in order.
	command.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner, Setpgid: true}
	return command
}

// passFile has the password for servers that connect to one another.
func (c *cluster) passFile() string { return filepath.Join(c.dir, "pgpass") }

// make lays the folder with the password of all servers.
func (c *cluster) make() error {
	if err := os.Mkdir(c.dir, 0o700); err != nil {
		return err
	}
	secrets := filepath.Join(c.dir, "password")
	paths := []string{c.dir}
	contents := map[string]string{secrets: c.password + "\n", c.passFile(): "*:*:*:*:" + c.password + "\n"}
	for path, content := range contents {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	if c.owner != nil {
		for _, path := range paths {
			if err := os.Chown(path, int(c.owner.Uid), int(c.owner.Gid)); err != nil {
				return err
			}
		}
	}
	var err error
	c.log, err = os.Create(c.dir + ".log")
	return err
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
	n.command.Args = append(n.command.Args, c.settings...)
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
func (c *cluster) start(ctx context.Context, n *node) error {
	if err := c.launch(n); err != nil {
		return err
	}
	return c.ready(ctx, n)
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
	for _, n := range append([]*node{c.node}, c.workers...) {
		if err := c.exec(ctx, c.urlBy(n.address, "postgres"), "CREATE DATABASE "+name+" TEMPLATE template0"); err != nil {
			return "", err
		}
	}
	return name, c.join(ctx, name)
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

// stop stops every process of the server, so that it answers nothing and breaks no connection, until the function that
// it returns is called.
func (n *node) stop() (proceed func(), err error) {
	postmaster := n.command.Process.Pid
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

// killAll ends every process of the server without a warning, and waits until all are gone.
func (n *node) killAll() error {
	postmaster := n.command.Process.Pid
	children := childrenOf(postmaster)
	if err := n.command.Process.Kill(); err != nil {
		return err
	}
	for _, pid := range children {
		_ = syscall.Kill(pid, syscall.SIGKILL) // some have ended with their parent
	}
	<-n.exited
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
func (c *cluster) remove() error {
	errs := []error{c.standby.end(), c.node.end()}
	for _, worker := range c.workers {
		errs = append(errs, worker.end())
	}
	return errors.Join(errs...)
}

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
