import "./style.css";

import { options } from "preact";
import { createRoot } from "react-dom/client";

import { adopt } from "./api/cache";
import { startClock } from "./api/clock";
import { stayLive } from "./api/live";
import { dress } from "./api/preferences";
import { meet } from "./api/viewer";
import { App } from "./app";
import { asked } from "./first";
import { listenForKeys } from "./keys/commands";

/** How long the page waits for what it shows first, in milliseconds: it is drawn once, not bit by bit. */
const TOGETHER = 150;

/** How long the first frame is given, in milliseconds. */
const PAINTED = 50;

const soon = (milliseconds: number): Promise<void> => new Promise((done) => setTimeout(done, milliseconds));

async function start(): Promise<void> {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no #root");
  dress();
  startClock();
  listenForKeys();
  const first = asked.map(({ document, variables, answer }) => adopt(document, variables, answer));
  await Promise.race([Promise.all(first), soon(TOGETHER)]);
  meet();
  // Effects are no motion: they do not wait for a frame, which a page that nobody sees never has.
  options.requestAnimationFrame = (effects) => setTimeout(effects);
  createRoot(root).render(<App />);
  // What is shown is painted before the page is live.
  await soon(PAINTED);
  void stayLive();
}

void start();
