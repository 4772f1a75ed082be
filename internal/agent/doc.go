// Package agent plans what a sentence asks of a calendar: by the grammar, and by a language model for what the grammar
// does not understand.
//
// It promises that the model is asked only where the grammar does not understand and never where it does; that what the
// model says is held against the sentence, and dropped as a whole when it holds a word, a person or an hour that the
// sentence does not give; that a model that is away, slow or of no use costs a bounded wait and then leaves the
// grammar's own refusal; and that it does nothing itself: who carries a plan out knows that a model has made it.
package agent
