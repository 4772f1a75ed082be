//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"almanac/bench/ledger/history"
)

// histories lets several clients of each user read and write the same tasks and the same list while things break, and
// checks that what each user's clients were told could have happened one after another. It plays in rounds, each with
// users of its own, since the check of a long history with many unknown outcomes takes too long.
type histories struct {
	harness *harness
	stage   *stage
	began   time.Time
	rounds  int
	sum     history.Verdict
}

const (
	// historyClients is how many clients a user has, historyCalls how many operations each does in a round.
	historyClients = 4
	historyCalls   = 30
	// maxUnknown is how many operations of a user may have no answer; after that all are repeated until they have.
	maxUnknown = 6
	// checkPatience bounds the check of one object of one user.
	checkPatience = 30 * time.Second
)

// The lies that clients tell, so that the check is seen to find them.
const (
	// plantLost: a change is taken for acknowledged that was not sent.
	plantLost = "lost"
	// plantDoubled: items are added twice and taken for added once.
	plantDoubled = "doubled"
	// plantStale: a page of tasks is taken for what an earlier one was.
	plantStale = "stale"
)

func (h *histories) run(ctx context.Context, sc scenario) (*result, error) {
	var err error
	if h.stage, err = h.harness.newStage(ctx, sc); err != nil {
		return nil, err
	}
	r := newResult(sc)
	h.began = time.Now()
	broke := make(chan error, 1)
	go func() { broke <- h.stage.breakThings(ctx, sc, h.harness.options.scale) }()
	for over := false; !over; {
		if err := h.round(ctx, sc, r); err != nil {
			return nil, errors.Join(err, <-broke, h.stage.close())
		}
		select {
		case err := <-broke:
			if err != nil {
				return nil, errors.Join(err, h.stage.close())
			}
			over = true
		default:
		}
	}
	r.lasted = time.Since(h.began)
	if err := h.stage.close(); err != nil {
		return nil, err
	}
	if h.stage.file != "" {
		if err := checkSQLite(h.stage.file); err != nil {
			return nil, err
		}
	}
	h.stage.collectLogs(r)
	h.report(r)
	return r, nil
}

// round lets the clients of fresh users do their operations, reads what is there in the end, and checks.
func (h *histories) round(ctx context.Context, sc scenario, r *result) error {
	h.rounds++
	options := h.harness.options
	users := make([]*historyUser, options.users)
	var clients []*historyClient
	var group sync.WaitGroup
	for i := range users {
		person, err := newPerson(time.Now(), h.rounds*1000+i)
		if err != nil {
			return err
		}
		users[i] = newHistoryUser(person, h.began)
		for n := range historyClients {
			random := rand.New(rand.NewPCG(options.seed, //nolint:gosec // no secret
				uint64(((h.harness.stages*1000+h.rounds)*100+i)*10+n)))
			clients = append(clients, &historyClient{
				user: users[i], number: n, plant: options.plant, random: random,
				writer: writer{person: person, where: h.stage.where(random), patience: sc.patience, rough: true,
					recovery: h.stage.recovery, random: random, tally: newTally()},
			})
		}
	}
	errs := make([]error, len(clients))
	ready := make([]sync.WaitGroup, len(users))
	for i := range users {
		ready[i].Add(1)
	}
	for i, client := range clients {
		user := i / historyClients
		group.Go(func() {
			defer client.close()
			if client.number == 0 {
				errs[i] = client.makeList(ctx)
				ready[user].Done()
			}
			ready[user].Wait()
			if errs[user*historyClients] != nil {
				return
			}
			for range historyCalls {
				client.step(ctx)
			}
		})
	}
	group.Wait()
	if err := errors.Join(ctx.Err(), errors.Join(errs...)); err != nil {
		return err
	}
	for i, user := range users {
		last := clients[i*historyClients]
		if err := last.readEverything(ctx); err != nil {
			return err
		}
		last.close()
		h.judge(user, r)
	}
	for _, client := range clients {
		r.tally.add(client.tally)
	}
	return nil
}

// judge checks the history of a user.
func (h *histories) judge(user *historyUser, r *result) {
	lost, doubled := user.missing()
	for _, name := range lost {
		r.breaches.note(&r.breaches.lost, "%s was acknowledged, nobody deleted it, and it is not there", name)
	}
	for _, name := range doubled {
		r.breaches.note(&r.breaches.doubled, "%s is there twice", name)
	}
	v := user.recorder.Check(checkPatience)
	h.sum.Operations += v.Operations
	h.sum.Unknown += v.Unknown
	for _, violation := range v.Violations {
		r.violations++
		r.breaches.note(&r.breaches.other, "user %s: no order explains the answers: %s", user.person.subject, violation)
	}
	for _, object := range v.Undecided {
		r.breaches.note(&r.breaches.other, "user %s: %s was not decided within %v", user.person.subject, object,
			checkPatience)
	}
}

// report says what was played, and takes over the breaches that clients met on their way.
func (h *histories) report(r *result) {
	for _, fault := range r.tally.faults {
		r.breaches.note(&r.breaches.other, "%s", fault)
	}
	r.marks, r.faults, r.recovery = h.stage.marks, h.stage.faults, h.stage.recovery
	r.histories = fmt.Sprintf("%d histories of %d clients each, %d operations checked, %d of them with unknown outcome: "+
		"violations %d", h.rounds*h.harness.options.users, historyClients, h.sum.Operations, h.sum.Unknown, r.violations)
}
