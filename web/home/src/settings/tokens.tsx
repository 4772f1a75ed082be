import { useState } from "react";

import { act, approve, explain } from "../api/act";
import { refresh, useReading } from "../api/cache";
import { send } from "../api/client";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { EndTokenDocument, MakeTokenDocument, TokensDocument, type Scope, type TokensQuery } from "../gql/graphql";
import { Dialog } from "../parts/dialog";
import { Trouble, Waiting } from "../parts/trouble";
import { tokenName } from "../words/given";
import { words } from "../words/words";

const BUNDLES = ["READ", "WRITE", "SEND"] as const satisfies Scope[];

/** The parts of the bundles: a domain's reading, its writing, and what reaches other people. */
const PARTS = {
  tasks: ["TASKS_READ", "TASKS_WRITE"],
  calendar: ["CALENDAR_READ", "CALENDAR_WRITE", "CALENDAR_INVITE"],
  mail: ["MAIL_READ", "MAIL_WRITE", "MAIL_SEND"],
  memories: ["MEMORIES_READ", "MEMORIES_WRITE"],
  knowledge: ["KNOWLEDGE_READ", "KNOWLEDGE_WRITE"],
  websets: ["WEBSETS_READ", "WEBSETS_WRITE"],
  account: ["ACCOUNT_READ", "ACCOUNT_WRITE"],
} as const satisfies Record<string, Scope[]>;

/** After how many days a token ends; 0 is never. */
const DAYS = [7, 30, 90, 365, 0];
const USUAL = 90;
const DAY = 86_400_000;

const WORDS = {
  en: {
    title: "API tokens",
    text: "For other programs and devices. Each has its own, so that one of them can be ended.",
    none: "There are no tokens yet.",
    make: "New token",
    name: "What is it for?",
    whole: "What may it do?",
    bundles: { READ: "Read", WRITE: "Change", SEND: "Send to other people" },
    parts: "Or only parts of that",
    domains: { tasks: "Tasks and lists", calendar: "Calendar", mail: "E-mail", memories: "Memories", knowledge: "Knowledge", websets: "Websets", account: "Account" },
    deeds: ["read", "change", "send"],
    ends: "When does it end?",
    days: (n: number) => (n === 0 ? "Never" : n === 365 ? "In a year" : `In ${n} days`),
    need: "Choose what it may do.",
    ready: "The token is ready",
    once: "Copy it now: it is shown this once and never again.",
    copy: "Copy",
    copied: "Copied.",
    notCopied: "The browser did not copy it. It is selected: copy it by Ctrl C.",
    done: "Done",
    cancel: "Cancel",
    end: "End",
    endOne: (name: string) => `End the token ${name}`,
    sure: (name: string) => `End the token “${name}”? Whatever uses it is refused at once. This cannot be undone.`,
    ended: (name: string) => `The token “${name}” has ended.`,
    over: (n: number) => (n === 1 ? "1 token that has ended" : `${n} tokens that have ended`),
    until: (day: string) => `until ${day}`,
    forever: "without an end",
    used: (day: string) => `last used ${day}`,
    unused: "never used",
    made: (day: string) => `made ${day}`,
  },
  he: {
    title: "אסימוני API",
    text: "לתוכנות ולמכשירים אחרים. לכל אחד אסימון משלו, וכך אפשר לבטל רק אותו.",
    none: "אין עדיין אסימונים.",
    make: "אסימון חדש",
    name: "למה הוא מיועד?",
    whole: "מה מותר לו?",
    bundles: { READ: "לקרוא", WRITE: "לשנות", SEND: "לשלוח לאחרים" },
    parts: "או רק חלקים מזה",
    domains: { tasks: "משימות ורשימות", calendar: "יומן", mail: "דואר", memories: "זיכרונות", knowledge: "ידע", websets: "אוספי רשת", account: "חשבון" },
    deeds: ["לקרוא", "לשנות", "לשלוח"],
    ends: "מתי הוא פג?",
    days: (n: number) => (n === 0 ? "אף פעם" : n === 365 ? "בעוד שנה" : `בעוד ${n} ימים`),
    need: "יש לבחור מה מותר לו.",
    ready: "האסימון מוכן",
    once: "כדאי להעתיק אותו עכשיו: הוא מוצג פעם אחת בלבד.",
    copy: "העתקה",
    copied: "הועתק.",
    notCopied: "הדפדפן לא העתיק. האסימון מסומן: אפשר להעתיק אותו ב־Ctrl C.",
    done: "סיום",
    cancel: "ביטול",
    end: "ביטול האסימון",
    endOne: (name: string) => `ביטול האסימון ${name}`,
    sure: (name: string) => `לבטל את האסימון „${name}”? מי שמשתמש בו יידחה מיד. אי אפשר לחזור מזה.`,
    ended: (name: string) => `האסימון „${name}” בוטל.`,
    over: (n: number) => (n === 1 ? "אסימון אחד שאינו תקף עוד" : `${n} אסימונים שאינם תקפים עוד`),
    until: (day: string) => `עד ${day}`,
    forever: "ללא תאריך סיום",
    used: (day: string) => `שימוש אחרון ${day}`,
    unused: "לא היה בשימוש",
    made: (day: string) => `נוצר ${day}`,
  },
};

