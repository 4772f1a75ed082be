// Package respond brings raw answers of adapters into one shape: whatever a calendar, a database of tasks and lists, a
// mailbox or a store of memories has answered, wrapped or bare, one thing or many, becomes items with the flags and
// dates that a person, or a model, would ask for next.
//
// It promises to lose nothing. What it returns as JSON is the answer's own text, byte for byte, into which keys were
// put beside those that were there: numbers keep their digits, unknown keys and unknown dates stay as they are, a key
// that is there already is never replaced. Flags and dates follow the rules of this API's own tasks and events, at the
// moment and in the zone handed in.
package respond
