import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { en, type Words } from "./en";
import { he } from "./he";

export function words(): Words {
  return locale.get() === "he" ? he : en;
}

export function useWords(): Words {
  useValue(locale);
  return words();
}
