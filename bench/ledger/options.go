//go:build bench

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// options are what a run is asked for.
type options struct {
	scenarios                     []scenario
	scale                         float64
	users, perUser                int
	seed                          uint64
	race, keep                    bool
	requests, sockets, slow, idle int
	// plant is the lie that the clients of histories tell now and then, if any.
	plant  string
	window time.Duration
	// citus is the folder of the programs of a PostgreSQL with Citus, empty where there is none.
	citus string
}

// The stores of the product.
const (
	storeSQLite   = "sqlite"
	storePostgres = "postgres"
)

// scenario is one way to break things while writers write.
type scenario struct {
	name, what, store string
	servers           int
	proxied           bool
	// standby says that PostgreSQL has a synchronous standby.
	standby bool
	// citus says that PostgreSQL is Citus, a coordinator and its workers; isolates, that only users of one worker may
	// notice the faults.
	citus, isolates bool
	// badDisk says that the faults change what the disk of the database is like, badClock that they move the servers'
	// clocks.
	badDisk, badClock bool
	// orderly says that nothing is cut without a word, so that no request may fail that had been let in.
	orderly  bool
	duration time.Duration
	// least and most are the time between two faults.
	least, most time.Duration
	// patience is how long a writer waits for one answer.
	patience time.Duration
	fault    fault
	// settings are the server's, beyond what all scenarios have.
	settings []string
	// run replaces everything above for what is no ledger.
	run func(*harness) runner
}

// scenarios are all there are, in the order in which they are run.
func scenarios() []scenario {
	second := time.Second
	return []scenario{
		{name: "kill-sqlite", what: "kill -9 of the server, SQLite", store: storeSQLite, duration: 110 * second,
			least: second / 3, most: 2 * second, patience: 10 * second, fault: killServer},
		{name: "kill-postgres", what: "kill -9 of the server, PostgreSQL", store: storePostgres, duration: 110 * second,
			least: second / 3, most: 2 * second, patience: 10 * second, fault: killServer},
		{name: "term-sqlite", what: "SIGTERM under load, SQLite", store: storeSQLite, orderly: true, duration: 30 * second,
			least: second / 2, most: 2 * second, patience: 20 * second, fault: restartServer},
		{name: "term-postgres", what: "SIGTERM under load, PostgreSQL", store: storePostgres, orderly: true,
			duration: 30 * second, least: second / 2, most: 2 * second, patience: 20 * second, fault: restartServer},
		{name: "term-notice", what: "SIGTERM under load with a notice of a second, SQLite", store: storeSQLite, orderly: true,
			settings: []string{"ALMANAC_DRAIN_NOTICE=1s"}, duration: 20 * second, least: second / 2, most: 2 * second,
			patience: 20 * second, fault: restartServer},
		{name: "kill-database", what: "kill -9 of PostgreSQL", store: storePostgres, duration: 90 * second, least: second / 3,
			most: 2 * second, patience: 20 * second, fault: killPostgres},
		{name: "network", what: "faults between server and PostgreSQL", store: storePostgres, proxied: true,
			duration: 90 * second, least: second / 5, most: second, patience: 20 * second, fault: breakNetwork},
		{name: "promotion", what: "kill -9 of PostgreSQL, its synchronous standby is promoted", store: storePostgres,
			proxied: true, standby: true, duration: 60 * second, least: second / 2, most: 3 * second, patience: 20 * second,
			fault: promoteStandby},
		{name: "citus-kill", what: "kill -9 of one of two workers of Citus; the users of the other notice nothing",
			store: storePostgres, citus: true, isolates: true, duration: 60 * second, least: second / 2, most: 3 * second,
			patience: 20 * second, fault: killWorker},
		{name: "citus-move", what: "shards of Citus are moved between its workers", store: storePostgres, citus: true,
			duration: 60 * second, least: second / 2, most: 3 * second, patience: 20 * second, fault: moveShard},
		{name: "replicas", what: "two servers on one PostgreSQL, killed and restarted by chance", store: storePostgres,
			servers: 2, duration: 60 * second, least: second / 3, most: 2 * second, patience: 10 * second, fault: killOrRestart},
		{name: "freeze", what: "SIGSTOP and SIGCONT of the server, clients that ask again meanwhile", store: storePostgres,
			duration: 30 * second, least: second / 3, most: second, patience: second, fault: freezeServer},
		{name: "freeze-sqlite", what: "the same on SQLite", store: storeSQLite, duration: 20 * second, least: second / 3,
			most: second, patience: second, fault: freezeServer},
		{name: "everything", what: "all of it at once, two servers", store: storePostgres, servers: 2, proxied: true,
			duration: 60 * second, least: second / 5, most: second, patience: 20 * second, fault: everything},
		{name: "full-sqlite", what: "a full disk, SQLite", store: storeSQLite, badDisk: true, duration: 30 * second,
			least: second / 3, most: second, patience: 10 * second, fault: fillDisk},
		{name: "full-postgres", what: "a full disk, PostgreSQL", store: storePostgres, badDisk: true, duration: 30 * second,
			least: second / 3, most: second, patience: 10 * second, fault: fillDisk},
		{name: "removed-sqlite", what: "the database's file is moved away or replaced, and put back", store: storeSQLite,
			duration: 30 * second, least: second / 3, most: second, patience: 10 * second, fault: removeFile},
		{name: "hung-postgres", what: "PostgreSQL answers nothing and breaks no connection", store: storePostgres,
			duration: 60 * second, least: second / 3, most: second, patience: 20 * second, fault: hangPostgres},
		{name: "history-sqlite", what: "histories of clients: kills, stalls, lost answers, clocks, a slow disk; SQLite",
			store: storeSQLite, badDisk: true, badClock: true, duration: 90 * second, least: second / 5, most: second,
			patience: 2 * second, fault: oneOf(killServer, freezeServer, moveClock, slowDisk),
			run: func(h *harness) runner { return &histories{harness: h} }},
		{name: "history-postgres", what: "the same with two servers on one PostgreSQL behind a broken network",
			store: storePostgres, servers: 2, proxied: true, badClock: true, duration: 90 * second, least: second / 5,
			most: second, patience: 2 * second,
			fault: oneOf(killServer, freezeServer, moveClock, breakNetwork, hangPostgres),
			run:   func(h *harness) runner { return &histories{harness: h} }},
		{name: "leak-sqlite", what: "churn of requests and sockets, SQLite",
			run: func(h *harness) runner { return &churn{harness: h, store: storeSQLite} }},
		{name: "leak-postgres", what: "churn of requests and sockets, PostgreSQL",
			run: func(h *harness) runner { return &churn{harness: h, store: storePostgres} }},
		{name: "slow", what: "slow and idle clients beside others",
			run: func(h *harness) runner { return &slowness{harness: h} }},
	}
}

