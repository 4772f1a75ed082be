package model

// PageInfo is Relay's: https://relay.dev/graphql/connections.htm.
type PageInfo struct {
	HasNextPage     bool
	HasPreviousPage bool
	StartCursor     *string
	EndCursor       *string
}

// Direction is the direction of an order.
type Direction string

// Ascending and descending.
const (
	Ascending  Direction = "ASC"
	Descending Direction = "DESC"
)

// Page size bounds of every connection, and of nodes(ids:).
const (
	DefaultPageSize = 50
	MaxPageSize     = 100
)

// MaxBulk is how many items one bulk mutation takes.
const MaxBulk = 200

// Node is whatever Almanac keeps under an id of its own; views of records carry the mark.
type Node interface{ IsNode() }
