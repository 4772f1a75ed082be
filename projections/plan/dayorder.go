package plan

import (
	"strings"

	"almanac/projections/fold"
)

// order says whether people write the day or the month first.
type order int

const (
	dayAlways order = iota
	dayUsually
	monthFirst
	orderUnknown
)

// dayFirst returns how the viewer's country writes dates, by language and zone. A zone that no country has says
// nothing.
func (p *parser) dayFirst() order {
	zone := p.now.Location().String()
	area, place, _ := strings.Cut(zone, "/")
	place = fold.Text(strings.ReplaceAll(place, "_", " "))
	switch {
	case p.at.Locale == "he" || p.hebrewText || zone == "Asia/Jerusalem" || zone == "Asia/Tel_Aviv" || zone == "Israel":
		return dayAlways
	case area == "US" || zone == "Pacific/Honolulu" || area == "America" && americanZones[place]:
		return monthFirst
	case area == "Canada" || area == "America" && canadianZones[place] || place == "" || area == "Etc":
		return orderUnknown
	}
	return dayUsually
}

// The zones of the United States, where the month is first, and of Canada, where both are common.
var (
	americanZones = setOfWords(
		"New_York Chicago Denver Los_Angeles Phoenix Anchorage Detroit Boise Juneau Sitka Nome Adak Metlakatla Yakutat " +
			"Menominee " +
			"Indiana/Indianapolis Indiana/Knox Indiana/Marengo Indiana/Petersburg Indiana/Tell_City Indiana/Vevay " +
			"Indiana/Vincennes Indiana/Winamac " +
			"Kentucky/Louisville Kentucky/Monticello North_Dakota/Beulah North_Dakota/Center North_Dakota/New_Salem Puerto_Rico")
	canadianZones = setOfWords(
		"Toronto Vancouver Montreal Winnipeg Edmonton Calgary Halifax Regina St_Johns Whitehorse Moncton Iqaluit Yellowknife")
)
