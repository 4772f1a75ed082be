// Package browsertest drives a real Chromium over the pages and says what a person would have seen.
//
// It promises that a run touches nothing outside this machine: the browser starts with an empty profile, resolves no
// name but the loopback's, and every request it makes, from the page and from its workers, is on record. Chromium is
// spoken to over the pipe of the Chrome DevTools Protocol, so there is no driver to install beside the browser.
// A missing browser fails the test; it never skips.
package browsertest
