import { useEffect, useState, type FormEvent } from "react";

import { act, approve } from "../api/act";
import { refresh, useReading } from "../api/cache";
import { follow } from "../api/live";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { AddImportDocument, AddWebsetDocument, DeleteImportDocument, ImportUntilDocument, WebsetImportsDocument, type WebsetImportsQuery } from "../gql/graphql";
import { go } from "../keys/route";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

type Import = NonNullable<WebsetImportsQuery["websetImports"]>["nodes"][number];

const WORDS = {
  en: {
    title: "Lists of your own",
    intro: "A list that you bring along, such as the companies you know. A webset can be made of it.",
    none: "No list was brought in yet.",
    add: "Bring in a list",
    untitled: "A list",
    status: { pending: "Waiting for the file", processing: "Being read", completed: "Ready", failed: "Failed" } as Record<string, string>,
    reasons: {
      invalid_format: "it is not a CSV file",
      invalid_file_content: "its content cannot be read",
      missing_identifier: "no column has addresses or names",
    } as Record<string, string>,
    rows: (n: number) => (n === 1 ? "1 row" : `${n} rows`),
    use: "Make a webset",
    useOf: (title: string) => `Make a webset of ${title}`,
    sure: (title: string) => `Delete the list “${title}”? This cannot be undone.`,
    name: "Title",
    file: "A CSV file",
    text: "Or its text: a first line with the names of the columns, then a line for each row",
    kind: "What the rows are",
    need: "Choose a file, or enter its text.",
    large: "The list is too large for this page: 1 MB at most.",
    unread: "The file cannot be read.",
    make: "Bring it in",
  },
  he: {
    title: "רשימות משלך",
    intro: "רשימה שמביאים מבחוץ, למשל החברות המוכרות לך. אפשר ליצור ממנה אוסף.",
    none: "עדיין לא הובאה רשימה.",
    add: "הבאת רשימה",
    untitled: "רשימה",
    status: { pending: "ממתינה לקובץ", processing: "בקריאה", completed: "מוכנה", failed: "נכשלה" } as Record<string, string>,
    reasons: {
      invalid_format: "זה אינו קובץ CSV",
      invalid_file_content: "אי אפשר לקרוא את התוכן",
      missing_identifier: "אין עמודה של כתובות או שמות",
    } as Record<string, string>,
    rows: (n: number) => (n === 1 ? "שורה אחת" : `${n} שורות`),
    use: "יצירת אוסף",
    useOf: (title: string) => `יצירת אוסף מתוך ${title}`,
    sure: (title: string) => `למחוק את הרשימה „${title}”? אי אפשר לבטל זאת.`,
    name: "כותרת",
    file: "קובץ CSV",
    text: "או הטקסט שלו: שורה ראשונה עם שמות העמודות, ואחריה שורה לכל רשומה",
    kind: "מה יש בשורות",
    need: "יש לבחור קובץ או להזין את הטקסט שלו.",
    large: "הרשימה גדולה מדי לדף הזה: 1 MB לכל היותר.",
    unread: "אי אפשר לקרוא את הקובץ.",
    make: "הבאה",
  },
};

/** The types that need no words of their own. */
const KINDS = ["company", "person", "article", "research_paper"] as const;
/** What a request may hold, less what stands around the list, in bytes. */
const LARGEST = 1_000_000;

/** The lists that were brought in from elsewhere: their state, making a webset of one, deleting and adding them. */
export function Imports() {
  const all = useWords();
  const w = WORDS[useValue(locale)];
  const { data, failure, again } = useReading(WebsetImportsDocument, {});
  const [adding, setAdding] = useState(false);
  const page = data?.websetImports;
  return (
    <section className="card form" aria-labelledby="imports">
      <h2 id="imports">{w.title}</h2>
      <p className="soft">{w.intro}</p>
      {failure && !page && <Trouble failure={failure} again={again} />}
      {!failure && !page && <Waiting rows={1} />}
      {page?.nodes.length === 0 && <p className="empty">{w.none}</p>}
      {page && page.nodes.length > 0 && (
        <ul className="rows">
          {page.nodes.map((one) => (
            <One key={one.id} list={one} />
          ))}
        </ul>
      )}
      {page?.pageInfo.hasNextPage && <p className="soft">{all.moreThanShown}</p>}
      <button type="button" className="button" data-new-import="" onClick={() => setAdding(true)}>
        <Icon name="add" />
        {w.add}
      </button>
      {adding && <Add onClose={() => setAdding(false)} />}
    </section>
  );
}

