import { defineConfig } from "vite";

import { collectPackages, emitLicences } from "../shared/licences.ts";
import { splitDocuments } from "./documents.ts";
import { fetchFirst } from "./firstscript.ts";

const packages = new Set<string>();
const root = import.meta.dirname;

export default defineConfig({
  // Relative addresses let the page live below any path of a proxy.
  base: "./",
  plugins: [
    splitDocuments(root),
    fetchFirst("first", /heebo-latin/),
    collectPackages(packages),
    emitLicences("home page", root, ["heebo"], packages),
  ],
  // Preact is React for all that this page does, at a tenth of its size, which a slow processor feels before the first row.
  resolve: {
    alias: {
      "react/jsx-runtime": "preact/jsx-runtime",
      "react-dom/client": "preact/compat/client",
      "react-dom": "preact/compat",
      react: "preact/compat",
    },
  },
  build: {
    target: "es2024",
    // A module-preload polyfill is for browsers older than the target.
    modulePreload: { polyfill: false },
    // A file inside another would be a data address, which the page's policy refuses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: { index: `${root}/index.html`, first: `${root}/src/first.ts` } },
  },
  server: { proxy: { "/graphql": { target: "http://127.0.0.1:8080", ws: true } } },
});
