import { local, session, state, store, stored } from "./value";

export type Locale = "en" | "he";
export type Theme = "system" | "light" | "dark";

const KEYS = { token: "almanac:token", locale: "almanac:home:locale", theme: "almanac:home:theme", keys: "almanac:home:keys", ahead: "almanac:home:ahead" };

function firstLocale(): Locale {
  const kept = stored(local, KEYS.locale);
  if (kept === "en" || kept === "he") return kept;
  return /^(he|iw)\b/.test(navigator.language) ? "he" : "en";
}

function firstTheme(): Theme {
  const kept = stored(local, KEYS.theme);
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** The token lives in sessionStorage only, under the explorer's name: closing the tab forgets it. */
export const token = state(stored(session, KEYS.token));
/** The server has refused a request for want of a token. */
export const tokenWanted = state(false);
/** Where people sign in with the browser, as the server says when it wants to know who is there; "" where they cannot. */
export const signInUrl = state("");

/** The mark that the server leaves beside the cookie of a session, which pages cannot read. */
export const inSession = (): boolean => /(^|;\s*)almanac-signed-in=1/.test(document.cookie);

/** Ends the session of this browser, and the token with it. */
export async function endSession(): Promise<void> {
  await fetch(new URL("signout", document.baseURI), { method: "POST", credentials: "same-origin" });
  try {
    session().clear();
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
  location.reload();
}
export const locale = state<Locale>(firstLocale());
export const theme = state<Theme>(firstTheme());
/** Whether single keys are shortcuts; WCAG 2.1.4 wants them to be switched off. */
export const singleKeys = state(stored(local, KEYS.keys) !== "off");

const browserAhead = (): number => -new Date().getTimezoneOffset() * 60_000;

/** How far the viewer's wall clock was ahead of UTC at the last visit, in milliseconds; at the first one, the browser's. */
export function lastAhead(): number {
  const kept = stored(local, KEYS.ahead);
  return kept === "" ? browserAhead() : Number(kept);
}

/** It is kept only when the viewer is not where the browser is. */
export function keepAhead(ahead: number): void {
  store(local, KEYS.ahead, ahead === browserAhead() ? "" : String(ahead));
}

export function setToken(text: string): void {
  const clean = text.trim().replace(/^(authorization:\s*)?bearer\s+/i, "");
  store(session, KEYS.token, clean);
  tokenWanted.set(false);
  token.set(clean);
}

export function setLocale(next: Locale): void {
  store(local, KEYS.locale, next);
  locale.set(next);
}

export function setTheme(next: Theme): void {
  store(local, KEYS.theme, next === "system" ? "" : next);
  theme.set(next);
}

export function setSingleKeys(on: boolean): void {
  store(local, KEYS.keys, on ? "" : "off");
  singleKeys.set(on);
}

/** Keeps the document's language, direction and colours as chosen. */
export function dress(): void {
  const apply = () => {
    const root = document.documentElement;
    root.lang = locale.get();
    root.dir = locale.get() === "he" ? "rtl" : "ltr";
    root.dataset.theme = theme.get();
  };
  locale.watch(apply);
  theme.watch(apply);
  apply();
}
