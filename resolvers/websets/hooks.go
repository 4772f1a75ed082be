package websets

import (
	"context"

	"almanac/graph/model"
)

// WebsetHooks makes the addresses at which this server is told of Exa's events, and seals what proves them.
type WebsetHooks interface {
	// Address is where Exa sends the events of a webhook. NOT_CONFIGURED when this server has no address that Exa could
	// reach. No two are alike, also of one webhook: HookAt compares them.
	Address(ctx context.Context, user model.UserID, id model.UUID) (string, error)
	// HookAt tells which of the user's webhooks an address is of, if it is one of this server.
	HookAt(user model.UserID, address string) (model.UUID, bool)
	// Seal encrypts a webhook's secret for the store.
	Seal(user model.UserID, id model.UUID, secret string) ([]byte, error)
}
