import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

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

/** The folder of the package that a module belongs to, or null for our own modules. */
function packageFolder(module: string): string | null {
  return /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? null;
}

function licenceText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file ? readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim() : "";
}

/** What every bundle, the workers' included, has taken in. */
function collectPackages(folders: Set<string>): Plugin {
  return {
    name: "almanac-packages",
    generateBundle(_options, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type !== "chunk") continue;
        for (const module of output.moduleIds) {
          const folder = packageFolder(module);
          if (folder) folders.add(folder);
        }
      }
    },
  };
}

/** Writes the licences of everything bundled, as those licences ask; the fonts come in through CSS and are named here. */
function emitLicences(folders: Set<string>): Plugin {
  const fonts = ["frank-ruhl-libre", "heebo", "jetbrains-mono"];
  return {
    name: "almanac-licences",
    enforce: "post",
    generateBundle() {
      for (const font of fonts) folders.add(join(import.meta.dirname, "node_modules/@fontsource-variable", font));
      const parts = new Map<string, string>();
      for (const folder of folders) {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const text = licenceText(folder) || licenceText(dirname(folder));
        parts.set(`${name} ${version}`, `${name} ${version} (${license})\n\n${text}`.trim());
      }
      const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
      const head = "The explorer is built from the following packages and fonts.";
      this.emitFile({ type: "asset", fileName: "licences.txt", source: [head, ...sorted].join(`\n\n${"-".repeat(80)}\n\n`) + "\n" });
    },
  };
}

const packages = new Set<string>();

export default defineConfig({
  // Relative addresses let the page live below any path of a proxy.
  base: "./",
  plugins: [react(), emitExamples(), collectPackages(packages), emitLicences(packages)],
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
