import { useState, type FormEvent } from "react";

import { act } from "../api/act";
import { useReading } from "../api/cache";
import { clockTime } from "../api/clock";
import { useMe } from "../api/viewer";
import {
  AddStepDocument,
  AddTaskDocument,
  DeleteEventDocument,
  DeleteTaskDocument,
  EventPaneDocument,
  MailPaneDocument,
  PreviewAnswerDocument,
  SendMailDocument,
  SetEventDocument,
  SetStepDocument,
  TaskPaneDocument,
  type PreviewAnswerMutation,
  type ResponseStatus,
} from "../gql/graphql";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { archive } from "../parts/mails";
import { setTask, Tick } from "../parts/tasks";
import { Trouble, Waiting } from "../parts/trouble";
import { ruleInWords } from "../words/rule";
import { useWords } from "../words/words";
import { MemoryPane } from "./memory";
import { draftOf, keepDraft } from "./drafts";
import { closePane, type Pane } from "./panes";

export function PaneOf({ pane }: { pane: Pane }) {
  switch (pane.kind) {
    case "task":
      return <TaskPane id={pane.id} />;
    case "event":
      return <EventPane id={pane.id} />;
    case "mail":
      return <MailPane id={pane.id} replying={pane.reply ?? false} />;
    case "memory":
      return <MemoryPane id={pane.id} />;
    case "add":
      return <AddPane text={pane.text ?? ""} />;
  }
}

/** A date and time as `<input type="datetime-local">` has it. */
const forInput = (instant: string | null | undefined): string => instant?.slice(0, 16) ?? "";

function TaskPane({ id }: { id: string }) {
  const w = useWords();
  const { data, failure, again } = useReading(TaskPaneDocument, { id });
  const [step, setStep] = useState("");
  const task = data?.task;
  const addStep = (e: FormEvent) => {
    e.preventDefault();
    if (step.trim() === "") return;
    void act({ document: AddStepDocument, input: { taskId: id, text: step.trim() }, said: null });
    setStep("");
  };
  return (
    <Dialog kind="sheet" title={task?.text ?? w.loading} onClose={closePane}>
      {failure && !task && <Trouble failure={failure} again={again} />}
      {!failure && !task && <Waiting />}
      {task && (
        <div className="pane" key={`${task.text}|${task.dueDate}|${task.category}`}>
          <div className="pane__done">
            <Tick task={task} />
            <span>{task.completed ? w.done : (task.dueDateFormatted ?? (task.recurrence ? ruleInWords(task.recurrence) : w.task.noDue))}</span>
          </div>
          <label className="field">
            <span>{w.task.text}</span>
            <input
              type="text"
              dir="auto"
              defaultValue={task.text}
              onBlur={({ target }) => target.value.trim() !== "" && target.value !== task.text && setTask(task, { text: target.value }, { text: target.value })}
              onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()}
            />
          </label>
          {!task.recurrence && (
            <label className="field">
              <span>{w.task.due}</span>
              <input
                type="datetime-local"
                defaultValue={forInput(task.dueDate)}
                onBlur={({ target }) => {
                  if (target.value === forInput(task.dueDate)) return;
                  setTask(task, { dueDate: target.value || null }, { dueDate: target.value || null, dueDateFormatted: null });
                }}
              />
            </label>
          )}
          <label className="field">
            <span>{w.task.category}</span>
            <input
              type="text"
              dir="auto"
              maxLength={50}
              defaultValue={task.category ?? ""}
              onBlur={({ target }) => target.value !== (task.category ?? "") && setTask(task, { category: target.value || null }, { category: target.value || null })}
              onKeyDown={(e) => e.key === "Enter" && e.currentTarget.blur()}
            />
          </label>
          <h3>{w.task.steps}</h3>
          <ul className="steps">
            {task.subtasks.map((one) => (
              <li key={one.id}>
                <label>
                  <input
                    type="checkbox"
                    checked={one.completed}
                    onChange={() =>
                      void act({
                        document: SetStepDocument,
                        input: { id: one.id, completed: !one.completed },
                        patch: { id: one.id, patch: { completed: !one.completed } },
                        waits: true,
                        said: null,
                      })
                    }
                  />
                  <span dir="auto">{one.text}</span>
                </label>
              </li>
            ))}
          </ul>
          <form className="line" onSubmit={addStep}>
            <input type="text" dir={step === "" ? undefined : "auto"} aria-label={w.task.addStep} placeholder={w.task.addStep} value={step} onChange={(e) => setStep(e.target.value)} />
            <button type="submit" className="round" aria-label={w.task.addStep}>
              <Icon name="add" />
            </button>
          </form>
          {task.completions.length > 0 && (
            <>
              <h3>{w.task.history}</h3>
              <ul className="plain">
                {task.completions.map((one) => (
                  <li key={one.completedAt}>
                    <bdi>{`${one.completedAt.slice(0, 10)} ${clockTime(one.completedAt)}`}</bdi>
                  </li>
                ))}
              </ul>
            </>
          )}
          <footer className="pane__foot">
            <button
              type="button"
              className="button button--bad"
              onClick={() => {
                closePane();
                void act({ document: DeleteTaskDocument, input: { id }, patch: { id, patch: { gone: true } } });
              }}
            >
              {w.remove}
            </button>
          </footer>
        </div>
      )}
    </Dialog>
  );
}

