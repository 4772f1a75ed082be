// Package publish answers for calendars that their users have published: GET and HEAD of /feeds/<secret>.ics.
//
// It promises that
//
//   - whoever does not know the secret learns nothing, not even whether there is a calendar: every wrong address has
//     the same answer;
//   - secrets are looked for and compared by their hashes, in constant time, and are in no error and no log record;
//   - a calendar that has not changed since it was read costs one small look at the store and no body.
package publish
