import type { TypedDocumentString } from "../gql/graphql";
import { locale, signInUrl, token, tokenWanted } from "./preferences";

/** The explorer and the page are both below the address that serves the API. */
const ENDPOINT = new URL("graphql", document.baseURI);

/** The codes of a request that has no answer: it has not left the browser, or it is not known what became of it. */
export const UNSENT = "UNSENT";
export const UNANSWERED = "UNANSWERED";

/** The server's code for a request of somebody whom it does not know. */
export const UNKNOWN = "UNAUTHENTICATED";

/** Why a request has no data. */
export class Failure extends Error {
  constructor(
    message: string,
    /** The server was not reached, or could not answer for now: the same request may succeed later. */
    readonly passing: boolean,
    readonly code = "",
    readonly traceId = "",
    readonly connectUrl = "",
  ) {
    super(message);
  }
}

interface Answer<T> {
  data?: T | null;
  errors?: { message: string; extensions?: { code?: string; traceId?: string; connectUrl?: string; signInUrl?: string } }[];
}

export interface SendOptions {
  /** The `Idempotency-Key`, which makes a mutation safe to repeat. */
  key?: string;
  keepalive?: boolean;
}

const PASSING = new Set(["UPSTREAM_UNAVAILABLE", "UPSTREAM_RATE_LIMITED", "RATE_LIMITED", "TIMEOUT"]);

/** What the page calls itself in the list of actions. */
export const CLIENT = "Almanac home";

/** How long a request may take before it counts as unanswered. */
const PATIENCE = 30_000;

export async function send<T, V>(document: TypedDocumentString<T, V>, variables: V, options: SendOptions = {}): Promise<T> {
  if (!navigator.onLine) throw new Failure("", true, UNSENT);
  let response: Response;
  let answer: Answer<T>;
  try {
    response = await fetch(ENDPOINT, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/graphql-response+json, application/json;q=0.9",
        "Accept-Language": locale.get(),
        "GraphQL-Client-Name": CLIENT,
        ...(token.get() && { Authorization: `Bearer ${token.get()}` }),
        ...(options.key && { "Idempotency-Key": options.key }),
      },
      body: JSON.stringify({ query: document.toString(), variables }),
      credentials: "same-origin",
      cache: "no-store",
      keepalive: options.keepalive ?? false,
      signal: AbortSignal.timeout(PATIENCE),
    });
    answer = (await response.json()) as Answer<T>;
  } catch {
    throw new Failure("", true, UNANSWERED);
  }
  const first = answer.errors?.[0];
  if (response.status === 401) {
    signInUrl.set(first?.extensions?.signInUrl ?? "");
    tokenWanted.set(true);
  }
  if (first && holdsNothing(answer.data)) {
    const { code = "", traceId = "", connectUrl = "" } = first.extensions ?? {};
    throw new Failure(first.message, response.status === 503 || PASSING.has(code), code, traceId, connectUrl);
  }
  if (!answer.data) throw new Failure(`HTTP ${response.status}`, response.status >= 500);
  return answer.data;
}

/** Whether every field of an answer is null, those in groups too: `{ knowledge: { entity: null } }`. */
function holdsNothing(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === "object" && !Array.isArray(value) && Object.values(value).every(holdsNothing);
}

export const socketUrl = (): string => {
  const url = new URL(ENDPOINT);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
};
