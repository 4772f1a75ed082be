import type { Client } from "graphql-ws";

import { ChangedDocument, LatestDocument, type ChangedSubscription, type TypedDocumentString } from "../gql/graphql";
import { refresh } from "./cache";
import { send, socketUrl } from "./client";
import { locale, token, tokenWanted } from "./preferences";
import { state } from "./value";

/** `live`: every change is known as it happens. `away`: since when it is not. */
export type Link = { state: "live" } | { state: "away"; since: number };

export const link = state<Link>({ state: "away", since: Date.now() });

type Change = ChangedSubscription["changed"];

/** The last change that this page has taken in; the log continues after it. */
let cursor = "";
let client: Client | undefined;
let wake: (() => void) | undefined;
let asking: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<(change: Change) => void>();

/** Has a function called once for each change of the log. */
export function onChange(listener: (change: Change) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Has a function called with each answer of another subscription, over the same socket and over each that follows it,
 * until the returned function is called. It is for what the log of changes does not tell.
 */
export function follow<T, V extends Record<string, unknown>>(document: TypedDocumentString<T, V>, variables: V, next: (data: T) => void): () => void {
  let on: Client | undefined;
  let stop = () => {};
  const attach = () => {
    if (link.get().state !== "live" || !client || client === on) return;
    stop();
    on = client;
    stop = client.subscribe<T>(
      { query: document.toString(), variables },
      // A stream that ends with an error says no more; what is shown is asked again by the changes that come.
      { next: ({ data }) => data && next(data), error: () => undefined, complete: () => undefined },
    );
  };
  const unwatch = link.watch(attach);
  attach();
  return () => {
    unwatch();
    stop();
  };
}

function away(): void {
  if (link.get().state === "live") link.set({ state: "away", since: Date.now() });
}

/** A burst of changes is one reading. */
function refreshSoon(): void {
  asking ??= setTimeout(() => {
    asking = undefined;
    void refresh();
  }, 60);
}

function take(change: Change): void {
  if (change.cursor === cursor) return;
  cursor = change.cursor;
  for (const listener of listeners) listener(change);
  refreshSoon();
}

/** One socket from the cursor on; it returns when the socket is gone. graphql-ws would subscribe again from the start. */
async function watch(): Promise<"again" | "expired" | "refused"> {
  // The page is shown before it is live; what it is live by comes after it.
  const { createClient } = await import("graphql-ws");
  const one = createClient({
    url: socketUrl(),
    retryAttempts: 0,
    lazy: true,
    keepAlive: 15_000,
    connectionParams: () => ({ locale: locale.get(), ...(token.get() && { authorization: `Bearer ${token.get()}` }) }),
    on: {
      connected: () => {
        link.set({ state: "live" });
        refreshSoon();
      },
      closed: away,
    },
  });
  client = one;
  return new Promise((done) => {
    one.subscribe<ChangedSubscription>(
      { query: ChangedDocument.toString(), variables: { after: cursor || null } },
      {
        next: ({ data }) => data && take(data.changed),
        error: (problem) => {
          if (problem instanceof CloseEvent && (problem.code === 4401 || problem.code === 4403)) {
            tokenWanted.set(true);
            void refresh(); // its refusal says where to sign in
            done("refused");
          } else done(Array.isArray(problem) ? "expired" : "again");
          void one.dispose();
        },
        complete: () => done("again"),
      },
    );
  });
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, milliseconds);
    wake = () => {
      clearTimeout(timer);
      done();
    };
  });

/** A tab that nobody sees closes its socket after five minutes. */
const HIDDEN = 5 * 60_000;

/** Keeps one socket open for as long as the page is there, and continues after the last change when it was cut. */
export async function stayLive(): Promise<never> {
  let tries = 0;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  window.addEventListener("online", () => wake?.());
  window.addEventListener("offline", () => void client?.terminate());
  token.watch(() => {
    cursor = "";
    client?.terminate();
    wake?.();
  });
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(() => void client?.dispose(), HIDDEN);
    else wake?.();
  });
  for (;;) {
    while (document.hidden && tries > 0) await pause(60_000);
    const began = Date.now();
    let end: "again" | "expired" | "refused" = "again";
    try {
      // The cursor is read before everything else is, so that no change falls between.
      if (cursor === "") {
        cursor = (await send(LatestDocument, {})).changes?.latestCursor ?? "";
        if (tries > 0) void refresh();
      }
      end = await watch();
    } catch {
      // The server is not there; the pause below is all there is to do.
    }
    away();
    if (end === "expired") cursor = "";
    tries = Date.now() - began > 10_000 ? 1 : tries + 1;
    await pause(end === "refused" ? 3_600_000 : Math.min(15_000, 250 * 2 ** tries) * (0.75 + Math.random() / 2));
  }
}
