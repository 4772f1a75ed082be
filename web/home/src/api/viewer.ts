import { useEffect } from "react";

import { ShellDocument, type ShellQuery } from "../gql/graphql";
import { useReading } from "./cache";
import { dayOf, minute, setNow } from "./clock";
import { useValue } from "./state";

export interface Me {
  viewer: ShellQuery["viewer"];
  zone: string;
  /** The viewer's calendar day, `2026-11-24`. */
  today: string;
}

/** Who looks, where they are and which day they have; null before the first answer. */
export function useMe(): Me | null {
  const { data } = useReading(ShellDocument, {});
  const time = useValue(minute);
  const said = data?.viewer.now;
  useEffect(() => {
    if (said) setNow(said);
  }, [said]);
  if (!data) return null;
  const zone = data.viewer.settings.timeZone;
  return { viewer: data.viewer, zone, today: dayOf(time, zone) };
}
