"""Writes dateutil.txt: what a calendar shows in a window, by python-dateutil 2.9.0.post0 and Python's zoneinfo.

Run once, with `pip install python-dateutil==2.9.0.post0`: python3 table.py > dateutil.txt

Cells: calendar's zone | form (timed, day, floating) | zone of the series, if another | start by its clock | minutes |
rule | EXDATEs by its clock | exceptions: original>start by its clock, or original>- | from | to (UTC) | what takes place:
start/end in UTC and the original start by its clock, with ! in front of a changed occurrence.

Clock readings that are skipped are left out of starts, since dateutil moves them in another way than RFC 5545 says.
"""

import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import dateutil
from dateutil.rrule import rrulestr

ZONES = ["UTC", "Asia/Jerusalem", "America/New_York", "Europe/Copenhagen", "Australia/Lord_Howe", "Pacific/Auckland",
         "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Havana", "Asia/Kathmandu", "America/St_Johns", "Asia/Tehran"]
RULES = ["FREQ=DAILY", "FREQ=DAILY;INTERVAL=2", "FREQ=WEEKLY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2",
         "FREQ=MONTHLY", "FREQ=MONTHLY;BYDAY=2TU", "FREQ=MONTHLY;BYMONTHDAY=-1", "FREQ=YEARLY",
         "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"]
SHOWN, CLOCK = "%Y%m%dT%H%M%SZ", "%Y%m%dT%H%M%S"


def skipped(wall, zone):
    """Whether clocks in the zone never show the reading."""
    at = wall.replace(tzinfo=zone)
    return at.astimezone(timezone.utc).astimezone(zone).replace(tzinfo=None) != wall


def instant(wall, zone):
    """The first instant at which clocks show the reading; of one that they skip, by the clock before (PEP 495)."""
    return wall.replace(tzinfo=zone, fold=0).astimezone(timezone.utc)


def row(r):
    zone_name, form = r.choice(ZONES), r.choice(["timed", "timed", "day", "floating"])
    own = r.choice(["", r.choice(ZONES)]) if form == "timed" else ""
    zone, series_zone = ZoneInfo(zone_name), ZoneInfo(own or zone_name)
    day = r.choice([datetime(2026, 3, 6), datetime(2026, 3, 26), datetime(2026, 10, 23), datetime(2028, 2, 27),
                    datetime(2026, 1, 1) + timedelta(days=r.randrange(700))]) + timedelta(days=r.randrange(3))
    start = day if form == "day" else day + timedelta(minutes=30 * r.randrange(10))
    if form != "day" and skipped(start, series_zone):
        return None
    minutes = 1440 * (1 + r.randrange(3)) if form == "day" else 15 * r.randrange(200)
    rule = r.choice(RULES) + r.choice(["", "", ";COUNT=%d" % (1 + r.randrange(30))])
    walls = [w for _, w in zip(range(200), rrulestr("RRULE:" + rule, dtstart=start))]
    if len(walls) < 2:
        return None
    excluded = sorted(r.sample(walls[:20], min(r.randrange(3), len(walls[:20]) - 1)))
    exceptions = {}
    for original in r.sample(walls[:20], min(r.randrange(4), len(walls[:20]))):
        if original in excluded or form != "day" and skipped(original, series_zone):
            continue
        moved = original + timedelta(days=r.randrange(-20, 20), minutes=0 if form == "day" else 30 * r.randrange(48))
        if form != "day" and skipped(moved, series_zone):
            continue
        exceptions[original] = r.choice([None, moved])
    # An EXDATE is an instant, so a reading that is shown twice or moved by a gap is left to other tests.
    if form != "day" and any(skipped(e, series_zone) for e in excluded):
        return None
    begin = instant(r.choice(walls[:20]), timezone.utc) + timedelta(hours=r.randrange(-60, 24))
    until = begin + timedelta(hours=1 + r.randrange(400))

    def times(wall):
        length = timedelta(minutes=minutes)
        if form == "timed":
            at = instant(wall, series_zone)
            return at, at + length
        return instant(wall, zone), instant(wall + length, zone)

    out = []
    for wall in walls:
        if wall in excluded or wall in exceptions:
            continue
        out.append((*times(wall), wall.strftime(CLOCK)))
    for original, moved in exceptions.items():
        if moved:
            out.append((*times(moved), "!" + original.strftime(CLOCK)))
    if form == "day" and any(skipped(w, zone) for w in walls):
        return None  # a day whose midnight is skipped begins later
    if walls[-1] + timedelta(days=5) < until.replace(tzinfo=None) and len(walls) == 200:
        return None
    out = [o for o in out if o[0] < until and (o[1] > begin or o[0] >= begin)]
    return "|".join([
        zone_name, form, own, start.strftime(CLOCK), str(minutes), rule, " ".join(e.strftime(CLOCK) for e in excluded),
        " ".join(o.strftime(CLOCK) + ">" + (m.strftime(CLOCK) if m else "-") for o, m in sorted(exceptions.items())),
        begin.strftime(SHOWN), until.strftime(SHOWN),
        " ".join("%s/%s/%s" % (s.strftime(SHOWN), e.strftime(SHOWN), n)
                 for s, e, n in sorted(out, key=lambda o: (o[0], o[2].lstrip("!"))))])


def main():
    print("# python-dateutil %s; see table.py" % dateutil.__version__)
    r, rows = random.Random(38), []
    while len(rows) < 400:
        made = row(r)
        if made:
            rows.append(made)
    print("\n".join(rows))


main()
