import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";

import { act } from "../api/act";
import { useReading } from "../api/cache";
import { addDays, clockTime, isDay, minute, nameOfDay, takesDays, weekday, wallClock } from "../api/clock";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { useMe, type Me } from "../api/viewer";
import { SetEventDocument, WeekDocument, type EventBlockFragment } from "../gql/graphql";
import { go, useRoute } from "../keys/route";
import { openPane } from "../panes/panes";
import { Icon } from "../parts/icons";
import { Row } from "../parts/rows";
import { Trouble, Waiting } from "../parts/trouble";
import { fullDay } from "../words/days";
import { useWords } from "../words/words";
import { BusyChooser, useBusy, type Busy } from "./busy";

const DAY = 1440;
/** The height of an hour; style.css draws the hours' lines by it. */
const HOUR_PX = 56;
/** The least height of an event, which one line of text and a finger need. */
const LEAST_PX = 24;
/** So many minutes an event takes up on the screen, however short it is. */
const LEAST = Math.ceil(((LEAST_PX + 2) * 60) / HOUR_PX);
/** What a move by hand or by a key is rounded to, in minutes. */
const STEP = 15;
/** Events of at most so many minutes show their title in one line. */
const SHORT = 40;
/** And of at most so many, or beside others, the title in one line, and the time below it. */
const BRIEF = 55;
/** The heights of a line of a title, and of the time below it with the block's edges. */
const LINE_PX = 17;
const META_PX = 20;
/** So many events stand beside each other in the columns of a phone, and of a desk; a finger needs 24 px. */
const BESIDE = { phone: 3, desk: 4 };
const WEEKDAYS = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"];

/** Minutes of the wall clock since an arbitrary day, and back: the grid knows days of 24 hours and no zones. */
const toMinutes = (wall: string): number => Date.parse(`${wall.slice(0, 16)}:00Z`) / 60_000;
const toWall = (minutes: number): string => new Date(minutes * 60_000).toISOString().slice(0, 16);

export default function Week() {
  const me = useMe();
  const [, named] = useRoute();
  const language = useValue(locale);
  const narrow = useNarrow();
  if (!me) return <Waiting rows={8} />;
  return <Days me={me} named={named} language={language} narrow={narrow} />;
}

function Days({ me, named, language, narrow }: { me: Me; named: string; language: string; narrow: boolean }) {
  const w = useWords();
  const anchor = isDay(named) ? named : me.today;
  const count = narrow ? 3 : 7;
  const begin = narrow ? anchor : addDays(anchor, -((weekday(anchor) - WEEKDAYS.indexOf(me.viewer.settings.weekStart) + 7) % 7));
  const days = Array.from({ length: count }, (_, i) => addDays(begin, i));
  const to = (day: string) => go("week", day === me.today ? "" : day);
  const last = days.at(-1) ?? begin;
  const { busy, failed } = useBusy(begin, addDays(begin, count));
  return (
    <div className="board">
      <header className="board__head">
        <h1>
          <bdi>{nameOfDay(begin, language)}</bdi> – <bdi>{nameOfDay(last, language)}</bdi>
        </h1>
        <div className="day__walk">
          <button type="button" className="button" onClick={() => to(me.today)}>
            {w.today}
          </button>
          <button type="button" className="round" aria-label={w.previousWeek} onClick={() => to(addDays(anchor, -count))}>
            <Icon name="back" />
          </button>
          <button type="button" className="round" aria-label={w.followingWeek} onClick={() => to(addDays(anchor, count))}>
            <Icon name="forth" />
          </button>
        </div>
      </header>
      <Grid me={me} days={days} busy={busy} key={begin} />
      <BusyChooser failed={failed} />
      <p className="soft week__help">{w.weekKeys}</p>
    </div>
  );
}

