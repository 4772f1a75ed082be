//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// profile puts the first case on the product, at the most connections asked for, and writes the CPU profile of its
// process. The process is this program with the product's front door in it, since the product itself offers no
// profiles.
func profile(ctx context.Context, o options, d database, w *world) (err error) {
	own, err := os.Executable()
	if err != nil {
		return err
	}
	// the pace that the product sets itself
	p, err := start(ctx, own, nil, childEnvironment(childAlmanac, d, profileVariable+"="+o.profile, "GOGC=300"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	o.cases = o.cases[:1]
	r := newRunner(w, d, []*server{{name: "almanac", process: p}}, o, io.Discard)
	if err := r.ready(ctx); err != nil {
		return err
	}
	r.samples = make(map[slot][]sample)
	most := o.connections[len(o.connections)-1]
	if err := r.measure(ctx, o.cases[0], r.servers[0], most); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "go tool pprof -top %s\n", o.profile)
	return nil
}
