package projections

import (
	"encoding/json"
	"strconv"

	"almanac/graph/model"
	"almanac/projections/compact"
	"almanac/projections/memo"
)

// Memory is a memory as seen at a moment.
type Memory struct {
	node[model.Memory]
	// current is the embedding model in use.
	current string
	// fresh says that this request has kept it.
	fresh bool
}

// MemoryAt returns the memory's view. current is the name of the embedding model in use.
func MemoryAt(record model.Memory, current string, at *Moment) Memory {
	return Memory{node: nodeAt(record, at), current: current}
}

// MemoriesAt returns the memories' views; never nil.
func MemoriesAt(records []model.Memory, current string, at *Moment) []Memory {
	views := make([]Memory, len(records))
	for i := range records {
		views[i] = MemoryAt(records[i], current, at)
	}
	return views
}

// AsNew returns the view of a memory that this request has kept.
func (m Memory) AsNew() Memory {
	m.fresh = true
	return m
}

// ID is the public id.
func (m Memory) ID() model.ID { return model.ID{Kind: model.KindMemory, UUID: m.record.ID} }

// Type is what it is about.
func (m Memory) Type() string { return string(m.record.Type) }

// Content is what is remembered.
func (m Memory) Content() string { return m.record.Content }

// Summary is a line about it, nil for none.
func (m Memory) Summary() *string { return optional(m.record.Summary) }

// Tags are its labels; never nil.
func (m Memory) Tags() []string { return present(m.record.Tags) }

// Metadata is what else is known, nil for nothing.
func (m Memory) Metadata() *model.JSON { return jsonOf(m.record.Metadata) }

// Note is the metadata of a note, typed; nil for other types.
func (m Memory) Note() *NoteMetadata {
	if m.record.Type != model.MemoryNote {
		return nil
	}
	note, other := memo.Note(m.record.Metadata)
	return &NoteMetadata{Source: optional(note.Source), Entities: present(note.Entities), Other: jsonOf(other)}
}

// Contact is the metadata of a contact, typed; nil for other types.
func (m Memory) Contact() *ContactMetadata {
	if m.record.Type != model.MemoryContact {
		return nil
	}
	contact, other := memo.Contact(m.record.Metadata)
	return &ContactMetadata{
		Name: optional(contact.Name), Phone: optional(contact.Phone), Email: optional(contact.Email),
		Description: optional(contact.Description), Other: jsonOf(other),
	}
}

// Kv is the metadata of a key-value, typed; nil for other types.
func (m Memory) Kv() *KeyValueMetadata {
	if m.record.Type != model.MemoryKV {
		return nil
	}
	kv, other := memo.KeyValue(m.record.Metadata)
	return &KeyValueMetadata{Subject: optional(kv.Subject), Value: jsonOf(kv.Value), Other: jsonOf(other)}
}

// CreatedAt is when it was first kept.
func (m Memory) CreatedAt() model.DateTime { return m.at.DateTime(m.record.CreatedAt) }

// UpdatedAt is when this version was written.
func (m Memory) UpdatedAt() model.DateTime { return m.at.DateTime(m.record.UpdatedAt) }

// ExpiresAt is from when on it is gone, nil for never.
func (m Memory) ExpiresAt() model.OptionalDateTime { return m.at.OptionalDateTime(m.record.ExpiresAt) }

// Version counts its versions from 1.
func (m Memory) Version() string { return strconv.Itoa(m.record.Version) }

// History are the versions before this one, newest first.
func (m Memory) History(first *int32) ([]MemoryVersion, error) {
	limit, err := PageSize("first", first, DefaultMemoryHistory)
	if err != nil {
		return nil, err
	}
	versions := make([]MemoryVersion, 0, min(limit, len(m.record.History)))
	for _, record := range m.record.History[:min(limit, len(m.record.History))] {
		versions = append(versions, MemoryVersion{view[model.MemoryVersion]{record, m.at}})
	}
	return versions, nil
}

// DefaultMemoryHistory is how many versions are shown when none are asked for.
const DefaultMemoryHistory = 10

