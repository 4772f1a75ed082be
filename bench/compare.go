//go:build bench

package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// difference says where two JSON values differ, "" when nowhere. What each server makes up for itself in a write, ids
// and times, is only asked to be there.
func difference(path string, a, b any, writes bool) string {
	switch left := a.(type) {
	case map[string]any:
		right, ok := b.(map[string]any)
		if !ok {
			break
		}
		for _, key := range slices.Sorted(maps.Keys(left)) {
			value, there := right[key]
			if !there {
				return path + "." + key + " is in one answer only"
			}
			if writes && (key == "id" || key == "createdAt" || key == "updatedAt") && left[key] != nil && value != nil {
				continue
			}
			if found := difference(path+"."+key, left[key], value, writes); found != "" {
				return found
			}
		}
		if len(left) != len(right) {
			return path + " has more fields in one answer"
		}
		return ""
	case []any:
		right, ok := b.([]any)
		if !ok || len(left) != len(right) {
			break
		}
		for i := range left {
			if found := difference(fmt.Sprintf("%s[%d]", path, i), left[i], right[i], writes); found != "" {
				return found
			}
		}
		return ""
	}
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return fmt.Sprintf("%s is %.200v in one answer and %.200v in the other", path, a, b)
}
