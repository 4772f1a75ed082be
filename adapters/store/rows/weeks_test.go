package rows

import "testing"

// TestWeeksLieWithin compares with the definition, on both sides of 1970.
func TestWeeksLieWithin(t *testing.T) {
	for from := int64(-3 * Week); from <= 3*Week; from += Week / 2 {
		for to := from; to <= 3*Week; to += Week / 2 {
			for _, off := range []int64{-1, 0, 1} {
				first, end := Weeks(from+off, to+off)
				for week := int64(-5); week <= 5; week++ {
					within := week*Week >= from+off && (week+1)*Week <= to+off
					if told := first <= week && week < end; told != within {
						t.Fatalf("week %d in [%d, %d): %v, want %v", week, from+off, to+off, told, within)
					}
				}
			}
		}
	}
}
