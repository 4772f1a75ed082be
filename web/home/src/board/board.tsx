import { useId, useState, type DragEvent } from "react";

import { act, type Outcome } from "../api/act";
import { useReading } from "../api/cache";
import { addDays } from "../api/clock";
import { locale } from "../api/preferences";
import { useMe } from "../api/viewer";
import { BoardDocument, BoardPageDocument, SetTaskDocument, type BoardQuery, type TaskFilter, type TaskGroup, type TaskPositionInput, type TaskRowFragment } from "../gql/graphql";
import { useRoute } from "../keys/route";
import { openPane } from "../panes/panes";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import type { RowDeeds } from "../parts/rows";
import { moveTask, nextWeek, setTask, TaskRow } from "../parts/tasks";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

/** How many tasks of a column are shown first, and how many each further page has. */
const FIRST = 25;
const MORE = 100;

/** The part of the address that groups by category; without it, tasks are grouped by time. */
const BY_CATEGORY = "categories";

/** A group of tasks. */
interface Group {
  id: string;
  title: string;
  empty: string;
  total: number;
  bad?: boolean;
  filter: TaskFilter;
  /** Whether its order is made by hand; it is that of the due dates otherwise. */
  byHand?: boolean;
  /** What becomes of a task that is dropped here; nothing can be when left out. */
  drop?: (task: TaskRowFragment, position?: TaskPositionInput) => Promise<Outcome<unknown>>;
}

