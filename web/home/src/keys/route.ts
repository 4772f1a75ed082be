import { useSyncExternalStore } from "react";

import { routeOf, type Screen } from "./hash";

export { SCREENS, type Screen } from "./hash";

function watch(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export function useRoute(): [Screen, string] {
  return routeOf(useSyncExternalStore(watch, () => window.location.hash));
}

export function go(screen: Screen, rest = ""): void {
  window.location.hash = `/${screen}${rest && `/${encodeURIComponent(rest)}`}`;
}