func readOptions(args []string, out io.Writer) (options, error) {
	var o options
	all := scenarios()
	names := make([]string, len(all))
	for i, sc := range all {
		names[i] = sc.name
	}
	flags := flag.NewFlagSet("ledger", flag.ContinueOnError)
	flags.SetOutput(out)
	only := flags.String("only", "", "the scenarios to run, separated by commas, instead of all that can be")
	flags.StringVar(&o.citus, "citus", "",
		"the folder of the programs of a PostgreSQL with Citus, which the scenarios of that name need")
	flags.Float64Var(&o.scale, "scale", 1, "multiplies how long each scenario with faults goes on")
	flags.IntVar(&o.users, "users", 8, "how many users there are")
	flags.IntVar(&o.perUser, "writers", 2,
		"how many writers each user has; each has a connection of its own, and a second one now and then")
	flags.Uint64Var(&o.seed, "seed", uint64(time.Now().UnixNano()),
		"chooses what is written and broken, and when; the machine's own timing is not repeated")
	flags.BoolVar(&o.race, "race", false, "build the server with the race detector")
	flags.BoolVar(&o.keep, "keep", false, "keep the folder with data and logs, and say where it is")
	flags.IntVar(&o.requests, "requests", 40_000, "requests of the churn, half of them before what is compared")
	flags.IntVar(&o.sockets, "sockets", 8_000, "sockets of the churn, half of them before what is compared")
	flags.IntVar(&o.slow, "slow", 200, "slow clients")
	flags.IntVar(&o.idle, "idle", 1_500, "idle connections")
	flags.StringVar(&o.plant, "plant", "",
		"make the clients of histories lie (lost, doubled, stale) or the standby miss writes (late), to see that it is found")
	flags.DurationVar(&o.window, "window", 12*time.Second,
		"how long others are measured before, beside and after slow clients")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 || o.scale <= 0 || o.users < 1 || o.perUser < 1 || o.requests < 100 || o.sockets < 100 ||
		o.slow < 0 || o.idle < 0 || o.window <= 0 ||
		!slices.Contains([]string{"", plantLost, plantDoubled, plantStale, plantLate}, o.plant) {
		return o, errors.New("arguments out of range; --help lists them")
	}
	if *only == "" {
		o.scenarios = slices.DeleteFunc(all, func(sc scenario) bool { return sc.citus && o.citus == "" })
		return o, nil
	}
	for name := range strings.SplitSeq(*only, ",") {
		i := slices.Index(names, strings.TrimSpace(name))
		if i < 0 {
			return o, fmt.Errorf("there is no scenario %q; there are %s", name, strings.Join(names, ", "))
		}
		if all[i].citus && o.citus == "" {
			return o, fmt.Errorf("%s needs the programs of Citus: -citus FOLDER", names[i])
		}
		o.scenarios = append(o.scenarios, all[i])
	}
	return o, nil
}
