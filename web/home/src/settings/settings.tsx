import { act } from "../api/act";
import { chooseLocale } from "../api/locale";
import { endSession, inSession, locale, setSingleKeys, setTheme, setToken, singleKeys, theme, token, type Theme } from "../api/preferences";
import { useValue } from "../api/state";
import { useMe } from "../api/viewer";
import { SetSettingsDocument, type Weekday } from "../gql/graphql";
import { keysOpen } from "../keys/commands";
import { Notifications } from "../notifications/notifications";
import { Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

const WEEKDAYS: Weekday[] = ["SUNDAY", "MONDAY", "SATURDAY"];

export default function Settings() {
  const w = useWords();
  const me = useMe();
  const language = useValue(locale);
  const colours = useValue(theme);
  const single = useValue(singleKeys);
  const held = useValue(token);
  if (!me) return <Waiting rows={6} />;
  const { settings, connections } = me.viewer;
  const zones = Intl.supportedValuesOf("timeZone");
  const status: Record<string, string> = { CONNECTED: w.linked, NOT_CONNECTED: w.notLinked, EXPIRED: w.expired, NOT_CONFIGURED: w.notConfigured };
  return (
    <div className="narrow">
      <h1>{w.settings}</h1>
      <section className="card form">
        <fieldset className="segments">
          <legend>{w.language}</legend>
          {(["en", "he"] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="language" checked={language === one} onChange={() => chooseLocale(one)} />
              <span lang={one}>{one === "en" ? "English" : "עברית"}</span>
            </label>
          ))}
        </fieldset>
        <fieldset className="segments">
          <legend>{w.theme}</legend>
          {(["system", "light", "dark"] as const satisfies Theme[]).map((one) => (
            <label key={one}>
              <input type="radio" name="theme" checked={colours === one} onChange={() => setTheme(one)} />
              <span>{w.themes[one]}</span>
            </label>
          ))}
        </fieldset>
        <label className="field">
          <span>{w.zone}</span>
          <select dir="ltr" value={settings.timeZone} onChange={(e) => void act({ document: SetSettingsDocument, input: { timeZone: e.target.value } })}>
            {!zones.includes(settings.timeZone) && <option>{settings.timeZone}</option>}
            {zones.map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </label>
        <label className="field">
          <span>{w.weekStart}</span>
          <select value={settings.weekStart} onChange={(e) => void act({ document: SetSettingsDocument, input: { weekStart: e.target.value as Weekday } })}>
            {[...new Set([...WEEKDAYS, settings.weekStart])].map((day) => (
              <option key={day} value={day}>
                {w.weekdays[day]}
              </option>
            ))}
          </select>
        </label>
      </section>
      <section className="card form">
        <Notifications />
      </section>
      <section className="card form">
        <h2>{w.keysTitle}</h2>
        <label className="check">
          <input type="checkbox" checked={single} onChange={(e) => setSingleKeys(e.target.checked)} aria-describedby="single-hint" />
          <span>{w.singleKeys}</span>
        </label>
        <p className="soft" id="single-hint">
          {w.singleKeysHint}
        </p>
        <button type="button" className="button" onClick={() => keysOpen.set(true)}>
          {w.keys}
        </button>
      </section>
      <section className="card form">
        <h2>{w.accounts}</h2>
        <ul className="rows">
          {connections.map((one) => (
            <li key={one.id} className="row row--account">
              <span className="row__main">
                <span className="row__title">
                  {one.provider === "GOOGLE" ? "Google" : "Exa"} {one.account && <bdi className="soft">{one.account}</bdi>}
                </span>
                <span className="row__meta">
                  <span>{status[one.status] ?? one.status}</span>
                  {one.standIn && <span className="chip">{w.standIn}</span>}
                </span>
              </span>
              {one.provider === "GOOGLE" && one.connectUrl && one.status !== "CONNECTED" && (
                <a className="button" href={one.connectUrl}>
                  {w.linkIt}
                </a>
              )}
            </li>
          ))}
        </ul>
      </section>
      {!held && inSession() && (
        <section className="card form">
          <h2>{w.signIn}</h2>
          <p className="soft">{w.sessionText}</p>
          <button type="button" className="button" onClick={() => void endSession()}>
            {w.endSession}
          </button>
        </section>
      )}
      {held && (
        <section className="card form">
          <h2>{w.token}</h2>
          <p className="soft">{w.tokenHint}</p>
          <button type="button" className="button" onClick={() => setToken("")}>
            {w.signOut}
          </button>
        </section>
      )}
    </div>
  );
}
