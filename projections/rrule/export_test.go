package rrule

import "time"

// Walks returns what the engine and the quick way say of each rule of the set from a clock reading on, which must not
// be before the start's; quick is nil for a rule that has no quick way.
func (s *Set) Walks(from time.Time) (searched, quick []func() (time.Time, bool)) {
	for _, r := range s.rules {
		fast, _ := s.quick(r.full, from)
		searched, quick = append(searched, s.searched(r.full, from)), append(quick, fast)
	}
	return searched, quick
}

// Wall is the clock reading of the start.
func (s *Set) Wall() time.Time { return s.wall }