function AddPane({ text }: { text: string }) {
  const w = useWords();
  const [trouble, setTrouble] = useState("");
  const submit = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    const form = new FormData(e.currentTarget);
    const value = (name: string) => String(form.get(name) ?? "").trim();
    if (value("text") === "") return;
    const { done, data, errors } = await act({
      document: AddTaskDocument,
      input: { text: value("text"), dueDate: value("due") || null, category: value("category") || null },
      quiet: true,
    });
    if (done) closePane();
    else setTrouble(data?.createTask.existingTask ? w.task.exists : errors[0] ? w.refusal(errors[0].code, errors[0].message) : "");
  };
  return (
    <Dialog kind="sheet" title={w.task.add} onClose={closePane}>
      <form className="pane" onSubmit={(e) => void submit(e)}>
        <label className="field">
          <span>{w.task.text}</span>
          <input name="text" type="text" dir="auto" defaultValue={text} data-first="" required aria-invalid={trouble !== ""} aria-describedby={trouble ? "add-trouble" : undefined} />
        </label>
        {trouble && (
          <p className="bad" id="add-trouble" role="alert">
            {trouble}
          </p>
        )}
        <label className="field">
          <span>{w.task.due}</span>
          <input name="due" type="datetime-local" />
        </label>
        <label className="field">
          <span>{w.task.category}</span>
          <input name="category" type="text" dir="auto" maxLength={50} />
        </label>
        <footer className="pane__foot">
          <button type="submit" className="button button--main">
            {w.task.add}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function EventPane({ id }: { id: string }) {
  const w = useWords();
  const { data, failure, again } = useReading(EventPaneDocument, { id });
  const event = data?.event;
  const respond = (response: ResponseStatus) =>
    void act({ document: SetEventDocument, input: { id, set: { response } }, patch: { id, patch: { response } } });
  const change = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    if (!event) return;
    const form = new FormData(e.currentTarget);
    const value = (name: string) => String(form.get(name) ?? "");
    const times = event.allDay
      ? {}
      : {
          ...(value("start") !== forInput(event.start?.dateTime) && { start: { dateTime: value("start") } }),
          ...(value("end") !== forInput(event.end?.dateTime) && { end: { dateTime: value("end") } }),
        };
    const set = { ...(value("title") !== (event.summary ?? "") && { summary: value("title") }), ...times };
    if (Object.keys(set).length === 0) {
      closePane();
      return;
    }
    const { done } = await act({ document: SetEventDocument, input: { id, set, ifVersion: event.version } });
    if (done) closePane();
  };
  return (
    <Dialog kind="sheet" title={event?.summary ?? w.loading} onClose={closePane}>
      {failure && !event && <Trouble failure={failure} again={again} />}
      {!failure && !event && <Waiting />}
      {event && (
        <form className="pane" key={event.version} onSubmit={(e) => void change(e)}>
          <p className="pane__when">
            {event.whenFormatted}
            {event.recurrenceFormatted && <span className="chip">{event.recurrenceFormatted}</span>}
          </p>
          {event.location && (
            <p className="with-icon">
              <Icon name="place" />
              <bdi>{event.location}</bdi>
            </p>
          )}
          {event.meetingUrl && /^https:\/\//.test(event.meetingUrl) && (
            <a className="button button--main" href={event.meetingUrl} target="_blank" rel="noreferrer noopener">
              {w.join}
            </a>
          )}
          {event.response && (
            <fieldset className="segments">
              <legend>{w.event.response}</legend>
              {(
                [
                  ["ACCEPTED", w.event.accept],
                  ["TENTATIVE", w.event.tentative],
                  ["DECLINED", w.event.decline],
                ] as const
              ).map(([value, label]) => (
                <label key={value}>
                  <input type="radio" name="response" checked={event.response === value} onChange={() => respond(value)} />
                  <span>{label}</span>
                </label>
              ))}
            </fieldset>
          )}
          <label className="field">
            <span>{w.event.title}</span>
            <input name="title" type="text" dir="auto" defaultValue={event.summary ?? ""} required />
          </label>
          {!event.allDay && (
            <div className="pair">
              <label className="field">
                <span>{w.event.start}</span>
                <input name="start" type="datetime-local" defaultValue={forInput(event.start?.dateTime)} required />
              </label>
              <label className="field">
                <span>{w.event.end}</span>
                <input name="end" type="datetime-local" defaultValue={forInput(event.end?.dateTime)} required />
              </label>
            </div>
          )}
          {event.description && (
            <p className="prose" dir="auto">
              {event.description}
            </p>
          )}
          {event.attendees.length > 0 && (
            <>
              <h3>{w.event.guests}</h3>
              <ul className="plain">
                {event.attendees.map((guest) => (
                  <li key={guest.email}>
                    <bdi>{guest.displayName || guest.email}</bdi>
                    <span className="soft">
                      {guest.responseStatus === "ACCEPTED" ? w.event.accept : guest.responseStatus === "DECLINED" ? w.event.decline : guest.responseStatus === "TENTATIVE" ? w.event.tentative : ""}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
          <footer className="pane__foot">
            <button
              type="button"
              className="button button--bad"
              onClick={async () => {
                const { done } = await act({ document: DeleteEventDocument, input: { id } });
                if (done) closePane();
              }}
            >
              {w.remove}
            </button>
            <button type="submit" className="button button--main">
              {w.save}
            </button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}

type Preview = NonNullable<NonNullable<PreviewAnswerMutation["previewReply"]>["preview"]>;

/** Names and addresses as text. Each is isolated, so that none reorders the others beside it: addresses run left to right. */
const names = (people: { name?: string | null; email: string }[]): string =>
  people.map(({ name, email }) => (name ? `\u2068${name}\u2069 \u2066<${email}>\u2069` : `\u2066${email}\u2069`)).join(", ");

/** How long a mail is kept back, in seconds, so that sending can be undone. */
const KEEP_BACK = 10;

function MailPane({ id, replying }: { id: string; replying: boolean }) {
  const w = useWords();
  const me = useMe();
  const { data, failure, again } = useReading(MailPaneDocument, { id });
  const [answering, setAnswering] = useState(replying || draftOf(id) !== "");
  const [text, setText] = useState(() => draftOf(id));
  const [preview, setPreview] = useState<Preview | null>(null);
  const thread = data?.emailThread;
  const last = thread?.emails.at(-1);
  const maySend = me?.viewer.scopes.includes("SEND") ?? false;
  const show = async (e: FormEvent) => {
    e.preventDefault();
    if (!last || text.trim() === "") return;
    const { data: answer } = await act({ document: PreviewAnswerDocument, input: { emailId: last.id, body: text } });
    if (answer?.previewReply?.preview) setPreview(answer.previewReply.preview);
  };
  const sendIt = async () => {
    if (!preview) return;
    const { done } = await act({ document: SendMailDocument, input: { previewId: preview.id, hash: preview.hash, undoSendFor: KEEP_BACK } });
    if (!done) return;
    keepDraft(id, "");
    closePane();
  };
  return (
    <Dialog kind="sheet" title={thread?.subject ?? w.loading} onClose={closePane}>
      {failure && !thread && <Trouble failure={failure} again={again} />}
      {!failure && !thread && <Waiting />}
      {thread && !preview && (
        <div className="pane">
          {thread.emails.map((mail) => (
            <article key={mail.id} className="letter">
              <header>
                <strong>
                  <bdi>{mail.from?.name || mail.from?.email}</bdi>
                </strong>
                <span className="soft">{mail.dateFormatted}</span>
              </header>
              <p className="prose" dir="auto">
                {mail.body.text.trim()}
              </p>
              {mail.body.truncated && <p className="soft">{w.cut}</p>}
            </article>
          ))}
          {answering ? (
            <form onSubmit={(e) => void show(e)}>
              <label className="field">
                <span>{w.answerText}</span>
                <textarea
                  dir="auto"
                  rows={6}
                  value={text}
                  onChange={(e) => {
                    setText(e.target.value);
                    keepDraft(id, e.target.value);
                  }}
                  data-first=""
                  required
                />
              </label>
              <footer className="pane__foot">
                <button type="submit" className="button button--main">
                  {w.preview}
                </button>
              </footer>
            </form>
          ) : (
            <footer className="pane__foot">
              {last && (
                <button
                  type="button"
                  className="button"
                  onClick={() => {
                    closePane();
                    archive(last);
                  }}
                >
                  {w.archive}
                </button>
              )}
              {maySend && (
                <button type="button" className="button button--main" onClick={() => setAnswering(true)}>
                  {w.answer}
                </button>
              )}
            </footer>
          )}
        </div>
      )}
      {preview && (
        <div className="pane">
          <p>{w.exactly}</p>
          <article className="letter letter--out">
            <header>
              <span>
                <bdi>{w.from(names(preview.from ? [preview.from] : []))}</bdi>
              </span>
              <span>
                <bdi>{w.to(names(preview.to.concat(preview.cc)))}</bdi>
              </span>
              <strong dir="auto">{preview.subject}</strong>
            </header>
            <p className="prose" dir="auto">
              {preview.body}
            </p>
          </article>
          <p className="soft">{w.sendIn}</p>
          <footer className="pane__foot">
            <button type="button" className="button" onClick={() => setPreview(null)}>
              {w.edit}
            </button>
            <button type="button" className="button button--main" onClick={() => void sendIt()}>
              {w.sendNow}
            </button>
          </footer>
        </div>
      )}
    </Dialog>
  );
}
