import { useSyncExternalStore } from "react";

import type { State } from "./value";

export * from "./value";

export function useValue<T>(of: State<T>): T {
  return useSyncExternalStore(of.watch, of.get);
}
