import { useCallback, useEffect, useSyncExternalStore } from "react";

import type { TypedDocumentString } from "../gql/graphql";
import { Failure, send } from "./client";
import { locale, token } from "./preferences";

/**
 * What was read, by document and variables, in memory alone. A change that the log reports has the readings that are on
 * screen asked again, so what is shown is always one answer of the server, with the changes that this page has not had
 * confirmed laid over it.
 */
export interface Reading<T> {
  data: T | undefined;
  failure: Failure | undefined;
  /** Whether the first answer is still awaited. */
  loading: boolean;
  /** When it was read, by the browser's clock; 0 for never. */
  at: number;
}

interface Entry {
  document: TypedDocumentString<unknown, unknown>;
  variables: unknown;
  raw: unknown;
  reading: Reading<unknown>;
  watchers: Set<() => void>;
  /** Counts the requests, so that an older answer never replaces a newer one. */
  asked: number;
  /** The newest request. */
  asking: Promise<void>;
  stale: boolean;
}

/** Fields of one record that were changed here and not confirmed yet. `gone` hides it. */
export type Patch = Record<string, unknown> & { gone?: boolean };

const entries = new Map<string, Entry>();
const patches: { id: string; patch: Patch }[] = [];
/** What is not on screen is kept for going back, up to so many readings. */
const KEPT = 60;

token.watch(() => {
  for (const [key, entry] of entries) {
    if (entry.watchers.size === 0) entries.delete(key);
    else {
      entry.raw = undefined;
      entry.reading = { data: undefined, failure: undefined, loading: true, at: 0 };
    }
  }
  void refresh();
});

function patched(value: unknown): unknown {
  if (patches.length === 0) return value;
  if (Array.isArray(value)) return value.map(patched).filter((item) => !(isObject(item) && item.gone === true));
  if (!isObject(value)) return value;
  const out: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) out[name] = patched(inner);
  for (const { id, patch } of patches) if (value.id === id) Object.assign(out, patch);
  // An entry of the agenda goes with its record.
  if (isObject(out.node) && out.node.gone === true) out.gone = true;
  return out;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(entry: Entry, change: Partial<Reading<unknown>>): void {
  entry.reading = { ...entry.reading, ...change, data: patched(entry.raw) };
  for (const watcher of [...entry.watchers]) watcher();
}

/** Lays a change over everything that is shown, until the returned function takes it off. */
export function lay(id: string, patch: Patch): () => void {
  const one = { id, patch };
  patches.push(one);
  for (const entry of entries.values()) show(entry, {});
  return () => {
    patches.splice(patches.indexOf(one), 1);
    for (const entry of entries.values()) show(entry, {});
  };
}

/** Asks for a reading; it is done once the reading is shown, be it by a newer request. */
function ask(entry: Entry, request = () => send(entry.document, entry.variables)): Promise<void> {
  entry.asking = read(entry, request);
  return entry.asking;
}

async function read(entry: Entry, request: () => Promise<unknown>): Promise<void> {
  const number = ++entry.asked;
  entry.stale = false;
  try {
    const raw = await request();
    if (number !== entry.asked) return entry.asking;
    entry.raw = raw;
    show(entry, { failure: undefined, loading: false, at: Date.now() });
  } catch (problem) {
    if (number !== entry.asked) return entry.asking;
    entry.stale = true;
    show(entry, { failure: problem instanceof Failure ? problem : new Failure(String(problem), false), loading: false });
  }
}

/** Asks everything on screen again; what is not on screen is asked when it is shown next. */
export async function refresh(): Promise<void> {
  const shown: Promise<void>[] = [];
  for (const entry of entries.values()) {
    if (entry.watchers.size > 0) shown.push(ask(entry));
    else entry.stale = true;
  }
  await Promise.all(shown);
}

function entryOf(document: TypedDocumentString<unknown, unknown>, variables: unknown): Entry {
  const key = document.toString() + JSON.stringify(variables);
  let entry = entries.get(key);
  if (!entry) {
    entry = {
      document,
      variables,
      raw: undefined,
      reading: { data: undefined, failure: undefined, loading: true, at: 0 },
      watchers: new Set(),
      asked: 0,
      asking: Promise.resolve(),
      stale: true,
    };
    for (const [old, other] of entries) if (entries.size >= KEPT && other.watchers.size === 0) entries.delete(old);
  }
  entries.delete(key);
  entries.set(key, entry);
  return entry;
}

/** Takes over what was asked for before the page was there. */
export function adopt(document: TypedDocumentString<unknown, unknown>, variables: unknown, answer: Promise<unknown>): Promise<void> {
  return ask(entryOf(document, variables), () => answer);
}

/** What is known of a reading by now. */
export function known<T, V>(document: TypedDocumentString<T, V>, variables: V): T | undefined {
  return entryOf(document as TypedDocumentString<unknown, unknown>, variables).raw as T | undefined;
}

export function useReading<T, V>(document: TypedDocumentString<T, V>, variables: V): Reading<T> & { again: () => void } {
  const entry = entryOf(document as TypedDocumentString<unknown, unknown>, variables);
  const watch = useCallback(
    (listener: () => void) => {
      entry.watchers.add(listener);
      return () => entry.watchers.delete(listener);
    },
    [entry],
  );
  const reading = useSyncExternalStore(watch, () => entry.reading) as Reading<T>;
  useEffect(() => {
    if (entry.stale) void ask(entry);
  }, [entry]);
  const again = useCallback(() => void ask(entry), [entry]);
  return { ...reading, again };
}

// Texts such as dates come in the language that was asked in.
locale.watch(() => void refresh());
