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

/** The relations that are usual, in Hebrew, without saying of whom: from left to right as from right to left. */
const RELATIONS: Record<string, string> = {
  works_at: "עבודה ב",
  works_for: "עבודה אצל",
  works_on: "עבודה על",
  works_with: "עבודה עם",
  lives_in: "מגורים ב",
  lives_with: "מגורים עם",
  moves_to: "מעבר אל",
  located_in: "נמצא ב",
  born_in: "נולד ב",
  studies_at: "לימודים ב",
  studied_at: "למד ב",
  teaches: "הוראה של",
  teaches_at: "הוראה ב",
  knows: "היכרות",
  friend_of: "חברות",
  married_to: "נישואים",
  parent_of: "הורה של",
  child_of: "ילד של",
  sibling_of: "אחאות",
  manages: "ניהול של",
  leads: "הובלה של",
  member_of: "חברות ב",
  part_of: "חלק של",
  owns: "בעלות על",
  founded: "הקמה של",
  likes: "אהוב",
  dislikes: "לא אהוב",
  prefers: "מועדף",
  uses: "שימוש ב",
  attends: "השתתפות ב",
  allergic_to: "אלרגיה אל",
  related_to: "קשר אל",
};

/** `WORKS_AT` as it would be said in the page's language; what is not known is said as it was given. */
export function relationInWords(relation: string, language: Locale): string {
  const plain = relation.toLowerCase();
  return (language === "he" && RELATIONS[plain]) || plain.replaceAll("_", " ");
}

/** What a kind is called in the page's language; undefined where that is not known, and it stands as it was given. */
export function kindInWords(kind: string, language: Locale): string | undefined {
  return language === "he" ? HEBREW[kind.toLowerCase()] : undefined;
}
