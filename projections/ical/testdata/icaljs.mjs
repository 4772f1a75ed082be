// Says what ical.js reads in a file: node icaljs.mjs FILE. It knows the zones that the file describes, and no others.
import fs from 'node:fs'
import ICAL from 'ical.js'

const said = time => {
  if (!time) return ''
  if (time.isDate) return time.toString()
  if (time.zone === ICAL.Timezone.localTimezone) return time.toString().replace('Z', '')
  return new Date(time.toUnixTime() * 1000).toISOString().replace('.000', '')
}

const roots = [].concat(ICAL.parse(fs.readFileSync(process.argv[2], 'utf8').replace(/^\uFEFF/, '')))
const calendars = typeof roots[0] === 'string' ? [roots] : roots
const all = []
for (const root of calendars.map(each => new ICAL.Component(each))) {
  for (const zone of root.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
  for (const component of root.getAllSubcomponents('vevent')) {
    const event = new ICAL.Event(component)
    const occurrences = []
    if (component.hasProperty('rrule')) {
      const expansion = new ICAL.RecurExpansion({ component, dtstart: event.startDate })
      for (let next; occurrences.length < 40 && (next = expansion.next());) occurrences.push(said(next))
    }
    all.push({ uid: event.uid, original: said(component.getFirstPropertyValue('recurrence-id')),
      start: said(event.startDate), end: said(event.endDate), summary: event.summary ?? '',
      location: event.location ?? '', occurrences })
  }
}
console.log('[\n' + all.map(each => JSON.stringify(each)).join(',\n') + '\n]')
