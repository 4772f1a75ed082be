package store

import "almanac/graph/model"

// MemoryColumns says what of a memory is wanted; the id always is.
type MemoryColumns uint32

// The columns of a memory, and what hangs on it.
const (
	MemoryType MemoryColumns = 1 << iota
	MemoryContent
	MemorySummary
	MemoryTags
	MemoryMetadata
	MemoryCreatedAt
	MemoryUpdatedAt
	MemoryExpiresAt
	MemoryVersion
	MemoryOverridden
	// MemoryModel is the name and the dimensions of its vector.
	MemoryModel
	// MemoryVector is the vector itself; nothing else may make a store read it for a caller.
	MemoryVector
	// MemoryHistory are the versions before the current one, the highest number first, at most model.MaxMemoryVersions.
	MemoryHistory

	// MemoryRow is the whole row; a memory that is to be written back must be read with it.
	MemoryRow = MemoryModel - 1
)

// Has reports whether all of the columns given are wanted.
func (c MemoryColumns) Has(other MemoryColumns) bool { return c&other == other }

// MemoryTable has the columns of memories.
var MemoryTable = Table[model.Memory, MemoryColumns]{Name: "memories", Columns: []Column[model.Memory, MemoryColumns]{
	{Name: "id", Field: func(m *model.Memory) any { return &m.ID }},
	{Name: "type", Want: MemoryType, Asked: "type note contact kv memoryType compact",
		Field: func(m *model.Memory) any { return (*string)(&m.Type) }},
	{Name: "content", Want: MemoryContent, Asked: "content compact",
		Field: func(m *model.Memory) any { return &m.Content }},
	{Name: "content_key", Kind: FoldedHash, Field: func(m *model.Memory) any { return &m.Content }},
	{Name: "summary", Want: MemorySummary, Asked: "summary compact",
		Field: func(m *model.Memory) any { return &m.Summary }},
	{Name: "tags", Want: MemoryTags, Asked: "tags compact", Field: func(m *model.Memory) any { return &m.Tags }},
	{Name: "metadata", Want: MemoryMetadata, Kind: JSON, Asked: "metadata note contact kv hasMetadata compact",
		Field: func(m *model.Memory) any { return &m.Metadata }},
	{Name: "created_at", Want: MemoryCreatedAt, Once: true, Asked: "createdAt",
		Field: func(m *model.Memory) any { return &m.CreatedAt }},
	{Name: "updated_at", Want: MemoryUpdatedAt, Asked: "updatedAt compact",
		Field: func(m *model.Memory) any { return &m.UpdatedAt }},
	{Name: "expires_at", Want: MemoryExpiresAt, Kind: Expiry, Asked: "expiresAt compact",
		Field: func(m *model.Memory) any { return &m.ExpiresAt }},
	{Name: "version", Want: MemoryVersion, Asked: "version", Field: func(m *model.Memory) any { return &m.Version }},
	{Name: "overridden", Want: MemoryOverridden, Asked: "isOverride",
		Field: func(m *model.Memory) any { return &m.Overridden }},
	{Name: "memory_models", Want: MemoryModel, Kind: Relation, Asked: "embedding",
		Field: func(m *model.Memory) any { return &m.Embedding }},
	{Name: "memory_vectors", Want: MemoryVector, Kind: Relation, Field: func(m *model.Memory) any { return &m.Embedding }},
	{Name: "memory_versions", Want: MemoryHistory, Kind: Relation, Asked: "history",
		Field: func(m *model.Memory) any { return &m.History }},
}}

var memoryFields = MemoryTable.asked()

// MemoryColumnsFor returns what a GraphQL field of a memory or of its itemContext needs, or its compact text; 0 for
// nothing but the id.
func MemoryColumnsFor(field string) MemoryColumns { return memoryFields[field] }

// MemoryVersionTable has the columns of the versions of memories.
var MemoryVersionTable = Table[model.MemoryVersion, Whole]{Name: "memory_versions",
	Columns: []Column[model.MemoryVersion, Whole]{
		{Name: "memory_id", Once: true, Field: func(v *model.MemoryVersion) any { return &v.Memory }},
		{Name: "version", Once: true, Field: func(v *model.MemoryVersion) any { return &v.Version }},
		{Name: "type", Field: func(v *model.MemoryVersion) any { return (*string)(&v.Type) }},
		{Name: "expires_at", Kind: Expiry, Field: func(v *model.MemoryVersion) any { return &v.ExpiresAt }},
		{Name: "overridden", Field: func(v *model.MemoryVersion) any { return &v.Overridden }},
		{Name: "written_at", Field: func(v *model.MemoryVersion) any { return &v.WrittenAt }},
		{Name: "replaced_at", Field: func(v *model.MemoryVersion) any { return &v.ReplacedAt }},
		{Name: "reason", Field: func(v *model.MemoryVersion) any { return (*string)(&v.Reason) }},
		{Name: "tags", Field: func(v *model.MemoryVersion) any { return &v.Tags }},
		{Name: "summary", Field: func(v *model.MemoryVersion) any { return &v.Summary }},
		{Name: "metadata", Kind: JSON, Field: func(v *model.MemoryVersion) any { return &v.Metadata }},
		{Name: "content", Field: func(v *model.MemoryVersion) any { return &v.Content }},
	}}
