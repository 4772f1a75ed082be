package graphiti_test

import (
	"testing"

	"almanac/adapters/knowledge/knowledgetest"
	"almanac/graph/model"
	standin "almanac/internal/standin/graphiti"
)

// The contract of all bases.
func TestContract(t *testing.T) {
	t.Parallel()
	knowledgetest.Run(t, func(t *testing.T) knowledgetest.Harness {
		w := newWorld(t, standin.Options{Token: secretToken})
		return knowledgetest.Harness{
			Base: w.base, Users: [2]model.UserID{w.user, w.other}, Now: w.now, Pass: w.pass,
			Settle: func(*testing.T) { w.standin.Drain() }, Reads: true,
		}
	})
}
