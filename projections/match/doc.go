// Package match says how alike two texts are, and ranks candidates by it: for suggestions, for what is nearly the same,
// and for settings and labels that were misspelt. What a text names is decided by package naming.
//
// It promises scores equal to those of Fuse.js 7.1.0 with the options that assistants of this kind use it with (keys of
// equal weight, ignoreLocation, minMatchCharLength 2), to the last digit of a double that matters, and work that is
// linear in the candidates' texts, whatever the query.
package match
