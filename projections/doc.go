// Package projections turns nouns into answers: a task as seen at a moment, with its flags, its formatted dates, its
// place on the board.
//
// It promises to be pure: what a projection gives depends on the noun and the moment handed in, on no clock, no
// database and no context. GraphQL objects bind to the views here; the nouns themselves stay in graph/model.
package projections
