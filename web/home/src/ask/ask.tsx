import { useState } from "react";

import { question, type Given, type Question } from "../api/act";
import { clockTime } from "../api/clock";
import { useValue } from "../api/state";
import { Dialog } from "../parts/dialog";
import { useWords } from "../words/words";

/** The question that a mutation has put, if there is one. */
export function Asked() {
  const open = useValue(question);
  return open ? <OpenQuestion key={open.ask.token} open={open} /> : null;
}

function OpenQuestion({ open: { ask, answer } }: { open: Question }) {
  const w = useWords();
  const [chosen, setChosen] = useState<string[]>([]);
  const approval = ask.kind === "APPROVAL";
  const many = ask.allowMultiple && !approval;
  const given: Given | null = approval ? { all: true } : chosen.length > 0 ? { choose: chosen } : null;
  const toggle = (key: string) => setChosen(many ? (chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]) : [key]);
  return (
    <Dialog title={w.askTitle} onClose={() => answer(null)}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (given) answer(given);
        }}
      >
        <fieldset className="ask">
          <legend dir="auto">{ask.question}</legend>
          {approval ? (
            <ul className="plain">
              {ask.candidates.map((one) => (
                <li key={one.key} dir="auto">
                  {one.label}
                </li>
              ))}
            </ul>
          ) : (
            ask.candidates.map((one, index) => (
              <label key={one.key} className="check">
                <input
                  type={many ? "checkbox" : "radio"}
                  name="candidate"
                  checked={chosen.includes(one.key)}
                  onChange={() => toggle(one.key)}
                  {...(index === 0 && { "data-first": "" })}
                />
                <span dir="auto">{one.label}</span>
              </label>
            ))
          )}
        </fieldset>
        {ask.expiresAt && <p className="soft">{w.askUntil(clockTime(ask.expiresAt))}</p>}
        <footer className="pane__foot">
          <button type="button" className="button" {...(approval && { "data-first": "" })} onClick={() => answer(null)}>
            {approval ? w.askNo : w.cancel}
          </button>
          {many && (
            <button type="button" className="button" onClick={() => answer({ all: true })}>
              {w.askAll}
            </button>
          )}
          <button type="submit" className="button button--main" disabled={!given}>
            {approval ? w.askYes : w.choose}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
