import { useEffect } from "react";

import { ShellDocument, type ShellQuery } from "../gql/graphql";
import { known, useReading } from "./cache";
import { dayOf, minute, setNow } from "./clock";
import { useValue } from "./state";

export interface Me {
  viewer: ShellQuery["viewer"];
  zone: string;
  /** The viewer's calendar day, `2026-11-24`. */
  today: string;
}

/** Takes the viewer's time from what is known of them, before anything is shown. */
export function meet(): void {
  const viewer = known(ShellDocument, {})?.viewer;
  if (viewer) setNow(viewer.now, viewer.settings.timeZone);
}

/** Who looks, where they are and which day they have; null before the first answer. */
export function useMe(): Me | null {
  const { data } = useReading(ShellDocument, {});
  const time = useValue(minute);
  const said = data?.viewer.now;
  const zone = data?.viewer.settings.timeZone;
  useEffect(() => {
    if (said && zone) setNow(said, zone);
  }, [said, zone]);
  if (!data || !zone) return null;
  return { viewer: data.viewer, zone, today: dayOf(time, zone) };
}
