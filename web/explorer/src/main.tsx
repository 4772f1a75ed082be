import "./style.css";
import "./workers";

import { createRoot } from "react-dom/client";

import { App } from "./app";
import { defineEditorThemes } from "./theme";

// GraphiQL loads the same module when it mounts, before or after this has run.
void import("monaco-graphql/esm/monaco-editor.js").then(defineEditorThemes);

const root = document.getElementById("root");
if (!root) throw new Error("the page has no #root");
createRoot(root).render(<App />);
