import { useEffect, useMemo } from "react";

import { refresh, useReading } from "../api/cache";
import { addDays, clockBeside, clockTime, isDay, minute, takesDays, wallClock } from "../api/clock";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { useMe, type Me } from "../api/viewer";
import { DayDocument, FreeDocument, type DayQuery, type EventBlockFragment, type MailRowFragment, type TaskRowFragment } from "../gql/graphql";
import { go, useRoute } from "../keys/route";
import { openPane } from "../panes/panes";
import { Icon } from "../parts/icons";
import { MailRow } from "../parts/mails";
import { Row } from "../parts/rows";
import { TaskRow } from "../parts/tasks";
import { Trouble, Waiting } from "../parts/trouble";
import { Say } from "../say/say";
import { fullDay } from "../words/days";
import { length } from "../words/length";
import { useWords } from "../words/words";
import { ofDay, withLate } from "./variables";

type Agenda = NonNullable<DayQuery["agenda"]>;
type Entry = Agenda["entries"][number];

const isTask = (entry: Entry): entry is Entry & { node: { __typename: "Task" } & TaskRowFragment } => entry.node.__typename === "Task";
const isEvent = (entry: Entry): entry is Entry & { node: { __typename: "Event" } & EventBlockFragment } => entry.node.__typename === "Event";
const isMail = (entry: Entry): entry is Entry & { node: { __typename: "Email" } & MailRowFragment } => entry.node.__typename === "Email";

/** Whether it stands above the hours. */
const isWhole = (entry: Entry): boolean => entry.isAllDay || (isEvent(entry) && takesDays(entry.at.dateTime, entry.end?.dateTime));

/** A stretch of the day, in the order in which it is drawn. */
type Piece = { at: number; entry?: Entry; free?: { start: string; end: string }; now?: true };

const MINUTE = 60_000;
/** What is left of a free stretch begins at a time that people say. */
const ROUND = 5 * MINUTE;

export default function Day() {
  const w = useWords();
  const me = useMe();
  const [, named] = useRoute();
  const day = isDay(named) ? named : (me?.today ?? "");
  if (!me || day === "") return <Loading />;
  return (
    <div className="day">
      <DayHead me={me} day={day} />
      <Say />
      <DayBody me={me} day={day} key={day} label={w.thisDay} />
    </div>
  );
}

function Loading() {
  const w = useWords();
  return (
    <div className="day">
      <h1 className="day__title">{w.today}</h1>
      <Waiting rows={6} />
    </div>
  );
}

function useDay(day: string, overdue: boolean) {
  return useReading(DayDocument, withLate(day, overdue));
}

function DayHead({ me, day }: { me: Me; day: string }) {
  const w = useWords();
  const language = useValue(locale);
  const time = useValue(minute);
  const { data } = useDay(day, day === me.today);
  const isToday = day === me.today;
  const hour = Number(wallClock(time, me.zone).slice(11, 13));
  const greeting = hour < 5 ? w.good.night : hour < 12 ? w.good.morning : hour < 17 ? w.good.afternoon : hour < 22 ? w.good.evening : w.good.night;
  const entries = data?.agenda?.entries ?? [];
  const late = entries.filter((entry) => isTask(entry) && entry.isOverdue && !entry.node.completed).length;
  const mails = entries.filter(isMail).length;
  const next = entries.find((entry) => (isEvent(entry) || (isTask(entry) && !entry.node.completed)) && !isWhole(entry) && Date.parse(entry.end?.dateTime ?? entry.at.dateTime ?? "") > time);
  const begins = Date.parse(next?.at.dateTime ?? "");
  const previous = addDays(day, -1);
  const following = addDays(day, 1);
  const to = (target: string) => go("day", target === me.today ? "" : target);
  return (
    <header className="day__head">
      <div>
        <p className="day__greeting">{isToday ? greeting : nearName(day, me.today, w)}</p>
        <h1 className="day__title">{fullDay(day, language)}</h1>
        {isToday && data && (
          <p className="day__next" aria-live="off">
            {next ? (
              <bdi>{w.nextUp(next.title, begins <= time ? w.nowUntil(clockTime(next.end?.dateTime ?? "")) : w.inTime(length((begins - time) / MINUTE, w)))}</bdi>
            ) : (
              w.nothingNext
            )}
          </p>
        )}
      </div>
      <div className="day__side">
        {isToday && (
          <ul className="tally">
            {late > 0 && <li className="tally__bad">{w.lateCount(late)}</li>}
            {mails > 0 && <li>{w.mailCount(mails)}</li>}
          </ul>
        )}
        <div className="day__walk">
          {!isToday && (
            <button type="button" className="button" onClick={() => to(me.today)}>
              {w.backToToday}
            </button>
          )}
          <button type="button" className="round" aria-label={w.previousDay} onClick={() => to(previous)}>
            <Icon name="back" />
          </button>
          <button type="button" className="round" aria-label={w.nextDay} onClick={() => to(following)}>
            <Icon name="forth" />
          </button>
        </div>
      </div>
    </header>
  );
}