function One({ list: { id, title: named, status, count, failedReason } }: { list: Import }) {
  const all = useWords();
  const w = WORDS[useValue(locale)];
  const title = named || w.untitled;
  // The log of changes tells of it only where a webhook is set up, so the server asks for as long as it is read.
  useEffect(() => (status === "processing" ? follow(ImportUntilDocument, { id }, () => void refresh()) : undefined), [id, status]);
  const use = async () => {
    const { done, data } = await act({ document: AddWebsetDocument, input: { import: [{ importId: id }] } });
    const webset = data?.createWebset.webset?.id;
    if (done && webset) go("websets", webset);
  };
  const remove = async () => {
    if (await approve(w.sure(title))) await act({ document: DeleteImportDocument, input: { id } });
  };
  return (
    <li className="row row--account" data-import={status}>
      <span className="row__main">
        <span className="row__title" dir="auto">
          {title}
        </span>
        <span className="row__meta">
          <span className={status === "completed" || status === "failed" ? "chip" : "chip chip--now"}>{w.status[status] ?? status}</span>
          {count != null && <span>{w.rows(count)}</span>}
          {failedReason && <span className="bad">{w.reasons[failedReason] ?? failedReason}</span>}
        </span>
      </span>
      {status === "completed" && (
        <button type="button" className="button" aria-label={w.useOf(title)} onClick={() => void use()}>
          {w.use}
        </button>
      )}
      <button type="button" className="button button--bad" aria-label={`${all.remove}: ${title}`} onClick={() => void remove()}>
        {all.remove}
      </button>
    </li>
  );
}

function Add({ onClose }: { onClose: () => void }) {
  const all = useWords();
  const w = WORDS[useValue(locale)];
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const submit = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    const form = new FormData(e.currentTarget);
    const file = form.get("file");
    const chosen = file instanceof File && file.size > 0 ? file : null;
    if (chosen && chosen.size > LARGEST) return setProblem(w.large);
    let csv = String(form.get("csv"));
    try {
      if (chosen) csv = await chosen.text();
    } catch {
      return setProblem(w.unread);
    }
    if (csv.trim() === "") return setProblem(w.need);
    // What is sent is JSON, in which quotes and breaks of lines take two bytes.
    if (new Blob([JSON.stringify(csv)]).size > LARGEST) return setProblem(w.large);
    const title = String(form.get("title")).trim() || (chosen?.name.replace(/\.csv$/i, "") ?? "");
    setProblem("");
    setBusy(true);
    const { done, errors } = await act({
      document: AddImportDocument,
      input: { csv, entity: { type: String(form.get("kind")) }, ...(title && { title }) },
      quiet: true,
    });
    setBusy(false);
    const [refused] = errors;
    if (refused) setProblem(all.refusal(refused.code, refused.message));
    if (done) onClose();
  };
  return (
    <Dialog title={w.add} onClose={onClose}>
      <form className="pane" onSubmit={(e) => void submit(e)}>
        <label className="field">
          <span>{w.name}</span>
          <input type="text" name="title" dir="auto" maxLength={300} autoComplete="off" data-first="" />
        </label>
        <label className="field">
          <span>{w.kind}</span>
          <select name="kind">
            {KINDS.map((one) => (
              <option key={one} value={one}>
                {all.webset.entity[one]}
              </option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{w.file}</span>
          <input type="file" name="file" accept=".csv,text/csv" />
        </label>
        <label className="field">
          <span>{w.text}</span>
          <textarea name="csv" rows={5} dir="auto" spellCheck={false} />
        </label>
        {problem && (
          <p className="bad" role="alert" dir="auto">
            {problem}
          </p>
        )}
        <footer className="pane__foot">
          <button type="button" className="button" onClick={onClose}>
            {all.cancel}
          </button>
          <button type="submit" className="button button--main" disabled={busy}>
            {busy ? all.saying : w.make}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
