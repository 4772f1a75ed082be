// Package mcp is the front door for language models: an MCP server over Streamable HTTP (Model Context Protocol,
// revision 2026-07-28 and before), with at most eight tools.
//
// It promises that every tool is a GraphQL document that goes through /graphql itself, with its tokens, limits,
// idempotency and confirmations; that a token sees only the tools that it may call; that no text is longer than asked
// for; that what others wrote stands between fences; and that nothing is deleted, sent, or changed in numbers before a
// question about exactly that was answered.
package mcp