function nearName(day: string, today: string, w: ReturnType<typeof useWords>): string {
  return day === addDays(today, 1) ? w.tomorrow : w.thisDay;
}

/** Flags such as “late” hold for their moment: what is shown is asked again when something begins, ends or falls due. */
function useTurningPoints(entries: Entry[]): void {
  const time = useValue(minute);
  const passed = entries.filter((entry) => {
    const moments = [entry.at.dateTime, entry.end?.dateTime].map((text) => Date.parse(text ?? ""));
    return moments.some((moment) => moment <= time && moment > time - MINUTE);
  }).length;
  useEffect(() => {
    if (passed > 0) void refresh();
  }, [passed, time]);
}

function DayBody({ me, day, label }: { me: Me; day: string; label: string }) {
  const w = useWords();
  const isToday = day === me.today;
  const { data, failure, loading, again } = useDay(day, isToday);
  const agenda = data?.agenda;
  const entries = useMemo(() => agenda?.entries ?? [], [agenda]);
  useTurningPoints(entries);
  if (failure && !agenda) return <Trouble failure={failure} again={again} />;
  if (loading || !agenda) return <Waiting rows={8} />;

  const before = (entry: Entry) => (entry.at.dateTime ?? entry.at.date ?? "").slice(0, 10) < day;
  const late = entries.filter(isTask).filter((entry) => entry.isOverdue && (isToday || before(entry)));
  const mails = entries.filter(isMail);
  const line = entries.filter((entry) => !isMail(entry) && !late.includes(entry as never));
  return (
    <div className="day__body">
      <div className="day__column">
      <section className="card" aria-labelledby="line-title">
        <h2 id="line-title">{label}</h2>
        {agenda.notes.map((note) => (
          <p key={note.message} className="note" role="status">
            <strong>{w.partMissing}.</strong> <bdi>{note.message}</bdi>
            {note.connectUrl && <a href={note.connectUrl}>{w.connect}</a>}
          </p>
        ))}
        <TimeLine me={me} day={day} entries={line} />
        {agenda.pageInfo.hasNextPage && <p className="soft">{w.moreThanShown}</p>}
      </section>
      {isToday && <Coming me={me} />}
      </div>
      <div className="day__column">
        {isToday && (
          <section className="card" aria-labelledby="late-title">
            <h2 id="late-title">
              {w.late} {late.length > 0 && <span className="count count--bad">{late.length}</span>}
            </h2>
            {late.length === 0 ? (
              <p className="empty">{w.lateEmpty}</p>
            ) : (
              <ul className="rows">
                {late.map((entry) => (
                  <TaskRow key={entry.node.id} task={entry.node} today={me.today} />
                ))}
              </ul>
            )}
          </section>
        )}
        {isToday && (
          <section className="card" aria-labelledby="mail-title">
            <h2 id="mail-title">
              {w.mail} {mails.length > 0 && <span className="count">{mails.length}</span>}
            </h2>
            {mails.length === 0 ? (
              <p className="empty">{w.mailEmpty}</p>
            ) : (
              <ul className="rows">
                {mails.map((entry) => (
                  <MailRow key={entry.node.id} mail={entry.node} />
                ))}
              </ul>
            )}
          </section>
        )}
      </div>
    </div>
  );
}

/** What tomorrow has, in short. */
function Coming({ me }: { me: Me }) {
  const w = useWords();
  const { data, failure, again } = useDay(addDays(me.today, 1), false);
  const day = addDays(me.today, 1);
  const entries = (data?.agenda?.entries ?? []).filter((entry) => !isMail(entry));
  return (
    <section className="card coming" aria-labelledby="coming-title">
      <h2 id="coming-title">{w.coming}</h2>
      {failure && !data && <Trouble failure={failure} again={again} />}
      {!failure && !data && <Waiting rows={3} />}
      {data && entries.length === 0 && <p className="empty">{w.comingEmpty}</p>}
      <ul className="rows">
        {entries.map((entry) =>
          isTask(entry) ? (
            <TaskRow key={entry.node.id} task={entry.node} today={me.today} when={timeOf(entry, day, w)} />
          ) : isEvent(entry) ? (
            <Row key={entry.cursor} deeds={{ open: () => openPane({ kind: "event", id: entry.node.id }) }} className="row row--event">
              <span className="row__mark">
                <Icon name="clock" />
              </span>
              <button type="button" className="row__main" data-open="" onClick={() => openPane({ kind: "event", id: entry.node.id })}>
                <span className="row__title" dir="auto">
                  {entry.title}
                </span>
                <span className="row__meta">{timeOf(entry, day, w)}</span>
              </button>
            </Row>
          ) : null,
        )}
      </ul>
    </section>
  );
}

