import { useEffect, useState } from "react";

import { toast } from "../api/act";
import { send } from "../api/client";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { PushKeyDocument, RegisterPushDocument, RemovePushDocument, TestPushDocument } from "../gql/graphql";

// The page's policy wants addresses of scripts to be trusted ones. This is the only one, and a constant.
const WORKER = "./sw.js";

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(of: string): unknown };
}

let trusted: string | undefined;

function worker(): string {
  const types = (window as { trustedTypes?: TrustedTypes }).trustedTypes;
  trusted ??= types ? (types.createPolicy("worker", { createScriptURL: () => WORKER }).createScriptURL(WORKER) as string) : WORKER;
  return trusted;
}

const WORDS = {
  en: {
    legend: "Notifications in this browser",
    on: "Tell me of reminders, also while the page is closed",
    test: "Send a test",
    denied: "This browser does not allow it; its settings for this page do.",
    none: "This browser cannot, or the page is not opened by https.",
    sent: "Sent. It should appear in a moment.",
  },
  he: {
    legend: "התראות בדפדפן הזה",
    on: "להזכיר לי, גם כשהדף סגור",
    test: "לשלוח ניסיון",
    denied: "הדפדפן אינו מרשה; אפשר לשנות בהגדרות שלו לדף הזה.",
    none: "הדפדפן אינו יכול, או שהדף לא נפתח ב־https.",
    sent: "נשלח. זה אמור להופיע מיד.",
  },
};

const able = (): boolean => "serviceWorker" in navigator && "PushManager" in window && "Notification" in window && isSecureContext;

/** What the browser holds now, without asking its user for anything. */
async function current(): Promise<PushSubscription | null> {
  const there = await navigator.serviceWorker.getRegistration();
  return (await there?.pushManager.getSubscription()) ?? null;
}

/** Asks the user, subscribes, and registers; returns the id, or why not. */
async function turnOn(denied: string): Promise<string> {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(denied);
  await navigator.serviceWorker.register(worker());
  const ready = await navigator.serviceWorker.ready;
  const { pushKey } = await send(PushKeyDocument, {});
  const held = await ready.pushManager.getSubscription();
  if (held && pushKey && !sameKey(held, pushKey)) await held.unsubscribe(); // of another database
  const made = await ready.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey ?? "" });
  const { keys } = made.toJSON();
  const { registerPush } = await send(RegisterPushDocument, {
    input: { endpoint: made.endpoint, p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "", label: navigator.platform },
  });
  const id = registerPush.subscription?.id;
  if (!id) throw new Error(registerPush.userErrors[0]?.message ?? "");
  return id;
}

function sameKey(held: PushSubscription, key: string): boolean {
  const bytes = new Uint8Array(held.options.applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return text === key;
}

async function turnOff(id: string): Promise<void> {
  await (await current())?.unsubscribe();
  await send(RemovePushDocument, { input: { id } });
}

/** The switch, for the settings. */
export function Notifications() {
  const w = WORDS[useValue(locale)];
  const [id, setId] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (!able()) return;
    void (async () => {
      const held = await current();
      if (!held || Notification.permission !== "granted") return;
      setId(await turnOn("")); // it is registered again, which changes nothing when it was
    })().catch(() => undefined);
  }, []);
  const run = (what: () => Promise<void>) => {
    setBusy(true);
    what()
      .catch((problem: unknown) => toast(problem instanceof Error ? problem.message : String(problem)))
      .finally(() => setBusy(false));
  };
  return (
    <fieldset className="field">
      <legend>{w.legend}</legend>
      {!able() && <p>{w.none}</p>}
      {able() && (
        <label className="check">
          <input
            type="checkbox"
            checked={id !== null}
            disabled={busy}
            onChange={(e) =>
              run(async () => {
                if (e.target.checked) return setId(await turnOn(w.denied));
                if (id) await turnOff(id);
                setId(null);
              })
            }
          />
          <span>{w.on}</span>
        </label>
      )}
      {id && (
        <button
          type="button"
          className="button"
          disabled={busy}
          onClick={() =>
            run(async () => {
              const { testPush } = await send(TestPushDocument, { input: { id } });
              toast(testPush.delivered ? w.sent : (testPush.problem ?? ""));
            })
          }
        >
          {w.test}
        </button>
      )}
    </fieldset>
  );
}
