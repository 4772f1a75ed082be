import { locale } from "../api/preferences";
import { nameOfDay } from "../api/clock";
import type { TaskRowFragment } from "../gql/graphql";
import { words } from "./words";

type Rule = NonNullable<TaskRowFragment["recurrence"]>;

/** How a task repeats, in the page's language: “every Sunday and Tuesday at 08:00”. */
export function ruleInWords({ type, time, days, dayOfMonth, interval, until }: Rule): string {
  const w = words();
  const often = {
    DAILY: () => w.repeat.daily,
    WEEKLY: () => w.repeat.weekly(w.list((days ?? []).map((day) => w.weekdays[day]))),
    MONTHLY: () => w.repeat.monthly(dayOfMonth ?? 1),
    NUDGE: () => w.repeat.nudge(spoken(interval ?? "")),
  }[type]();
  return [often, time && w.repeat.at(time), until && w.repeat.until(nameOfDay(until.slice(0, 10), locale.get()))].filter(Boolean).join(" ");
}

const UNITS = ["day", "hour", "minute", "second"] as const;

/** An ISO 8601 duration of days, hours, minutes and seconds, as a person says it. */
function spoken(duration: string): string {
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(duration)?.slice(1) ?? [];
  return UNITS.flatMap((unit, i) => (parts[i] ? [words().units[unit](Number(parts[i]))] : [])).join(" ");
}
