//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"
)

// What a child process is told by its environment.
const (
	childVariable   = "ALMANAC_BENCH_CHILD"   // which server it is
	urlVariable     = "ALMANAC_BENCH_URL"     // database.url
	dirVariable     = "ALMANAC_BENCH_DIR"     // database.dir
	profileVariable = "ALMANAC_BENCH_PROFILE" // where its CPU profile goes, if anywhere
)

// The servers that a child can be.
const (
	childHand    = "hand"
	childOpen    = "hand-open"
	childStock   = "stock"
	childAlmanac = "almanac"
)

// poolSize is how many connections to the database each server may have: Almanac's default.
func poolSize() int32 { return int32(4 * min(runtime.GOMAXPROCS(0), 256)) }

// child is this program as a server: it says where it listens and serves until ctx is done.
func child(ctx context.Context, name string, out io.Writer) (err error) {
	d := database{url: os.Getenv(urlVariable), dir: os.Getenv(dirVariable)}
	handler, done, err := childHandler(ctx, name, d)
	if err != nil {
		return err
	}
	defer done()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	if path := os.Getenv(profileVariable); path != "" {
		file, err := os.Create(path) //nolint:gosec // the path is the caller's own
		if err != nil {
			return err
		}
		if err := pprof.StartCPUProfile(file); err != nil {
			return errors.Join(err, file.Close())
		}
		defer func() {
			pprof.StopCPUProfile()
			err = errors.Join(err, file.Close())
		}()
	}
	fmt.Fprintf(out, "endpoint http://%s/\n", listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		stopped <- server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-stopped
}

func childHandler(ctx context.Context, name string, d database) (handler http.Handler, done func(), err error) {
	switch name {
	case childHand, childOpen:
		return newHand(ctx, d, name == childHand)
	case childStock, childAlmanac:
	default:
		return nil, nil, fmt.Errorf("no server is called %q", name)
	}
	h, err := newInstance(ctx, d, nil)
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = h.Close() } // the process ends
	if name == childStock {
		return h.stock(), done, nil
	}
	handler, err = h.almanac()
	return handler, done, err
}

// childEnvironment is what a child needs to know, and nothing of Almanac's own settings.
func childEnvironment(name string, d database, more ...string) []string {
	environment := append(plainEnvironment(), childVariable+"="+name, urlVariable+"="+d.url, dirVariable+"="+d.dir)
	return append(environment, more...)
}

// plainEnvironment is the caller's, without anything that would set an Almanac or its collector.
func plainEnvironment() []string {
	var out []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "ALMANAC_") && !strings.HasPrefix(pair, "GOGC=") {
			out = append(out, pair)
		}
	}
	return out
}
