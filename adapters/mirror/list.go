package mirror

import (
	"encoding/json"
	"fmt"

	"almanac/graph/model"
)

// ListText is an account's list of calendars as text, in the remote's order. Nothing of how far they are kept is in it.
func ListText(all []model.Calendar) (string, error) {
	text, err := json.Marshal(all)
	if err != nil {
		return "", fmt.Errorf("mirror: write a list of calendars: %w", err)
	}
	return string(text), nil
}

// ListOf reads what ListText has written. It says nothing of how far a calendar is kept.
func ListOf(text string) (all []model.Calendar, err error) {
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("mirror: read a list of calendars: %w", err)
	}
	return all, nil
}
