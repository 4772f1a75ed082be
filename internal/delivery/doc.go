// Package delivery tells the world outside of changes and reminders: webhooks, and browsers by Web Push.
//
// It promises, of each channel, that changes are delivered in the order of the log, each at least once, whatever
// process dies at whatever moment, and each time under the same message id, by which a receiver knows what it has; that
// one process delivers at a time; that a channel which fails is tried later and later, for five days, while others go
// on; that no address of a private network is connected to, whatever a name resolves to, unless that is allowed; and
// that redirects are not followed. Addresses, secrets and texts are in no error, no log record and no metric.
//
// What is to be delivered is not queued anywhere: a channel keeps its place in the change log. Reminders are changes.
package delivery