function useNarrow(): boolean {
  const query = "(max-width: 44rem)";
  const [narrow, setNarrow] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const media = window.matchMedia(query);
    const listen = () => setNarrow(media.matches);
    media.addEventListener("change", listen);
    return () => media.removeEventListener("change", listen);
  }, []);
  return narrow;
}

interface Placed {
  event: EventBlockFragment;
  /** Minutes of the day. */
  from: number;
  to: number;
  /** Until when it takes up room on the screen. */
  until: number;
  /** Which of how many beside each other. */
  place: number;
  places: number;
}

/** Whether an event stands above the hours. */
function isWhole({ allDay, start, end }: EventBlockFragment): boolean {
  return allDay || takesDays(start?.dateTime, end?.dateTime);
}

/** Whether an event that stands above the hours is of a day. An all-day event ends with the day before its end. */
function isOn({ allDay, start, end }: EventBlockFragment, day: string): boolean {
  if (allDay) return (start?.date ?? "") <= day && day < (end?.date ?? "");
  return (start?.dateTime ?? "").slice(0, 10) <= day && `${day}T00:00` < (end?.dateTime ?? "").slice(0, 16);
}

/** What has no room beside others that overlap it. */
interface Rest {
  count: number;
  /** Minutes of the day. */
  from: number;
  until: number;
}

/** Events that overlap on the screen share the width of their day: so many of them, and the last place is of the rest. */
function place(events: EventBlockFragment[], day: string, most: number): { shown: Placed[]; rest: Rest[] } {
  const zero = toMinutes(`${day}T00:00`);
  const all: Placed[] = [];
  for (const event of events) {
    if (isWhole(event) || !event.start?.dateTime || !event.end?.dateTime) continue;
    const from = Math.max(0, toMinutes(event.start.dateTime) - zero);
    const to = Math.min(DAY, toMinutes(event.end.dateTime) - zero);
    if (to > 0 && from < DAY && to > from) all.push({ event, from, to, until: Math.max(to, from + LEAST), place: 0, places: 1 });
  }
  all.sort((a, b) => a.from - b.from || b.to - a.to);
  const shown: Placed[] = [];
  const rest: Rest[] = [];
  let group: Placed[] = [];
  let end = 0;
  const close = () => {
    const needed = Math.max(1, ...group.map((one) => one.place + 1));
    const left = needed > most ? group.filter((one) => one.place >= most - 1) : [];
    for (const one of group) {
      one.places = Math.min(needed, most);
      if (!left.includes(one)) shown.push(one);
    }
    if (left.length > 0) {
      const until = Math.min(DAY, Math.max(...left.map((one) => one.until)));
      rest.push({ count: left.length, from: Math.min(...left.map((one) => one.from)), until });
    }
    group = [];
  };
  for (const one of all) {
    if (one.from >= end) close();
    const taken = new Set(group.filter((other) => other.until > one.from).map((other) => other.place));
    while (taken.has(one.place)) one.place++;
    group.push(one);
    end = Math.max(end, one.until);
  }
  close();
  return { shown, rest };
}

/** The stretches of a day in which a chosen calendar is busy, each once, in minutes of the day. */
function busyOn(busy: Busy[], day: string): { of: string; from: number; to: number }[] {
  const zero = toMinutes(`${day}T00:00`);
  return busy
    .map(({ of, start, end }) => ({ of, from: Math.max(0, toMinutes(start) - zero), to: Math.min(DAY, toMinutes(end) - zero) }))
    .filter(({ from, to }) => from < to && to > 0 && from < DAY);
}

