import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The part of a plugin of Vite that is needed here; each page has its own copy of Vite. */
interface Plugin {
  name: string;
  enforce?: "post";
  generateBundle(
    this: { emitFile(file: { type: "asset"; fileName: string; source: string }): unknown },
    options: unknown,
    bundle: Record<string, { type: "chunk"; moduleIds: string[] } | { type: "asset" }>,
  ): void;
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
export function collectPackages(folders: Set<string>): Plugin {
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

/**
 * Writes the licences of everything bundled, as those licences ask; the fonts come in through CSS and are named by the
 * page that has them.
 */
export function emitLicences(page: string, root: string, fonts: string[], folders: Set<string>): Plugin {
  return {
    name: "almanac-licences",
    enforce: "post",
    generateBundle() {
      for (const font of fonts) folders.add(join(root, "node_modules/@fontsource-variable", font));
      const parts = new Map<string, string>();
      for (const folder of folders) {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const text = licenceText(folder) || licenceText(dirname(folder));
        parts.set(`${name} ${version}`, `${name} ${version} (${license})\n\n${text}`.trim());
      }
      const sorted = [...parts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
      const head = `The ${page} is built from the following packages and fonts.`;
      this.emitFile({ type: "asset", fileName: "licences.txt", source: [head, ...sorted].join(`\n\n${"-".repeat(80)}\n\n`) + "\n" });
    },
  };
}
