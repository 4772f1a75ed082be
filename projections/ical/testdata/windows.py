"""Makes ../windows.txt from CLDR: each Windows name of a time zone, a tab, the IANA zone that stands for it.

    npm pack cldr-core cldr-bcp47, unpack both, then
    python3 windows.py CORE/supplemental/windowsZones.json BCP47/bcp47/timezone.json ../../when/zones.txt > ../windows.txt

CLDR keeps the first name that a zone had; its alias file says which name the IANA database uses today.
"""

import json
import sys

core, bcp47, known = sys.argv[1:]
today = {}
for zone in json.load(open(bcp47))["keyword"]["u"]["tz"].values():
    if isinstance(zone, dict) and "_iana" in zone:
        for alias in zone["_alias"].split():
            today[alias] = zone["_iana"]
names = set(open(known).read().split())
for entry in json.load(open(core))["supplemental"]["windowsZones"]["mapTimezones"]:
    entry = entry["mapZone"]
    if entry["_territory"] == "001":
        zone = today.get(entry["_type"], entry["_type"])
        assert zone in names, zone
        print(entry["_other"], zone, sep="\t")
