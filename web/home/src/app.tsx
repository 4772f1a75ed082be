import { Component, useEffect, useState, type ComponentType, type ReactNode } from "react";

import { dismiss, explain, question, toast, toasts, undo, waiting } from "./api/act";
import { Failure, UNANSWERED } from "./api/client";
import { link, onChange } from "./api/live";
import { tokenWanted } from "./api/preferences";
import { useValue } from "./api/state";
import { minute, wallClock } from "./api/clock";
import { useMe } from "./api/viewer";
import Day from "./day/day";
import { keysOpen, paletteOpen } from "./keys/commands";
import { SCREENS, useRoute, type Screen } from "./keys/route";
import { pane } from "./panes/panes";
import { Icon, type IconName } from "./parts/icons";
import { Trouble, Waiting } from "./parts/trouble";
import { ZoneOffer } from "./settings/zone";
import { useWords, words } from "./words/words";

/** The screens but the day, which come after it, and are then there without a network too. */
const laterScreens: Record<Exclude<Screen, "day">, () => Promise<{ default: ComponentType }>> = {
  week: () => import("./week/week"),
  board: () => import("./board/board"),
  inbox: () => import("./inbox/inbox"),
  memory: () => import("./memory/memory"),
  lists: () => import("./lists/lists"),
  graph: () => import("./graph/graph"),
  websets: () => import("./websets/websets"),
  actions: () => import("./actions/actions"),
  settings: () => import("./settings/settings"),
  search: () => import("./search/search"),
};
/** After how long the other screens are fetched, in milliseconds: the day is shown by then. */
const IDLE = 2_000;

const loaded = new Map<Screen, ComponentType>([["day", Day]]);

async function load(screen: Screen): Promise<void> {
  if (screen !== "day" && !loaded.has(screen)) loaded.set(screen, (await laterScreens[screen]()).default);
}

async function loadAll(): Promise<void> {
  for (const screen of SCREENS) await load(screen).catch(() => undefined); // it is tried again when it is opened
}

/** A screen, once its part of the program is there. */
function Shown({ screen }: { screen: Screen }) {
  const [, arrived] = useState(0);
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const Loaded = loaded.get(screen);
  useEffect(() => {
    setFailed(false);
    load(screen).then(
      () => arrived((n) => n + 1),
      () => setFailed(true),
    );
  }, [screen, tries]);
  if (Loaded) return <Loaded />;
  if (failed) return <Trouble failure={new Failure("", true, UNANSWERED)} again={() => setTries(tries + 1)} />;
  return <Waiting rows={6} />;
}

const overlays = () => import("./overlays");
let Overlays: ComponentType | undefined;
/** After how long what lies on top of the page is fetched when nobody wants it yet, in milliseconds. */
const SHOWN = 300;

/** What lies on top of the page. Its part of the program comes after the day, or at once when something is to be shown. */
function OnTop() {
  const [, arrived] = useState(0);
  const wants = [useValue(pane), useValue(question), useValue(paletteOpen), useValue(keysOpen), useValue(tokenWanted)];
  const wanted = wants.some(Boolean);
  useEffect(() => {
    if (Overlays) return;
    const fetchIt = () =>
      overlays().then(
        (part) => {
          Overlays = part.default;
          arrived((n) => n + 1);
        },
        // Whoever wants nothing yet is told nothing.
        () => wanted && toast(explain(new Failure("", true, UNANSWERED)), { bad: true }),
      );
    const timer = setTimeout(() => void fetchIt(), wanted ? 0 : SHOWN);
    return () => clearTimeout(timer);
  }, [wanted]);
  return Overlays ? <Overlays /> : null;
}

/** A fault of a screen leaves the rest of the page, by which one gets away from it. */
class Guard extends Component<{ at: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override componentDidUpdate(before: { at: string }) {
    if (this.state.failed && before.at !== this.props.at) this.setState({ failed: false });
  }
  override render() {
    if (!this.state.failed) return this.props.children;
    return <Trouble failure={new Failure(words().failed, false)} again={() => this.setState({ failed: false })} />;
  }
}