/** When it begins on a day; of what began before, when it ends. */
function timeOf(entry: Entry, day: string, w: ReturnType<typeof useWords>): string {
  if (!entry.at.dateTime || isWhole(entry)) return w.allDay;
  const before = isEvent(entry) && entry.at.dateTime.slice(0, 10) < day && entry.end?.dateTime;
  return before ? w.repeat.until(clockTime(before)) : clockTime(entry.at.dateTime);
}

function TimeLine({ me, day, entries }: { me: Me; day: string; entries: Entry[] }) {
  const w = useWords();
  const time = useValue(minute);
  const { data } = useReading(FreeDocument, ofDay(day));
  const isToday = day === me.today;

  const whole = entries.filter(isWhole);
  const pieces: Piece[] = entries.filter((entry) => !isWhole(entry)).map((entry) => ({ at: Date.parse(entry.at.dateTime ?? ""), entry }));
  for (const free of data?.freeBusy?.free ?? []) {
    // Of a stretch that has begun, what is left counts.
    const end = Date.parse(free.end);
    const start = Math.max(Date.parse(free.start), isToday ? Math.ceil(time / ROUND) * ROUND : 0);
    if (end - start >= 30 * MINUTE) pieces.push({ at: start, free: { ...free, start: new Date(start).toISOString() } });
  }
  if (isToday) pieces.push({ at: time, now: true });
  const order = (piece: Piece) => (piece.now ? 0 : piece.free ? 1 : 2);
  pieces.sort((a, b) => a.at - b.at || order(a) - order(b));

  const clashes = new Set<Entry>();
  const events = entries.filter((entry) => isEvent(entry) && !isWhole(entry));
  for (const a of events)
    for (const b of events)
      if (a !== b && Date.parse(a.at.dateTime ?? "") < Date.parse(b.end?.dateTime ?? "") && Date.parse(b.at.dateTime ?? "") < Date.parse(a.end?.dateTime ?? "")) clashes.add(a);

  const clock = (moment: number) => wallClock(moment, me.zone).slice(11);
  return (
    <>
      {whole.length > 0 && (
        <ul className="whole" aria-label={w.allDay}>
          {whole.map((entry) => (
            <Row key={entry.cursor} deeds={{ open: () => openPane({ kind: "event", id: entry.node.id }) }} className="whole__one">
              <button type="button" className="chip chip--big" data-open="" onClick={() => openPane({ kind: "event", id: entry.node.id })}>
                <span dir="auto">{entry.title}</span>
              </button>
            </Row>
          ))}
        </ul>
      )}
      {entries.length === 0 && <p className="empty">{w.dayEmpty}</p>}
      <ol className="line">
        {pieces.map((piece) => {
          if (piece.now)
            return (
              <li key="now" className="line__now" aria-label={`${w.now}, ${clock(time)}`}>
                <span className="line__time">{clock(time)}</span>
                <span className="line__rule" />
              </li>
            );
          if (piece.free)
            return (
              <li key={`free ${piece.free.end}`} className="line__free">
                <span className="line__time">{clockBeside(piece.at, piece.free.end)}</span>
                <span className="line__gap">
                  {w.free(length((Date.parse(piece.free.end) - piece.at) / MINUTE, w))}
                  <bdi className="soft">{`${clockBeside(piece.at, piece.free.end)}–${clockTime(piece.free.end)}`}</bdi>
                </span>
              </li>
            );
          const entry = piece.entry as Entry;
          if (isTask(entry))
            return <TaskRow key={`${entry.cursor}${entry.node.id}`} task={entry.node} today={me.today} when={clockTime(entry.at.dateTime ?? "")} className="line__task" />;
          if (!isEvent(entry)) return null;
          const end = Date.parse(entry.end?.dateTime ?? "");
          const going = isToday && piece.at <= time && end > time;
          const past = isToday && end <= time;
          return (
            <Row
              key={entry.cursor}
              deeds={{ open: () => openPane({ kind: "event", id: entry.node.id }) }}
              className={`line__event ${going ? "line__event--now" : ""} ${past ? "line__event--past" : ""}`}
            >
              <span className="line__time">{timeOf(entry, day, w)}</span>
              <button type="button" className="block" data-open="" onClick={() => openPane({ kind: "event", id: entry.node.id })}>
                <span className="row__title" dir="auto">
                  {entry.title}
                </span>
                <span className="row__meta">
                  <span>{length((end - piece.at) / MINUTE, w)}</span>
                  {going && <span className="chip chip--now">{w.now}</span>}
                  {clashes.has(entry) && <span className="chip chip--warn">{w.clash}</span>}
                  {entry.node.location && (
                    <span className="with-icon">
                      <Icon name="place" />
                      <bdi>{entry.node.location}</bdi>
                    </span>
                  )}
                </span>
              </button>
            </Row>
          );
        })}
      </ol>
    </>
  );
}

