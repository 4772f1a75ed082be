package extract

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"almanac/adapters/knowledge"
	"almanac/adapters/openai"
	"almanac/adapters/store"
	"almanac/graph/model"
)

// Model is what is asked; the contract is that of openai.Chat.
type Model interface {
	Ask(ctx context.Context, question openai.Question) (openai.Answer, error)
}

// Keeper writes what was read from an episode.
type Keeper interface {
	// AddExtracted writes everything in one transaction and makes the episode EXTRACTED: entities found or made, facts,
	// and that the episode speaks of the entities. What is wrong with one fact leaves that one out (FactsAdded.Problems).
	// CodeNotFound when the episode is gone, CodeConflict when somebody else reads it by now; nothing is done then. Doing
	// it again changes nothing.
	AddExtracted(ctx context.Context, user model.UserID, found knowledge.Extracted) (knowledge.FactsAdded, error)
}

// Store is what the Extractor needs of one; the contracts are those of package store.
type Store interface {
	store.EpisodeQueue
	User(ctx context.Context, user model.UserID) (model.User, error)
	EntitiesByName(ctx context.Context, user model.UserID, names []string,
		want store.EntityColumns) (map[string][]model.Entity, error)
	SearchEntities(ctx context.Context, user model.UserID, search store.EntitySearch) (store.EntityHits, error)
	FactsAround(ctx context.Context, user model.UserID, entities []model.UUID, where store.FactWhere, perEntity, limit int,
		want store.FactWant) ([]model.Fact, error)
	Write(ctx context.Context, user model.UserID, fn func(ctx context.Context, tx store.Tx) error) error
}

// Extractor reads episodes. Store, Keeper, Model, ModelName and Now must be set; the other fields have defaults. They
// are set before it is used; then it is safe for goroutines, and must not be copied.
type Extractor struct {
	Store  Store
	Keeper Keeper
	// Model is asked by the name ModelName.
	Model     Model
	ModelName string
	Now       func() time.Time
	// Parallel is how many episodes this process reads at once; 0: DefaultParallel.
	Parallel int
	// PartTokens is how many tokens of an episode are read at once, by estimate; 0: DefaultPartTokens. AnswerTokens bounds
	// an answer; 0: DefaultAnswerTokens.
	PartTokens, AnswerTokens int
	// Jitter returns numbers in [0, 1), so that processes that failed together do not come back together; random ones when
	// nil.
	Jitter func() float64
	// Logger is told of failures; nil: nobody is. No line holds what a user wrote.
	Logger *slog.Logger
	// Observe is called after each episode, and after each failure; nil: nobody is. It must not block.
	Observe func(Report)

	once  sync.Once
	wakes chan struct{}
}

// The defaults of an Extractor.
const (
	DefaultParallel     = 2
	DefaultPartTokens   = 2_000
	DefaultAnswerTokens = 8_000
)

// Outcome is what has become of an episode.
type Outcome string

// The outcomes.
const (
	// OutcomeRead: it was read and what it says is kept.
	OutcomeRead Outcome = "read"
	// OutcomeDeferred: it is tried again later.
	OutcomeDeferred Outcome = "deferred"
	// OutcomeFailed: it was given up.
	OutcomeFailed Outcome = "failed"
	// OutcomeOvertaken: it was erased meanwhile, or another process reads it.
	OutcomeOvertaken Outcome = "overtaken"
)

// Report is what came of an episode, or of a look at the queue.
type Report struct {
	// Outcome is empty when the queue could not be looked at.
	Outcome Outcome
	// Parts of it were asked about; PromptTokens and AnswerTokens are what the endpoint has counted for them.
	Parts, PromptTokens, AnswerTokens int
	// Facts and Entities are new ones, Known facts were there already, Closed ones hold no more.
	Facts, Entities, Known, Closed int
	// Dropped counts what of the answers was not kept, by one of the Dropped constants.
	Dropped map[string]int
	// Code is that of the error, and Wait how long it is waited after it; both zero when there was none.
	Code model.ErrorCode
	Wait time.Duration
	// Took is how long it took.
	Took time.Duration
}

// Wake says that an episode has been queued and committed.
func (r *Extractor) Wake() {
	r.once.Do(r.prepare)
	signal(r.wakes)
}

// signal wakes whoever listens; a signal that nobody has taken yet is enough.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// prepare fills in what was left out.
func (r *Extractor) prepare() {
	if r.Parallel <= 0 {
		r.Parallel = DefaultParallel
	}
	if r.PartTokens <= 0 {
		r.PartTokens = DefaultPartTokens
	}
	if r.AnswerTokens <= 0 {
		r.AnswerTokens = DefaultAnswerTokens
	}
	if r.Jitter == nil {
		r.Jitter = rand.Float64
	}
	if r.Logger == nil {
		r.Logger = slog.New(slog.DiscardHandler)
	}
	if r.Observe == nil {
		r.Observe = func(Report) {}
	}
	r.wakes = make(chan struct{}, 1)
}

// check returns an error that names what is missing.
func (r *Extractor) check() error {
	if r.Store == nil || r.Keeper == nil || r.Model == nil || r.ModelName == "" || r.Now == nil {
		return errors.New("extract: Store, Keeper, Model, ModelName and Now must be set")
	}
	return nil
}
