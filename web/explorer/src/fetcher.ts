import type { Fetcher, FetcherOpts, FetcherParams, Observable } from "@graphiql/toolkit";
import { Kind, parse as parseDocument, type ExecutionResult, type OperationDefinitionNode } from "graphql";
import { createClient, type FormattedExecutionResult } from "graphql-ws";

import { connectionParams, settings, settingsHeaders } from "./settings";
import { activeTab, report, tokenWanted, type Exchange } from "./status";

/** The explorer is one folder below the address that serves the API. */
const ENDPOINT = new URL("../graphql", document.baseURI);
const INTROSPECTION = "IntrospectionQuery";
const ACCEPT = "application/graphql-response+json, application/json;q=0.9";

/** A message in the shape of an answer, so that it shows where answers show. */
function asAnswer(message: string, extensions?: Record<string, unknown>): ExecutionResult {
  const error = extensions ? { message, extensions } : { message };
  return { errors: [error as never] };
}

/** What GraphiQL hands to an observable. */
interface Sink {
  next(answer: ExecutionResult): void;
  complete(): void;
}

/** Sends queries and mutations by POST, subscriptions over graphql-transport-ws, both to the same address. */
export function createFetcher(): Fetcher {
  return (params, options) => {
    const operation = operationOf(params);
    const named = operation ? { ...params, operationName: operation.name?.value ?? null } : params;
    return operation?.operation === "subscription" ? subscribe(named) : post(named, options);
  };
}

/**
 * The operation that runs. The editor reads its text a moment after it was changed, so just after an example was chosen
 * the name that it gives is the one of the text before; a text with one operation needs no name.
 */
function operationOf({ query, operationName }: FetcherParams): OperationDefinitionNode | undefined {
  try {
    const operations = parseDocument(query, { noLocation: true }).definitions.filter(
      (definition) => definition.kind === Kind.OPERATION_DEFINITION,
    );
    return operations.length === 1 ? operations[0] : operations.find((operation) => operation.name?.value === operationName);
  } catch {
    return undefined; // the server says what is wrong with it
  }
}

async function post(params: FetcherParams, options: FetcherOpts | undefined): Promise<ExecutionResult> {
  // The schema is asked for in the background; the status line tells of what the person ran.
  const background = params.operationName === INTROSPECTION;
  const tab = activeTab.get();
  if (!background) report(tab, { state: "waiting" });
  const started = performance.now();
  let response: Response;
  let text: string;
  try {
    response = await fetch(ENDPOINT, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: ACCEPT, ...settingsHeaders(settings.get()), ...options?.headers },
      body: JSON.stringify(params),
      credentials: "same-origin",
      cache: "no-store",
    });
    text = await response.text();
  } catch {
    const reason = "The server did not answer. Is it running?";
    if (!background) report(tab, { state: "failed", reason });
    return asAnswer(reason);
  }
  if (response.status === 401) tokenWanted.set(true);
  else if (response.ok) tokenWanted.set(false);

  const answer = parse(text) ?? asAnswer(`The server answered ${response.status} with something that is not JSON.`);
  if (!background) {
    report(tab, {
      state: "answered",
      status: response.status,
      milliseconds: performance.now() - started,
      bytes: new TextEncoder().encode(text).length,
      requestId: response.headers.get("X-Request-Id"),
      graphqlErrors: answer.errors?.length ?? 0,
    });
  }
  return answer;
}

function parse(text: string): ExecutionResult | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as ExecutionResult) : null;
  } catch {
    return null;
  }
}

/**
 * One socket for each subscription: it takes the settings of the moment, and stopping it closes it. An observable and no
 * generator, because a generator that waits for its next event cannot be stopped before that event comes.
 */
function subscribe(params: FetcherParams): Observable<ExecutionResult> {
  const tab = activeTab.get();
  const url = new URL(ENDPOINT);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return {
    // The published type also allows bare functions; GraphiQL only ever sends an object.
    subscribe(sink) {
      const observer = sink as unknown as Sink;
      let count = 0;
      let over = false;
      const end = (last: Exchange) => {
        if (over) return;
        over = true;
        report(tab, last);
      };
      const client = createClient({
        url: url.href,
        connectionParams: () => connectionParams(settings.get()),
        retryAttempts: 3,
        on: {
          connected: () => {
            tokenWanted.set(false);
            if (!over) report(tab, { state: "live", events: count, lastAt: null });
          },
        },
      });
      report(tab, { state: "waiting" });
      client.subscribe<Record<string, unknown>>(
        {
          query: params.query,
          operationName: params.operationName ?? null,
          variables: (params.variables as Record<string, unknown> | undefined) ?? null,
        },
        {
          next(event) {
            count += 1;
            report(tab, { state: "live", events: count, lastAt: Date.now() });
            observer.next(event as FormattedExecutionResult as ExecutionResult);
          },
          error(problem) {
            const reason = explain(problem);
            end({ state: "failed", reason });
            observer.next(Array.isArray(problem) ? ({ errors: problem } as ExecutionResult) : asAnswer(reason));
            observer.complete();
          },
          complete() {
            end({ state: "ended", events: count });
            observer.complete();
          },
        },
      );
      return {
        unsubscribe() {
          end({ state: "ended", events: count });
          void client.dispose();
        },
      };
    },
  };
}

/** A closed socket rejects with a CloseEvent, which prints as nothing useful. */
function explain(problem: unknown): string {
  if (problem instanceof CloseEvent) {
    if (problem.code === 4401 || problem.code === 4403) tokenWanted.set(true);
    return `The server closed the socket: ${problem.code} ${problem.reason}`.trim();
  }
  if (Array.isArray(problem)) return "The subscription was refused.";
  if (problem instanceof Error && problem.message) return problem.message;
  return "The socket could not be opened. Is the server running?";
}
