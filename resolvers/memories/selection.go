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
	var columns store.MemoryColumns
	for _, field := range s.Fields {
		columns |= store.MemoryColumnsFor(field.Name)
	}
	for _, field := range s.Under("itemContext", "MemoryItemContext").Fields {
		columns |= store.MemoryColumnsFor(field.Name)
	}
	if s.Under("embedding", "MemoryEmbedding").Has("vector") {
		columns |= store.MemoryVector
	}
	if s.Compact {
		columns |= store.MemoryType | store.MemoryContent | store.MemorySummary | store.MemoryTags | store.MemoryMetadata |
			store.MemoryUpdatedAt | store.MemoryExpiresAt
	}
	return columns
}
