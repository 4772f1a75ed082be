package knowledge

import (
	"time"

	"almanac/graph/model"
)

// Extracted is what a model has read from an episode of the own store, checked and within the limits.
type Extracted struct {
	Episode model.ID
	// Attempt is Episode.Attempts as the claim of the queue gave it. When the episode has another count by now, or is not
	// QUEUED any more, somebody else reads it.
	Attempt int
	// Entities are all that the episode speaks of, those at the ends of facts among them.
	Entities []End
	// Facts are in the order in which they were read.
	Facts []NewFact
	Now   time.Time
}
