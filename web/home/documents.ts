import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The part of a plugin of Vite that is needed here. */
interface Plugin {
  name: string;
  enforce: "pre";
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
  transform(code: string, id: string): string | undefined;
}

const PREFIX = "document:";
const IMPORT = /import (?!type )\{([^}]*)\} from "(?:\.\.?\/)+gql\/graphql";/g;

/**
 * Gives each document of GraphQL a module of its own, and lets it be a text: the generated file has all of them, and
 * every part of the page would wait for those of all others.
 */
export function splitDocuments(root: string): Plugin {
  const folder = join(root, "src/gql/");
  const generated = join(folder, "graphql.ts");
  const SUFFIX = ".document.ts";
  return {
    name: "almanac-documents",
    enforce: "pre",
    resolveId: (id) => (id.startsWith(PREFIX) ? `${folder}${id.slice(PREFIX.length)}${SUFFIX}` : undefined),
    load(id) {
      if (!id.startsWith(folder) || !id.endsWith(SUFFIX)) return undefined;
      const name = id.slice(folder.length, -SUFFIX.length);
      const text = new RegExp(`export const ${name} = new TypedDocumentString\\(\`([^\`]*)\``).exec(readFileSync(generated, "utf8"))?.[1];
      if (text === undefined) throw new Error(`there is no document ${name}`);
      return `export const ${name} = ${JSON.stringify(text.replace(/\s+/g, " ").trim())};`;
    },
    transform(code, id) {
      if (!id.startsWith(join(root, "src/")) || id.startsWith(folder)) return undefined;
      const changed = code.replace(IMPORT, (_, names: string) =>
        names
          .split(",")
          .map((name) => name.trim())
          .filter((name) => name !== "" && !name.startsWith("type "))
          .map((name) => `import { ${name} } from "${PREFIX}${name}";`)
          .join(" "),
      );
      return changed === code ? undefined : changed;
    },
  };
}
