// The editor's ESM entry points carry no types of their own under these addresses.
declare module "monaco-graphql/esm/monaco-editor.js" {
  export * from "monaco-editor";
}
declare module "@fontsource-variable/*";
