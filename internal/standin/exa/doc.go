// Package exa stands in for Exa (https://exa.ai): the Websets API, the research shape, and search, contents and
// answers, in the process that asks.
//
// It promises that state is a matter of the clock it is given and nothing else: whoever asks later sees what has
// happened by then, in the order and with the times in which it happened, whether or not anybody asked in between; that
// the same questions have the same answers on every machine; that what Exa's published description refuses is refused
// here; that no account sees another's; and that it can go wrong in every way that a test wants. README.md numbers how
// it behaves, and says what nobody knows. It keeps everything in memory, within bounds, and asks nobody for anything:
// the receivers of webhooks are told through a transport that it is handed.
package exa
