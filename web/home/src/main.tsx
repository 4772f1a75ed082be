import "./style.css";

import { createRoot } from "react-dom/client";

import { startClock } from "./api/clock";
import { stayLive } from "./api/live";
import { dress } from "./api/preferences";
import { App } from "./app";
import { listenForKeys } from "./keys/commands";

dress();
startClock();
listenForKeys();
void stayLive();

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(<App />);
