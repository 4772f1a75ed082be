import { SetSettingsDocument } from "../gql/graphql";
import { act } from "./act";
import { setLocale, type Locale } from "./preferences";

/** The page's language is this browser's; the server keeps it for what it writes by itself. */
export function chooseLocale(next: Locale): void {
  setLocale(next);
  void act({ document: SetSettingsDocument, input: { locale: next }, said: null, quiet: true });
}