function Grid({ me, days, busy }: { me: Me; days: string[]; busy: Busy[] }) {
  const w = useWords();
  const language = useValue(locale);
  const time = useValue(minute);
  const scroller = useRef<HTMLDivElement>(null);
  const first = days[0] ?? me.today;
  const { data, failure, again } = useReading(WeekDocument, { from: `${first}T00:00`, to: `${addDays(first, days.length)}T00:00` });
  const events = data?.events?.nodes;
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 7.5 * HOUR_PX;
  }, [events === undefined]);
  if (failure && !events) return <Trouble failure={failure} again={again} />;
  if (!events) return <Waiting rows={10} />;
  const clock = wallClock(time, me.zone).slice(11);
  const nowAt = toMinutes(`2000-01-01T${clock}`) - toMinutes("2000-01-01T00:00");
  const beside = days.length > 3 ? BESIDE.desk : BESIDE.phone;
  const placed = days.map((day) => place(events, day, beside));
  const whole = (day: string) => events.filter((event) => isWhole(event) && isOn(event, day));
  return (
    <section className="card week" aria-label={w.week}>
      <div className="week__scroll" ref={scroller} tabIndex={0} role="group" aria-label={w.week}>
        <div className={`week__head week__cols--${days.length}`}>
          <span />
          {days.map((day) => (
            <div key={day} className={day === me.today ? "week__day week__day--today" : "week__day"}>
              <a href={`#/day/${day}`}>{nameOfDay(day, language)}</a>
              {whole(day).map((event) => (
                <button key={event.id} type="button" className="chip chip--big" onClick={() => openPane({ kind: "event", id: event.id })}>
                  <span dir="auto">{event.summary}</span>
                </button>
              ))}
            </div>
          ))}
        </div>
        <div className={`week__grid week__cols--${days.length}`}>
          <div className="week__hours" aria-hidden="true">
            {Array.from({ length: 23 }, (_, i) => (
              <span key={i} style={{ insetBlockStart: `${(i + 1) * HOUR_PX}px` }}>
                {String(i + 1).padStart(2, "0")}:00
              </span>
            ))}
          </div>
          {days.map((day, i) => (
            <ul key={day} className="week__column" aria-label={fullDay(day, language)}>
              {day === me.today && <li className="week__now" aria-hidden="true" style={{ insetBlockStart: `${(nowAt * HOUR_PX) / 60}px` }} />}
              {busyOn(busy, day).map(({ of, from, to }) => (
                <li
                  key={`${of} ${from}`}
                  className="week__busy"
                  style={{ insetBlockStart: `${(from * HOUR_PX) / 60}px`, height: `${((to - from) * HOUR_PX) / 60}px` }}
                >
                  <span className="hidden">{w.busyFrom(of, toWall(from).slice(11), toWall(to).slice(11))}</span>
                </li>
              ))}
              {placed[i]?.shown.map((one) => (
                <Block key={one.event.id} placed={one} />
              ))}
              {placed[i]?.rest.map(({ count, from, until }) => (
                <li
                  key={from}
                  className="week__rest"
                  style={{ insetBlockStart: `${(from * HOUR_PX) / 60}px`, height: `${((until - from) * HOUR_PX) / 60 - 2}px`, width: `${100 / beside}%` }}
                >
                  <a href={`#/day/${day}`} aria-label={w.moreEvents(count, fullDay(day, language))}>
                    <bdi dir="ltr">+{count}</bdi>
                  </a>
                </li>
              ))}
            </ul>
          ))}
        </div>
      </div>
    </section>
  );
}

function move(event: EventBlockFragment, by: { start: number; end: number }): void {
  if (!event.start?.dateTime || !event.end?.dateTime || (by.start === 0 && by.end === 0)) return;
  const start = toMinutes(event.start.dateTime) + by.start;
  const end = toMinutes(event.end.dateTime) + by.end;
  if (end - start < STEP) return;
  const times = { start: { dateTime: toWall(start) }, end: { dateTime: toWall(end) } };
  void act({
    document: SetEventDocument,
    input: { id: event.id, set: times, ifVersion: event.version },
    // Of a series, which occurrences move is asked first.
    ...(event.itemContext.isRecurring ? {} : { patch: { id: event.id, patch: { start: { ...times.start, date: null }, end: { ...times.end, date: null } } } }),
  });
}

