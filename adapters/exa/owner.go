package exa

import (
	"encoding/json"
	"strings"

	"almanac/graph/model"
	"almanac/internal/seal"
)

// The entries that this server writes into metadata, beside those of its users, who do not see them.
const (
	// entryOwner tells whose a thing is in an account that several share.
	entryOwner = "almanacOwner"
	// entryRequest tells which request made a thing, so that it is found again when the answer was lost.
	entryRequest = "almanacRequest"
)

// purposeOwner is what an owner's mark is sealed for.
const purposeOwner = "exa owner"

// Owner is a user among those who share an account. What they make carries their mark, which only this server can make
// and which names nobody; the rest is not there for them. The zero Owner has the account alone.
type Owner struct {
	// Seal makes the marks, and knows those of earlier keys of the server.
	Seal *seal.Sealer
	User model.UserID
	// All: the whole account is the owner's, with what others have made in it: their marks stay on it.
	All bool
}

// shares reports whether others have things in the account.
func (o Owner) shares() bool { return o.Seal != nil && !o.All }

// mark is what the owner's things carry; empty where nobody shares.
func (o Owner) mark() string {
	if !o.shares() {
		return ""
	}
	return o.Seal.Seal(purposeOwner, o.User, nil)
}

// owns reports whether a thing with this mark is the owner's.
func (o Owner) owns(mark string) bool {
	if !o.shares() {
		return true
	}
	_, err := o.Seal.Open(purposeOwner, o.User, mark)
	return err == nil
}

// wireName is an externalId as the remote has it: behind the mark, since two users may want the same one.
func (o Owner) wireName(name string) string {
	if !o.shares() || name == "" {
		return name
	}
	return o.mark() + "." + name
}

// shownName takes the mark off again.
func (o Owner) shownName(name string) string {
	if mark, rest, ok := strings.Cut(name, "."); ok && o.shares() && o.owns(mark) {
		return rest
	}
	return name
}

// shownMetadata is metadata as users see it; empty without entries.
func shownMetadata(raw json.RawMessage) model.JSON {
	all := entries(raw)
	delete(all, entryOwner)
	delete(all, entryRequest)
	return model.JSON(objectOf(all))
}

// marksOf returns what metadata tell of the owner and of the request that made them; empty for nothing.
func marksOf(raw json.RawMessage) (owner, request string) {
	all := entries(raw)
	owner, _ = all[entryOwner].(string)
	request, _ = all[entryRequest].(string)
	return owner, request
}

// sentMetadata is metadata as the remote gets them; nil for none.
func sentMetadata(own model.JSON, owner, request string) (map[string]any, error) {
	all := entries(json.RawMessage(own))
	if all == nil && own != "" && own != "null" {
		return nil, model.BadInput("input.metadata", "metadata must be an object of texts")
	}
	for _, reserved := range []string{entryOwner, entryRequest} {
		if _, taken := all[reserved]; taken {
			return nil, model.BadInput("input.metadata", "metadata cannot have the entry %s, which this server keeps for itself",
				reserved)
		}
	}
	if all == nil {
		all = map[string]any{}
	}
	if owner != "" {
		all[entryOwner] = owner
	}
	if request != "" {
		all[entryRequest] = request
	}
	if len(all) == 0 {
		return nil, nil //nolint:nilnil // no metadata is no error
	}
	return all, nil
}
