import { useGraphiQL, useGraphiQLActions, type Theme } from "@graphiql/react";
import { useEffect, useId, useMemo, useRef, useState, type FormEvent, type ReactNode } from "react";

import { EyeIcon, EyeOffIcon, KeyIcon, Mark, MoonIcon, SlidersIcon, SunIcon, SystemIcon } from "./icons";
import { useObservable } from "./observable";
import { changeSettings, settings } from "./settings";
import { tokenWanted } from "./status";

/** The server writes its version into the page; empty when it has none to tell. */
const version = document.querySelector<HTMLMetaElement>('meta[name="almanac-version"]')?.content ?? "";

/** The bar on top: the name, the way to the documentation, and what is sent with every request. */
export function Bar({ onDocs }: { onDocs(): void }) {
  const [open, setOpen] = useState(false);
  const panel = useId();
  const wanted = useObservable(tokenWanted);
  const root = useRef<HTMLElement>(null);

  // On a narrow screen the fields are a sheet; Escape and a press elsewhere put it away.
  useEffect(() => {
    if (!open) return;
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && setOpen(false);
    const onPress = (event: PointerEvent) => root.current?.contains(event.target as Node) || setOpen(false);
    document.addEventListener("keydown", onKey);
    document.addEventListener("pointerdown", onPress);
    return () => {
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("pointerdown", onPress);
    };
  }, [open]);

  return (
    <header className="bar" ref={root}>
      <h1 className="bar__name">
        <Mark />
        <span>Almanac</span>
      </h1>
      {version && <span className="bar__version">{version}</span>}
      <nav className="bar__nav" aria-label="Explorer">
        <a
          className="bar__link"
          href="#docs"
          onClick={(event) => {
            event.preventDefault();
            onDocs();
          }}
        >
          Docs
        </a>
      </nav>
      <div className="bar__fields" id={panel} data-open={open}>
        <TokenField wanted={wanted} />
        <TimeZoneField />
        <LocaleField />
      </div>
      <ThemeSwitch />
      <button
        type="button"
        className="bar__toggle"
        aria-expanded={open}
        aria-controls={panel}
        aria-label="Request settings"
        data-wanted={wanted}
        onClick={() => setOpen(!open)}
      >
        <SlidersIcon />
      </button>
    </header>
  );
}

function Field({ label, children, className = "" }: { label: string; children: ReactNode; className?: string }) {
  return (
    <label className={`field ${className}`}>
      <span className="field__label">{label}</span>
      {children}
    </label>
  );
}

/** The token takes effect when the field is left or Enter is pressed, not at every key: each change asks for the schema anew. */
function TokenField({ wanted }: { wanted: boolean }) {
  const { token } = useObservable(settings);
  const [draft, setDraft] = useState(token);
  const [shown, setShown] = useState(false);
  useEffect(() => setDraft(token), [token]);
  const commit = () => changeSettings({ token: draft });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    commit();
  };
  return (
    <form className="token" onSubmit={submit} data-wanted={wanted} autoComplete="off">
      <Field label="Token" className="field--token">
        <KeyIcon />
        <input
          type={shown ? "text" : "password"}
          name="almanac-token"
          placeholder={wanted ? "A token is needed" : "None: local user"}
          title="Bearer token. It stays in this tab and is forgotten when the tab is closed."
          value={draft}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          aria-invalid={wanted}
          onChange={(event) => setDraft(event.target.value)}
          onBlur={commit}
        />
      </Field>
      <button
        type="button"
        className="token__eye"
        aria-label={shown ? "Hide the token" : "Show the token"}
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOffIcon /> : <EyeIcon />}
      </button>
    </form>
  );
}

interface ZoneGroup {
  readonly region: string;
  readonly zones: readonly { readonly id: string; readonly city: string }[];
}

function zoneGroups(): ZoneGroup[] {
  const groups = new Map<string, { id: string; city: string }[]>();
  for (const id of Intl.supportedValuesOf("timeZone")) {
    const [region, ...rest] = id.split("/");
    if (!region || rest.length === 0) continue;
    const zones = groups.get(region) ?? [];
    zones.push({ id, city: rest.join(" / ").replaceAll("_", " ") });
    groups.set(region, zones);
  }
  return [...groups].map(([region, zones]) => ({ region, zones }));
}

function TimeZoneField() {
  const { timeZone } = useObservable(settings);
  const groups = useMemo(zoneGroups, []);
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const listed = new Set(["", "UTC", here, ...groups.flatMap((group) => group.zones.map((zone) => zone.id))]);
  return (
    <Field label="Time zone" className="field--zone">
      <select
        value={timeZone}
        title="Sent as X-Time-Zone: which day is today"
        onChange={(event) => changeSettings({ timeZone: event.target.value })}
      >
        <option value="">Saved setting</option>
        {here !== "UTC" && <option value={here}>This device: {here.replaceAll("_", " ")}</option>}
        <option value="UTC">UTC</option>
        {!listed.has(timeZone) && <option value={timeZone}>{timeZone}</option>}
        {groups.map(({ region, zones }) => (
          <optgroup key={region} label={region}>
            {zones
              .filter((zone) => zone.id !== here)
              .map((zone) => (
                <option key={zone.id} value={zone.id}>
                  {zone.city}
                </option>
              ))}
          </optgroup>
        ))}
      </select>
    </Field>
  );
}

function LocaleField() {
  const { locale } = useObservable(settings);
  return (
    <Field label="Language" className="field--locale">
      <select
        value={locale}
        title="Sent as Accept-Language: how dates and questions are worded"
        onChange={(event) => changeSettings({ locale: event.target.value })}
      >
        <option value="">Saved setting</option>
        <option value="en">English</option>
        <option value="he" lang="he">
          עברית
        </option>
      </select>
    </Field>
  );
}

const THEMES: readonly { readonly value: Theme; readonly label: string; readonly icon: ReactNode }[] = [
  { value: "light", label: "Light", icon: <SunIcon /> },
  { value: null, label: "Follow the system", icon: <SystemIcon /> },
  { value: "dark", label: "Dark", icon: <MoonIcon /> },
];

function ThemeSwitch() {
  const theme = useGraphiQL((state) => state.theme);
  const { setTheme } = useGraphiQLActions();

  // The editor's colours are set by name, so they do not follow a media query by themselves.
  useEffect(() => {
    if (theme !== null) return;
    const media = window.matchMedia("(prefers-color-scheme: dark)");
    const follow = () => setTheme(null);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [theme, setTheme]);

  return (
    <fieldset className="themes">
      <legend className="visually-hidden">Colours</legend>
      {THEMES.map(({ value, label, icon }) => (
        <label key={label} className="themes__choice" title={label}>
          <input
            type="radio"
            name="almanac-theme"
            className="visually-hidden"
            value={value ?? "system"}
            checked={theme === value}
            onChange={() => setTheme(value)}
          />
          {icon}
          <span className="visually-hidden">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
