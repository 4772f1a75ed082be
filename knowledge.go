package main

import (
	"context"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/knowledge"
	"almanac/adapters/store"
	"almanac/internal/clock"
	"almanac/internal/config"
	own "almanac/internal/knowledge"
)

// knowledgeRoom is everything of this process that has to do with the knowledge graph, wherever that is kept.
type knowledgeRoom struct {
	base    knowledge.Base
	reading *extractRoom
	remote  *graphitiRoom
}

// knowledgeParts is what the room is made of.
type knowledgeParts struct {
	settings config.Config
	store    store.Store
	embedder own.Embedder
	ids      *clock.IDs
	clock    clock.Clock
	log      *slog.Logger
	registry prometheus.Registerer
}

// newKnowledgeRoom furnishes the room: with a Graphiti server where one is set, with the database otherwise. Then a
// model reads episodes where one is set; a Graphiti server reads by itself.
func newKnowledgeRoom(parts knowledgeParts) (*knowledgeRoom, error) {
	remote, err := newGraphitiRoom(graphitiParts{settings: parts.settings, clock: parts.clock, log: parts.log,
		registry: parts.registry})
	if err != nil {
		return nil, err
	}
	room := &knowledgeRoom{remote: remote, reading: &extractRoom{}}
	if remote.base != nil {
		room.base = remote.base
		return room, nil
	}
	base := &own.Base{Store: parts.store, Embedder: parts.embedder, NewID: parts.ids.New, Now: parts.clock.Now}
	room.reading, err = newExtractRoom(extractParts{settings: parts.settings, store: parts.store, keeper: base,
		clock: parts.clock, log: parts.log, registry: parts.registry})
	if err != nil {
		return nil, err
	}
	base.Extraction = own.Extraction{Model: parts.settings.ChatModel, Wake: room.reading.Wake}
	room.base = base
	return room, nil
}

// ownVectors is what keeps the vectors of the graph; nil where a Graphiti server keeps the graph.
func ownVectors(settings config.Config, kept store.KnowledgeVectors) store.KnowledgeVectors {
	if settings.GraphitiURL != nil || len(settings.GraphitiCommand) > 0 {
		return nil
	}
	return kept
}

// run reads episodes until the context is done.
func (k *knowledgeRoom) run(ctx context.Context) error { return k.reading.run(ctx) }

// Close lets go of what the room holds open.
func (k *knowledgeRoom) Close() error {
	if k == nil {
		return nil
	}
	k.reading.Close()
	return k.remote.Close()
}