export function App() {
  const w = useWords();
  const [screen, rest] = useRoute();
  useReminders();
  useEffect(() => {
    const timer = setTimeout(() => void loadAll(), IDLE);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    document.title = screen === "day" ? "Almanac" : `${w[screen]} – Almanac`;
  }, [screen, w]);
  return (
    <>
      <a className="skip" href="#main" onClick={(e) => (e.preventDefault(), document.getElementById("main")?.focus())}>
        {w.skip}
      </a>
      <Rail screen={screen} />
      <div className="stage">
        <Bars />
        <main id="main" tabIndex={-1} key={screen}>
          <Guard at={rest}>
            <Shown screen={screen} key={rest ? "there" : "here"} />
          </Guard>
        </main>
      </div>
      <OnTop />
      <Toasts />
    </>
  );
}

/** A reminder that falls due is told once, wherever the person is. */
function useReminders() {
  useEffect(
    () =>
      onChange((change) => {
        if (change.operation === "REMINDED" && change.node && "text" in change.node) toast(`${words().reminder}: ${change.node.text}`);
      }),
    [],
  );
}

const PLACES: [Screen, IconName][] = [
  ["day", "day"],
  ["week", "week"],
  ["board", "board"],
  ["inbox", "mail"],
  ["memory", "memory"],
  ["lists", "lists"],
  ["graph", "graph"],
  ["websets", "websets"],
  ["actions", "actions"],
  ["settings", "settings"],
];

/** The places in the bar of a phone; the palette has the others. */
const ON_PHONE = new Set<Screen>(["day", "week", "board", "inbox"]);

function Rail({ screen }: { screen: Screen }) {
  const w = useWords();
  return (
    <nav className="rail" aria-label="Almanac">
      <a className="rail__name" href="#/day" aria-label="Almanac">
        <svg viewBox="0 0 64 64" aria-hidden="true">
          <path d="M44 44.5A21 21 0 1 1 39 12a17 17 0 1 0 5 32.5Z" />
        </svg>
        <span>Almanac</span>
      </a>
      <ul>
        {PLACES.map(([place, icon]) => (
          <li key={place} className={ON_PHONE.has(place) ? undefined : "rail__wide"}>
            <a href={`#/${place}`} aria-current={screen === place ? "page" : undefined}>
              <Icon name={icon} />
              <span>{w[place]}</span>
            </a>
          </li>
        ))}
        <li className="rail__wide">
          <a href="explorer/">
            <Icon name="explorer" />
            <span>{w.explorer}</span>
          </a>
        </li>
      </ul>
      <button type="button" className="rail__palette" onClick={() => paletteOpen.set(true)}>
        <Icon name="palette" />
        <span className="rail__wide">{w.palette}</span>
        <span className="rail__narrow">{w.more}</span>
        <kbd>Ctrl K</kbd>
      </button>
    </nav>
  );
}

/** A socket that is away for less is not worth a word, in milliseconds. */
const SOON = 3_000;

function Bars() {
  const w = useWords();
  const me = useMe();
  const away = useValue(link);
  const count = useValue(waiting);
  // Who has to sign in is told so; the connection waits for that alone.
  const unknown = useValue(tokenWanted);
  const time = useValue(minute);
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (away.state === "live") {
      setTold(false);
      return;
    }
    const timer = setTimeout(() => setTold(true), Math.max(0, away.since + SOON - Date.now()));
    return () => clearTimeout(timer);
  }, [away, time]);
  return (
    <>
      <div role="status">
        {told && !unknown && away.state === "away" && (
          <p className="bar bar--away">
            {w.away(me ? wallClock(away.since, me.zone).slice(11) : new Date(away.since).toTimeString().slice(0, 5))} {count > 0 && <strong>{w.waitingCount(count)}</strong>}
          </p>
        )}
      </div>
      <ZoneOffer />
    </>
  );
}

function Toasts() {
  const w = useWords();
  const shown = useValue(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map((one) => (
        <div key={one.id} className={one.bad ? "toast toast--bad" : "toast"}>
          <span dir="auto">{one.text}</span>
          {one.action && (
            <button type="button" className="toast__undo" onClick={() => void undo(one.action)}>
              {w.undo}
            </button>
          )}
          <button type="button" className="round" aria-label={w.close} onClick={() => dismiss(one.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
