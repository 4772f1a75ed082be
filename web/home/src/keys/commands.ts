import { undo } from "../api/act";
import { chooseLocale } from "../api/locale";
import { locale, setTheme, singleKeys, theme } from "../api/preferences";
import { state } from "../api/value";
import { openPane } from "../panes/panes";
import { currentDeeds, focusedDeeds, moveAmongRows } from "../parts/rows";
import { words } from "../words/words";
import { go } from "./route";

export interface Command {
  name: string;
  /** The keys by their place on an English keyboard, so that they are the same in Hebrew: `g d`. */
  keys: string;
  run: () => void;
}

export const paletteOpen = state(false);
export const keysOpen = state(false);

export function isDark(): boolean {
  return theme.get() === "dark" || (theme.get() === "system" && window.matchMedia("(prefers-color-scheme: dark)").matches);
}

/** Brings the sentence box to the day and the focus into it. */
export function focusSay(text = ""): void {
  if (!document.querySelector("#say")) go("day");
  setTimeout(() => {
    const box = document.querySelector<HTMLInputElement>("#say");
    box?.focus();
    if (text !== "") window.dispatchEvent(new CustomEvent("almanac:say", { detail: text }));
  }, 60);
}

function focusSearch(): void {
  go("memory");
  setTimeout(() => document.querySelector<HTMLInputElement>("#search")?.focus(), 250);
}

/** The arrow that points to what follows: left in Hebrew. */
const onward = (): "→" | "←" => (locale.get() === "he" ? "←" : "→");
const back = (): "→" | "←" => (locale.get() === "he" ? "→" : "←");

export function commands(): Command[] {
  const w = words();
  const row = currentDeeds();
  const c = w.commands;
  const forRow = (name: string, keys: string, run: (() => void) | undefined): Command[] => (run ? [{ name, keys, run }] : []);
  return [
    { name: c.say, keys: "s", run: () => focusSay() },
    { name: w.memorySearch, keys: "/", run: focusSearch },
    { name: w.everything, keys: "g f", run: () => go("search") },
    { name: c.add, keys: "c", run: () => openPane({ kind: "add" }) },
    { name: c.undo, keys: "z", run: () => void undo() },
    ...forRow(c.openRow, "Enter", row.open),
    ...forRow(c.complete, "x", row.complete),
    ...forRow(c.moveToday, "t", row.moveTo && (() => row.moveTo?.("today"))),
    ...forRow(c.moveTomorrow, "m", row.moveTo && (() => row.moveTo?.("tomorrow"))),
    ...forRow(c.moveWeek, "w", row.moveTo && (() => row.moveTo?.("week"))),
    ...forRow(c.placeUp, "Alt ↑", row.place && (() => row.place?.(-1))),
    ...forRow(c.placeDown, "Alt ↓", row.place && (() => row.place?.(1))),
    ...forRow(c.groupNext, `Alt ${onward()}`, row.regroup && (() => row.regroup?.(1))),
    ...forRow(c.groupBefore, `Alt ${back()}`, row.regroup && (() => row.regroup?.(-1))),
    ...forRow(c.archive, "e", row.archive),
    ...forRow(c.reply, "r", row.reply),
    { name: c.moveDown, keys: "j", run: () => moveAmongRows(1) },
    { name: c.moveUp, keys: "k", run: () => moveAmongRows(-1) },
    { name: w.day, keys: "g d", run: () => go("day") },
    { name: w.week, keys: "g w", run: () => go("week") },
    { name: w.board, keys: "g b", run: () => go("board") },
    { name: w.inbox, keys: "g i", run: () => go("inbox") },
    { name: w.memory, keys: "g m", run: () => go("memory") },
    { name: w.lists, keys: "g l", run: () => go("lists") },
    { name: w.graph, keys: "g k", run: () => go("graph") },
    { name: w.websets, keys: "g x", run: () => go("websets") },
    { name: w.actions, keys: "g a", run: () => go("actions") },
    { name: w.settings, keys: "g s", run: () => go("settings") },
    { name: w.explorer, keys: "g e", run: () => window.location.assign("explorer/") },
    { name: c.theme, keys: "g t", run: () => setTheme(isDark() ? "light" : "dark") },
    { name: c.language, keys: "g y", run: () => chooseLocale(locale.get() === "he" ? "en" : "he") },
    { name: c.palette, keys: "Ctrl K", run: () => paletteOpen.set(true) },
    { name: c.keys, keys: "?", run: () => keysOpen.set(true) },
  ];
}

/** Every key, whether or not a row has the focus. */
export function allKeys(): [string, string][] {
  const c = words().commands;
  const rows: [string, string][] = [
    ["Enter", c.openRow],
    ["x", c.complete],
    ["t", c.moveToday],
    ["m", c.moveTomorrow],
    ["w", c.moveWeek],
    ["Alt ↑", c.placeUp],
    ["Alt ↓", c.placeDown],
    [`Alt ${onward()}`, c.groupNext],
    [`Alt ${back()}`, c.groupBefore],
    ["e", c.archive],
    ["r", c.reply],
  ];
  const named = new Set(rows.map(([key]) => key));
  return [...commands().filter(({ keys }) => !named.has(keys)).map(({ keys, name }): [string, string] => [keys, name]), ...rows];
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

const ARROWS: Record<string, "↑" | "↓" | "→" | "←"> = { ArrowUp: "↑", ArrowDown: "↓", ArrowRight: "→", ArrowLeft: "←" };

/** How long the first of two keys is remembered. */
const TOGETHER = 1_200;

export function listenForKeys(): void {
  let first = "";
  let at = 0;
  document.addEventListener("keydown", (e) => {
    if ((e.ctrlKey || e.metaKey) && e.code === "KeyK") {
      e.preventDefault();
      paletteOpen.set(!paletteOpen.get());
      return;
    }
    const arrow = e.altKey && !isTyping(e.target) && !document.querySelector("dialog[open]") ? ARROWS[e.code] : undefined;
    if (arrow) {
      const { place, regroup } = focusedDeeds();
      const move = arrow === "↑" || arrow === "↓" ? place : regroup;
      if (!move) return;
      e.preventDefault();
      move(arrow === "↓" || arrow === onward() ? 1 : -1);
      return;
    }
    if (e.ctrlKey || e.metaKey || e.altKey || e.isComposing || isTyping(e.target)) return;
    if (document.querySelector("dialog[open]") || !singleKeys.get()) return;
    const key = e.key === "?" || e.key === "/" ? e.key : e.code.startsWith("Key") ? e.code.slice(3).toLowerCase() : "";
    if (key === "") return;
    const both = first !== "" && Date.now() - at < TOGETHER ? `${first} ${key}` : key;
    first = "";
    if (both === "g") {
      first = "g";
      at = Date.now();
      return;
    }
    const command = commands().find(({ keys }) => keys === both);
    if (!command) return;
    e.preventDefault();
    command.run();
  });
}
