import type { FormEvent } from "react";

import { setToken, signInUrl, token, tokenWanted } from "./api/preferences";
import { useValue } from "./api/state";
import { Asked } from "./ask/ask";
import { KeyHelp, Palette } from "./keys/palette";
import { go } from "./keys/route";
import { PaneOf } from "./panes/pane";
import { pane } from "./panes/panes";
import { Dialog } from "./parts/dialog";
import { useWords } from "./words/words";

/** What lies over the page for a while: a record, a question, the commands. */
export default function Overlays() {
  const open = useValue(pane);
  return (
    <>
      {open && <PaneOf key={`${open.kind}${"id" in open ? open.id : ""}`} pane={open} />}
      <Asked />
      <Palette />
      <KeyHelp />
      <SignIn />
    </>
  );
}

function SignIn() {
  const w = useWords();
  const wanted = useValue(tokenWanted);
  const held = useValue(token);
  const signIn = useValue(signInUrl);
  if (!wanted) return null;
  const submit = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    setToken(String(new FormData(e.currentTarget).get("token") ?? ""));
    go("day");
  };
  return (
    <Dialog title={w.signIn}>
      {signIn && (
        <p className="signin">
          <a className="button button--main" data-first="" href={`${signIn}?return=${encodeURIComponent(location.pathname + location.search + location.hash)}`}>
            {w.signInBrowser}
          </a>
        </p>
      )}
      <form onSubmit={submit}>
        <p>{signIn ? w.signInOr : w.signInText}</p>
        {held && (
          <p className="bad" role="alert">
            {w.tokenRefused}
          </p>
        )}
        <label className="field">
          <span>{w.token}</span>
          <input name="token" type="password" dir="ltr" autoComplete="off" data-first="" required />
        </label>
        <p className="soft">{w.tokenHint}</p>
        <footer className="pane__foot">
          <button type="submit" className="button button--main">
            {w.signIn}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}
