import { explain } from "../api/act";
import type { Failure } from "../api/client";
import { useWords } from "../words/words";

export function Trouble({ failure, again }: { failure: Failure; again: () => void }) {
  const w = useWords();
  return (
    <div className="trouble" role="alert">
      <p dir="auto">{explain(failure)}</p>
      {failure.connectUrl && (
        <a className="button" href={failure.connectUrl}>
          {w.connect}
        </a>
      )}
      <button type="button" className="button" onClick={again}>
        {w.tryAgain}
      </button>
    </div>
  );
}

/** Grey rows, which appear only when the answer takes a while. */
export function Waiting({ rows = 4 }: { rows?: number }) {
  const w = useWords();
  return (
    <div className="waiting" role="status">
      <span className="hidden">{w.loading}</span>
      {Array.from({ length: rows }, (_, i) => (
        <span key={i} className="waiting__row" />
      ))}
    </div>
  );
}
