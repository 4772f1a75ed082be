package embedding

import (
	"strconv"
	"strings"

	"almanac/adapters/openai"
)

// Name is the name under which a remote model's vectors are kept: its own, and when it was asked for a length, that
// too, behind an "@". Vectors of two lengths of one model cannot be compared.
func Name(remote string, dimensions int, shorten bool) string {
	if shorten {
		return remote + "@" + strconv.Itoa(dimensions)
	}
	return remote
}

// askFor is Name read backwards. A model that has another "@" in its name keeps it.
func askFor(name string) openai.Ask {
	if at := strings.LastIndexByte(name, '@'); at > 0 {
		if n, err := strconv.ParseUint(name[at+1:], 10, 31); err == nil && n > 0 {
			return openai.Ask{Model: name[:at], Dimensions: int(n), Expect: int(n)}
		}
	}
	return openai.Ask{Model: name}
}

// isBuiltIn tells the names of all versions of the built-in model, of which a process knows one.
func isBuiltIn(name string) bool { return strings.HasPrefix(name, "local-") }
