package when

// ZoneNames are all zones that are suggested, a line each.
func ZoneNames() string { return zoneNames }