export default function Board() {
  const w = useWords();
  const me = useMe();
  const [, rest] = useRoute();
  const { data, failure, again } = useReading(BoardDocument, {});
  const byCategory = rest === BY_CATEGORY;
  const groups = data && me ? (byCategory ? categories(data, w) : times(data, me.today, w)) : [];
  return (
    <div className="board">
      <header className="board__head">
        <h1>{w.board}</h1>
        <nav className="tabs" aria-label={w.groupBy}>
          <a href="#/board" aria-current={byCategory ? undefined : "true"}>
            {w.byTime}
          </a>
          <a href={`#/board/${BY_CATEGORY}`} aria-current={byCategory ? "true" : undefined}>
            {w.byCategory}
          </a>
        </nav>
        <button type="button" className="button button--main" onClick={() => openPane({ kind: "add" })}>
          <Icon name="add" />
          {w.task.add}
        </button>
      </header>
      {failure && !data && <Trouble failure={failure} again={again} />}
      {!failure && (!data || !me) && <Waiting rows={8} />}
      {data && me && (
        <div className="board__groups">
          {halves(groups).map((half, index) => (
            <div key={index} className="board__half">
              {half.map((group) => (
                <Column key={group.id} group={group} groups={groups} today={me.today} />
              ))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Two columns of about the same height, in their order. */
function halves(groups: Group[]): Group[][] {
  const sides: Group[][] = [[], []];
  const heights = [0, 0];
  for (const group of groups) {
    const side = (heights[0] ?? 0) <= (heights[1] ?? 0) ? 0 : 1;
    sides[side]?.push(group);
    heights[side] = (heights[side] ?? 0) + 3 + Math.min(group.total, FIRST);
  }
  return sides;
}

/** The keys t, m and w move a task as dropping it does. */
function times(data: BoardQuery, today: string, w: ReturnType<typeof useWords>): Group[] {
  const counts = data.tasks?.categorized.counts;
  const group = (id: keyof typeof w.groups, of: TaskGroup, drop?: Group["drop"]): Group => ({
    id,
    title: w.groups[id],
    empty: w.groupsEmpty[id],
    total: counts?.[id] ?? 0,
    bad: id === "overdue",
    filter: { group: of },
    ...(drop && { drop }),
  });
  return [
    group("overdue", "OVERDUE"),
    group("today", "TODAY", (task) => moveTask(task, today, today)),
    group("upcoming", "UPCOMING", (task) =>
      moveTask(task, task.itemContext.isToday || task.itemContext.isOverdue ? addDays(today, 1) : nextWeek(today), today),
    ),
    group("recurring", "RECURRING"),
    { ...group("noDueDate", "NO_DUE_DATE", (task, at) => setTask(task, { dueDate: null }, { dueDate: null, dueDateFormatted: null }, at)), byHand: true },
  ];
}

function categories(data: BoardQuery, w: ReturnType<typeof useWords>): Group[] {
  const of = (name: string, open: number): Group => ({
    id: `category ${name}`,
    title: name || w.noCategory,
    empty: w.noTasks,
    total: open,
    filter: { category: name },
    byHand: true,
    drop: (task, at) => setTask(task, { category: name || null }, { category: name || null }, at),
  });
  // By name, so that no group changes its place with the number of its tasks.
  const named = [...(data.categories ?? [])].sort((a, b) => a.name.localeCompare(b.name, locale.get()));
  return [...named.map(({ name, open }) => of(name, open)), of("", data.without?.totalCount ?? 0)];
}

/** The tasks that a column shows, in their order. */
function shownIn(column: Element | null): string[] {
  return [...(column?.querySelectorAll<HTMLElement>("[data-task]") ?? [])].map((one) => one.dataset.task ?? "");
}

/** The focus goes along with what was moved: its row is another element now. */
async function follow(id: string, moving: Promise<Outcome<unknown>>): Promise<void> {
  const { done } = await moving;
  if (done && !document.querySelector("dialog[open]")) document.querySelector<HTMLElement>(`[data-task="${CSS.escape(id)}"] [data-open]`)?.focus();
}

function place(id: string, position: TaskPositionInput): void {
  void follow(id, act({ document: SetTaskDocument, input: { id, position }, waits: true }));
}

/** Moves a task up or down by one place, over the end of a page too. */
function placeBy(id: string, by: 1 | -1): void {
  const order = shownIn(document.querySelector(`.column [data-task="${CSS.escape(id)}"]`)?.closest(".column") ?? null);
  const other = order[order.indexOf(id) + by];
  if (other) place(id, by > 0 ? { after: other } : { before: other });
}

/** Moves a task into a group, to its first place where the order is made by hand: from there it is moved on by keys. */
function moveInto(group: Group, task: TaskRowFragment): void {
  const [first] = shownIn(document.querySelector(`[data-group="${CSS.escape(group.id)}"]`));
  if (group.drop) void follow(task.id, group.drop(task, group.byHand && first ? { before: first } : undefined));
}

/** Moves a task into the nearest group after or before its own that takes it. */
function regroup(groups: Group[], from: Group, task: TaskRowFragment, by: 1 | -1): void {
  const at = groups.findIndex(({ id }) => id === from.id);
  const [next] = by > 0 ? groups.slice(at + 1).filter(({ drop }) => drop) : groups.slice(0, at).filter(({ drop }) => drop).reverse();
  if (next) moveInto(next, task);
}

/** What repeats has its days by itself. */
const movable = (group: Group, task: TaskRowFragment) => !task.recurrence || group.filter.category !== undefined;

/** The places that a task can be moved to, for the pointer and for a phone. */
function Places({ task, group, groups, onClose }: { task: TaskRowFragment; group: Group; groups: Group[]; onClose: () => void }) {
  const w = useWords();
  const others = movable(group, task) ? groups.filter(({ id, drop }) => drop && id !== group.id) : [];
  return (
    <Dialog kind="sheet" title={w.places.of(task.text)} onClose={onClose}>
      <div className="pane places">
        {group.byHand && (
          <div className="places__by">
            <button type="button" className="button" data-first="" onClick={() => placeBy(task.id, -1)}>
              {w.places.up}
            </button>
            <button type="button" className="button" onClick={() => placeBy(task.id, 1)}>
              {w.places.down}
            </button>
          </div>
        )}
        {others.length > 0 && <h3>{w.places.groups}</h3>}
        <ul className="plain places__groups">
          {others.map((other) => (
            <li key={other.id}>
              <button
                type="button"
                className="button"
                onClick={() => {
                  onClose();
                  moveInto(other, task);
                }}
              >
                <bdi>{other.title}</bdi>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}

/** What is dragged: the browser hides it from the page until it is dropped. */
let dragged: { task: TaskRowFragment; from: string } | null = null;

function Column({ group, groups, today }: { group: Group; groups: Group[]; today: string }) {
  const heading = useId();
  const [over, setOver] = useState(false);
  /** The row that what is dragged would be put beside. */
  const [beside, setBeside] = useState<TaskPositionInput | null>(null);
  const [pages, setPages] = useState<string[]>([""]);
  const [placing, setPlacing] = useState<TaskRowFragment | null>(null);
  const deeds = (task: TaskRowFragment): RowDeeds => ({
    ...(group.byHand && { place: (by: 1 | -1) => placeBy(task.id, by) }),
    ...(movable(group, task) && { regroup: (by: 1 | -1) => regroup(groups, group, task, by), places: () => setPlacing(task) }),
  });
  const row = (e: DragEvent) => (e.target as HTMLElement).closest<HTMLElement>("[data-task]");
  /** Within its group it takes the other's place, which makes room; it comes into another group where the pointer is. */
  const target = (e: DragEvent): TaskPositionInput | null => {
    const other = row(e);
    const id = other?.dataset.task;
    if (!dragged || !group.byHand || !other || !id || id === dragged.task.id) return null;
    const { top, height } = other.getBoundingClientRect();
    const order = shownIn(e.currentTarget);
    const after = dragged.from === group.id ? order.indexOf(dragged.task.id) < order.indexOf(id) : e.clientY > top + height / 2;
    return after ? { after: id } : { before: id };
  };
  const accepts = (e: DragEvent) => {
    if (!group.drop || !dragged) return;
    const at = target(e);
    if (at?.before !== beside?.before || at?.after !== beside?.after) setBeside(at);
    if (dragged.from === group.id && !at) return;
    e.preventDefault();
    setOver(dragged.from !== group.id);
  };
  const leave = () => {
    setOver(false);
    setBeside(null);
  };
  return (
    <section
      className={`card column ${over ? "column--over" : ""}`}
      aria-labelledby={heading}
      onDragOver={accepts}
      onDragLeave={leave}
      data-group={group.id}
      onDrop={(e) => {
        e.preventDefault();
        leave();
        const at = target(e);
        if (dragged && dragged.from !== group.id) void group.drop?.(dragged.task, at ?? undefined);
        else if (dragged && at) place(dragged.task.id, at);
        dragged = null;
      }}
      onDragEnd={() => (dragged = null)}
    >
      <h2 id={heading}>
        <bdi>{group.title}</bdi> {group.total > 0 && <span className={group.bad ? "count count--bad" : "count"}>{group.total}</span>}
      </h2>
      {pages.map((after, index) => (
        <Page key={after} group={group} deeds={deeds} beside={beside} after={after} today={today} {...(index === pages.length - 1 && { onMore: (next: string) => setPages([...pages, next]) })} />
      ))}
      {placing && <Places task={placing} group={group} groups={groups} onClose={() => setPlacing(null)} />}
    </section>
  );
}

function Page({ group, deeds, beside, after, today, onMore }: {
  group: Group;
  deeds: (task: TaskRowFragment) => RowDeeds;
  beside: TaskPositionInput | null;
  after: string;
  today: string;
  onMore?: (after: string) => void;
}) {
  const w = useWords();
  const { data, failure, again } = useReading(BoardPageDocument, { filter: group.filter, order: group.byHand ? "POSITION" : "DUE_DATE", first: after ? MORE : FIRST, after: after || null });
  const page = data?.tasks;
  if (failure && !page) return <Trouble failure={failure} again={again} />;
  if (!page) return <Waiting rows={Math.min(group.total, 3)} />;
  return (
    <>
      {page.nodes.length === 0 && after === "" && <p className="empty">{group.empty}</p>}
      <ul
        className="rows"
        onDragStart={(e) => {
          const id = (e.target as HTMLElement).closest<HTMLElement>("[data-task]")?.dataset.task;
          const task = page.nodes.find((one) => one.id === id);
          if (!task) return e.preventDefault();
          dragged = { task, from: group.id };
          e.dataTransfer.setData("text/plain", task.text);
        }}
      >
        {page.nodes.map((task) => (
          <TaskRow
            key={task.id}
            task={task}
            today={today}
            className={beside?.before === task.id ? "row--before" : beside?.after === task.id ? "row--after" : ""}
            draggable={movable(group, task)}
            also={deeds(task)}
          />
        ))}
      </ul>
      {onMore && page.pageInfo.hasNextPage && (
        <button type="button" className="button" onClick={() => onMore(page.pageInfo.endCursor ?? "")}>
          {w.showMore}
        </button>
      )}
    </>
  );
}
