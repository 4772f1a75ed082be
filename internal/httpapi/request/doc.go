// Package request reads a GraphQL request from an HTTP request, whatever transport answers it.
//
// It promises that what it accepts is exactly one well-formed request: a body within the limit, of a JSON media
// type in UTF-8, one strict JSON object with the exact keys of the GraphQL-over-HTTP specification, no key twice,
// nothing after it. It never echoes the body in an error and keeps memory in proportion to the limit.
package request
