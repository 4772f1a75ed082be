package cli

import (
	"context"
	"errors"
	"fmt"
	"net"

	"almanac/internal/app"
	"almanac/internal/config"
	"almanac/internal/telemetry"
)

// serve is the command of that name.
func (p Program) serve(ctx context.Context, args []string) error {
	settings, err := config.Load(args, p.Environ)
	if err != nil {
		return err
	}
	tuneMemory(p.Environ)
	log := telemetry.NewLogger(p.ErrOut, settings.LogLevel)
	for _, warning := range settings.Warnings {
		log.Warn("settings", "warning", warning)
	}
	listener, err := listen(ctx, settings.Addr)
	if err != nil {
		return err
	}
	if settings.LocalUser && !config.Loopback(listener.Addr()) {
		return errors.Join(fmt.Errorf("%s is not loopback, and the local user may be asked for only there", listener.Addr()),
			listener.Close())
	}
	server, err := app.New(ctx, app.Options{Settings: settings, Log: log, Base: settings.Base(listener.Addr()),
		Version: p.Version, Clock: p.Clock})
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if err := server.Prepare(ctx); err != nil {
		return errors.Join(err, listener.Close(), server.Close(ctx))
	}
	fmt.Fprint(p.Out, server.Greeting())
	err = server.Serve(ctx, listener)
	// The context is done; closing still takes a moment.
	return errors.Join(err, server.Close(context.WithoutCancel(ctx)))
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	// Plain TCP: a listener of Multipath TCP, Go's default, cannot stop taking connections without resetting some.
	var config net.ListenConfig
	config.SetMultipathTCP(false)
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w (another program may use it; choose another with --addr)", addr, err)
	}
	return listener, nil
}
