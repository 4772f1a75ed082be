"""Says what Python's icalendar reads in a file: python3 icalendar.py FILE."""

import datetime
import json
import sys

sys.path.pop(0)  # this file has the library's name
import icalendar  # noqa: E402


def said(event, name):
    if name not in event:
        return ""
    time = event.decoded(name)
    if isinstance(time, datetime.datetime):
        if time.tzinfo is None:
            return time.isoformat()
        return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return time.isoformat()


with open(sys.argv[1], "rb") as file:
    calendar = icalendar.Calendar.from_ical(file.read())
print("[\n" + ",\n".join(
    json.dumps({"uid": str(event["UID"]), "original": said(event, "RECURRENCE-ID"), "start": said(event, "DTSTART"),
                "end": said(event, "DTEND"), "summary": str(event.get("SUMMARY", "")),
                "location": str(event.get("LOCATION", "")), "occurrences": []}, ensure_ascii=False)
    for event in calendar.walk("VEVENT")) + "\n]")
