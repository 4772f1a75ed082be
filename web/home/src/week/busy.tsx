import { useId, useState, type FormEvent } from "react";

import { useReading } from "../api/cache";
import { state, useValue } from "../api/state";
import { BusyDocument, CalendarsDocument } from "../gql/graphql";
import { Icon } from "../parts/icons";
import { useWords } from "../words/words";

/** Whose busy times are drawn behind the week: addresses or ids of calendars, for as long as the tab is open. */
const chosen = state<string[]>([]);

export interface Busy {
  of: string;
  start: string;
  end: string;
}

/** When the chosen calendars are busy between two days, and which of them could not be read. */
export function useBusy(from: string, to: string): { busy: Busy[]; failed: string[] } {
  const calendars = useValue(chosen);
  const { data } = useReading(BusyDocument, { from: `${from}T00:00`, to: `${to}T00:00`, calendars });
  const found = calendars.length === 0 ? [] : (data?.freeBusy?.calendars ?? []);
  return {
    busy: found.flatMap((one) => one.busy.map((stretch) => ({ of: one.calendarId, ...stretch }))),
    failed: found.filter((one) => one.error).map((one) => one.calendarId),
  };
}

/** Chooses whose busy times are drawn: other calendars of one's own, or a colleague's by the address. */
export function BusyChooser({ failed }: { failed: string[] }) {
  const w = useWords();
  const list = useId();
  const [text, setText] = useState("");
  const calendars = useValue(chosen);
  const { data } = useReading(CalendarsDocument, {});
  const known = (data?.calendars ?? []).filter((one) => !one.primary && one.sourceId);
  const add = (e: FormEvent) => {
    e.preventDefault();
    const named = known.find((one) => one.summary === text.trim())?.sourceId ?? text.trim();
    if (named !== "" && !calendars.includes(named)) chosen.set([...calendars, named]);
    setText("");
  };
  const remove = (name: string) => chosen.set(calendars.filter((other) => other !== name));
  return (
    <div className="busy">
      <form className="line" onSubmit={add}>
        <input
          type="text"
          dir={text === "" ? undefined : "auto"}
          list={list}
          autoComplete="off"
          aria-label={w.busyOf}
          placeholder={w.busyOf}
          value={text}
          onChange={(e) => setText(e.target.value)}
        />
        <datalist id={list}>
          {known.map((one) => (
            <option key={one.id} value={one.summary ?? ""} />
          ))}
        </datalist>
        <button type="submit" className="button" disabled={text.trim() === ""}>
          {w.busyShow}
        </button>
      </form>
      <ul className="busy__chosen" aria-label={w.busy}>
        {calendars.map((name) => (
          <li key={name} className={failed.includes(name) ? "chip chip--warn chip--big" : "chip chip--big"}>
            <bdi>{known.find((one) => one.sourceId === name)?.summary ?? name}</bdi>
            {failed.includes(name) && <span>: {w.busyUnknown}</span>}
            <button type="button" className="chip__off" aria-label={`${w.remove}: ${name}`} onClick={() => remove(name)}>
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
