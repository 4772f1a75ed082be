import type { Locale } from "../api/preferences";
import { weekday } from "../api/clock";
import { en } from "./en";
import { he } from "./he";

const ORDER = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"] as const;

/**
 * A day in full, “Tuesday 24 November”, as `Intl.DateTimeFormat` writes it. That takes a slow processor a quarter of a
 * second for the first day of a page, which every page shows.
 */
export function fullDay(day: string, locale: Locale): string {
  const w = locale === "he" ? he : en;
  return w.fullDay(w.weekdays[ORDER[weekday(day)] ?? "SUNDAY"], Number(day.slice(8)), w.months[Number(day.slice(5, 7)) - 1] ?? "");
}
