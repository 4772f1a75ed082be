import { useState, type FormEvent } from "react";

import { act, approve } from "../api/act";
import { useReading } from "../api/cache";
import { clockTime, nameOfDay } from "../api/clock";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { AddMonitorDocument, DeleteMonitorDocument, SetMonitorDocument, WebsetMonitorsDocument, type WebsetMonitorsQuery } from "../gql/graphql";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

type Monitor = NonNullable<WebsetMonitorsQuery["websetMonitors"]>["nodes"][number];

const WORDS = {
  en: {
    title: "Searched again by itself",
    none: "Nothing is searched again. A monitor looks for more on the days you choose.",
    add: "A new monitor",
    next: (when: string) => `Next search ${when}`,
    noNext: "No search is planned",
    status: { enabled: "Active", disabled: "Paused" } as Record<string, string>,
    last: {
      created: "It is about to search",
      running: "It searches now",
      completed: (when: string) => (when ? `Last searched ${when}` : "It has searched"),
      canceled: "The last search was stopped",
      failed: "The last search failed",
    },
    never: "It has not searched yet",
    pause: "Pause",
    resume: "Resume",
    added: "A monitor was added.",
    paused: "The monitor is paused.",
    resumed: "The monitor is active again.",
    deleted: "The monitor was deleted.",
    sure: "Delete this monitor? This cannot be undone; what it has found stays.",
    every: "How often",
    rhythm: { day: "Every day", week: "Every week", month: "Every month" },
    weekday: "On which day of the week",
    monthday: "On which day of the month",
    time: "At what time",
    query: "What to look for",
    queryHint: "Left empty: what was last searched for",
    count: "How many each time",
    make: "Start it",
  },
  he: {
    title: "חיפושים חוזרים",
    none: "שום דבר לא מחפש שוב. ניטור מחפש עוד בימים שנבחרו.",
    add: "ניטור חדש",
    next: (when: string) => `החיפוש הבא: ${when}`,
    noNext: "לא מתוכנן חיפוש",
    status: { enabled: "פעיל", disabled: "מושהה" } as Record<string, string>,
    last: {
      created: "עומד לחפש",
      running: "מחפש עכשיו",
      completed: (when: string) => (when ? `החיפוש האחרון: ${when}` : "החיפוש נעשה"),
      canceled: "החיפוש האחרון הופסק",
      failed: "החיפוש האחרון נכשל",
    },
    never: "עדיין לא חיפש",
    pause: "השהיה",
    resume: "המשך",
    added: "נוסף ניטור.",
    paused: "הניטור מושהה.",
    resumed: "הניטור פעיל שוב.",
    deleted: "הניטור נמחק.",
    sure: "למחוק את הניטור? אי אפשר לבטל זאת; מה שנמצא נשאר.",
    every: "באיזו תדירות",
    rhythm: { day: "כל יום", week: "כל שבוע", month: "כל חודש" },
    weekday: "באיזה יום בשבוע",
    monthday: "באיזה יום בחודש",
    time: "באיזו שעה",
    query: "מה לחפש",
    queryHint: "אם נשאר ריק: מה שחיפשו לאחרונה",
    count: "כמה בכל פעם",
    make: "הפעלה",
  },
};

type Rhythm = keyof (typeof WORDS)["en"]["rhythm"];

/** The last day that every month has. */
const LAST_DAY = 28;

/** The monitors of a webset: what they do next and did last; pausing, resuming, deleting and making them. */
export function Monitors({ webset, searched }: { webset: string; searched: boolean }) {
  const all = useWords();
  const w = WORDS[useValue(locale)];
  const { data, failure, again } = useReading(WebsetMonitorsDocument, { id: webset });
  const [making, setMaking] = useState(false);
  const page = data?.websetMonitors;
  return (
    <section className="card form" aria-labelledby="monitors">
      <h2 id="monitors">{w.title}</h2>
      {failure && !page && <Trouble failure={failure} again={again} />}
      {!failure && !page && <Waiting rows={1} />}
      {page?.nodes.length === 0 && <p className="empty">{w.none}</p>}
      {page && page.nodes.length > 0 && (
        <ul className="rows">
          {page.nodes.map((one) => (
            <One key={one.id} monitor={one} />
          ))}
        </ul>
      )}
      {page?.pageInfo.hasNextPage && <p className="soft">{all.moreThanShown}</p>}
      <button type="button" className="button" data-new-monitor="" onClick={() => setMaking(true)}>
        <Icon name="add" />
        {w.add}
      </button>
      {making && <Add {...{ webset, searched }} onClose={() => setMaking(false)} />}
    </section>
  );
}

