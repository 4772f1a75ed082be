import { useGraphiQL, useMonaco } from "@graphiql/react";
import { useEffect } from "react";

const FONT = '"JetBrains Mono Variable", "Heebo Variable", ui-monospace, monospace';
const FONT_SIZE = 13.5;

/** Options that GraphiQL has no property for; it renders nothing. */
export function EditorOptions() {
  const queryEditor = useGraphiQL((state) => state.queryEditor);
  const variableEditor = useGraphiQL((state) => state.variableEditor);
  const headerEditor = useGraphiQL((state) => state.headerEditor);
  const responseEditor = useGraphiQL((state) => state.responseEditor);

  const monaco = useMonaco((state) => state.monaco);

  // The editor places cursor and line breaks by the width of a letter, which it must not take from a fallback font.
  useEffect(() => {
    if (!monaco || !queryEditor) return;
    void document.fonts.load(`${FONT_SIZE}px ${FONT}`).then(() => monaco.editor.remeasureFonts());
  }, [monaco, queryEditor]);

  useEffect(() => {
    for (const editor of [queryEditor, variableEditor, headerEditor, responseEditor]) {
      editor?.updateOptions({
        fontFamily: FONT,
        fontSize: FONT_SIZE,
        lineHeight: 21,
        // Hebrew letters look like "ambiguous" Latin ones to the editor, which would box every second word.
        unicodeHighlight: { ambiguousCharacters: false, nonBasicASCII: false },
        // One colour for brackets; the eye is to find names and values.
        bracketPairColorization: { enabled: false },
        guides: { indentation: true, bracketPairs: false },
        padding: { top: 4, bottom: 12 },
        wordWrap: "on",
        wrappingIndent: "indent",
        scrollbar: { verticalScrollbarSize: 9, horizontalScrollbarSize: 9, useShadows: false },
        folding: true,
        showFoldingControls: "mouseover",
      });
    }
    // The number column is of no use beside four lines of variables.
    for (const editor of [variableEditor, headerEditor]) editor?.updateOptions({ lineNumbers: "off", folding: false });
  }, [queryEditor, variableEditor, headerEditor, responseEditor]);

  return null;
}
