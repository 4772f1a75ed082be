//go:build bench

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"almanac/bench/recall/report"
)

// options are the flags.
type options struct {
	rounds      int
	length      time.Duration
	connections []int
	cases       []benchCase
	servers     []string
	store       string
	users, deep int
	// starts is how many starts are measured, and allocations whether allocations are.
	starts      int
	allocations bool
	// profile is the file for a CPU profile of the product under the first case; then nothing is measured.
	profile string
	// keptProfile is the file for a CPU profile of what reads kept copies.
	keptProfile string
	// late and size say which page is the late one.
	late, size int
	// crowded is how many days the calendar with very many events has, and hurry what the number of calls is divided by.
	crowded, hurry int
	// recall says how much of memories is measured.
	recall report.Options
	// memories and others are how many memories one user has, and all others together.
	memories, others int
	// sockets is how many listen to one user's changes.
	sockets int
	// growth is how many tasks the user has whose tasks grow, one size after another.
	growth []int
	// search is for how long the dearest document is looked for.
	search time.Duration
	// only are the parts that are measured.
	only []string
}

// writers is how many users are written to; there are at least as many as servers.
func (o options) writers() int { return max(o.users/10, 8) }

func readOptions(args []string, out io.Writer) (options, error) {
	o := options{late: 1000, size: 50, crowded: 1000, hurry: 1, recall: report.Everything()}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.IntVar(&o.rounds, "rounds", 7, "how often everything is measured")
	seconds := flags.Float64("seconds", 2, "how long one measurement counts")
	connections := flags.String("connections", "1,32", "how many requests are on their way at the same time")
	names := flags.String("cases", "all", "what is measured: "+caseNames())
	servers := flags.String("servers", "almanac,hand,stock", "what is compared: "+serverNames())
	flags.StringVar(&o.store, "store", "postgres",
		"postgres, or sqlite, on which the handler written by hand does not run")
	flags.IntVar(&o.users, "users", 1000, "how many users there are")
	flags.IntVar(&o.deep, "deep", 100_000, "how many tasks the user with many has")
	flags.IntVar(&o.starts, "starts", 11, "how many starts are measured; 0 for none")
	flags.BoolVar(&o.allocations, "allocations", true, "measure allocations")
	flags.StringVar(&o.profile, "profile", "",
		"write a CPU profile of the product under the first of the cases to this file, and measure nothing")
	flags.StringVar(&o.keptProfile, "kept-profile", "", "write a CPU profile of -only kept to this file")
	flags.IntVar(&o.memories, "memories", 100_000, "how many memories the user has whose searches are measured")
	flags.IntVar(&o.others, "others", 900_000, "how many memories other users have, on PostgreSQL")
	flags.IntVar(&o.sockets, "sockets", 1000, "how many sockets listen to one user's changes")
	flags.DurationVar(&o.search, "search", 3*time.Minute, "how long the dearest accepted document is looked for")
	growth := flags.String("growth", "10000,100000,1000000", "how many tasks the user has whose tasks grow")
	only := flags.String("only", strings.Join(parts(), ","),
		"the parts that are measured: "+strings.Join(parts(), ","))
	quick := flags.Bool("quick", false, "a short look: few users, 2 rounds of 0.5 seconds; its figures mean little")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q is not expected here: everything is a flag", flags.Arg(0))
	}
	if *quick {
		if err := hurry(flags); err != nil {
			return o, err
		}
		o.late, o.crowded, o.hurry = 200, 300, 5
		o.recall.Index, o.recall.Asked = 10_000, 50
	}
	o.length = time.Duration(*seconds * float64(time.Second))
	for text := range strings.SplitSeq(*connections, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 1024 {
			return o, fmt.Errorf("%q is no number of connections", text)
		}
		o.connections = append(o.connections, n)
	}
	var err error
	if o.growth, err = growthSizes(*growth); err != nil {
		return o, err
	}
	if o.only, err = chooseParts(*only); err != nil {
		return o, err
	}
	if o.cases, err = chooseCases(*names); err != nil {
		return o, err
	}
	if o.servers, err = chooseServers(*servers, o.store); err != nil {
		return o, err
	}
	return o, o.check()
}

// The parts of a run.
const (
	partTask     = "tasks"
	partGrowth   = "growth"
	partEvent    = "events"
	partKept     = "kept"
	partMail     = "mail"
	partMemories = "memories"
	partRecall   = "recall"
	partCompact  = "compact"
	partWebsets  = "websets"
	partLive     = "live"
	partSilent   = "silent"
	partStart    = "start"
	partCost     = "cost"
	partFair     = "fair"
	partDearest  = "dearest"
)

func parts() []string {
	return []string{partTask, partGrowth, partEvent, partKept, partMail, partMemories, partRecall, partCompact,
		partWebsets, partLive, partSilent, partStart, partCost, partFair, partDearest}
}

func chooseParts(list string) ([]string, error) {
	chosen := strings.Split(list, ",")
	for _, name := range chosen {
		if !slices.Contains(parts(), name) {
			return nil, fmt.Errorf("there is no part %q; there are %s", name, strings.Join(parts(), ","))
		}
	}
	return chosen, nil
}

// wants reports whether a part is measured.
func (o options) wants(part string) bool { return slices.Contains(o.only, part) }

// hurry sets what nobody has set to the values of a short look.
func hurry(flags *flag.FlagSet) error {
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	for name, value := range map[string]string{"rounds": "2", "seconds": "0.5", "users": "40", "deep": "12000",
		"starts": "3", "memories": "5000", "others": "5000", "growth": "2000,10000"} {
		if given[name] {
			continue
		}
		if err := flags.Set(name, value); err != nil {
			return err
		}
	}
	return nil
}

func (o options) check() error {
	switch {
	case o.store != "postgres" && o.store != "sqlite":
		return fmt.Errorf("%q is no store; take postgres or sqlite", o.store)
	case o.rounds < 1 || o.length < 100*time.Millisecond || o.users < 1:
		return errors.New("rounds and users are at least 1, seconds at least 0.1")
	case o.sockets < 1:
		return errors.New("sockets are at least 1")
	case o.memories < 1 || o.others < 0:
		return errors.New("memories are at least 1, those of others at least 0")
	case o.needsDepth() && o.deep*6/7 < (o.late+1)*o.size:
		return fmt.Errorf("page %d is not reached with %d tasks; raise -deep", o.late, o.deep)
	}
	return nil
}

// needsDepth reports whether a late page is asked for.
func (o options) needsDepth() bool {
	return o.wants(partTask) && slices.ContainsFunc(o.cases, func(c benchCase) bool { return c.name == "page1000" })
}

func chooseCases(names string) ([]benchCase, error) {
	if names == "all" {
		return cases(), nil
	}
	var chosen []benchCase
	for name := range strings.SplitSeq(names, ",") {
		at := slices.IndexFunc(cases(), func(c benchCase) bool { return c.name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no case %q; there are %s", name, caseNames())
		}
		chosen = append(chosen, cases()[at])
	}
	return chosen, nil
}

func caseNames() string {
	var names []string
	for _, c := range cases() {
		names = append(names, c.name)
	}
	return strings.Join(names, ",")
}

func serverNames() string {
	var names []string
	for name := range kinds() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}
