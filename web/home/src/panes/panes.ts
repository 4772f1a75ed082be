import { state } from "../api/value";

/** The record that is open beside the page. */
export type Pane =
  | { kind: "task"; id: string }
  | { kind: "event"; id: string }
  | { kind: "mail"; id: string; reply?: boolean }
  | { kind: "memory"; id: string }
  | { kind: "add"; text?: string };

export const pane = state<Pane | null>(null);

export function openPane(next: Pane): void {
  pane.set(next);
}

// What is open beside a screen goes with it, by the browser's back button too.
window.addEventListener("hashchange", closePane);

export function closePane(): void {
  pane.set(null);
}
