package cli

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// tuneMemory sets the garbage collector's pace, and its limit to four fifths of the container's memory, unless GOGC and
// GOMEMLIMIT say otherwise.
func tuneMemory(environ []string) {
	set := func(name string) bool {
		for _, pair := range environ {
			if strings.HasPrefix(pair, name+"=") {
				return true
			}
		}
		return false
	}
	if limit, ok := containerMemory(); ok && !set("GOMEMLIMIT") {
		debug.SetMemoryLimit(limit / 5 * 4)
	}
	if !set("GOGC") {
		keepPace()
	}
}

// containerMemory is the limit of the process's control group (Linux cgroup v2, memory.max); false when there is none.
func containerMemory() (int64, bool) {
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return 0, false
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return limit, err == nil && limit > 0 // "max" means no limit
}
