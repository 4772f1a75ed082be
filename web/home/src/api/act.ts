import type { AskFragment, DoneFragment, RefusalFragment, TypedDocumentString } from "../gql/graphql";
import { UndoDocument } from "../gql/graphql";
import { words } from "../words/words";
import { lay, refresh, type Patch } from "./cache";
import { Failure, send, UNANSWERED, UNKNOWN, UNSENT } from "./client";
import { link } from "./live";
import { state } from "./value";

export interface Toast {
  id: number;
  text: string;
  /** The action to take back with the toast's button and `z`. */
  action?: string;
  bad?: boolean;
}

/** What every payload of a mutation may hold. */
interface Payload {
  action?: DoneFragment | null;
  confirmation?: AskFragment | null;
  userErrors: RefusalFragment[];
}

export interface Question {
  ask: AskFragment;
  answer(given: Given | null): void;
}

export type Given = { choose: string[] } | { all: true };

export const toasts = state<Toast[]>([]);
export const question = state<Question | null>(null);
/** How many changes wait for the server to come back. */
export const waiting = state(0);

/** What `z` takes back. */
let lastAction = "";
let counted = 0;

const SHOWN = 10_000;

export function toast(text: string, more: Partial<Toast> = {}): number {
  const one: Toast = { id: ++counted, text, ...more };
  toasts.set([...toasts.get().slice(-2), one]);
  setTimeout(() => dismiss(one.id), SHOWN);
  return one.id;
}

/** What is said of a mutation that has failed. */
function explainChange(problem: unknown): string {
  if (problem instanceof Failure && problem.code === UNSENT) return words().notSent;
  if (problem instanceof Failure && problem.code === UNANSWERED) return words().notKnown;
  return explain(problem);
}

export function dismiss(id: number): void {
  toasts.set(toasts.get().filter((other) => other.id !== id));
}

export function explain(problem: unknown): string {
  const w = words();
  if (!(problem instanceof Failure)) return w.failed;
  if (problem.code === UNANSWERED || problem.code === UNSENT) return w.notReached;
  if (problem.code === UNKNOWN) return w.unknown;
  const text = w.refusal(problem.code, problem.message);
  return problem.traceId ? `${text} (${problem.traceId})` : text;
}

/** A question and the answer that is given to it; null when there is none. */
function put(ask: AskFragment): Promise<Given | null> {
  return new Promise((done) => {
    question.set({
      ask,
      answer(given) {
        question.set(null);
        done(given);
      },
    });
  });
}

/** Asks before what cannot be undone and the server does not ask about. */
export async function approve(text: string): Promise<boolean> {
  return (await put({ kind: "APPROVAL", question: text, token: "", expiresAt: "", allowMultiple: false, candidates: [] })) !== null;
}

export interface Doing<T, V extends { input: object }> {
  document: TypedDocumentString<T, V>;
  input: V["input"];
  /** What is shown at once, by the record's id. */
  patch?: { id: string; patch: Patch };
  /** Whether it may wait until the server is there again. */
  waits?: boolean;
  /** What the toast says; the action's own summary when left out, nothing when null. */
  said?: string | null;
  /** Whether it takes back an action: doing that again is for the list of actions, not for the toast and `z`. */
  undoes?: boolean;
  /** Whether the caller shows the errors itself. */
  quiet?: boolean;
}

export interface Outcome<T> {
  data: T | undefined;
  errors: RefusalFragment[];
  done: boolean;
}

/**
 * Runs a mutation: what it changes is shown at once, its questions are put, and what it did can be taken back. Mutations
 * that may wait are sent once the server is there, in order, each under one key, which makes repeating safe.
 */
export async function act<T extends object, V extends { input: object }>(doing: Doing<T, V>): Promise<Outcome<T>> {
  const off = doing.patch ? lay(doing.patch.id, doing.patch.patch) : () => undefined;
  let confirm: object | undefined;
  let asked = 0;
  try {
    for (;;) {
      const key = crypto.randomUUID();
      const variables = { input: confirm ? { ...doing.input, confirm } : doing.input } as V;
      const run = () => send(doing.document, variables, { key });
      const data = await (doing.waits ? inOrder(run) : repeated(run));
      const payload = Object.values(data)[0] as Payload;
      const [error] = payload.userErrors;
      if (error?.code === "CONFIRMATION_INVALID" && asked++ === 0) {
        confirm = undefined;
        continue;
      }
      if (error) {
        if (!doing.quiet) toast(words().refusal(error.code, error.message), { bad: true });
        return { data, errors: payload.userErrors, done: false };
      }
      if (payload.confirmation) {
        const given = await put(payload.confirmation);
        if (!given) return { data, errors: [], done: false };
        confirm = { token: payload.confirmation.token, ...given };
        continue;
      }
      const action = payload.action;
      const offered = action?.undoable && !doing.undoes ? action.id : undefined;
      if (offered) lastAction = offered;
      // What is said to be done is on the screen by then, with the versions that the next change names.
      await refresh();
      const text = doing.said === undefined ? action?.summary : doing.said;
      if (text) toast(text, offered ? { action: offered } : {});
      return { data, errors: [], done: true };
    }
  } catch (problem) {
    toast(explainChange(problem), { bad: true });
    return { data: undefined, errors: [], done: false };
  } finally {
    off();
  }
}

/** How often a change that does not wait is sent again when no answer came. */
const REPEATS = 5;

/**
 * Sends a change again, under its one key, for as long as it is not known whether it was done, some times. What has not
 * left the browser, or was answered, is not repeated.
 */
async function repeated<T>(run: () => Promise<T>): Promise<T> {
  let told: number | undefined;
  try {
    for (let tries = 0; ; tries++) {
      try {
        return await run();
      } catch (problem) {
        const lost = problem instanceof Failure && (problem.code === UNANSWERED || (tries > 0 && problem.code === UNSENT));
        if (!lost) throw problem;
        if (tries === REPEATS) throw new Failure("", true, UNANSWERED);
        told ??= toast(words().repeating, { bad: true });
        await back();
      }
    }
  } finally {
    if (told !== undefined) dismiss(told);
  }
}

/** The changes that wait run one after another. */
let last: Promise<unknown> = Promise.resolve();

function inOrder<T>(run: () => Promise<T>): Promise<T> {
  const mine = last.then(async () => {
    let counts = false;
    try {
      for (;;) {
        try {
          return await run();
        } catch (problem) {
          if (!(problem instanceof Failure && problem.passing)) throw problem;
          if (!counts) {
            waiting.set(waiting.get() + 1);
            counts = true;
          }
          await back();
        }
      }
    } finally {
      if (counts) waiting.set(waiting.get() - 1);
    }
  });
  last = mine.catch(() => undefined);
  return mine;
}

/** Waits until the socket is open again, or some seconds. */
function back(): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, 5_000);
    const stop = link.watch(() => link.get().state === "live" && finish());
    function finish() {
      clearTimeout(timer);
      stop();
      done();
    }
  });
}

export async function undo(action = lastAction): Promise<void> {
  if (action === "") {
    toast(words().nothingToUndo);
    return;
  }
  if (action === lastAction) lastAction = "";
  toasts.set(toasts.get().filter((one) => one.action !== action));
  await act({ document: UndoDocument, input: { id: action }, undoes: true });
}
