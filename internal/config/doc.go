// Package config is every setting of Almanac, in one table.
//
// It promises that a start either has settings that are all right, or refuses with one sentence for each thing that is
// wrong: which setting, what it was, what is allowed, and the fix. It never shows a secret, and the table, the flags,
// the environment variables and docs/settings.md cannot drift apart, because they are all made from the same lines.
package config
