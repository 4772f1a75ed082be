import { token } from "../api/preferences";
import { session, store, stored } from "../api/value";

const PREFIX = "almanac:draft:";

/** The answer to a conversation that was typed and not sent; the tab keeps it until it is sent, or somebody else comes. */
export const draftOf = (thread: string): string => stored(session, PREFIX + thread);

export function keepDraft(thread: string, text: string): void {
  store(session, PREFIX + thread, text);
}

token.watch(() => {
  try {
    for (const key of Object.keys(session())) if (key.startsWith(PREFIX)) session().removeItem(key);
  } catch {
    // Where nothing can be kept there is nothing to forget.
  }
});
