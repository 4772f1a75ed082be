package exa_test

import (
	"testing"

	"almanac/internal/standin/readmetest"
)

func TestReadmeNamesItsTests(t *testing.T) {
	t.Parallel()
	readmetest.Check(t, `\[[DJOS]\]`, 50)
}
