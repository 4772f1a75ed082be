/** A value that components watch. */
export interface State<T> {
  get(): T;
  set(next: T): void;
  watch(listener: () => void): () => void;
}

export function state<T>(first: T): State<T> {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Storage can be forbidden by the browser; the page then works without remembering. */
export function stored(storage: () => Storage, key: string): string {
  try {
    return storage().getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function store(storage: () => Storage, key: string, value: string): void {
  try {
    if (value === "") storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // The value holds until the page is left.
  }
}

export const session = (): Storage => window.sessionStorage;
export const local = (): Storage => window.localStorage;
