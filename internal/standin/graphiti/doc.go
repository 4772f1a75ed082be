// Package graphiti is a stand-in for Graphiti's MCP server (https://github.com/getzep/graphiti, mcp_server), over real
// MCP.
//
// It promises today's tools, or by a switch those before version 1.0.0, with their names, arguments, shapes and errors;
// that what is added waits in a queue of its group until a test steps it, or Run does; that what it reads from a text
// is always the same; and that it can go wrong in every way that a test wants. README.md numbers how it behaves, and
// says what nobody knows. It keeps everything in memory, and asks nobody for anything.
package graphiti
