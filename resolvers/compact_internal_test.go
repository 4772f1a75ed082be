package resolvers

import (
	"errors"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/projections"
)

// What is larger than 1 MiB is refused before anything is read of it, and so is a name of more than 200 characters;
// what is as large is not.
func TestFormatOutputHasLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		operation string
		size      int
		says      string
	}{
		"as large as it may be": {strings.Repeat("\u05d0", 200), 1 << 20, ""},
		"one byte more":         {"get_status", 1<<20 + 1, "data has 1048577 bytes"},
		"a long name":           {strings.Repeat("\u05d0", 201), 4, "201 characters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// There is no viewer here, which is asked for once the limits are held.
			data := model.JSON(`"` + strings.Repeat("x", c.size-2) + `"`)
			_, err := (&Resolver{}).formatOutput(t.Context(), c.operation, &data, (*projections.CompactOptions)(nil))
			var refused *model.Error
			about := errors.As(err, &refused) && refused.Code == model.CodeBadUserInput
			if err == nil || about != (c.says != "") || about && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v", err)
			}
		})
	}
}
