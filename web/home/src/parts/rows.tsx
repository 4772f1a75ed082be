import { useEffect, useLayoutEffect, useRef, type CSSProperties, type ReactNode } from "react";

/** What can be done with a row by keys and by the palette. */
export interface RowDeeds {
  open?: () => void;
  complete?: () => void;
  moveTo?: (day: "today" | "tomorrow" | "week") => void;
  archive?: () => void;
  /** Moves it up or down by one in an order made by hand. */
  place?: (by: 1 | -1) => void;
  /** Moves it to the group after or before its own. */
  regroup?: (by: 1 | -1) => void;
  /** Shows the places it can be moved to, for those who have no keys and do not drag. */
  places?: () => void;
  reply?: () => void;
}

const deeds = new WeakMap<Element, RowDeeds>();
let lastRow: Element | null = null;

document.addEventListener("focusin", (e) => {
  const row = e.target instanceof Element ? e.target.closest("[data-row]") : null;
  if (row) lastRow = row;
});

/** What can be done with the row that has the focus, or had it before a dialog took it. */
export function currentDeeds(): RowDeeds {
  const row = lastRow?.isConnected ? lastRow : drawnAnew(lastRow);
  return (row && deeds.get(row)) || {};
}

/** The row that a task has now: what is moved to another group is drawn anew there, perhaps just before a key comes. */
function drawnAnew(row: Element | null): Element | null {
  const task = row instanceof HTMLElement ? row.dataset.task : undefined;
  return task ? document.querySelector(`main [data-task="${CSS.escape(task)}"]`) : null;
}

/** What can be done with the row that has the focus now. */
export function focusedDeeds(): RowDeeds {
  return lastRow?.contains(document.activeElement) ? currentDeeds() : {};
}

export function moveAmongRows(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  const here = lastRow ? rows.indexOf(lastRow as HTMLElement) : -1;
  const next = rows[here < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, here + by))];
  const target = next?.querySelector<HTMLElement>("[data-open]");
  target?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

export function Row({ deeds: mine, className, task, style, children }: {
  deeds: RowDeeds;
  className: string;
  /** The task that the row can be dragged with. */
  task?: string;
  style?: CSSProperties;
  children: ReactNode;
}) {
  const ref = useRef<HTMLLIElement>(null);
  // At once: a key may come before the next frame.
  useLayoutEffect(() => {
    if (ref.current) deeds.set(ref.current, mine);
  });
  useEffect(() => {
    const row = ref.current;
    return () => {
      // When the row that has the focus goes, the one beside it takes over.
      if (!row?.contains(document.activeElement)) return;
      const rows = [...document.querySelectorAll("main [data-row]")];
      const next = rows[rows.indexOf(row) + 1] ?? rows[rows.indexOf(row) - 1];
      setTimeout(() => document.activeElement === document.body && next?.querySelector<HTMLElement>("[data-open]")?.focus());
    };
  }, []);
  return (
    <li ref={ref} className={className} style={style} data-row="" data-task={task} draggable={task !== undefined}>
      {children}
    </li>
  );
}
