// Package projections turns records into answers: a task as seen at a moment, with its flags, its formatted dates, its
// place on the board.
//
// It promises to be pure: what a projection returns depends on the record and the moment handed in, on no clock, no
// database and no context. GraphQL objects bind to the views here; the records themselves stay in graph/model.
package projections
