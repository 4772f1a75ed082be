import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

import { collectPackages, emitLicences } from "../shared/licences.ts";

const packages = new Set<string>();

export default defineConfig({
  // Relative addresses let the page live below any path of a proxy.
  base: "./",
  plugins: [react(), collectPackages(packages), emitLicences("home page", import.meta.dirname, ["heebo"], packages)],
  build: {
    target: "es2024",
    // A module-preload polyfill is for browsers older than the target.
    modulePreload: { polyfill: false },
    // A file inside another would be a data address, which the page's policy refuses.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: { proxy: { "/graphql": { target: "http://127.0.0.1:8080", ws: true } } },
});
