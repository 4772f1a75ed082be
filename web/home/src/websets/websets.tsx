import "./websets.css";

import { useEffect, useState, type FormEvent } from "react";

import { act, approve } from "../api/act";
import { refresh, useReading } from "../api/cache";
import { follow } from "../api/live";
import {
  AddWebsetDocument,
  CancelWebsetDocument,
  DeleteWebsetDocument,
  PreviewWebsetDocument,
  WebsetDocument,
  WebsetItemRawDocument,
  WebsetItemsDocument,
  WebsetsDocument,
  WebsetUntilDocument,
  type WebsetItemsQuery,
  type WebsetQuery,
} from "../gql/graphql";
import { go, useRoute } from "../keys/route";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icons";
import { Row } from "../parts/rows";
import { Trouble, Waiting } from "../parts/trouble";
import type { Words } from "../words/en";
import { useWords, words } from "../words/words";
import { Imports } from "./imports";
import { Monitors } from "./monitors";

type Webset = NonNullable<WebsetQuery["webset"]>;
type Item = NonNullable<WebsetItemsQuery["websetItems"]>["nodes"][number];

export default function Websets() {
  const [, id] = useRoute();
  return id ? <One key={id} id={id} /> : <All />;
}

/** Exa's own values in words; a newer one as it stands. */
function said(table: Record<string, string>, value: string): string {
  return table[value] ?? value;
}

/** How many items the searches have found; what two of them found counts twice. */
function found(searches: { progress?: { found: number } | null }[]): number {
  return searches.reduce((sum, { progress }) => sum + (progress?.found ?? 0), 0);
}

/** What a webset is called; one that was made of a list by the list. */
function named(webset: { title?: string | null; searches: { query: string }[]; imports: { title?: string | null }[] } | null | undefined, w: Words): string {
  return webset?.title || webset?.searches[0]?.query || webset?.imports[0]?.title || w.webset.untitled;
}

function All() {
  const w = useWords();
  const { data, failure, again } = useReading(WebsetsDocument, {});
  const [adding, setAdding] = useState(false);
  const page = data?.websets;
  return (
    <div className="narrow">
      <header className="board__head">
        <h1>{w.websets}</h1>
        <button type="button" className="button button--main" onClick={() => setAdding(true)}>
          <Icon name="add" />
          {w.webset.add}
        </button>
      </header>
      <p className="soft">{w.webset.intro}</p>
      {failure && !page && <Trouble failure={failure} again={again} />}
      {!failure && !page && <Waiting rows={5} />}
      {page && (
        <section className="card" aria-label={w.websets}>
          {page.nodes.length === 0 && <p className="empty">{w.webset.empty}</p>}
          <ul className="rows">
            {page.nodes.map((one) => (
              <Row key={one.id} deeds={{ open: () => go("websets", one.id) }} className="row">
                <a className="row__main row__link" data-open="" href={`#/websets/${one.id}`}>
                  <span className="row__title" dir="auto">
                    {named(one, w)}
                  </span>
                  <span className="row__meta">
                    <span className={one.status === "idle" ? "chip" : "chip chip--now"}>{said(w.webset.status, one.status)}</span>
                    {one.entityType && <span>{said(w.webset.entity, one.entityType)}</span>}
                    <span>{w.webset.found(found(one.searches))}</span>
                  </span>
                </a>
              </Row>
            ))}
          </ul>
          {page.pageInfo.hasNextPage && <p className="soft">{w.moreThanShown}</p>}
        </section>
      )}
      <Imports />
      {adding && <Add onClose={() => setAdding(false)} />}
    </div>
  );
}

/** The form shows how the query is understood before anything is searched for. */
function Add({ onClose }: { onClose: () => void }) {
  const w = useWords();
  const [query, setQuery] = useState("");
  const [criteria, setCriteria] = useState<string[] | null>(null);
  const [busy, setBusy] = useState(false);
  const preview = async () => {
    setBusy(true);
    const { data } = await act({ document: PreviewWebsetDocument, input: { query: query.trim() }, said: null });
    setBusy(false);
    if (data?.previewWebset.preview) setCriteria(data.previewWebset.preview.criteria);
  };
  const submit = async (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    const count = Number(new FormData(e.currentTarget).get("count"));
    if (criteria === null) return preview();
    const kept = criteria.map((one) => one.trim()).filter(Boolean);
    setBusy(true);
    const { done, data } = await act({ document: AddWebsetDocument, input: { search: { query: query.trim(), count, ...(kept.length > 0 && { criteria: kept }) } } });
    setBusy(false);
    const id = data?.createWebset.webset?.id;
    if (!done || !id) return;
    onClose();
    go("websets", id);
  };
  return (
    <Dialog title={w.webset.add} onClose={onClose}>
      <form onSubmit={(e) => void submit(e)}>
        <label className="field">
          <span>{w.webset.query}</span>
          <textarea
            name="query"
            dir={query === "" ? undefined : "auto"}
            rows={3}
            required
            maxLength={5000}
            data-first=""
            placeholder={w.webset.queryHint}
            value={query}
            onChange={(e) => {
              setQuery(e.target.value);
              setCriteria(null);
            }}
          />
        </label>
        <label className="field">
          <span>{w.webset.count}</span>
          <input name="count" type="number" min={1} max={100} defaultValue={10} required />
        </label>
        {criteria && (
          <fieldset className="form">
            <legend>{w.webset.criteria}</legend>
            {criteria.map((one, index) => (
              <label key={index} className="field">
                <span className="hidden">{w.webset.criterion(index + 1)}</span>
                <input
                  type="text"
                  dir="auto"
                  maxLength={1000}
                  value={one}
                  onChange={(e) => setCriteria(criteria.map((other, i) => (i === index ? e.target.value : other)))}
                />
              </label>
            ))}
          </fieldset>
        )}
        <footer className="pane__foot">
          <button type="button" className="button" onClick={onClose}>
            {w.cancel}
          </button>
          <button type="submit" className="button button--main" disabled={busy || query.trim() === ""}>
            {busy ? w.saying : criteria === null ? w.webset.preview : w.webset.start}
          </button>
        </footer>
      </form>
    </Dialog>
  );
}

