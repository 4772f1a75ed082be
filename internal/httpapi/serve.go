package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// DrainOptions say how a server ends. The zero value is the published numbers.
type DrainOptions struct {
	// Notice is how long /readyz says that the server is draining before its listener closes, so that a balancer can
	// turn away from it first. Zero is for a server without a balancer.
	Notice time.Duration
	// Timeout is how long what runs may go on; DrainTimeout when it is zero.
	Timeout time.Duration
}

// Serve answers on the listener until ctx ends, then drains: /readyz turns 503, the listener closes, streams and
// sockets are told, in-flight requests finish within the timeout, and what is left is cut off. It returns nil after a
// clean end and says otherwise what was cut off or why the listener failed. The listener is closed in any case.
func Serve(ctx context.Context, listener net.Listener, h *Handler, options DrainOptions) error {
	if options.Timeout == 0 {
		options.Timeout = DrainTimeout
	}
	// Requests do not end with ctx, which is the wish to stop, but when their time to finish is over.
	base, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	server := &http.Server{
		Handler:           h,
		BaseContext:       func(net.Listener) context.Context { return base },
		ReadHeaderTimeout: HeaderTimeout,
		IdleTimeout:       IdleTimeout,
		MaxHeaderBytes:    MaxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(h.cfg.Logger.Handler(), slog.LevelWarn),
		// Bodies and answers have deadlines of their own, request by request: one for the server would cut streams.
	}
	watched := &watchedListener{Listener: listener, closed: make(chan struct{})}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(watched) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}
	h.draining.Store(true)
	if options.Notice > 0 {
		select {
		case <-time.After(options.Notice):
		case err := <-failed:
			return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
		}
	}
	limit, stop := context.WithTimeout(base, options.Timeout)
	defer stop()
	if holdBack(listener) {
		select {
		case <-time.After(lastArrivals):
		case err := <-failed:
			return fmt.Errorf("serve on %s: %w", listener.Addr(), err)
		}
	}
	err := h.drain(limit, server, watched.closed)
	if served := <-failed; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	if err == nil {
		return nil
	}
	left := h.active.Load()
	cut()
	_ = server.Close() // the connections are being given up
	return fmt.Errorf("drain: requests cut off: %d: %w", left, err)
}

// lastArrivals is how long a listener that lets no new connection begin goes on to accept those that had begun. The
// system resets what is not accepted when the listener closes.
const lastArrivals = 250 * time.Millisecond

// drain ends the server's listener, then its connections as they finish, and everything long-lived at the same time.
// Nothing long-lived is told before the listener is closed: its client comes back at once, and is better refused than
// let in to a server that ends.
func (h *Handler) drain(ctx context.Context, server *http.Server, closed <-chan struct{}) error {
	var all sync.WaitGroup
	errs := make([]error, len(h.cfg.Drain)+1)
	all.Go(func() { errs[len(h.cfg.Drain)] = server.Shutdown(ctx) })
	<-closed
	for i, hook := range h.cfg.Drain {
		all.Go(func() { errs[i] = hook(ctx) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// watchedListener is a listener that says when it is closed.
type watchedListener struct {
	net.Listener
	once   sync.Once
	closed chan struct{}
}

// Close closes the listener and says so, whatever came of it.
func (l *watchedListener) Close() error {
	err := l.Listener.Close()
	l.once.Do(func() { close(l.closed) })
	return err
}
