// Package match finds the thing that a person means by a text: how alike a query and a candidate are, and what to do
// about it — take it, take all, ask, or give up.
//
// It promises scores equal to those of Fuse.js 7.1.0 with the options that assistants of this kind use it with (keys of
// equal weight, ignoreLocation, minMatchCharLength 2), to the last digit of a double that matters; decisions that
// depend on nothing but the query, the candidates in their order and the options; and work that is linear in the
// candidates' texts, whatever the query. It is for tasks and lists now and serves events, mails or anything else that
// has a name.
package match
