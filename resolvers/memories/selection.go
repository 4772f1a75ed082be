package memories

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

var memoryFieldColumns = map[string]store.MemoryColumns{
	"type":      store.MemoryType,
	"content":   store.MemoryContent,
	"summary":   store.MemorySummary,
	"tags":      store.MemoryTags,
	"metadata":  store.MemoryMetadata,
	"note":      store.MemoryType | store.MemoryMetadata,
	"contact":   store.MemoryType | store.MemoryMetadata,
	"kv":        store.MemoryType | store.MemoryMetadata,
	"createdAt": store.MemoryCreatedAt,
	"updatedAt": store.MemoryUpdatedAt,
	"expiresAt": store.MemoryExpiresAt,
	"version":   store.MemoryVersion,
	"history":   store.MemoryHistory,
	"embedding": store.MemoryModel,
}

var memoryContextColumns = map[string]store.MemoryColumns{
	"isOverride":  store.MemoryOverridden,
	"memoryType":  store.MemoryType,
	"hasMetadata": store.MemoryMetadata,
}

// beyondRow are the columns of a memory that a write does not have at hand.
const beyondRow = store.MemoryHistory | store.MemoryModel | store.MemoryVector

// MemoryColumns are the columns that the fields asked of a memory need. The vector is read only when it is asked for
// itself.
func MemoryColumns(s core.Selection) store.MemoryColumns {
	var columns store.MemoryColumns
	for _, field := range s.Fields {
		columns |= memoryFieldColumns[field.Name]
	}
	for _, field := range s.Under("itemContext", "MemoryItemContext").Fields {
		columns |= memoryContextColumns[field.Name]
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