/** An event that is not being moved. */
const STILL = { days: 0, minutes: 0, stretch: false };

function Block({ placed: { event, from, to, place, places } }: { placed: Placed }) {
  // The move stands beside its start too: the pointer may be let go before what it has moved is drawn.
  const drag = useRef<{ x: number; y: number; width: number; by: typeof STILL } | null>(null);
  const [by, setBy] = useState(STILL);
  const right = useValue(locale) === "he" ? -1 : 1;
  const open = () => openPane({ kind: "event", id: event.id });
  const grab = (e: PointerEvent<HTMLElement>, stretch: boolean) => {
    if (e.button !== 0 || e.pointerType === "touch") return;
    e.stopPropagation();
    e.currentTarget.setPointerCapture(e.pointerId);
    drag.current = { x: e.clientX, y: e.clientY, width: e.currentTarget.closest(".week__column")?.clientWidth ?? 1, by: { ...STILL, stretch } };
  };
  const pull = (e: PointerEvent<HTMLElement>) => {
    const from = drag.current;
    if (!from) return;
    const minutes = Math.round(((e.clientY - from.y) * 60) / HOUR_PX / STEP) * STEP;
    const days = from.by.stretch ? 0 : Math.round((right * (e.clientX - from.x)) / from.width);
    from.by = { ...from.by, days, minutes };
    setBy(from.by);
  };
  const drop = () => {
    const moved = drag.current?.by ?? STILL;
    drag.current = null;
    setBy(STILL);
    if (moved.days === 0 && moved.minutes === 0) return;
    suppress();
    const whole = moved.days * DAY + moved.minutes;
    move(event, moved.stretch ? { start: 0, end: moved.minutes } : { start: whole, end: whole });
  };
  const keys = (e: KeyboardEvent) => {
    if (!e.altKey) return;
    const minutes = { ArrowUp: -STEP, ArrowDown: STEP }[e.key];
    const days = { ArrowLeft: -right, ArrowRight: right }[e.key];
    if (minutes === undefined && days === undefined) return;
    e.preventDefault();
    if (minutes !== undefined) move(event, { start: e.shiftKey ? 0 : minutes, end: minutes });
    else if (days !== undefined && !e.shiftKey) move(event, { start: days * DAY, end: days * DAY });
  };
  const top = from + (by.stretch ? 0 : by.minutes);
  const height = to - from + (by.stretch ? by.minutes : 0);
  return (
    <Row deeds={{ open }} className={`week__event ${by.days || by.minutes ? "week__event--moving" : ""} ${height <= SHORT ? "week__event--short" : height <= BRIEF || places > 1 ? "week__event--brief" : ""}`} style={{
      insetBlockStart: `${(top * HOUR_PX) / 60}px`,
      height: `${Math.max(LEAST_PX, (height * HOUR_PX) / 60 - 2)}px`,
      insetInlineStart: `${(place / places + by.days) * 100}%`,
      width: `${100 / places}%`,
      ["--lines" as string]: Math.max(1, Math.floor((height * HOUR_PX / 60 - META_PX) / LINE_PX)),
    }}>
      <button
        type="button"
        className="block"
        data-open=""
        onPointerDown={(e) => grab(e, false)}
        onPointerMove={pull}
        onPointerUp={drop}
        onPointerCancel={() => ((drag.current = null), setBy(STILL))}
        onClick={() => !suppressed && open()}
        onKeyDown={keys}
      >
        <span className="row__title" dir="auto">
          {event.summary}
        </span>
        <span className="row__meta">{clockTime(event.start?.dateTime ?? "")}</span>
      </button>
      <span className="week__grip" aria-hidden="true" onPointerDown={(e) => grab(e, true)} onPointerMove={pull} onPointerUp={drop} />
    </Row>
  );
}

/** The click that ends a move opens nothing. */
let suppressed = false;
function suppress(): void {
  suppressed = true;
  setTimeout(() => (suppressed = false));
}
