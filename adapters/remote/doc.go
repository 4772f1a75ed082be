// Package remote calls other servers: it sends, judges, retries and counts, by one set of rules for all of them.
//
// A call goes this way:
//
//	adapter → Caller.Do → breaker, rest, turn → Call.Try (Caller.Send) → judgement → answer, or backoff and again
//
// An adapter says what is sent, who shares a breaker, what a refusal means (a Kind), and which error its clients see.
//
// # What is tried again
//
//   - Limited (too fast) and Broken (5xx, or no whole answer) may be tried again; every other kind ends the call.
//   - A call that may change something is tried again only when it is certain that nothing was done (Unapplied): it was
//     refused as too fast, the remote said that it did not do it, or not a byte of it left this machine. What the
//     transport reports decides that, and without such a report only a connection that never came about. Calls which do
//     no more when they are done twice are tried again always; others never.
//   - When an attempt may have been done, that is remembered to the end of the call, whatever later attempts come to.
//   - Waits double, with jitter, and are at least what the remote asks for (Retry-After in all its forms). A wait that
//     does not end before the call's deadline is not begun. Who went too fast always hears how long to wait.
//   - Credentials or sessions that the remote no longer knows (Stale) are replaced, and the call goes on at once;
//     the adapter bounds how often.
//
// # When nothing is sent
//
//   - A breaker opens after failures in a row, and after a pause lets one probe through. Only the remote's own failures
//     count: no answer, half an answer, 5xx. Refusals are answers. A caller who leaves early says nothing, one whose
//     deadline ends after Limits.Slow does. A whole answer that cannot be read says nothing either: one odd record must
//     not stop everybody who shares the breaker.
//   - A remote that asks for it is left alone by all who share it, at most for Limits.Rest, so that a wrong header does
//     not turn it off. Callers hear at once when to come again; a Patient caller waits where its deadline allows, and
//     goes on when it has waited as long as it was asked to. An answer to what was sent later ends the rest for
//     everybody.
//   - Both are looked at before a turn is waited for, and again after it.
//   - A call that had failed before it was held back reports that failure, which says more.
//
// # Bounds
//
//   - An attempt, a call with all its waits, and the caller's context each bound the time, by the process's own clock.
//   - Answers are read whole and bounded in size. An answer that is too large is not asked for again, and what asked
//     for it counts as possibly done. Fewer bytes than announced, or JSON that does not end, is half an answer.
//   - Errors quote neither addresses nor bodies; log lines and metrics have names of operations and codes alone.
package remote
