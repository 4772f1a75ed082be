// Package embedding picks the model that makes vectors of memories, entities and facts, asks it, and keeps the vectors
// of all of them up to date in the background.
//
// It promises that nothing that is kept waits for a model: when the endpoint is slow or away, a write goes on without a
// vector and a search without its leg, each within seconds, and the vector comes later. Which rows lack one the store
// says, so nothing that matters is kept in memory: the work goes on after a restart, a vector is kept only with the
// version of the row it was made of, and two workers at once may do the same work twice but never a wrong one. While
// the model is being changed, a row is found by the vector that it has, until it has the new one. Nothing is sent
// anywhere when the built-in model is in use, and no text reaches a log line.
package embedding
