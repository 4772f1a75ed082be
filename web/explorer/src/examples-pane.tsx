import { useGraphiQL, useGraphiQLActions, type GraphiQLPlugin } from "@graphiql/react";

import { examples, type Example } from "./examples";
import { BookIcon } from "./icons";

const KIND_LABEL: Record<Example["kind"], string> = { query: "Query", mutation: "Mutation", subscription: "Live" };

/** The saved examples, for whoever has closed their tabs. */
function ExamplesPane() {
  const tabs = useGraphiQL((state) => state.tabs);
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const { addTab, changeTab } = useGraphiQLActions();

  function open(example: Example) {
    const index = tabs.findIndex((tab) => tab.query === example.query);
    if (index >= 0) {
      changeTab(index);
    } else {
      addTab();
      queryEditor?.setValue(example.query);
      variableEditor?.setValue(example.variables);
    }
    queryEditor?.focus(); // so that Ctrl-Enter runs it
  }

  return (
    <section className="examples" aria-label="Examples">
      <h2 className="examples__title">Examples</h2>
      <p className="examples__hint">Each opens in a tab of its own. Your own tabs stay as they are.</p>
      <ul className="examples__list">
        {examples.map((example) => (
          <li key={example.id}>
            <button type="button" className="example" onClick={() => open(example)}>
              <span className="example__title" lang={example.language} dir="auto">
                {example.title}
              </span>
              <span className="example__kind" data-kind={example.kind}>
                {KIND_LABEL[example.kind]}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const EXAMPLES_PLUGIN: GraphiQLPlugin = { title: "Examples", icon: BookIcon, content: ExamplesPane };
