//go:build bench

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"
)

const (
	// silentSockets and silentOperations are how many sockets there are and how many subscriptions each asks for.
	silentSockets, silentOperations = 300, 100
	// silentChanges is how many changes are made, one after the other, each of silentLetters Hebrew letters.
	silentChanges, silentLetters = 24, 1_900
	// silentMost is how much more than before the server's process may have at most.
	silentMost = 64 << 20
	// silentIdle is how long a server is left alone before and after; it gives memory back within two looks.
	silentIdle = 21 * time.Second
)

// measureSilent measures what peers that subscribe and never read cost the server's process, at its default settings.
// More than silentMost is an error.
func measureSilent(ctx context.Context, d database, program string, out, progress io.Writer) error {
	fmt.Fprintf(out, "\n### Peers that never read\n\n%d sockets of one user with %d subscriptions each, which never "+
		"read; %d changes of %d letters. Private memory of the process in MiB, each 10 ms; the bar is %d more than "+
		"before.\n\n",
		silentSockets, silentOperations, silentChanges, silentLetters, silentMost>>20)
	fmt.Fprintln(out, "| they ask for | before | highest | more | after they have gone | slowest write | CPU |")
	fmt.Fprintln(out, "|---|--:|--:|--:|--:|--:|--:|")
	var beyond []error
	for _, kind := range []string{"different things", "the same"} {
		fmt.Fprintf(progress, "opening %d sockets that never read, load average %s\n", silentSockets, loadAverage())
		more, err := silent(ctx, d, program, kind, out)
		if err != nil {
			return fmt.Errorf("peers that never read: %w", err)
		}
		if more > silentMost {
			beyond = append(beyond, fmt.Errorf("peers that never read and ask for %s cost %d MiB", kind, more>>20))
		}
	}
	return errors.Join(beyond...)
}

func silent(ctx context.Context, d database, program, kind string, out io.Writer) (more int64, err error) {
	p, err := newPerson(time.Now(), "silent "+kind)
	if err != nil {
		return 0, err
	}
	s, err := start(ctx, program, almanacArgs("warn"), almanacEnvironment(d))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	if _, err := createTask(ctx, s.address, p, 0); err != nil { // makes the user, and the server's caches
		return 0, err
	}
	time.Sleep(silentIdle)
	before, used := memory(s.pid()).private, processCPU(s.pid())
	over, highest := make(chan struct{}), make(chan int64)
	go func() {
		most := int64(0)
		for {
			select {
			case <-over:
				highest <- most
				return
			case <-time.After(10 * time.Millisecond):
				most = max(most, memory(s.pid()).private)
			}
		}
	}()
	worst, err := silentPeers(ctx, s.address, p, kind)
	used = processCPU(s.pid()) - used
	close(over)
	most := <-highest
	if err != nil {
		return 0, err
	}
	time.Sleep(silentIdle)
	fmt.Fprintf(out, "| %s | %.1f | %.1f | %.1f | %.1f | %v | %v |\n", kind, mebi(before), mebi(most), mebi(most-before),
		mebi(memory(s.pid()).private), worst.Round(time.Millisecond), used)
	return most - before, nil
}

func mebi(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// silentPeers opens the sockets, makes the changes, and returns how long the slowest took. The sockets are closed then.
func silentPeers(ctx context.Context, address string, p *person, kind string) (worst time.Duration, err error) {
	dialer := &net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) { // what the system keeps for a peer is little
			_ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10)
		})
	}}
	conns := make([]net.Conn, 0, silentSockets)
	defer func() {
		for _, conn := range conns {
			_ = conn.Close() // nothing is lost with it
		}
	}()
	for n := range silentSockets {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err != nil {
			return 0, err
		}
		conns = append(conns, conn)
		if _, err := io.WriteString(conn, "GET /graphql HTTP/1.1\r\nHost: "+address+"\r\nConnection: Upgrade\r\n"+
			"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"+
			"Sec-WebSocket-Protocol: graphql-transport-ws\r\nAuthorization: Bearer "+p.token+"\r\n\r\n"); err != nil {
			return 0, err
		}
		if _, err := bufio.NewReaderSize(conn, 16).ReadByte(); err != nil { // it was accepted
			return 0, err
		}
		if err := sendFrame(conn, `{"type":"connection_init"}`); err != nil {
			return 0, err
		}
		for i := range silentOperations {
			alias := ""
			if kind != "the same" {
				alias = fmt.Sprintf("a%d: ", n*silentOperations+i)
			}
			if err := sendFrame(conn, fmt.Sprintf(`{"id":"%d","type":"subscribe","payload":{"query":`+
				`"subscription { taskChanged { cursor task { %stext text b: text c: text } } }"}}`, i, alias)); err != nil {
				return 0, err
			}
		}
	}
	for n := range silentChanges {
		begun := time.Now()
		// While subscriptions begin the user has all that one may have under way.
		for {
			_, err := createTaskOf(ctx, address, p, strings.Repeat("ב", silentLetters)+fmt.Sprint(n))
			if err == nil {
				break
			}
			if !strings.Contains(err.Error(), "RATE_LIMITED") {
				return 0, err
			}
		}
		worst = max(worst, time.Since(begun))
	}
	return worst, nil
}
