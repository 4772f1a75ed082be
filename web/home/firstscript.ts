/** The part of a plugin of Vite that is needed here. */
interface Plugin {
  name: string;
  transformIndexHtml: {
    order: "post";
    handler(
      html: string,
      context: { bundle?: Record<string, { type: "chunk"; name: string } | { type: "asset" }> },
    ): { tag: string; attrs: Record<string, string | boolean>; injectTo: "head-prepend" }[];
  };
}

/**
 * Names in the page what the browser should fetch before the program says so: the script that asks for the first screen,
 * which runs as soon as it is there, and the letters that every screen has.
 */
export function fetchFirst(chunk: string, font: RegExp): Plugin {
  return {
    name: "almanac-first",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle = {} }) {
        const names = Object.keys(bundle);
        const script = names.find((name) => {
          const output = bundle[name];
          return output?.type === "chunk" && output.name === chunk;
        });
        const letters = names.find((name) => font.test(name));
        return [
          ...(script ? [{ tag: "script", attrs: { type: "module", async: true, crossorigin: true, src: `./${script}` }, injectTo: "head-prepend" as const }] : []),
          ...(letters
            ? [{ tag: "link", attrs: { rel: "preload", as: "font", type: "font/woff2", crossorigin: true, href: `./${letters}` }, injectTo: "head-prepend" as const }]
            : []),
        ];
      },
    },
  };
}
