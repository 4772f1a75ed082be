// Package httpapi is the front door over HTTP: the GraphQL endpoint, health, metrics and the pages, with
// everything that guards them.
//
// It promises that every request is bounded in size, time and number; that a page of another site can make nothing
// happen; that every refusal is JSON with a coded error and never repeats what was sent; and that no log line and no
// metric holds a query, a variable or a token.
package httpapi
