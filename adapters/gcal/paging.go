package gcal

import "errors"

// Bounds of reading an answer in pages.
const (
	// maxPages is how many pages are read of one answer. Google may give short pages, and empty ones.
	maxPages = 500
	// maxSame is how often a page may name itself as the next one.
	maxSame = 10
)

var (
	errSamePage     = errors.New("a page names itself as the next one")
	errTooManyPages = errors.New("too many pages")
)

// paging is where one is in an answer of many pages. The zero value is before the first.
type paging struct {
	// token asks for the page; empty for the first.
	token      string
	read, same int
}

// turn goes on to the page that the one just read names; false after the last.
func (p *paging) turn(next string) (more bool, err error) {
	if next == "" {
		return false, nil
	}
	if p.read++; p.read >= maxPages {
		return false, unreadable(errTooManyPages)
	}
	if next != p.token {
		p.token, p.same = next, 0
		return true, nil
	}
	if p.same++; p.same > maxSame {
		return false, unreadable(errSamePage)
	}
	return true, nil
}
