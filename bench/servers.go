//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// server is one of those that are compared.
type server struct {
	name    string
	dialect dialect
	*process
}

// kinds are the servers that can be asked for, and what they are.
func kinds() map[string]string {
	return map[string]string{
		"almanac":       "the product, built as for a release, without a log line for each request (--log-level=warn)",
		"almanac-log":   "the same with the log as it comes, one line for each request, into a file",
		"almanac-gc100": "almanac with GOGC=100, which is Go's own pace and not the one that it sets itself",
		"hand":          "net/http, pgx and encoding/json by hand; callers proved with golang-jwt",
		"hand-gc300":    "the same with GOGC=300, the pace that almanac sets itself",
		"hand-open":     "hand without proving callers",
		"mercurius":     "Mercurius with its JIT and node-postgres on the same rows, of the cases t50, slim, tiny and page1",
		"stock":         "gqlgen's own handler over the same resolvers; callers proved as almanac does",
	}
}

// startServers starts those named, in that order; stop ends all of them.
func startServers(ctx context.Context, names []string, almanac string,
	d database) (servers []*server, stop func() error, err error) {
	stop = func() error {
		var failures []error
		for _, s := range servers {
			failures = append(failures, s.stop())
		}
		return errors.Join(failures...)
	}
	for _, name := range names {
		s, err := startServer(ctx, name, almanac, d)
		if err != nil {
			return nil, nil, errors.Join(fmt.Errorf("start %s: %w", name, err), stop())
		}
		servers = append(servers, s)
	}
	return servers, stop, nil
}

func startServer(ctx context.Context, name, almanac string, d database) (*server, error) {
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	s := &server{name: name}
	switch name {
	case "almanac":
		s.process, err = start(ctx, almanac, almanacArgs("warn"), almanacEnvironment(d))
	case "almanac-log":
		s.process, err = start(ctx, almanac, almanacArgs("info"), almanacEnvironment(d))
	case "almanac-gc100":
		s.process, err = start(ctx, almanac, almanacArgs("warn"), almanacEnvironment(d, "GOGC=100"))
	case "hand":
		s.dialect = rest
		s.process, err = start(ctx, own, nil, childEnvironment(childHand, d))
	case "hand-gc300":
		s.dialect = rest
		s.process, err = start(ctx, own, nil, childEnvironment(childHand, d, "GOGC=300"))
	case "hand-open":
		s.dialect = open
		s.process, err = start(ctx, own, nil, childEnvironment(childOpen, d))
	case "mercurius":
		s.process, err = startMercurius(ctx, d)
	case "stock":
		s.process, err = start(ctx, own, nil, childEnvironment(childStock, d))
	default:
		err = errors.New("there is no such server")
	}
	return s, err
}

// chooseServers reads a list of names, and leaves out what cannot run on the store.
func chooseServers(list, store string) ([]string, error) {
	names := strings.Split(list, ",")
	for _, name := range names {
		if kinds()[name] == "" {
			return nil, fmt.Errorf("there is no server %q", name)
		}
	}
	if store == "sqlite" { // pgx and node-postgres speak to PostgreSQL alone
		names = slices.DeleteFunc(names, func(name string) bool {
			return strings.HasPrefix(name, "hand") || name == "mercurius"
		})
	}
	if len(names) == 0 {
		return nil, errors.New("no server is left to measure")
	}
	return names, nil
}
