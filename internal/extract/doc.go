// Package extract reads episodes in the background by a model: what entities they speak of, and what facts they tell.
//
// It promises that an episode is read by one process at a time and written once, whole or not at all, whatever process
// dies at whatever point; that what cannot be read is tried again with growing waits, and given up with a reason fit
// for clients; that a text can add to the graph and close what it contradicts, and nothing else, whatever it tells the
// model to do; that nothing is kept of an answer which is not within the limits, names an end that it does not have, or
// a time that is none; and that no text reaches a log line.
//
// The way of an episode:
//
//	QUEUED → claimed, with a lease → read in parts → checked → written, EXTRACTED
//	                                 └ not read: waits, or FAILED after some attempts
//
// A lease that ends, because a process died or hangs, lets another one begin anew. Nothing is written before all parts
// are read, in one transaction that first looks whether the episode is still this reader's, so what two read twice is
// kept once.
package extract