function One({ monitor }: { monitor: Monitor }) {
  const all = useWords();
  const language = useValue(locale);
  const w = WORDS[language];
  const active = monitor.status === "enabled";
  const moment = (at: string) => `${nameOfDay(at.slice(0, 10), language)}, ${clockTime(at)}`;
  const next = monitor.nextRunAt ? w.next(moment(monitor.nextRunAt)) : w.noNext;
  const run = monitor.lastRun;
  const said = run && (w.last as Record<string, string | ((when: string) => string)>)[run.status];
  const last = run ? (typeof said === "function" ? said(run.completedAt ? moment(run.completedAt) : "") : (said ?? run.status)) : w.never;
  const remove = async () => {
    if (await approve(w.sure)) await act({ document: DeleteMonitorDocument, input: { id: monitor.id }, said: w.deleted });
  };
  return (
    <li className="row row--account" data-monitor={monitor.status}>
      <span className="row__main">
        <span className="row__title">{next}</span>
        <span className="row__meta">
          <span className={active ? "chip chip--now" : "chip"}>{w.status[monitor.status] ?? monitor.status}</span>
          <span className={run?.status === "failed" ? "bad" : undefined}>{last}</span>
          {run?.failedReason && <bdi>{run.failedReason}</bdi>}
        </span>
      </span>
      <button
        type="button"
        className="button"
        aria-label={`${active ? w.pause : w.resume}: ${next}`}
        onClick={() =>
          void act({
            document: SetMonitorDocument,
            input: { id: monitor.id, status: active ? "disabled" : "enabled" },
            said: active ? w.paused : w.resumed,
          })
        }
      >
        {active ? w.pause : w.resume}
      </button>
      <button type="button" className="button button--bad" aria-label={`${all.remove}: ${next}`} onClick={() => void remove()}>
        {all.remove}
      </button>
    </li>
  );
}

function Add({ webset, searched, onClose }: { webset: string; searched: boolean; onClose: () => void }) {
  const all = useWords();
  const w = WORDS[useValue(locale)];
  const [rhythm, setRhythm] = useState<Rhythm>("week");
  const [busy, setBusy] = useState(false);
  const submit = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    const form = new FormData(e.currentTarget);
    const [hour, minute] = String(form.get("time")).split(":").map(Number);
    const days = { day: "* * *", week: `* * ${String(form.get("weekday"))}`, month: `${String(form.get("monthday"))} * *` };
    const query = String(form.get("query")).trim();
    setBusy(true);
    const { done } = await act({
      document: AddMonitorDocument,
      input: { websetId: webset, cron: `${minute} ${hour} ${days[rhythm]}`, count: Number(form.get("count")), ...(query && { query }) },
      said: w.added, // the server would name it by its cron
    });
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog title={w.add} onClose={onClose}>
      <form className="pane" onSubmit={(e) => void submit(e)}>
        <label className="field">
          <span>{w.every}</span>
          <select name="rhythm" data-first="" value={rhythm} onChange={(e) => setRhythm(e.target.value as Rhythm)}>
            {(Object.keys(w.rhythm) as Rhythm[]).map((one) => (
              <option key={one} value={one}>
                {w.rhythm[one]}
              </option>
            ))}
          </select>
        </label>
        {rhythm === "week" && (
          <label className="field">
            <span>{w.weekday}</span>
            {/* As cron counts them, from Sunday, which is 0. */}
            <select name="weekday" defaultValue="0">
              {Object.values(all.weekdays).map((name, day) => (
                <option key={day} value={day}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {rhythm === "month" && (
          <label className="field">
            <span>{w.monthday}</span>
            <input name="monthday" type="number" min={1} max={LAST_DAY} defaultValue={1} required />
          </label>
        )}
        <label className="field">
          <span>{w.time}</span>
          <input name="time" type="time" defaultValue="07:00" required />
        </label>
        <label className="field">
          <span>{w.query}</span>
          <textarea name="query" rows={2} minLength={2} maxLength={5000} required={!searched} {...(searched && { placeholder: w.queryHint })} />
        </label>
        <label className="field">
          <span>{w.count}</span>
          <input name="count" type="number" min={1} max={100} defaultValue={10} required />
        </label>
        <footer className="pane__foot">
          <button type="button" className="button" onClick={onClose}>
            {all.cancel}
          </button>
          <button type="submit" className="button button--main" disabled={busy}>
            {busy ? all.saying : w.make}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
