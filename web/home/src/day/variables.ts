import { addDays } from "../api/clock";

/** With which variables a day is asked for, by every part of the page alike, so that it is read once. */
export function ofDay(day: string): { from: string; to: string } {
  return { from: `${day}T00:00`, to: `${addDays(day, 1)}T00:00` };
}

export function withLate(day: string, overdue: boolean): { from: string; to: string; overdue: boolean } {
  return { ...ofDay(day), overdue };
}
