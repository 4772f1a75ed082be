const PATHS = {
  day: "M4 6.5h16M4 6.5v12a1.5 1.5 0 0 0 1.5 1.5h13a1.5 1.5 0 0 0 1.5-1.5v-12A1.5 1.5 0 0 0 18.5 5h-13A1.5 1.5 0 0 0 4 6.5ZM8 3v4M16 3v4M8 12h8M8 16h5",
  board: "m4 7 1.5 1.5L8.5 5.5M4 16.5 5.5 18l3-3M12 7h8M12 16.5h8",
  week: "M4 6.5h16v13H4zM4 10h16M9.3 10v9.5M14.7 10v9.5M8 4v3M16 4v3",
  memory: "M12 4a6.5 6.5 0 0 0-4 11.6V18h8v-2.4A6.5 6.5 0 0 0 12 4ZM9.5 20.5h5",
  lists: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  graph: "M6 8.5a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM18 12a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 18 12ZM9 20a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 9 20ZM8 7l8 2.3M7 8.3l1.6 7.4M10.6 16.3l5.8-5",
  websets: "M4 5h16v14H4zM4 10h16M4 14.5h16M10 10v9",
  search: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12ZM15 15l5 5",
  actions: "M4 12a8 8 0 1 0 2.6-5.9M4 4.5v4h4M12 8v4.5l3 1.8",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4",
  explorer: "m8.5 8-4.5 4 4.5 4M15.5 8l4.5 4-4.5 4M13.5 5.5l-3 13",
  palette: "M9 6.5A2.5 2.5 0 1 0 6.5 9h11A2.5 2.5 0 1 0 15 6.5v11a2.5 2.5 0 1 0 2.5-2.5h-11A2.5 2.5 0 1 0 9 17.5Z",
  sun: "M12 8.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  moon: "M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z",
  back: "m14.5 5.5-6.5 6.5 6.5 6.5",
  forth: "m9.5 5.5 6.5 6.5-6.5 6.5",
  close: "M6 6l12 12M18 6 6 18",
  check: "m6.5 12.5 3.5 3.5 7.5-8",
  mail: "M4 6.5h16v11H4zM4.5 7l7.5 6 7.5-6",
  place: "M12 21s6.5-6 6.5-11a6.5 6.5 0 1 0-13 0c0 5 6.5 11 6.5 11ZM12 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z",
  repeat: "M5 11V9.5A2.5 2.5 0 0 1 7.5 7H19M16 4l3 3-3 3M19 13v1.5a2.5 2.5 0 0 1-2.5 2.5H5M8 20l-3-3 3-3",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.3l2.8 1.7",
  send: "M4.5 12 20 4.5 15.5 20l-3.7-6.2zM11.8 13.8 20 4.5",
  archive: "M4 5h16v4H4zM5.5 9v10h13V9M10 13h4",
  more: "M5.5 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4ZM12 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4ZM18.5 11.3a.7.7 0 1 0 0 1.4.7.7 0 0 0 0-1.4Z",
  add: "M12 5v14M5 12h14",
  undo: "M9 6 5 10l4 4M5 10h9a5 5 0 0 1 0 10h-3",
} as const;

export type IconName = keyof typeof PATHS;

/** Icons that point along the line turn with the direction. */
const TURNS = new Set<IconName>(["back", "forth", "send", "undo"]);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={TURNS.has(name) ? "icon icon--turns" : "icon"} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
