package calendar

import (
	"testing"

	"almanac/internal/standin/readmetest"
)

func TestReadmeNamesItsTests(t *testing.T) {
	t.Parallel()
	readmetest.Check(t, `\[[DGRMS]\]`, 100)
}
