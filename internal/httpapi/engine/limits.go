package engine

import (
	"time"

	"almanac/graph/model"
	"almanac/graph/plan"
)

// The numbers of the front door. A zero field of Limits means the number here.
const (
	// MaxTokens bounds the lexical tokens of a document, comments included.
	MaxTokens = 5_000
	// MaxNameBytes bounds one name in a document.
	MaxNameBytes = 128
	// MaxDepth bounds how many fields stand inside one another, the leaf included. Fifteen is what the deepest
	// introspection query of the common tools needs.
	MaxDepth = 15
	// MaxValueDepth bounds how deep lists and objects nest in a literal.
	MaxValueDepth = 20
	// MaxAliases bounds the aliases written in a document.
	MaxAliases = 30
	// MaxRootFields bounds the fields of an operation itself, fragments and repetitions counted.
	MaxRootFields = 20
	// MaxDirectives bounds the directives written in a document.
	MaxDirectives = 50
	// MaxDefinitions bounds the operations and fragments of a document together.
	MaxDefinitions = 200
	// MaxIntrospectionLists bounds how many lists of the schema's description nest in one another.
	MaxIntrospectionLists = 2
	// MaxCost bounds what an operation may ask for: one for every object, a tenth for every value, multiplied by the page
	// sizes around it.
	MaxCost = 10_000
	// MaxErrors bounds the errors of one answer; what is beyond it is left out.
	MaxErrors = 20
	// MaxAnswerBytes bounds the data of one answer.
	MaxAnswerBytes = 64 << 20
	// RequestDeadline bounds how long a query or a mutation may run.
	RequestDeadline = 30 * time.Second

	// MaxQuestions and MaxMutationQuestions bound what one query, or one answer of a subscription, and one mutation may
	// ask of remote systems: see model.WithUpstream. The first allows three pages of a hundred events with the
	// occurrences of each, the second for a bulk mutation of a window's 500 events and several questions for each.
	MaxQuestions         = 300
	MaxMutationQuestions = 1_500

	// DefaultPageSize is what a page counts for when neither first nor last is given.
	DefaultPageSize = 50
	// UnpagedListSize is what a list without a page size counts for, where the schema gives it no other.
	UnpagedListSize = 10
	// IntrospectionCost is what __schema counts for by itself, since its lists are as long as the schema.
	IntrospectionCost = 1_000
	// IntrospectionListSize is what a list of a type's description, such as its fields, counts for.
	IntrospectionListSize = 30
)

// maxShown is the longest message or quoted text in an error, in characters.
const maxShown = 200

// defaultPersistedBytes bounds the texts of documents that are kept by their hash.
const defaultPersistedBytes = 16 << 20

// defaultDocumentBytes bounds the memory of admitted documents that are kept.
const defaultDocumentBytes = 16 << 20

// Limits are the numbers of one engine. The zero value is the published table.
type Limits struct {
	Tokens, NameBytes, Depth, ValueDepth, Aliases, RootFields, Directives, Definitions int
	IntrospectionLists, Errors, Questions, MutationQuestions                           int
	Cost                                                                               int64
	Deadline                                                                           time.Duration
	// AnswerBytes is how large the data of an answer may be.
	AnswerBytes int64
	// DocumentBytes is how much memory, by estimate, the admitted documents may keep.
	DocumentBytes int64
	// PersistedBytes is how much memory, by estimate, documents may take that clients name by their hash; each user has a
	// sixteenth.
	PersistedBytes int64
}

// WithDefaults returns the limits with the published number in place of each zero.
func (l Limits) WithDefaults() Limits {
	orDefault(&l.Tokens, MaxTokens)
	orDefault(&l.NameBytes, MaxNameBytes)
	orDefault(&l.Depth, MaxDepth)
	orDefault(&l.ValueDepth, MaxValueDepth)
	orDefault(&l.Aliases, MaxAliases)
	orDefault(&l.RootFields, MaxRootFields)
	orDefault(&l.Directives, MaxDirectives)
	orDefault(&l.Definitions, MaxDefinitions)
	orDefault(&l.IntrospectionLists, MaxIntrospectionLists)
	orDefault(&l.Errors, MaxErrors)
	orDefault(&l.Questions, MaxQuestions)
	orDefault(&l.MutationQuestions, MaxMutationQuestions)
	orDefault(&l.Cost, MaxCost)
	orDefault(&l.Deadline, RequestDeadline)
	orDefault(&l.AnswerBytes, MaxAnswerBytes)
	orDefault(&l.DocumentBytes, defaultDocumentBytes)
	orDefault(&l.PersistedBytes, defaultPersistedBytes)
	return l
}

func orDefault[N int | int64 | time.Duration](n *N, fallback N) {
	if *n == 0 {
		*n = fallback
	}
}

// Limit is one row of the published table.
type Limit struct {
	// Name is how errors and metrics name the limit, in extensions.limit.
	Name string
	// Max is the largest number that passes.
	Max int64
	// Refused says in words what is refused beyond it.
	Refused string
	// Code is the error's code, and Status the HTTP status for clients that accept application/graphql-response+json.
	Code   model.ErrorCode
	Status int
}

// The names of the limits on documents, as errors and metrics show them.
const (
	limitTokens        = "tokens"
	limitNames         = "name"
	limitDepth         = "depth"
	limitValueDepth    = "valueDepth"
	limitAliases       = "aliases"
	limitRootFields    = "rootFields"
	limitDirectives    = "directives"
	limitDefinitions   = "definitions"
	limitIntrospection = "introspection"
	limitOverlap       = "overlap"
	limitFields        = "fields"
	limitCost          = "cost"
)

// Table returns the limits that a document is held to, with the numbers in force, for documentation and
// for the tests that stand at each number and one beyond.
func (l Limits) Table() []Limit {
	l = l.WithDefaults()
	tooExpensive := func(name string, number int64, refused string) Limit {
		return Limit{Name: name, Max: number, Refused: refused, Code: model.CodeQueryTooExpensive, Status: 400}
	}
	return []Limit{
		tooExpensive(limitTokens, int64(l.Tokens), "a document of more lexical tokens, comments included"),
		tooExpensive(limitNames, int64(l.NameBytes), "a longer name in a document, in bytes"),
		tooExpensive(limitDepth, int64(l.Depth), "more fields inside one another"),
		tooExpensive(limitValueDepth, int64(l.ValueDepth), "more lists and objects inside one another in a literal"),
		tooExpensive(limitAliases, int64(l.Aliases), "more aliases in a document"),
		tooExpensive(limitRootFields, int64(l.RootFields), "more fields of the operation itself, repetitions counted"),
		tooExpensive(limitDirectives, int64(l.Directives), "more directives in a document"),
		tooExpensive(limitDefinitions, int64(l.Definitions), "more operations and fragments in a document"),
		tooExpensive(limitIntrospection, int64(l.IntrospectionLists),
			"more lists of the schema's description inside one another"),
		tooExpensive(limitOverlap, maxOverlapSteps, "more steps to prove that repeated fields agree"),
		tooExpensive(limitFields, plan.MaxFields, "more fields, each counted for every type that what it is below may be of"),
		tooExpensive(limitCost, l.Cost,
			"an operation of higher cost: one for each object and a tenth for each value, multiplied by the page sizes around "+
				"it"),
	}
}
