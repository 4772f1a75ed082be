// Package gmail is what the stand-in for Google knows of the Gmail API, version 1: mailboxes with messages, threads,
// labels, drafts, history and the search language, and mail that travels between the stand-in's accounts.
//
// It promises to answer as Google does, also where Google is odd: README.md numbers what is imitated, says how each
// behaviour is known, and names the test that pins it. It takes any bytes for a message and always finds some tree in
// them, in time and memory that grow with their number alone. It reads messages with code of its own, so that who is
// tested against it is not tested against himself. It sees no HTTP and reads no clock of its own.
package gmail
