export const SCREENS = ["day", "week", "board", "inbox", "memory", "lists", "graph", "websets", "actions", "settings", "search"] as const;
export type Screen = (typeof SCREENS)[number];

/** The screen and what it is about: `#/day/2026-11-24`. The server knows one address only. */
export function routeOf(hash: string): [Screen, string] {
  const [, screen = "", rest = ""] = hash.split("/");
  return [SCREENS.find((one) => one === screen) ?? "day", decoded(rest)];
}

/** People edit addresses; what cannot be read is nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
