package plan

import "testing"

// TestCorporaByUnderstand holds that sentences about the calendar are read by Understand as by Read: other matters take
// nothing away from it. A sentence that Read refuses may be about them.
func TestCorporaByUnderstand(t *testing.T) {
	for _, c := range []struct {
		locale string
		files  []string
	}{
		{"en", []string{"english.txt", "english_heldout.txt", "english_tried.txt"}},
		{"he", []string{"hebrew.txt", "hebrew_heldout.txt", "hebrew_tried.txt"}},
	} {
		all, differ := 0, 0
		for _, name := range c.files {
			for _, s := range corpus(t, name) {
				want, refused := outcome(s.text, said(t, c.locale))
				if refused {
					continue
				}
				all++
				p, err := Understand(s.text, said(t, c.locale))
				var got string
				if err != nil {
					got = err.Error()
				} else {
					p.Ask = nil
					got = everyday(p)
				}
				if got != want {
					differ++
					t.Logf("%s:%d: %s\n    got  %s\n    want %s", name, s.line, s.text, got, want)
				}
			}
		}
		if differ*100 > all*2 {
			t.Errorf("%s: %d of %d sentences differ, want at most 2 %%", c.locale, differ, all)
		}
	}
}
