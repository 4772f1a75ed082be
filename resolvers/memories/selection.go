package memories

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

// beyondRow are the columns of a memory that a write does not have at hand.
const beyondRow = store.MemoryHistory | store.MemoryModel | store.MemoryVector

// MemoryColumns are the columns that the fields asked of a memory need. The vector is read only when it is asked for
// itself.
func MemoryColumns(s core.Selection) store.MemoryColumns {
	columns := core.Columns(s, "MemoryItemContext", store.MemoryColumnsFor)
	if s.Under("embedding", "MemoryEmbedding").Has("vector") {
		columns |= store.MemoryVector
	}
	return columns
}
