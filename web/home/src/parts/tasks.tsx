import { act, type Outcome } from "../api/act";
import { addDays, clockTime, nameOfDay, wallTime, weekday } from "../api/clock";
import { locale } from "../api/preferences";
import { SetTaskDocument, type SetTaskMutation, type TaskPatch, type TaskPositionInput, type TaskRowFragment } from "../gql/graphql";
import { openPane } from "../panes/panes";
import { useWords } from "../words/words";
import { ruleInWords } from "../words/rule";
import { Icon } from "./icons";
import { Row, type RowDeeds } from "./rows";

const MORNING = "09:00";

/** The day that “next week” means: the first day of the next week, or Monday where weeks begin on a weekend. */
export function nextWeek(today: string): string {
  return addDays(today, ((8 - weekday(today)) % 7) || 7);
}

/** Changes a task and, with a position, its place in the order made by hand too. */
export function setTask(
  task: { id: string; recurrence?: unknown },
  set: TaskPatch,
  patch: Record<string, unknown>,
  position?: TaskPositionInput,
): Promise<Outcome<SetTaskMutation>> {
  return act({
    document: SetTaskDocument,
    input: { id: task.id, set, ...(position && { position }) },
    // What a repeating task becomes is for the server to say.
    ...(task.recurrence ? {} : { patch: { id: task.id, patch } }),
    waits: true,
  });
}

/**
 * A task is moved to a day at its time; one without a time to the morning. What would be late at once is moved to the
 * next hour.
 */
export function moveTask(task: TaskRowFragment, day: string, today: string): Promise<Outcome<SetTaskMutation>> {
  const wanted = task.dueDate ? clockTime(task.dueDate) : MORNING;
  const now = wallTime();
  const time = day > today || wanted > now ? wanted : now < "23:00" ? `${String(Number(now.slice(0, 2)) + 1).padStart(2, "0")}:00` : "23:59";
  const dueDate = `${day}T${time}`;
  return setTask(task, { dueDate }, {
    dueDate,
    dueDateFormatted: `${nameOfDay(day, locale.get())}, ${time}`,
    itemContext: { isOverdue: false, isToday: false },
    isOverdue: false,
  });
}

export function taskDeeds(task: TaskRowFragment, today: string): RowDeeds {
  return {
    open: () => openPane({ kind: "task", id: task.id }),
    complete: () => void setTask(task, { completed: !task.completed }, { completed: !task.completed }),
    // What repeats has its days by itself.
    ...(task.recurrence
      ? {}
      : {
          moveTo: (to) => void moveTask(task, to === "today" ? today : to === "tomorrow" ? addDays(today, 1) : nextWeek(today), today),
        }),
  };
}

export function Tick({ task }: { task: TaskRowFragment }) {
  const w = useWords();
  return (
    <button
      type="button"
      className="tick"
      role="checkbox"
      aria-checked={task.completed}
      aria-label={task.completed ? w.reopen(task.text) : w.markDone(task.text)}
      onClick={() => void setTask(task, { completed: !task.completed }, { completed: !task.completed })}
    >
      <Icon name="check" />
    </button>
  );
}

export function TaskRow({ task, today, when, className = "", draggable = false, also }: {
  task: TaskRowFragment;
  today: string;
  /** What stands for the time; the due date when left out. */
  when?: string | null;
  className?: string;
  draggable?: boolean;
  /** What can be done with it beyond what can be done with every task. */
  also?: RowDeeds;
}) {
  const w = useWords();
  const deeds: RowDeeds = { ...taskDeeds(task, today), ...also };
  const shown = when === undefined ? task.dueDateFormatted : when;
  return (
    <Row deeds={deeds} className={`row row--task ${task.completed ? "row--done" : ""} ${className}`} {...(draggable && { task: task.id })}>
      <Tick task={task} />
      <button type="button" className="row__main" data-open="" onClick={deeds.open}>
        <span className="row__title" dir="auto">
          {task.text}
        </span>
        <span className="row__meta">
          {shown && <span className={task.itemContext.isOverdue && !task.completed ? "bad" : ""}>{shown}</span>}
          {task.recurrence && (
            <span className="with-icon">
              <Icon name="repeat" />
              {ruleInWords(task.recurrence)}
            </span>
          )}
          {task.category && (
            <span className="chip" dir="auto">
              {task.category}
            </span>
          )}
        </span>
      </button>
      {(deeds.moveTo || deeds.places) && !task.completed && (
        <span className="row__tools">
          {deeds.moveTo && task.dueDate?.slice(0, 10) !== today && (
            <button type="button" className="quiet" aria-label={w.moveTo(task.text, w.today)} onClick={() => deeds.moveTo?.("today")}>
              {w.today}
            </button>
          )}
          {deeds.moveTo && task.dueDate?.slice(0, 10) !== addDays(today, 1) && (
            <button type="button" className="quiet" aria-label={w.moveTo(task.text, w.tomorrow)} onClick={() => deeds.moveTo?.("tomorrow")}>
              {w.tomorrow}
            </button>
          )}
          {deeds.moveTo && (
            <button type="button" className="quiet" aria-label={w.moveTo(task.text, w.nextWeek)} onClick={() => deeds.moveTo?.("week")}>
              {w.nextWeek}
            </button>
          )}
          {deeds.places && (
            <button type="button" className="round" data-places="" aria-label={w.places.of(task.text)} onClick={deeds.places}>
              <Icon name="more" />
            </button>
          )}
        </span>
      )}
    </Row>
  );
}

