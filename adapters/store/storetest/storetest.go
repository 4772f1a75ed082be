// Package storetest is the one suite that every driver of the store must pass.
//
// It promises to test the contract in package store line by line and nothing but the contract: what a driver is like is
// asked of its Facts, and no test is skipped by a driver's name. A driver calls Run in a test of its own, with a
// function that opens a fresh, migrated database; and Catalogue, with what its database says about its tables.
//
// Where the contract leaves something open, the suite decides it for both drivers:
//
//   - Write makes the user's row when there is none. EnsureUser then fills in who the user is, once.
//   - A Write or Once for another user than that of the transaction in the context is refused: an error that is not one
//     of the sentinels, and nothing is done.
//   - A Tx, or a context, whose transaction has ended returns an error and does nothing.
//   - The Tx of a transaction writes nothing while a nested Write of it runs; reading is allowed. Nested Writes called
//     at the same time on one context run one after another.
//   - AddCompletions and SaveSubtasks give ErrNotFound, and do nothing, when a task is not there. An id that is taken
//     by another row of the user (a task, a list, a token that exists; a subtask of another task; an item of another
//     list) is ErrConflict.
//   - A text with a NUL character or bytes that are not UTF-8 is refused with a *model.Error of code BAD_USER_INPUT, in
//     what is written and in what is searched for.
//   - A search that folds to nothing asks nothing.
//   - Forward, HasNext is true also when Before was given; backward, HasPrevious also when After was.
//   - A change of a remote record without a reference is refused: an error that is not one of the sentinels, and none
//     of the changes is logged.
//   - A sync state of another user than that of the transaction in the context is refused like a Write.
//   - A word among a connection's scopes that is empty or has a space in it is refused with BAD_USER_INPUT.
//   - WatchSettings, which a driver has beside the contract, is Watch for the settings alone. It may signal without a
//     cause, and must not miss one.
//   - What is written or searched for among memories is refused like any text: content, summary, tags, metadata, names
//     of models, filters, words, twins.
//   - The ids of memories need not come in their order: an import brings old ones. Ties go by id all the same.
//   - Lines of a history with the same CompletedAt come last added first.
//   - LastUpdated of the knowledge graph is the store's clock in the last transaction that saved, moved or deleted a
//     row of it; vectors, mentions and claims do not count.
//   - An episode that a fact names need not be there. DeleteEpisode takes its id from the facts that stay; ReplacedBy
//     stays as written, also when that fact is gone.
//   - Saving the id of an entity that became part of another makes it anew. MoveEntity into itself is ErrConflict, into
//     what became part of another ErrNotFound.
//   - DeleteEntities, DeleteFacts, DeleteEpisode and ClearKnowledge erase the recorded answers that have the public id
//     of anything that goes, whatever its kind; MoveEntity does not.
//   - A pair that FactsOfPairs is asked for twice counts once, as a fact does whose two ends are the same entity,
//     everywhere. A name of nobody is not in the map of EntitiesByName.
//   - A queued episode without NextAt is due at once.
//   - A user has a feed of websets exactly as long as a webhook receives: saving the last one that did as one that does
//     not ends it too.
//   - TakeWebsetEvents with a text that is refused takes none of the events. An event whose time is over is known until
//     it is swept.
package storetest

import (
	"testing"
	"time"

	"almanac/adapters/store"
)

// Options are what the suite asks of a store that it opens.
type Options struct {
	// Now is the store's clock: the time of changes, and what idempotency records and confirmations are measured by. Nil
	// is the machine's clock. It may be called from several goroutines.
	Now func() time.Time
	// Trace, when not nil, must be called with the SQL of every batch: what goes to the database in one go, be it one
	// statement, one pipelined batch, or one read transaction of a database inside the process. Statements of a batch are
	// joined by ";\n", without the begin and commit of a transaction that only reads. It may be called from several
	// goroutines.
	Trace func(sql string)
	// Beside, when not nil, asks for another handle on the same database, as a second process would have.
	Beside store.Store
}

// Open returns a store on a fresh, migrated database (or beside another one), and closes it by t.Cleanup.
type Open func(t *testing.T, options Options) store.Store

// Run holds a driver to the contract.
func Run(t *testing.T, open func(t *testing.T, options Options) store.Store) {
	for _, part := range []struct {
		name string
		run  func(t *testing.T, open Open)
	}{
		{"Users", testUsers},
		{"Tasks", testTasks},
		{"AddTasks", testAddTasks},
		{"TaskQueries", testTaskQueries},
		{"Paging", testPaging},
		{"Board", testBoard},
		{"Zones", testZones},
		{"Columns", testColumns},
		{"Search", testSearch},
		{"SearchOfMany", testSearchOfMany},
		{"Counts", testCounts},
		{"Lists", testLists},
		{"Write", testWrite},
		{"Once", testOnce},
		{"Claims", testClaims},
		{"Changes", testChanges},
		{"Actions", testActions},
		{"Watch", testWatch},
		{"RemoteLog", testRemoteLog},
		{"Connections", testConnections},
		{"Syncs", testSyncs},
		{"Events", testEvents},
		{"EventWindows", testEventWindows},
		{"EventErasure", testEventErasure},
		{"EventHistories", testEventHistories},
		{"Mail", testMail},
		{"Outbox", testOutbox},
		{"Websets", testWebsets},
		{"Tokens", testTokens},
		{"ShortIDs", testShortIDs},
		{"Channels", testChannels},
		{"Maintenance", testMaintenance},
		{"Restored", testRestored},
		{"Tenancy", testTenancy},
		{"Texts", testTexts},
		{"Parallel", testParallel},
		{"Memories", testMemories},
		{"MemoryQueries", testMemoryQueries},
		{"MemoryColumns", testMemoryColumns},
		{"MemoryVectors", testMemoryVectors},
		{"MemorySearch", testMemorySearch},
		{"MemoryErasure", testMemoryErasure},
		{"MemoryTexts", testMemoryTexts},
		{"MemoryTenancy", testMemoryTenancy},
		{"MemoryHistories", testMemoryHistories},
		{"MemoryBounds", testMemoryBounds},
		{"MemoryParallel", testMemoryParallel},
		{"Knowledge", testKnowledge},
		{"KnowledgeStories", testKnowledgeStories},
		{"KnowledgeSearch", testKnowledgeSearch},
		{"KnowledgeVectors", testKnowledgeVectors},
		{"KnowledgePaging", testKnowledgePaging},
		{"KnowledgeColumns", testKnowledgeColumns},
		{"KnowledgeBounds", testKnowledgeBounds},
		{"KnowledgeQueue", testKnowledgeQueue},
		{"KnowledgeTenancy", testKnowledgeTenancy},
		{"KnowledgeTexts", testKnowledgeTexts},
		{"KnowledgeErasure", testKnowledgeErasure},
		{"KnowledgeParallel", testKnowledgeParallel},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			part.run(t, open)
		})
	}
}
