import { useEffect, useRef, useState } from "react";

import { act, toast, undo } from "../api/act";
import { useMe } from "../api/viewer";
import { AddTaskDocument, RememberDocument, SayDocument, type SayMutation } from "../gql/graphql";
import { go } from "../keys/route";
import { openPane } from "../panes/panes";
import { Icon } from "../parts/icons";
import { MailRow } from "../parts/mails";
import { Row } from "../parts/rows";
import { TaskRow } from "../parts/tasks";
import { useWords } from "../words/words";

type Said = SayMutation["agentChat"];

/** A sentence, and what became of it. */
export function Say() {
  const w = useWords();
  const me = useMe();
  const [text, setText] = useState("");
  const [said, setSaid] = useState<{ text: string; answer: Said } | null>(null);
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const say = async (sentence: string) => {
    if (sentence.trim() === "" || busy) return;
    setBusy(true);
    const { data } = await act({ document: SayDocument, input: { text: sentence.trim() }, said: null, quiet: true });
    setBusy(false);
    if (!data) return;
    setSaid({ text: sentence.trim(), answer: data.agentChat });
    if (data.agentChat.success) setText("");
  };
  const latest = useRef(say);
  latest.current = say;
  useEffect(() => {
    const listen = (e: Event) => {
      const sentence = String((e as CustomEvent).detail);
      setText(sentence);
      void latest.current(sentence);
    };
    window.addEventListener("almanac:say", listen);
    return () => window.removeEventListener("almanac:say", listen);
  }, []);
  const close = () => {
    setSaid(null);
    box.current?.focus();
  };
  return (
    <section className="say" aria-label={w.say}>
      <form
        className="say__form"
        onSubmit={(e) => {
          e.preventDefault();
          void say(text);
        }}
      >
        <Icon name="palette" />
        <input
          ref={box}
          id="say"
          type="text"
          dir={text === "" ? undefined : "auto"}
          autoComplete="off"
          aria-label={w.say}
          placeholder={window.innerWidth < 700 ? w.sayShort : w.sayHint}
          value={text}
          onChange={(e) => setText(e.target.value)}
          onKeyDown={(e) => e.key === "Escape" && e.currentTarget.blur()}
        />
        <button type="submit" className="button button--main" disabled={busy || text.trim() === ""}>
          {busy ? w.saying : w.sayDo}
        </button>
      </form>
      <div role="status">{said && <ReadBack said={said.answer} text={said.text} today={me?.today ?? ""} onClose={close} />}</div>
    </section>
  );
}

function ReadBack({ said, text, today, onClose }: { said: Said; text: string; today: string; onClose: () => void }) {
  const w = useWords();
  const understood = said.success || said.confirmation;
  const error = said.userErrors[0]?.message;
  // The summary's first line is for programs; people get the action in words, the answer, or the records themselves.
  const line = said.action?.summary ?? said.answer ?? (said.success ? said.summary.split("\n")[0] : error);
  const addTask = async () => {
    const { done, data, errors } = await act({ document: AddTaskDocument, input: { text }, quiet: true });
    if (done) onClose();
    else if (data?.createTask.existingTask) toast(w.task.exists);
    else if (errors[0]) toast(w.refusal(errors[0].code, errors[0].message), { bad: true });
  };
  const remember = async () => {
    const { done } = await act({ document: RememberDocument, input: { content: text } });
    if (done) onClose();
  };
  return (
    <div className={`back ${understood ? "" : "back--bad"}`}>
      <div className="back__head">
        <p className="back__line" dir="auto">
          {said.action ? <Icon name="check" /> : null}
          <span>{understood ? line : said.plan?.ambiguous.length ? w.sayWhich : w.notUnderstood}</span>
        </p>
        <button type="button" className="round" aria-label={w.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {!understood && error && (
        <p className="soft" dir="auto">
          {error}
        </p>
      )}
      {said.plan?.ambiguous.map((one) => (
        <p key={one.text} className="back__reading" dir="auto">
          <span className="chip chip--warn">{w.understood(one.text, one.reading)}</span>
          {one.others.length > 0 && (
            <span className="soft">
              {w.orElse} {one.others.join(` ${w.orElse} `)}
            </span>
          )}
        </p>
      ))}
      {(said.events.length > 0 || said.nodes.length > 0) && (
        <ul className="rows back__rows">
          {said.events.slice(0, SHOWN).map((event) => (
            <Row key={event.id} deeds={{ open: () => openPane({ kind: "event", id: event.id }) }} className="row row--event">
              <span className="row__mark">
                <Icon name="clock" />
              </span>
              <button type="button" className="row__main" data-open="" onClick={() => openPane({ kind: "event", id: event.id })}>
                <span className="row__title" dir="auto">
                  {event.summary}
                </span>
                <span className="row__meta">{event.whenFormatted}</span>
              </button>
            </Row>
          ))}
          {said.nodes.slice(0, SHOWN).map((node, index) => {
            if (node.__typename === "Task") return <TaskRow key={node.id} task={node} today={today} />;
            if (node.__typename === "Email") return <MailRow key={node.id} mail={node} />;
            const shown = node.__typename === "List" ? `${node.name}: ${node.items.map((item) => item.text).join(", ")}` : node.__typename === "Memory" ? node.content : "";
            return shown === "" ? null : (
              <li key={index} className="row">
                <span className="row__title" dir="auto">
                  {shown}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <footer className="back__foot">
        {said.action?.undoable && (
          <button
            type="button"
            className="button"
            onClick={() => {
              onClose();
              void undo(said.action?.id);
            }}
          >
            <Icon name="undo" />
            {w.undo}
          </button>
        )}
        {!understood && (
          <>
            <button type="button" className="button button--main" onClick={() => void addTask()}>
              {w.addAsTask}
            </button>
            <button type="button" className="button" onClick={() => void remember()}>
              {w.remember}
            </button>
            <button type="button" className="button" onClick={() => go("search", text)}>
              <Icon name="search" />
              {w.searchWords}
            </button>
          </>
        )}
      </footer>
    </div>
  );
}

const SHOWN = 8;