/** The tokens of the viewer: what they allow, making and ending them. */
export function Tokens() {
  const language = useValue(locale);
  const w = WORDS[language];
  const { data, failure, again } = useReading(TokensDocument, {});
  const [making, setMaking] = useState(false);
  const tokens = data?.tokens ?? [];
  const valid = tokens.filter((one) => one.valid);
  const over = tokens.filter((one) => !one.valid);
  return (
    <>
      <h2>{w.title}</h2>
      <p className="soft">{w.text}</p>
      {failure && !data && <Trouble failure={failure} again={again} />}
      {!failure && !data && <Waiting rows={2} />}
      {data && valid.length === 0 && <p className="empty">{w.none}</p>}
      {valid.length > 0 && (
        <ul className="rows">
          {valid.map((one) => (
            <Token key={one.key} token={one} />
          ))}
        </ul>
      )}
      {over.length > 0 && (
        <details>
          <summary>{w.over(over.length)}</summary>
          <ul className="rows">
            {over.map((one) => (
              <Token key={one.key} token={one} />
            ))}
          </ul>
        </details>
      )}
      <button type="button" className="button" data-new-token="" onClick={() => setMaking(true)}>
        {w.make}
      </button>
      {making && <NewToken onClose={() => setMaking(false)} />}
    </>
  );
}

function Token({ token }: { token: TokensQuery["tokens"][number] }) {
  const language = useValue(locale);
  const w = WORDS[language];
  const name = tokenName(token.name);
  const format = new Intl.DateTimeFormat(language === "he" ? "he-IL" : "en-GB", { dateStyle: "medium", timeZone: "UTC" });
  // Days are the viewer's: those that the server writes.
  const day = (at: string) => format.format(new Date(`${at.slice(0, 10)}T00:00:00Z`));
  const end = async () => {
    if (!(await approve(w.sure(name)))) return;
    await act({ document: EndTokenDocument, input: { key: token.key }, said: w.ended(name) });
  };
  return (
    <li className="row row--account">
      <span className="row__main">
        <span className="row__title" dir="auto">
          {name}
        </span>
        <span className="row__meta">
          {allowed(token.scopes, w).map((text) => (
            <span key={text} className="chip">
              {text}
            </span>
          ))}
          <span>{w.made(day(token.createdAt))}</span>
          {token.valid && <span>{token.expiresAt ? w.until(day(token.expiresAt)) : w.forever}</span>}
          <span>{token.lastUsedAt ? w.used(day(token.lastUsedAt)) : w.unused}</span>
        </span>
      </span>
      {token.valid && (
        <button type="button" className="button" aria-label={w.endOne(name)} onClick={() => void end()}>
          {w.end}
        </button>
      )}
    </li>
  );
}

/** What scopes allow, in words: each bundle, and each domain with its parts. */
function allowed(scopes: Scope[], w: (typeof WORDS)["en"]): string[] {
  const parts = Object.entries(PARTS).flatMap(([domain, list]) => {
    const deeds = w.deeds.filter((_, index) => list[index] && scopes.includes(list[index]));
    return deeds.length > 0 ? [`${w.domains[domain as keyof typeof PARTS]}: ${deeds.join(", ")}`] : [];
  });
  return [...BUNDLES.filter((one) => scopes.includes(one)).map((one) => w.bundles[one]), ...parts];
}

