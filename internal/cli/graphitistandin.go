package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"almanac/internal/clock"
	"almanac/internal/config"
	standingraphiti "almanac/internal/standin/graphiti"
)

// graphitiStandIn is the command that serves a stand-in for Graphiti, so that a person can try ALMANAC_GRAPHITI_URL on
// a machine with nothing installed. It reads a few sentences by rule, keeps everything in memory, and is gone with the
// process. It knows no passwords, so it is on loopback only.
func (p Program) graphitiStandIn(ctx context.Context, args []string) error {
	own := newFlags("graphiti-standin", "")
	own.SetOutput(p.ErrOut)
	addr := own.String("addr", "127.0.0.1:8000", "what to listen on; loopback only")
	stdio := own.Bool("stdio", false,
		"answer on standard input and output, as for ALMANAC_GRAPHITI_URL=\"stdio:almanac graphiti-standin --stdio\"")
	old := own.Bool("old", false, "offer the tools of the server before 1.0.0")
	token := own.String("token", "", "a bearer token to ask for, as a proxy before a server would")
	if err := own.Parse(args); err != nil {
		return err
	}
	if own.NArg() > 0 {
		return fmt.Errorf("%q is not expected here: everything is a flag", own.Arg(0))
	}
	now := clock.System{}
	server := standingraphiti.New(standingraphiti.Options{Now: now.Now, Seed: uint64(now.Now().UnixNano()), Old: *old,
		Token: *token})
	defer server.Close()
	group, ctx := errgroup.WithContext(ctx)
	ctx, done := context.WithCancel(ctx)
	defer done()
	group.Go(func() error { server.Run(ctx); return nil })
	if *stdio {
		group.Go(func() error {
			defer done() // its client has gone
			err := server.ServeStdio(ctx, os.Stdin, os.Stdout)
			if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
				return nil
			}
			return err
		})
		return group.Wait()
	}
	listener, err := listen(ctx, *addr)
	if err != nil {
		done()
		return errors.Join(err, group.Wait())
	}
	if !config.Loopback(listener.Addr()) {
		done()
		return errors.Join(
			fmt.Errorf("%s can be reached from other machines, and the stand-in lets everybody in; use 127.0.0.1",
				listener.Addr()), listener.Close(), group.Wait())
	}
	fmt.Fprintf(p.Out,
		"A stand-in for Graphiti answers at http://%s%s\nTry it:  ALMANAC_GRAPHITI_URL=http://%s%s almanac serve\n",
		listener.Addr(), standingraphiti.Path, listener.Addr(), standingraphiti.Path)
	const patience = 10 * time.Second
	front := &http.Server{Handler: server, ReadHeaderTimeout: patience}
	group.Go(func() error {
		<-ctx.Done()
		return front.Close()
	})
	group.Go(func() error {
		if err := front.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	return group.Wait()
}
