package model

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// A position is a text of the digits 0–9 and a–f that does not end with 0, compared bytewise. So there is always one
// more between two of them, and moving a task changes no other one.

// MaxPosition is how many digits a position may have. Only thousands of moves into one gap make a position so long.
const MaxPosition = 1000

// timeDigits is how many digits of an id are its time, in milliseconds.
const timeDigits = 12

// NewPosition is the position of a task that was never moved: positions of such tasks are in the order of their ids,
// which is the order of creation.
func NewPosition(id UUID) string { return hex.EncodeToString(id[:]) + "8" }

// IsPosition reports whether a text is a position of a task.
func IsPosition(text string) bool {
	return text != "" && len(text) <= MaxPosition && text[len(text)-1] != '0' && strings.Trim(text, digits) == ""
}

// PositionBetween is a position after one and before another, which must be greater. before is "" when there is none;
// then what is created later has greater positions than the returned one, if after and id are not of the future.
func PositionBetween(after, before string, id UUID) string {
	switch {
	case before == "":
		if last := NewPosition(id); last > after {
			return last
		}
	case after == "" && len(before) > timeDigits:
		// A millisecond earlier: however often something is moved to the front, positions do not grow.
		if at, err := strconv.ParseInt(before[:timeDigits], 16, 64); err == nil && at > 0 {
			return fmt.Sprintf("%0*x8", timeDigits, at-1)
		}
	}
	return middle(after, before)
}

// digits of positions, in their order.
const digits = "0123456789abcdef"

func digitOf(text string) int {
	if text == "" {
		return 0
	}
	return strings.IndexByte(digits, text[0])
}

// middle is the shortest position between two; "" stands for the beginning, and for the end.
func middle(after, before string) string {
	same := 0
	for same < len(before) && before[same] == digits[digitOf(after[min(same, len(after)):])] {
		same++
	}
	if same > 0 {
		return before[:same] + middle(after[min(same, len(after)):], before[same:])
	}
	low, high := digitOf(after), len(digits)
	if before != "" {
		high = digitOf(before)
	}
	if high-low > 1 {
		return digits[(low+high)/2 : (low+high)/2+1]
	}
	if len(before) > 1 {
		return before[:1]
	}
	return digits[low:low+1] + middle(after[min(1, len(after)):], "")
}
