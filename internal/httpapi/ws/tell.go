package ws

import (
	"github.com/99designs/gqlgen/graphql"

	"almanac/internal/httpapi/answer"
	"almanac/internal/httpapi/engine"
)

// A subscription has a goroutine only where it must: those that can say when they have something to tell wait without
// one, and all of a socket that do are then served by one goroutine. So a socket that waits costs little, and one whose
// peer does not read holds one answer, however many subscriptions it has.

// tell passes a subscription's answers on until there is none at the moment. Each is written before the next is asked
// for. It reports whether the operation has ended. One that is refused waits to begin until it has been.
func (op *operation) tell(waits *queued) (ended bool) {
	for {
		switch op.park() {
		case engine.Waits:
			return false
		case engine.Blocks:
			waits.leave()
		case engine.Ready:
		}
		if op.ctx.Err() != nil {
			return true
		}
		response := op.stream.Next()
		if op.ctx.Err() != nil {
			// Ended by the client, or by the socket, where the close frame says why. A "complete" would tell the client that
			// there is nothing to come back for.
			return true
		}
		if response != nil && !answer.IsRequestError(response) {
			waits.leave()
		}
		if !op.pass(response) {
			return true
		}
	}
}

// pass writes one answer; false when it is the last.
func (op *operation) pass(response *graphql.Response) bool {
	switch {
	case response == nil:
		op.finish()
	case op.answers == 0 && answer.IsRequestError(response):
		op.refuse(response.Errors)
	case op.proved(response):
		return op.next(response)
	}
	return false
}

// proved reports whether the caller's token still holds now that there is an answer to give, and closes the socket when
// it does not.
func (op *operation) proved(response *graphql.Response) bool {
	s := op.socket
	s.mu.Lock()
	token, caller := s.token, s.caller
	s.mu.Unlock()
	if s.expired(caller) {
		s.close(codeForbidden, reasonForbidden)
		return false
	}
	holds, err := s.handler.proofs.Check(op.ctx, token, caller, response)
	if err == nil && !holds {
		s.close(codeForbidden, reasonForbidden)
	}
	return err == nil && holds
}

// park lets the operation wait without a goroutine, where it can.
func (op *operation) park() engine.Waiting {
	s := op.socket
	s.mu.Lock()
	op.parked = !s.ended && op.ctx.Err() == nil
	parked := op.parked
	s.mu.Unlock()
	if !parked {
		return engine.Ready
	}
	waiting := op.stream.Wait(op.wake)
	if waiting == engine.Waits {
		return waiting
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !op.parked {
		return engine.Waits // it was ended while it looked as if it waited
	}
	op.parked = false
	return waiting
}

// wake is called when a parked operation has something to tell.
func (op *operation) wake() {
	s := op.socket
	s.mu.Lock()
	defer s.mu.Unlock()
	if !op.parked {
		return // whoever ended it has seen to the rest
	}
	op.parked = false
	s.due = append(s.due, op)
	if !s.telling {
		s.telling = true
		s.group.Go(s.tellAll)
	}
}

// tellAll serves the subscriptions that have something to tell, each until it has nothing more.
func (s *socket) tellAll() {
	for {
		s.mu.Lock()
		if len(s.due) == 0 {
			s.telling, s.due = false, nil
			s.mu.Unlock()
			return
		}
		op := s.due[0]
		s.due[0] = nil
		s.due = s.due[1:]
		s.mu.Unlock()
		if op.tellGuarded() {
			op.leave()
		}
	}
}

func (op *operation) tellGuarded() (ended bool) {
	defer op.guard(&ended)
	return op.tell(nil)
}

// endOperations ends the subscriptions of a socket that has ended: those that wait without a goroutine have none that
// would find out.
func (s *socket) endOperations() {
	s.mu.Lock()
	var parked []*operation
	var running []engine.Stream
	for _, op := range s.operations {
		switch {
		case op.parked:
			op.parked = false
			parked = append(parked, op)
		case op.stream != nil:
			running = append(running, op.stream)
		}
	}
	s.mu.Unlock()
	for _, stream := range running {
		stream.Close()
	}
	for _, op := range parked {
		op.leave()
	}
}
