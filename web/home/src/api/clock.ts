import { keepAhead } from "./preferences";
import { state } from "./value";

/** How far the server's clock is ahead of the browser's, in milliseconds. */
let ahead = 0;

/** The server's time, by the minute. */
export const minute = state(floor(Date.now()));

function floor(time: number): number {
  return Math.floor(time / 60_000) * 60_000;
}

export function now(): number {
  return Date.now() + ahead;
}

/** How far the viewer's wall clock is ahead of UTC, in milliseconds, as the server last wrote it. */
let offset = 0;
/** What the server last wrote, and in which zone. */
let said = { now: "", zone: "" };

export function setNow(server: string, zone: string): void {
  if (server === said.now && zone === said.zone) return;
  said = { now: server, zone };
  offset = Date.parse(`${server.slice(0, 19)}Z`) - Date.parse(server.replace(/\.\d+/, ""));
  ahead = Date.parse(server) - Date.now();
  keepAhead(offset);
  minute.set(floor(now()));
}

export function startClock(): void {
  const tick = () => {
    minute.set(floor(now()));
    setTimeout(tick, 60_000 - (now() % 60_000) + 20);
  };
  tick();
}

/** The viewer's time of day, `11:20`. */
export function wallTime(): string {
  return new Date(now() + offset).toISOString().slice(11, 16);
}

const zones = new Map<string, Intl.DateTimeFormat>();

/** What clocks and calendars show at a moment in a zone, `2026-11-24T11:20`. */
export function wallClock(time: number, zone: string): string {
  let format = zones.get(zone);
  // The first format of a page takes a slow processor a quarter of a second. What the server has written says as much of
  // the minute in which it was written: no clock is put forward or back within one.
  if (!format && zone === said.zone && floor(Date.parse(said.now)) === time) return new Date(time + offset).toISOString().slice(0, 16);
  if (!format) {
    const two = "2-digit";
    format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, year: "numeric", month: two, day: two, hour: two, minute: two, hourCycle: "h23" });
    zones.set(zone, format);
  }
  const [day, month, year, hour, minute] = format.format(time).match(/\d+/g) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** The calendar day of a moment in a zone, `2026-11-24`. */
export function dayOf(time: number, zone: string): string {
  return wallClock(time, zone).slice(0, 10);
}

export function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return date.toISOString().slice(0, 10);
}

/** Whether a text is a day of the calendar that the page can show: the years 1000 to 9998, beside which others still are. */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) || text.startsWith("9999")) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const DAY = 24 * 60 * 60_000;

/** Whether something between two instants takes up whole days: it is shown above the hours, as all-day events are. */
export function takesDays(start: string | null | undefined, end: string | null | undefined): boolean {
  return Date.parse(end ?? "") - Date.parse(start ?? "") >= DAY;
}

/** Monday is 1, Sunday 0. */
export function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The time of day of a moment, at the place and the season in which the server has written an instant. */
export function clockBeside(moment: number, instant: string): string {
  const ahead = Date.parse(`${instant.slice(0, 19)}Z`) - Date.parse(instant.replace(/\.\d+/, ""));
  return new Date(moment + ahead).toISOString().slice(11, 16);
}

/** The time of day of an instant, which the server writes in the viewer's zone. */
export function clockTime(instant: string): string {
  return instant.slice(11, 16);
}

const dayNames = new Map<string, Intl.DateTimeFormat>();

/** A day in short, `Tue, 24 Nov`. */
export function nameOfDay(day: string, locale: string): string {
  let format = dayNames.get(locale);
  if (!format) {
    const language = locale === "he" ? "he-IL" : "en-GB";
    format = new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
    dayNames.set(locale, format);
  }
  return format.format(new Date(`${day}T00:00:00Z`));
}
