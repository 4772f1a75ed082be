import { useObservable } from "./observable";
import { activeTab, exchanges, type Exchange } from "./status";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

const IDLE: Exchange = { state: "idle" };

/** One line below the answer of a tab: how it went, how long it took, and the request id that the server's log has. */
export function StatusLine() {
  const tab = useObservable(activeTab);
  const last = useObservable(exchanges).get(tab) ?? IDLE;
  return (
    <div className="status" role="status" data-tone={tone(last)} data-state={last.state}>
      <span className="status__dot" aria-hidden="true" />
      {describe(last)}
    </div>
  );
}

type Tone = "calm" | "good" | "warn" | "bad";

function tone(last: Exchange): Tone {
  switch (last.state) {
    case "answered":
      if (last.status >= 400) return "bad";
      return last.graphqlErrors > 0 ? "warn" : "good";
    case "live":
      return "good";
    case "failed":
      return "bad";
    default:
      return "calm";
  }
}

function describe(last: Exchange) {
  switch (last.state) {
    case "idle":
      return <span>Ready. Press ▶ or Ctrl-Enter to run the operation.</span>;
    case "waiting":
      return <span>Waiting for the server…</span>;
    case "answered":
      return (
        <>
          <span className="status__code">{last.status}</span>
          <span>{duration(last.milliseconds)}</span>
          <span>{size(last.bytes)}</span>
          {last.graphqlErrors > 0 && <span>{last.graphqlErrors === 1 ? "1 error" : `${last.graphqlErrors} errors`}</span>}
          {last.requestId && (
            <span className="status__id" title="Request id">
              {last.requestId}
            </span>
          )}
        </>
      );
    case "live":
      return (
        <>
          <span className="status__code">Live</span>
          <span>{last.events === 0 ? "Connected, nothing has changed yet" : `${plural(last.events)}, the last at ${clock.format(last.lastAt ?? 0)}`}</span>
        </>
      );
    case "ended":
      return <span>Ended after {plural(last.events)}</span>;
    case "failed":
      return <span>{last.reason}</span>;
  }
}

const plural = (events: number) => (events === 1 ? "1 event" : `${events} events`);

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${(milliseconds / 1000).toFixed(2)} s`;
}

function size(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`;
}