// Embedding is whether, and by which model, it can be found by meaning.
func (m Memory) Embedding() MemoryEmbedding {
	e := m.record.Embedding
	out := MemoryEmbedding{State: model.EmbeddingPending}
	if e.Model == "" {
		return out
	}
	out.State = model.EmbeddingStale
	if e.Model == m.current {
		out.State = model.EmbeddingReady
	}
	out.Model, out.Dimensions = &e.Model, &e.Dimensions
	if e.Vector != nil {
		out.Vector = make([]float64, len(e.Vector))
		for i, x := range e.Vector {
			out.Vector[i] = float64(x)
		}
	}
	return out
}

// ItemContext are its flags.
func (m Memory) ItemContext() MemoryItemContext {
	return MemoryItemContext{
		IsNew: m.fresh, IsOverride: m.record.Overridden, MemoryType: m.record.Type, HasMetadata: m.record.Metadata != "",
	}
}

// Row is the memory for compact text.
func (m Memory) Row() compact.Memory {
	row := compact.Memory{
		ID: m.ID().String(), Type: m.record.Type, Content: m.record.Content, Summary: m.Summary(), Tags: m.Tags(),
		UpdatedAt: rowTime(m.at.OptionalDateTime(m.record.UpdatedAt)), ExpiresAt: rowTime(m.ExpiresAt()),
	}
	if m.record.Metadata != "" {
		row.Metadata = json.RawMessage(m.record.Metadata)
	}
	return row
}

// NoteMetadata are the known fields of a note's metadata.
type NoteMetadata struct {
	Source   *string
	Entities []string
	Other    *model.JSON
}

// ContactMetadata are the known fields of a contact's metadata.
type ContactMetadata struct {
	Name, Phone, Email, Description *string
	Other                           *model.JSON
}

// KeyValueMetadata are the known fields of a key-value's metadata.
type KeyValueMetadata struct {
	Subject *string
	Value   *model.JSON
	Other   *model.JSON
}

// MemoryEmbedding is the vector of a memory.
type MemoryEmbedding struct {
	State      model.EmbeddingState
	Model      *string
	Dimensions *int
	Vector     []float64
}

// MemoryItemContext are the flags of one memory.
type MemoryItemContext struct {
	IsNew       bool
	IsOverride  bool
	MemoryType  model.MemoryType
	HasMetadata bool
}

// MemoryVersion is a memory as it once was.
type MemoryVersion struct{ view[model.MemoryVersion] }

// Version is its number.
func (v MemoryVersion) Version() string { return strconv.Itoa(v.record.Version) }

// Type is what it was about.
func (v MemoryVersion) Type() model.MemoryType { return v.record.Type }

// Content is what was remembered.
func (v MemoryVersion) Content() string { return v.record.Content }

// Summary is the line about it, nil for none.
func (v MemoryVersion) Summary() *string { return optional(v.record.Summary) }

// Tags are its labels; never nil.
func (v MemoryVersion) Tags() []string { return present(v.record.Tags) }

// Metadata is what else was known, nil for nothing.
func (v MemoryVersion) Metadata() *model.JSON { return jsonOf(v.record.Metadata) }

// ExpiresAt is from when on it would have been gone, nil for never.
func (v MemoryVersion) ExpiresAt() model.OptionalDateTime {
	return v.at.OptionalDateTime(v.record.ExpiresAt)
}

// WrittenAt is when it was written.
func (v MemoryVersion) WrittenAt() model.DateTime { return v.at.DateTime(v.record.WrittenAt) }

// ReplacedAt is when it was replaced.
func (v MemoryVersion) ReplacedAt() model.DateTime { return v.at.DateTime(v.record.ReplacedAt) }

// Reason is what replaced it.
func (v MemoryVersion) Reason() model.MemoryReason { return v.record.Reason }

// jsonOf returns a JSON text, nil for none.
func jsonOf(text string) *model.JSON {
	if text == "" {
		return nil
	}
	j := model.JSON(text)
	return &j
}
