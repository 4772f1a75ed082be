import type { Locale } from "../api/preferences";

/** The kinds of entities that are usual, in Hebrew. Kinds are free texts, in English by custom. */
const HEBREW: Record<string, string> = {
  person: "אדם",
  organization: "ארגון",
  company: "חברה",
  school: "בית ספר",
  location: "מקום",
  place: "מקום",
  city: "עיר",
  country: "ארץ",
  event: "אירוע",
  document: "מסמך",
  topic: "נושא",
  object: "חפץ",
  product: "מוצר",
  project: "פרויקט",
  food: "מאכל",
  animal: "בעל חיים",
  preference: "העדפה",
  requirement: "דרישה",
  procedure: "נוהל",
  entity: "ישות",
};

/** What a kind is called in the page's language; undefined where that is not known, and it stands as it was given. */
export function kindInWords(kind: string, language: Locale): string | undefined {
  return language === "he" ? HEBREW[kind.toLowerCase()] : undefined;
}
