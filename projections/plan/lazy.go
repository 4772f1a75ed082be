package plan

import (
	"regexp"
	"sync"
)

// lazily compiles a pattern when it is first asked for: hundreds of them would take each start of the program, of which
// most read no sentence, tens of milliseconds.
func lazily(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
