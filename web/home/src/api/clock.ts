import { state } from "./state";

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

export function setNow(server: string): void {
  offset = Date.parse(`${server.slice(0, 19)}Z`) - Date.parse(server.replace(/\.\d+/, ""));
  ahead = Date.parse(server) - Date.now();
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

/** The calendar day of a moment in a zone, `2026-11-24`. */
export function dayOf(time: number, zone: string): string {
  return new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" }).format(time);
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

/** The time of day of an instant, which the server writes in the viewer's zone. */
export function clockTime(instant: string): string {
  return instant.slice(11, 16);
}

export function nameOfDay(day: string, locale: string, long = true): string {
  return new Intl.DateTimeFormat(locale === "he" ? "he-IL" : "en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    ...(long ? {} : { weekday: "short", month: "short" }),
    timeZone: "UTC",
  }).format(new Date(`${day}T00:00:00Z`));
}

export function length(minutes: number, locale: string): string {
  const format = (value: number, unit: "hour" | "minute" | "day") =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: locale === "he" ? "long" : "short" }).format(value);
  if (minutes < 60) return format(Math.max(1, Math.round(minutes)), "minute");
  if (minutes >= 48 * 60) return format(Math.round(minutes / 1440), "day");
  const rest = Math.round(minutes) % 60;
  const whole = Math.floor(Math.round(minutes) / 60);
  const hours = locale === "he" && whole === 1 ? "שעה" : format(whole, "hour");
  if (rest === 0) return hours;
  return locale === "he" ? `${hours} ו־${format(rest, "minute")}` : `${hours} ${format(rest, "minute")}`;
}
