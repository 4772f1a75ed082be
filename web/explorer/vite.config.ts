import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

import { collectPackages, emitLicences } from "../shared/licences.ts";
import { examples } from "./src/examples.ts";

/**
 * Writes the example operations beside the page, so that Go tests validate and run the very operations the page opens.
 */
function emitExamples(): Plugin {
  return {
    name: "almanac-examples",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "examples.json", source: JSON.stringify(examples, null, 2) + "\n" });
    },
  };
}

const FONTS = ["frank-ruhl-libre", "heebo", "jetbrains-mono"];
const packages = new Set<string>();

export default defineConfig({
  // Relative addresses let the page live below any path of a proxy.
  base: "./",
  plugins: [react(), emitExamples(), collectPackages(packages), emitLicences("explorer", import.meta.dirname, FONTS, packages)],
  worker: { format: "es", plugins: () => [collectPackages(packages)] },
  build: {
    target: "es2023",
    // A module-preload polyfill is for browsers older than the target.
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 4096,
    reportCompressedSize: false,
    rolldownOptions: {
      onwarn(warning, warn) {
        // Directives such as "use no memo" speak to a compiler that has run before the packages were published.
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
  server: { proxy: { "/graphql": { target: "http://127.0.0.1:8080", ws: true } } },
});
