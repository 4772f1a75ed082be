#!/bin/sh
# Makes what other parsers say of written.ics, which `go test . -run TestOthers -update` writes. Needs Debian's
# python3-icalendar and npm's ical.js; run here.
set -eu
npm install --no-save --no-audit --no-fund ical.js@2.2.1 >/dev/null
node icaljs.mjs written.ics >written.icaljs.json
python3 icalendar.py written.ics >written.icalendar.json
rm -r node_modules
