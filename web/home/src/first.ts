// What the first screen shows is asked for before the rest of the program is there. The server tells where the viewer is
// with the first answer; until then the clock of the last visit is taken, or the browser's. If it was another day, what was
// asked is not looked at, and the day is asked for as on any other visit to it.
import { isDay } from "./api/clock";
import { send } from "./api/client";
import { lastAhead } from "./api/preferences";
import { ofDay, withLate } from "./day/variables";
import { DayDocument, FreeDocument, ShellDocument, type TypedDocumentString } from "./gql/graphql";
import { routeOf } from "./keys/hash";

export interface Asked {
  document: TypedDocumentString<unknown, unknown>;
  variables: unknown;
  answer: Promise<unknown>;
}

export const asked: Asked[] = [];

function ask<T, V>(document: TypedDocumentString<T, V>, variables: V): void {
  const answer = send(document, variables);
  answer.catch(() => undefined); // it is told where the answer is wanted
  asked.push({ document: document as TypedDocumentString<unknown, unknown>, variables, answer });
}

const [screen, named] = routeOf(window.location.hash);
ask(ShellDocument, {});
if (screen === "day") {
  const today = new Date(Date.now() + lastAhead()).toISOString().slice(0, 10);
  const day = isDay(named) ? named : today;
  ask(DayDocument, withLate(day, day === today));
  ask(FreeDocument, ofDay(day));
}
