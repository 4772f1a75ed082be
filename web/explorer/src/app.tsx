import { DOC_EXPLORER_PLUGIN, DocExplorerStore } from "@graphiql/plugin-doc-explorer";
import { HISTORY_PLUGIN, HistoryStore } from "@graphiql/plugin-history";
import { GraphiQLProvider, useGraphiQL, useGraphiQLActions } from "@graphiql/react";
import { GraphiQL, GraphiQLInterface } from "graphiql";
import { useEffect, useMemo, useRef, useState } from "react";

import { Bar } from "./bar";
import { EditorOptions } from "./editors";
import { examples, FIRST } from "./examples";
import { EXAMPLES_PLUGIN } from "./examples-pane";
import { createFetcher } from "./fetcher";
import { useObservable } from "./observable";
import { settings } from "./settings";
import { activeTab } from "./status";
import { StatusLine } from "./status-line";
import { EDITOR_THEME } from "./theme";

const PLUGINS = [DOC_EXPLORER_PLUGIN, EXAMPLES_PLUGIN, HISTORY_PLUGIN];
const FIRST_TABS = examples.filter(({ id }) => FIRST.includes(id)).map(({ query, variables }) => ({ query, variables }));

export function App() {
  const { token } = useObservable(settings);
  // GraphiQL asks for the schema again when the fetcher is another one; another token may see what this one could not.
  const fetcher = useMemo(() => createFetcher(), [token]);
  return (
    <GraphiQLProvider
      fetcher={fetcher}
      plugins={PLUGINS}
      referencePlugin={DOC_EXPLORER_PLUGIN}
      defaultTabs={FIRST_TABS}
      defaultQuery=""
      editorTheme={EDITOR_THEME}
      inputValueDeprecation
      schemaDescription
    >
      <HistoryStore>
        <DocExplorerStore>
          <Page />
        </DocExplorerStore>
      </HistoryStore>
    </GraphiQLProvider>
  );
}

/** Below this width the variables would take the place of the operation, so they start folded; style.css has the same width. */
const NARROW = "(max-width: 820px)";

/** GraphiQL keeps the width of its pane to itself: a pane opened through the store would open with no width. */
function toggleDocs() {
  const title = DOC_EXPLORER_PLUGIN.title;
  document.querySelector<HTMLButtonElement>(`.graphiql-sidebar :is([aria-label="Show ${title}"], [aria-label="Hide ${title}"])`)?.click();
}

/** Reports whether nobody has been here before: GraphiQL keeps its tabs there from the first moment on. */
function isFirstVisit(): boolean {
  try {
    return window.localStorage.getItem("graphiql:tabState") === null;
  } catch {
    return false; // storage is forbidden, so every visit would be the first
  }
}
const FIRST_VISIT = isFirstVisit();

/** On a first visit the first tab runs by itself, once the schema has come: an answer says more than an empty pane. */
function useFirstRun() {
  const ready = useGraphiQL((state) => Boolean(state.schema && state.queryEditor && state.responseEditor));
  const { run } = useGraphiQLActions();
  const done = useRef(!FIRST_VISIT);
  useEffect(() => {
    if (!ready || done.current) return;
    done.current = true;
    run();
  }, [ready, run]);
}

/** Brings the tab that was chosen or added into sight, and tells the status line whose line it is. */
function useActiveTab() {
  const id = useGraphiQL((state) => state.tabs[state.activeTabIndex]?.id ?? "");
  useEffect(() => {
    activeTab.set(id);
    document.querySelector(".graphiql-tab-active")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [id]);
}

function Page() {
  useActiveTab();
  useFirstRun();
  const visible = useGraphiQL((state) => state.visiblePlugin);
  const [narrow] = useState(() => window.matchMedia(NARROW).matches);
  return (
    <>
      <Bar onDocs={toggleDocs} />
      <main className="stage" data-pane={visible !== null}>
        <GraphiQLInterface defaultEditorToolsVisibility={narrow ? false : "variables"} showPersistHeadersSettings={false}>
          <GraphiQL.Logo> </GraphiQL.Logo>
          <GraphiQL.Footer>
            <StatusLine />
          </GraphiQL.Footer>
          <EditorOptions />
        </GraphiQLInterface>
      </main>
    </>
  );
}
