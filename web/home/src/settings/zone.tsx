import { useEffect, useState } from "react";

import { act } from "../api/act";
import { local, store, stored } from "../api/state";
import { useMe } from "../api/viewer";
import { SetSettingsDocument } from "../gql/graphql";
import { useWords } from "../words/words";

const OFFERED = "almanac:home:zone";
/** After how long it is looked, in milliseconds. */
const LATER = 500;

/** Whether two names are of one zone: `Etc/UTC` is UTC. */
function sameZone(one: string, other: string): boolean {
  if (one === other) return true;
  try {
    const [a, b] = [one, other].map((timeZone) => new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone);
    return a === b;
  } catch {
    return false; // one that the browser does not know
  }
}

/** Offers the browser's zone once when the settings have another. */
export function ZoneOffer() {
  const w = useWords();
  const me = useMe();
  const [answered, setAnswered] = useState(() => stored(local, OFFERED));
  const [here, setHere] = useState("");
  // The first question about a zone takes a slow processor a quarter of a second, which the day does not wait for.
  useEffect(() => {
    const timer = setTimeout(() => setHere(Intl.DateTimeFormat().resolvedOptions().timeZone), LATER);
    return () => clearTimeout(timer);
  }, []);
  if (!me || here === "" || sameZone(me.zone, here) || answered === here || !me.viewer.scopes.includes("WRITE")) return null;
  const settle = () => {
    store(local, OFFERED, here);
    setAnswered(here);
  };
  return (
    <section className="bar" aria-label={w.zone}>
      <span>{w.zoneOffer(here, me.zone)}</span>
      <button
        type="button"
        className="button"
        onClick={() => {
          settle();
          void act({ document: SetSettingsDocument, input: { timeZone: here } });
        }}
      >
        {w.zoneUse(here)}
      </button>
      <button type="button" className="button" onClick={settle}>
        {w.zoneKeep}
      </button>
    </section>
  );
}
