import { words } from "./words";

/** The names of tokens that the server gives by itself, in the page's words; others as they stand. */
export function tokenName(name: string): string {
  return name === "browser session" ? words().session : name;
}
