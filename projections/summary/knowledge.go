package summary

import (
	"cmp"

	"almanac/graph/model"
	"almanac/projections/when"
)

func memoryName(memory *model.Memory) string { return cmp.Or(memory.Summary, memory.Content) }

func episodeName(episode *model.Episode) string { return cmp.Or(episode.Name, episode.Content) }

// ofMemory says what became of a memory; before is nil for a new one.
func ofMemory(before, after *model.Memory) []phrase {
	switch {
	case before == nil:
		return []phrase{{verb: "memory added", name: memoryName(after)}}
	case before.Content != after.Content:
		return []phrase{{verb: "memory replaced", name: before.Content, rest: []string{after.Content}}}
	default:
		return []phrase{{verb: "memory changed", name: memoryName(after)}}
	}
}

// ofEntity says what became of an entity; before is nil for a new one.
func ofEntity(before, after *model.Entity) []phrase {
	switch {
	case before == nil:
		return []phrase{{verb: "entity added", name: after.Name}}
	case before.Name != after.Name:
		return []phrase{{verb: "entity renamed", name: before.Name, rest: []string{after.Name}}}
	default:
		return []phrase{{verb: "entity changed", name: after.Name}}
	}
}

// ofFact says what became of a fact; before is nil for a new one.
func ofFact(before, after *model.Fact, m when.Moment) []phrase {
	switch {
	case before == nil:
		return []phrase{{verb: "fact added", name: after.Sentence}}
	case before.InvalidAt.IsZero() && !after.InvalidAt.IsZero():
		return []phrase{{verb: "fact closed", name: after.Sentence, rest: []string{when.FormatShort(after.InvalidAt, m)}}}
	default:
		return []phrase{{verb: "fact changed", name: after.Sentence}}
	}
}

// ofEpisode says what became of an episode; before is nil for a new one.
func ofEpisode(before, after *model.Episode) []phrase {
	if before == nil {
		return []phrase{{verb: "episode added", name: episodeName(after)}}
	}
	return []phrase{{verb: "episode changed", name: episodeName(after)}}
}

// ofSettings says what became of the settings.
func ofSettings(before, after *model.Settings) (said []phrase) {
	for _, one := range []struct{ verb, was, is string }{
		{"zone changed", before.TimeZone, after.TimeZone}, {"locale changed", before.Locale, after.Locale},
		{"week changed", string(before.WeekStart), string(after.WeekStart)},
	} {
		if one.was != one.is {
			said = append(said, phrase{verb: one.verb, name: one.was, rest: []string{one.is}})
		}
	}
	if before.DefaultCalendar != after.DefaultCalendar {
		said = append(said, phrase{verb: "calendar chosen"})
	}
	return said
}
