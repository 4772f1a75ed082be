import type { Words } from "./en";

/** How long something takes, to the minute, and to the day where it is days. */
export function length(minutes: number, w: Words): string {
  const whole = Math.max(1, Math.round(minutes));
  if (whole < 60) return w.minutes(whole);
  if (minutes >= 48 * 60) return w.days(Math.round(minutes / 1440));
  const hours = w.hours(Math.floor(whole / 60));
  return whole % 60 === 0 ? hours : w.hoursAnd(hours, w.minutes(whole % 60));
}
