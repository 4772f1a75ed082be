package plan

import (
	"strings"

	"almanac/projections/fold"
	"almanac/projections/when"
)

// zoneAt reads a time zone: "UTC", "ET", "New York time", "Asia/Tokyo", "שעון לונדון". IST is India's, Israel's and
// Ireland's, so it is none.
func (p *parser) zoneAt(i int) (item, bool) {
	_, begin := p.preposition(i)
	it := item{sort: aZone, from: i}
	var name string
	switch {
	case p.is(begin, "שעונ") || p.is(begin, "לפי") && p.is(begin+1, "שעונ"):
		begin += 1 + btoi(p.is(begin, "לפי"))
		name, it.to = p.cityAt(begin)
	default:
		if begin >= len(p.tokens) || p.tokens[begin].kind != word {
			return it, false
		}
		if name, it.to = p.ianaAt(begin); name != "" {
			break
		}
		if found, ok := zoneLetters[p.tokens[begin].raw]; ok {
			name, it.to = found, begin+1
			it.to += btoi(p.is(it.to, "time"))
			break
		}
		if name, it.to = p.cityAt(begin); name != "" {
			if !p.is(it.to, "time") {
				return it, false
			}
			it.to++
		}
	}
	if name == "" {
		return it, false
	}
	zone, err := when.LoadZone(name)
	if err != nil {
		return it, false
	}
	it.zone = zone
	return it, true
}

// cityAt finds a city of the table at i, of one or two words.
func (p *parser) cityAt(i int) (zone string, next int) {
	if i+1 < len(p.tokens) && p.tokens[i].kind == word && p.tokens[i+1].kind == word {
		if name, ok := cities[p.tokens[i].text+" "+p.tokens[i+1].text]; ok {
			return name, i + 2
		}
	}
	if i < len(p.tokens) && p.tokens[i].kind == word {
		if name, ok := cities[p.tokens[i].text]; ok {
			return name, i + 1
		}
	}
	return "", i
}

// ianaAt reads a name such as Asia/Tokyo.
func (p *parser) ianaAt(i int) (zone string, next int) {
	if i+2 >= len(p.tokens) || !p.is(i+1, "/") || p.tokens[i+2].kind != word || p.tokens[i].hebrew {
		return "", i
	}
	name := p.tokens[i].raw + "/" + p.tokens[i+2].raw
	if _, known := zoneAreas[p.tokens[i].text]; !known {
		return "", i
	}
	return name, i + 3
}

var zoneAreas = setOfWords("Africa America Asia Atlantic Australia Europe Indian Pacific Etc")

// zoneLetters are abbreviations with one usual meaning, in capitals.
var zoneLetters = map[string]string{
	"UTC": "UTC", "GMT": "UTC", "ET": "America/New_York", "EST": "America/New_York", "EDT": "America/New_York",
	"PT":  "America/Los_Angeles",
	"PST": "America/Los_Angeles", "PDT": "America/Los_Angeles", "CET": "Europe/Paris", "CEST": "Europe/Paris",
	"JST": "Asia/Tokyo", "IDT": "Asia/Jerusalem",
}

var cities = cityZones("America/New_York=New York,ניו יורק,NYC",
	"America/Los_Angeles=Los Angeles,San Francisco,Seattle,California,לוס אנג'לס,קליפורניה",
	"America/Chicago=Chicago,שיקגו", "America/Denver=Denver", "America/Toronto=Toronto,טורונטו",
	"America/Sao_Paulo=Sao Paulo", "Europe/London=London,UK,לונדון",
	"Europe/Paris=Paris,פריז,צרפת", "Europe/Berlin=Berlin,ברלין,גרמניה", "Europe/Madrid=Madrid,מדריד",
	"Europe/Rome=Rome,רומא", "Europe/Amsterdam=Amsterdam,אמסטרדם",
	"Europe/Zurich=Zurich,ציריך", "Europe/Moscow=Moscow,מוסקבה", "Asia/Tokyo=Tokyo,Japan,טוקיו,יפן",
	"Asia/Jerusalem=Israel,Jerusalem,Tel Aviv,ישראל,תל אביב,ירושלים",
	"Asia/Kolkata=India,Mumbai,Delhi,הודו", "Asia/Singapore=Singapore,סינגפור", "Asia/Dubai=Dubai,דובאי",
	"Asia/Shanghai=Beijing,Shanghai,China,סין",
	"Australia/Sydney=Sydney,סידני", "Asia/Hong_Kong=Hong Kong,הונג קונג")

func cityZones(lines ...string) map[string]string {
	out := map[string]string{}
	for _, line := range lines {
		zone, names, _ := strings.Cut(line, "=")
		for name := range strings.SplitSeq(names, ",") {
			out[fold.Text(name)] = zone
		}
	}
	return out
}