function NewToken({ onClose }: { onClose: () => void }) {
  const w = WORDS[useValue(locale)];
  const [secret, setSecret] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const make = async (form: FormData) => {
    const scopes = form.getAll("scope") as Scope[];
    if (scopes.length === 0) return setProblem(w.need);
    const days = Number(form.get("days"));
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY).toISOString();
    setBusy(true);
    try {
      // Without an Idempotency-Key: what is kept for one would hold the secret.
      const { createToken } = await send(MakeTokenDocument, { input: { name: String(form.get("name")).trim(), scopes, expiresAt } });
      const [refused] = createToken.userErrors;
      setProblem(refused ? words().refusal(refused.code, refused.message) : "");
      setSecret(createToken.secret ?? "");
      await refresh();
    } catch (failed) {
      setProblem(explain(failed));
    } finally {
      setBusy(false);
    }
  };
  if (secret) return <Secret secret={secret} onClose={onClose} />;
  return (
    <Dialog title={w.make} onClose={onClose}>
      <form
        className="pane"
        onSubmit={(e) => {
          e.preventDefault();
          void make(new FormData(e.currentTarget));
        }}
      >
        <label className="field">
          <span>{w.name}</span>
          <input type="text" name="name" dir="auto" required maxLength={100} pattern=".*\S.*" autoComplete="off" data-first="" />
        </label>
        <fieldset className="ask">
          <legend>{w.whole}</legend>
          {BUNDLES.map((one) => (
            <label key={one} className="check">
              <input type="checkbox" name="scope" value={one} defaultChecked={one === "READ"} />
              <span>{w.bundles[one]}</span>
            </label>
          ))}
          <details>
            <summary>{w.parts}</summary>
            {Object.entries(PARTS).map(([domain, list]) => (
              <fieldset key={domain} className="parts">
                <legend>{w.domains[domain as keyof typeof PARTS]}</legend>
                {list.map((scope, index) => (
                  <label key={scope} className="check">
                    <input type="checkbox" name="scope" value={scope} />
                    <span>{w.deeds[index]}</span>
                  </label>
                ))}
              </fieldset>
            ))}
          </details>
        </fieldset>
        <label className="field">
          <span>{w.ends}</span>
          <select name="days" defaultValue={USUAL}>
            {DAYS.map((n) => (
              <option key={n} value={n}>
                {w.days(n)}
              </option>
            ))}
          </select>
        </label>
        {problem && (
          <p className="bad" role="alert" dir="auto">
            {problem}
          </p>
        )}
        <footer className="pane__foot">
          <button type="button" className="button" onClick={onClose}>
            {w.cancel}
          </button>
          <button type="submit" className="button button--main" disabled={busy}>
            {w.make}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The one time that a secret is shown. */
function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const w = WORDS[useValue(locale)];
  const [said, setSaid] = useState("");
  const copy = (box: HTMLInputElement | null) => {
    box?.select();
    // Pages that are opened by http from another machine have no clipboard.
    const copying: Promise<void> | undefined = (navigator.clipboard as Clipboard | undefined)?.writeText(secret);
    (copying ?? Promise.reject(new Error())).then(
      () => setSaid(w.copied),
      () => setSaid(w.notCopied),
    );
  };
  return (
    <Dialog title={w.ready} onClose={onClose}>
      <form
        className="pane"
        onSubmit={(e) => {
          e.preventDefault();
          onClose();
        }}
      >
        <p>{w.once}</p>
        <input type="text" className="secret" name="secret" dir="ltr" readOnly aria-label={w.title} value={secret} onFocus={(e) => e.target.select()} />
        <p className="soft" role="status">
          {said}
        </p>
        <footer className="pane__foot">
          <button type="button" className="button" data-first="" onClick={(e) => copy(e.currentTarget.form?.querySelector("[name=secret]") ?? null)}>
            {w.copy}
          </button>
          <button type="submit" className="button button--main">
            {w.done}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
