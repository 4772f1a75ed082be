package tasks

import (
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

func decodeTaskPlace(payload []byte) (store.TaskPlace, bool) {
	id, at, text, err := core.DecodePlace(payload)
	return store.TaskPlace{ID: id, At: at, Text: text}, err == nil
}

func decodeListPlace(payload []byte) (store.ListPlace, bool) {
	id, at, text, err := core.DecodePlace(payload)
	return store.ListPlace{ID: id, At: at, Name: text}, err == nil
}
