// Package graphiti keeps a knowledge graph on a Graphiti MCP server (https://github.com/getzep/graphiti, mcp_server),
// by the tools of today's server or of those before 1.0.0.
//
// It promises that every user has a group of their own there, that each question names it, that what a tool tells by
// uuid alone is looked at before anything is done to it, and that whatever the server gives of another group is
// dropped; that a reading is repeated where that may help and an addition never blindly; that no call outlives its
// context, and that time, memory and the number of calls at once are bounded for any answer; that texts of the server
// are cleaned and cut and never interpreted; and that neither the token, nor an address, nor anything that somebody
// wrote reaches a log line.
//
// A call goes this way:
//
//	Base's method → remote.Caller (turn, breaker, attempts, backoff) → connection (its session) → tool → judge → answer
//
// What a Graphiti server does not offer is applied here to what it finds: most filters, order and pages. It gives no
// lists, so everything is listed by way of the episodes: what was added directly, by AddFacts, is found by searching
// only. A server of today gives at most ten entities for one search.
package graphiti
