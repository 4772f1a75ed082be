"""Writes dateutil.txt: when recurrence rules occur, by python-dateutil 2.9.0.post0 and Python's zoneinfo.

Run once, with `pip install python-dateutil==2.9.0.post0`: python3 table.py > dateutil.txt

Of what RFC 5545 allows this leaves out where dateutil is known to differ: BYWEEKNO with weeks 1, 52 and 53, INTERVAL or
BYSETPOS (it counts calendar years), and without BYDAY (it takes the whole week); BYDAY with and without numbers in one
list (it takes the intersection); BYSETPOS of a first week that does not begin with the start (it looks at the rest of
that week alone).
"""

import datetime as dt
import random
import zoneinfo

import dateutil
from dateutil import rrule

assert dateutil.__version__ == "2.9.0.post0", dateutil.__version__

DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
ZONES = ["UTC", "Asia/Jerusalem", "America/New_York", "Europe/London", "Australia/Lord_Howe", "Pacific/Auckland",
         "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Havana"]
SHOWN = 12
HORIZON = dt.datetime(2040, 1, 1)


def some(r, most, of, negative=False):
    picked = []
    for _ in range(r.randint(1, most)):
        n = r.randint(1, of)
        if negative and r.random() < 0.3:
            n = -n
        if n not in picked:
            picked.append(n)
    return picked


def rule(r, start):
    freq = r.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts = {"FREQ": freq}
    if r.random() < 0.5:
        parts["INTERVAL"] = str(r.randint(1, 5))
    if r.random() < 0.3:
        parts["WKST"] = r.choice(DAYS)
    by = {}
    if r.random() < 0.25:
        by["BYMONTH"] = some(r, 4, 12)
    if freq != "WEEKLY" and r.random() < 0.4:
        by["BYMONTHDAY"] = some(r, 5, 31, True)
    weeks = False
    if freq == "YEARLY":
        kind = r.randint(0, 3)
        if kind == 0 and "BYMONTHDAY" not in by:
            by["BYWEEKNO"] = [n + 1 for n in some(r, 5, 50)]
            parts.pop("INTERVAL", None)
            weeks = True
        elif kind == 1:
            by["BYYEARDAY"] = some(r, 12, 366, True)
    if weeks or r.random() < 0.5:
        days = r.sample(DAYS, r.randint(1, 3))
        if freq in ("MONTHLY", "YEARLY") and not weeks and r.random() < 0.6:
            most = 53 if freq == "YEARLY" and "BYMONTH" not in by else 5
            days = [f"{some(r, 1, most, True)[0]}{d}" for d in days]
        by["BYDAY"] = days
    if by and not weeks and freq != "WEEKLY" and r.random() < 0.3:
        by["BYSETPOS"] = some(r, 3, 5, True)
    parts.update({name: ",".join(map(str, value)) for name, value in by.items()})
    naive = dict(parts)
    end = r.randint(0, 3)
    if end == 0:
        parts["COUNT"] = naive["COUNT"] = str(r.randint(1, 15))
    return parts, naive, end == 1


def text(parts):
    return "RRULE:" + ";".join(f"{name}={value}" for name, value in parts.items())


def main():
    r = random.Random(5545)
    print(f"# python-dateutil {dateutil.__version__}; zone | start by the clock | rule | the first {SHOWN} occurrences")
    rows = 0
    while rows < 500:
        zone = r.choice(ZONES)
        all_day = r.random() < 0.3
        hour = 0 if all_day else r.choice([0, 1, 2, 2, 3, 9, 23])
        start = dt.datetime(r.randint(2019, 2027), r.randint(1, 12), r.randint(1, 28), hour, 0 if all_day else r.choice([0, 30]))
        if r.random() < 0.2:
            start = start.replace(day=1) - dt.timedelta(days=1)  # the last day of a month
        parts, naive, until = rule(r, start)
        where = zoneinfo.ZoneInfo(zone)

        def utc(at):
            return at.replace(tzinfo=where).astimezone(dt.timezone.utc)

        if until:
            last = dt.datetime(start.year + r.randint(0, 4), r.randint(1, 12), r.randint(1, 28), 12)
            naive["UNTIL"] = last.strftime("%Y%m%dT%H%M%S")
            parts["UNTIL"] = last.strftime("%Y%m%d") if all_day else utc(last).strftime("%Y%m%dT%H%M%SZ")
        found = []
        for at in rrule.rrulestr(text(naive), dtstart=start):
            if at > HORIZON or len(found) == SHOWN:
                break
            found.append(at.strftime("%Y%m%d") if all_day else utc(at).strftime("%Y%m%dT%H%M%SZ"))
        if not found:
            continue
        form = "%Y%m%d" if all_day else "%Y%m%dT%H%M%S"
        print(zone, start.strftime(form), text(parts), " ".join(found), sep="|")
        rows += 1


main()
