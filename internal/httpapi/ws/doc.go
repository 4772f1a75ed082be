// Package ws serves GraphQL over WebSocket: the graphql-transport-ws protocol, whole, and no other.
//
// It promises that every message of the protocol is answered as PROTOCOL.md of the npm package graphql-ws demands,
// that every wrong one closes the socket with its own code, that a socket's memory is bounded whatever its peer sends
// or does not read, and that nobody's proof is trusted longer than it holds.
//
// # Who is let in
//
// A caller proves itself in connection_init, by payload.authorization ("Bearer …"), else by the Authorization header
// of the upgrade request. Names of payload keys are compared without case, since clients copy header names there.
// The token is looked at again at every operation and at every keep-alive, and an API token before every answer of a
// subscription: what is told under a revoked one would be told to whoever has stolen it.
//
//   - 4403 Forbidden closes a socket whose credentials are wrong, have expired, were revoked, or have come to mean
//     another user or other rights. PROTOCOL.md recommends it for rejected connections, and clients come back with
//     fresh credentials after it.
//   - 4401 Unauthorized closes a socket that subscribes without connection_ack, and is used for nothing else, as
//     clients never come back after it.
//   - 1013 Try Again Later closes a socket whose credentials could not be looked at, or whose user has too many.
//
// # Operations
//
// Queries, mutations and subscriptions all run. A request error (syntax, validation, limits, rights, a subscription
// that cannot start) is one "error" message and nothing after it; what execution answers is "next" and "complete".
// A client's "complete" ends a query or a subscription; a mutation runs on to its end, as it does when the
// socket goes away. The header Idempotency-Key has no meaning here, as it would belong to the whole socket: clients
// that must retry mutations use POST.
//
// A subscription that waits has no goroutine; one goroutine of the socket writes what all of them have to tell. A
// message that would start one operation too many is read when a query or a mutation has ended.
//
// The payload of connection_init may have timeZone (or X-Time-Zone) and locale (or Accept-Language); they override
// the upgrade request's headers.
//
// # Closing from this side, beyond the protocol's codes
//
// 1001 Going Away on drain, after running queries and mutations have been answered. 1007 for text that is no UTF-8,
// 1008 for a message that does not arrive whole in time, 1009 for one that is too large. A peer that does not take a
// message within the write limit, or from which nothing is heard over two keep-alives, is cut off.
package ws
