import { observable, type Observable } from "./observable";

/** What the bar adds to every request. An empty string means: send nothing, the saved setting holds. */
export interface RequestSettings {
  /** A bearer token, without the word Bearer. It lives in sessionStorage only: closing the tab forgets it. */
  readonly token: string;
  /** An IANA zone name such as Asia/Jerusalem. */
  readonly timeZone: string;
  /** A language tag: en or he. */
  readonly locale: string;
}

const TOKEN_KEY = "almanac:token";
const ZONE_KEY = "almanac:timeZone";
const LOCALE_KEY = "almanac:locale";

/** Storage can be forbidden by the browser; the explorer then works without remembering. */
function read(storage: () => Storage, key: string): string {
  try {
    return storage().getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(storage: () => Storage, key: string, value: string): void {
  try {
    if (value === "") storage().removeItem(key);
    else storage().setItem(key, value);
  } catch {
    // Nothing to do: the value holds until the page is left.
  }
}

const session = () => window.sessionStorage;
const local = () => window.localStorage;

function loadSettings(): RequestSettings {
  return { token: read(session, TOKEN_KEY), timeZone: read(local, ZONE_KEY), locale: read(local, LOCALE_KEY) };
}

export const settings: Observable<RequestSettings> = observable(loadSettings());

export function changeSettings(change: Partial<RequestSettings>): void {
  const next = { ...settings.get(), ...change };
  // People paste the whole header.
  next.token = next.token.trim().replace(/^(authorization:\s*)?bearer\s+/i, "");
  write(session, TOKEN_KEY, next.token);
  write(local, ZONE_KEY, next.timeZone);
  write(local, LOCALE_KEY, next.locale);
  settings.set(next);
}

/** The headers of one request. A browser always sends Accept-Language; "*" tells the server to keep the saved locale. */
export function settingsHeaders({ token, timeZone, locale }: RequestSettings): Record<string, string> {
  return {
    "Accept-Language": locale || "*",
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(timeZone && { "X-Time-Zone": timeZone }),
  };
}

/** The same for a WebSocket, whose headers a page cannot set. */
export function connectionParams({ token, timeZone, locale }: RequestSettings): Record<string, string> {
  return {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(timeZone && { timeZone }),
    ...(locale && { locale }),
  };
}
