import type * as Monaco from "monaco-editor";

/** The names of the editor themes; the colours of everything else are in style.css. */
export const EDITOR_THEME = { dark: "almanac-dark", light: "almanac-light" } as const;

interface Palette {
  readonly panel: string;
  readonly ink: string;
  readonly faint: string;
  readonly accent: string;
  readonly keyword: string;
  readonly field: string;
  readonly type: string;
  readonly argument: string;
  readonly string: string;
  readonly number: string;
  readonly comment: string;
}

const light: Palette = {
  panel: "#ffffff",
  ink: "#1c2442",
  faint: "#9aa3bd",
  accent: "#2a4bc8",
  keyword: "#2a4bc8",
  field: "#1c2442",
  type: "#8a5a00",
  argument: "#6d3bb5",
  string: "#0f7048",
  number: "#b0430f",
  comment: "#667091",
};

const dark: Palette = {
  panel: "#161d37",
  ink: "#dfe5f7",
  faint: "#56618c",
  accent: "#f3c65a",
  keyword: "#f3c65a",
  field: "#dfe5f7",
  type: "#8fd3e8",
  argument: "#c3a9ff",
  string: "#8fdcae",
  number: "#ffab7a",
  comment: "#8590b8",
};

function themeData(base: "vs" | "vs-dark", p: Palette): Monaco.editor.IStandaloneThemeData {
  const rule = (token: string, colour: string, fontStyle = "") => ({ token, foreground: colour.slice(1), fontStyle });
  const veil = `${p.accent}1f`;
  return {
    base,
    inherit: true,
    rules: [
      rule("", p.ink),
      rule("keyword", p.keyword),
      rule("keyword.gql", p.keyword, "bold"),
      rule("key.identifier.gql", p.field),
      rule("type.identifier.gql", p.type),
      rule("argument.identifier.gql", p.argument),
      rule("annotation.gql", p.argument),
      rule("string", p.string),
      rule("string.gql", p.string),
      rule("string.key.json", p.accent),
      rule("string.value.json", p.string),
      rule("number", p.number),
      rule("number.json", p.number),
      rule("keyword.json", p.number),
      rule("comment", p.comment),
      rule("delimiter", p.comment),
    ],
    colors: {
      "editor.background": "#ffffff00",
      "editor.foreground": p.ink,
      "editorLineNumber.foreground": p.faint,
      "editorLineNumber.activeForeground": p.comment,
      "editorCursor.foreground": p.accent,
      "editor.selectionBackground": `${p.accent}33`,
      "editorBracketMatch.border": p.faint,
      "editorBracketMatch.background": veil,
      "editorBracketHighlight.foreground1": p.comment,
      "editorBracketHighlight.foreground2": p.comment,
      "editorBracketHighlight.foreground3": p.comment,
      "editorIndentGuide.background1": `${p.faint}33`,
      "editorIndentGuide.activeBackground1": `${p.faint}77`,
      "scrollbar.shadow": "#ffffff00",
      "scrollbarSlider.background": `${p.faint}40`,
      "scrollbarSlider.hoverBackground": `${p.faint}70`,
      "scrollbarSlider.activeBackground": `${p.faint}90`,
      "textLink.foreground": p.accent,
      "textLink.activeForeground": p.accent,
      "editorLink.activeForeground": p.accent,
      "editorHoverWidget.background": p.panel,
      "editorSuggestWidget.background": p.panel,
      "editorSuggestWidget.selectedBackground": veil,
      "editorSuggestWidget.selectedForeground": p.ink,
      "editorSuggestWidget.highlightForeground": p.accent,
      "editorWidget.background": p.panel,
      "editorWidget.resizeBorder": p.accent,
      "list.hoverBackground": veil,
      "list.highlightForeground": p.accent,
      "list.focusHighlightForeground": p.accent,
      "menu.background": p.panel,
      "menu.selectionBackground": veil,
      "menu.selectionForeground": p.ink,
      "quickInput.background": p.panel,
      "quickInputList.focusBackground": veil,
      "quickInputList.focusForeground": p.ink,
      "input.background": `${p.faint}22`,
      focusBorder: p.accent,
    },
  };
}

/**
 * An unknown theme name falls back to the editor's own, and GraphiQL may choose a theme before this has run; so the
 * theme that is wanted now is set once more.
 */
export function defineEditorThemes(monaco: typeof Monaco): void {
  monaco.editor.defineTheme(EDITOR_THEME.light, themeData("vs", light));
  monaco.editor.defineTheme(EDITOR_THEME.dark, themeData("vs-dark", dark));
  const chosen = document.body.classList;
  const isDark =
    chosen.contains("graphiql-dark") ||
    (!chosen.contains("graphiql-light") && window.matchMedia("(prefers-color-scheme: dark)").matches);
  monaco.editor.setTheme(isDark ? EDITOR_THEME.dark : EDITOR_THEME.light);
}