function One({ id }: { id: string }) {
  const w = useWords();
  const { data, failure, again } = useReading(WebsetDocument, { id });
  const webset = data?.webset;
  const status = webset?.status;
  // Exa reports by itself only where a webhook is set up, so the server asks it for as long as this webset fills.
  useEffect(() => {
    if (status === "running" || status === "pending") return follow(WebsetUntilDocument, { id }, () => void refresh());
    return undefined;
  }, [id, status]);
  const remove = async () => {
    if (!(await approve(w.webset.deleteSure(found(webset?.searches ?? []), (webset?.searches.length ?? 0) > 1)))) return;
    const { done } = await act({ document: DeleteWebsetDocument, input: { id } });
    if (done) go("websets");
  };
  const running = status !== undefined && status !== "idle";
  return (
    <div className="board">
      <a className="with-icon" href="#/websets">
        <Icon name="back" />
        {w.websets}
      </a>
      <header className="board__head">
        <h1 dir="auto">{named(webset, w)}</h1>
        {webset && (
          <div className="day__walk">
            {running && (
              <button type="button" className="button" onClick={() => void act({ document: CancelWebsetDocument, input: { id } })}>
                {w.webset.cancel}
              </button>
            )}
            <button type="button" className="button button--bad" onClick={() => void remove()}>
              {w.remove}
            </button>
          </div>
        )}
      </header>
      {failure && !webset && <Trouble failure={failure} again={again} />}
      {!failure && !webset && <Waiting rows={8} />}
      {webset && (
        <>
          <Searches webset={webset} />
          <Grid webset={webset} />
          <Monitors webset={webset.id} searched={webset.searches.length > 0} />
        </>
      )}
    </div>
  );
}

function Searches({ webset }: { webset: Webset }) {
  const w = useWords();
  return (
    <section className="card webset__searches" aria-labelledby="searches">
      <h2 id="searches">
        {w.webset.searches} <span className={webset.status === "idle" ? "chip" : "chip chip--now"}>{said(w.webset.status, webset.status)}</span>
      </h2>
      {webset.imports.length > 0 && (
        <p>
          {w.webset.imported} <bdi>{webset.imports.map((one) => one.title || w.webset.untitled).join(", ")}</bdi>
        </p>
      )}
      {webset.searches.slice(0, 1).map((search) => (
        <Search key={search.id} search={search} />
      ))}
      {webset.searches.length > 1 && (
        <details>
          <summary>{w.webset.earlier(webset.searches.length - 1)}</summary>
          <div className="webset__searches">
            {webset.searches.slice(1).map((search) => (
              <Search key={search.id} search={search} />
            ))}
          </div>
        </details>
      )}
    </section>
  );
}

function Search({ search }: { search: Webset["searches"][number] }) {
  const w = useWords();
  return (
    <div>
      <p dir="auto">{search.query}</p>
      {search.progress && <p className="soft">{w.webset.progress(search.progress.found, search.progress.analyzed)}</p>}
      {search.progress && search.status === "running" && (
        <progress className="webset__progress" max={100} value={search.progress.completion} aria-label={search.query} />
      )}
      <ul className="webset__criteria soft">
        {search.criteria.map((one) => (
          <li key={one.description}>
            <bdi>{one.description}</bdi>
            <span>{w.webset.rate(Math.round(one.successRate))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Grid({ webset }: { webset: Webset }) {
  const w = useWords();
  const [pages, setPages] = useState<string[]>([""]);
  const [all, setAll] = useState(false);
  const [raw, setRaw] = useState<Item | null>(null);
  const criteria = [...new Set(webset.searches.flatMap((search) => search.criteria.map((one) => one.description)))];
  const columns = webset.enrichments.map((one) => one.description ?? "");
  return (
    <section className="card" aria-labelledby="items">
      <h2 id="items">
        {w.webset.items}
        <label className="check quiet--end">
          <input type="checkbox" checked={all} onChange={(e) => (setAll(e.target.checked), setPages([""]))} />
          <span>{w.webset.all}</span>
        </label>
      </h2>
      <div className="grid__scroll" tabIndex={0} role="group" aria-labelledby="items">
        <table className="grid">
          <thead>
            <tr>
              <th scope="col">{w.webset.name}</th>
              {[...criteria, ...columns].map((one, index) => (
                <th key={index} scope="col" dir="auto">
                  {one}
                </th>
              ))}
              <th scope="col">{w.webset.raw}</th>
            </tr>
          </thead>
          {pages.map((after, index) => (
            <Page
              key={`${all}${after}`}
              variables={{ id: webset.id, after: after || null, all }}
              {...{ criteria, columns }}
              running={webset.status !== "idle"}
              imported={webset.imports.length > 0}
              onRaw={setRaw}
              {...(index === pages.length - 1 && { onMore: (next: string) => setPages([...pages, next]) })}
            />
          ))}
        </table>
      </div>
      {raw && <Raw item={raw} onClose={() => setRaw(null)} />}
    </section>
  );
}

/** The rows of a list that was brought in come when the webset is called complete already: so often they are asked for. */
const TRIES = 10;
const BETWEEN = 1_000;

function Page({ variables, criteria, columns, running, imported, onRaw, onMore }: {
  variables: { id: string; after: string | null; all: boolean };
  criteria: string[];
  columns: string[];
  running: boolean;
  imported: boolean;
  onRaw: (item: Item) => void;
  onMore?: (after: string) => void;
}) {
  const w = useWords();
  const { data, failure, again } = useReading(WebsetItemsDocument, variables);
  const page = data?.websetItems;
  const [tries, setTries] = useState(0);
  const awaited = imported && page?.nodes.length === 0 && page.excluded === 0 && tries < TRIES;
  useEffect(() => {
    if (!awaited) return undefined;
    const timer = setTimeout(() => (again(), setTries(tries + 1)), BETWEEN);
    return () => clearTimeout(timer);
  }, [awaited, again, tries]);
  const width = criteria.length + columns.length + 2;
  const whole = (child: React.ReactNode) => (
    <tbody>
      <tr>
        <td colSpan={width}>{child}</td>
      </tr>
    </tbody>
  );
  if (failure && !page) return whole(<Trouble failure={failure} again={again} />);
  if (!page) return whole(<Waiting rows={4} />);
  const more = onMore && page.pageInfo.hasNextPage;
  return (
    <>
      <tbody>
        {page.nodes.map((item) => (
          <tr key={item.id}>
            <th scope="row">
              {/^https?:/.test(item.url) ? (
                <a href={item.url} target="_blank" rel="noreferrer" dir="auto">
                  {item.name}
                </a>
              ) : (
                <bdi>{item.name}</bdi>
              )}
              <p className="soft" dir="auto">
                {item.description}
              </p>
            </th>
            {criteria.map((criterion) => (
              <td key={criterion}>
                <Mark of={item.evaluations?.find((one) => one.criterion === criterion)?.satisfied} />
              </td>
            ))}
            {columns.map((column, index) => (
              <td key={index} dir="auto">
                {item.enrichments.find((one) => one.description === column)?.result?.join(", ") ?? "–"}
              </td>
            ))}
            <td>
              <button type="button" className="quiet" aria-label={w.webset.rawOf(item.name)} onClick={() => onRaw(item)}>
                JSON
              </button>
            </td>
          </tr>
        ))}
      </tbody>
      {page.nodes.length === 0 && variables.after === null && whole(<p className="empty">{running || awaited ? w.webset.filling : w.webset.nothing}</p>)}
      {(more || page.excluded > 0) &&
        whole(
          <p className="day__walk">
            {more && (
              <button type="button" className="button" onClick={() => onMore(page.pageInfo.endCursor ?? "")}>
                {w.showMore}
              </button>
            )}
            {page.excluded > 0 && <span className="soft">{w.webset.excluded(page.excluded)}</span>}
          </p>,
        )}
    </>
  );
}

/** Whether a criterion is satisfied: by a sign and by its word, not by colour alone. */
function Mark({ of }: { of: string | undefined }) {
  const { yes, no, unclear } = words().webset;
  if (of === "yes") return <span className="grid__mark grid__mark--yes">✓ {yes}</span>;
  if (of === "no") return <span className="grid__mark grid__mark--no">✗ {no}</span>;
  return <span className="grid__mark soft">? {of === undefined || of === "unclear" ? unclear : of}</span>;
}

function Raw({ item, onClose }: { item: Item; onClose: () => void }) {
  const w = useWords();
  const { data, failure, again } = useReading(WebsetItemRawDocument, { id: item.id });
  const raw = data?.websetItem?.raw;
  return (
    <Dialog title={item.name} onClose={onClose}>
      <p className="soft">{w.webset.rawIntro}</p>
      {failure && !raw && <Trouble failure={failure} again={again} />}
      {!failure && !raw && <Waiting />}
      {raw && (
        <pre className="raw" dir="ltr" tabIndex={0}>
          {pretty(raw)}
        </pre>
      )}
    </Dialog>
  );
}

function pretty(raw: string): string {
  try {
    return JSON.stringify(JSON.parse(raw), null, 2);
  } catch {
    return raw;
  }
}
