import "./graph.css";

import { useRef, useState, type FormEvent } from "react";

import { useReading } from "../api/cache";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { useMe } from "../api/viewer";
import { EntitiesDocument, FactTimesDocument, WalkDocument, type WalkQuery } from "../gql/graphql";
import { go, useRoute } from "../keys/route";
import { Icon } from "../parts/icons";
import { Row } from "../parts/rows";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";
import { kindInWords, relationInWords } from "./kinds";
import { layOut } from "./layout";

type Entity = NonNullable<NonNullable<WalkQuery["knowledge"]>["entity"]>;

export default function Graph() {
  const w = useWords();
  const [, id] = useRoute();
  const [q, setQ] = useState("");
  const search = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    setQ(String(new FormData(e.currentTarget).get("q") ?? "").trim());
    if (id) go("graph");
  };
  return (
    <div className="board">
      <h1>{w.graph}</h1>
      <form className="say__form" role="search" onSubmit={search}>
        <Icon name="search" />
        <input name="q" type="search" dir="auto" autoComplete="off" aria-label={w.knowledge.search} placeholder={w.knowledge.search} defaultValue={q} />
        <button type="submit" className="button button--main">
          {w.search}
        </button>
      </form>
      {id ? <Around id={id} /> : <Entities q={q} />}
    </div>
  );
}

function Entities({ q }: { q: string }) {
  const w = useWords();
  const { data, failure, again } = useReading(EntitiesDocument, { q: q || null });
  const page = data?.knowledge.nodes;
  if (failure && !page) return <Trouble failure={failure} again={again} />;
  if (!page) return <Waiting rows={6} />;
  return (
    <section className="card" aria-labelledby="entities">
      <h2 id="entities">{q ? w.knowledge.found(page.nodes.length) : w.knowledge.all}</h2>
      {page.nodes.length === 0 && <p className="empty">{q ? w.knowledge.none : w.knowledge.empty}</p>}
      <ul className="rows">
        {page.nodes.map((one) => (
          <Row key={one.id} deeds={{ open: () => go("graph", one.id) }} className="row">
            <a className="row__main row__link" data-open="" href={`#/graph/${one.id}`}>
              <span className="row__title" dir="auto">
                {one.name}
              </span>
              <span className="row__meta">
                <Kind of={one.type} />
                {one.summary && <bdi>{one.summary}</bdi>}
              </span>
            </a>
          </Row>
        ))}
      </ul>
      {!q && (page.totalCount ?? 0) > page.nodes.length && <p className="soft">{w.moreThanShown}</p>}
    </section>
  );
}

function Kind({ of }: { of: string }) {
  const known = kindInWords(of, useValue(locale));
  return known === undefined ? <bdi className="chip">{of}</bdi> : <span className="chip">{known}</span>;
}

/** An entity and what surrounds it, at a moment. */
function Around({ id }: { id: string }) {
  const w = useWords();
  const [asOf, setAsOf] = useState<string | null>(null);
  const { data, failure, again } = useReading(WalkDocument, { id, asOf });
  // What was shown stays until the next step is there, so that it moves instead of being drawn anew.
  const last = useRef<Entity | null>(null);
  if (data?.knowledge.entity) last.current = data.knowledge.entity;
  const entity = last.current;
  if (failure && !data) return <Trouble failure={failure} again={again} />;
  if (!entity) return data ? <p className="empty">{w.knowledge.none}</p> : <Waiting rows={8} />;
  return (
    <div className="graph__body">
      <section className="card graph__card" aria-label={w.knowledge.map}>
        <Drawn entity={entity} />
        <Moment asOf={asOf} onChange={setAsOf} />
      </section>
      <section className="card graph__about" aria-labelledby="about">
        <h2 id="about">
          <bdi>{entity.name}</bdi> <Kind of={entity.type} />
        </h2>
        {entity.summary && <p dir="auto">{entity.summary}</p>}
        {entity.facts.length === 0 && <p className="empty">{w.knowledge.noFacts}</p>}
        <ul className="rows">
          {entity.facts.map((one) => (
            <li key={one.id} className="row">
              <span className="row__main">
                <span className="row__title row__title--long" dir="auto">
                  {one.fact}
                </span>
                <Period from={one.validAt} to={one.invalidAt} />
              </span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Period({ from, to }: { from: string | null | undefined; to: string | null | undefined }) {
  const w = useWords();
  const language = useValue(locale);
  if (!from && !to) return null;
  return (
    <span className="row__meta">
      {from && <span>{w.knowledge.since(dateOf(from, language))}</span>}
      {to && <span>{w.knowledge.until(dateOf(to, language))}</span>}
    </span>
  );
}

/** A day that may be years away. */
function dateOf(instant: string, language: string): string {
  const format = new Intl.DateTimeFormat(language === "he" ? "he-IL" : "en-GB", { dateStyle: "medium", timeZone: "UTC" });
  return format.format(new Date(`${instant.slice(0, 10)}T00:00:00Z`));
}

function Drawn({ entity }: { entity: Entity }) {
  const w = useWords();
  const language = useValue(locale);
  const around = entity.neighbours?.neighbours ?? [];
  const distances = new Map([[entity.id, 0], ...around.map((one): [string, number] => [one.entity.id, one.distance])]);
  const branches = around.map(({ entity: { id }, distance, via }) => ({ id, distance, parent: via.source.id === id ? via.target.id : via.source.id }));
  const spots = layOut(branches).set(entity.id, { x: 50, y: 50 });
  const shown = around.filter((one) => spots.has(one.entity.id));
  return (
    <>
      <div className="graph__map">
        <svg aria-hidden="true">
          {branches.map(({ id, parent, distance }) => {
            const [from, to] = [spots.get(parent), spots.get(id)];
            if (!from || !to) return null;
            return <line key={id} className={distance > 1 ? "graph__far" : undefined} x1={`${from.x}%`} y1={`${from.y}%`} x2={`${to.x}%`} y2={`${to.y}%`} />;
          })}
        </svg>
        {shown
          .filter(({ distance }) => distance === 1)
          .map(({ entity: { id }, via }) => {
            const spot = spots.get(id) ?? { x: 50, y: 50 };
            return (
              <bdi key={via.id} className="graph__via" aria-hidden="true" style={{ left: `${50 + (spot.x - 50) * 0.55}%`, top: `${50 + (spot.y - 50) * 0.55}%` }}>
                {relationInWords(via.relation, language)}
              </bdi>
            );
          })}
        {[{ entity, via: null }, ...shown].map(({ entity: one, via }) => {
          const spot = spots.get(one.id) ?? { x: 50, y: 50 };
          return (
            <a
              key={one.id}
              className={`graph__node graph__node--${distances.get(one.id)}`}
              href={`#/graph/${one.id}`}
              aria-current={one.id === entity.id ? "true" : undefined}
              title={via ? via.fact : (kindInWords(one.type, language) ?? one.type)}
              style={{ left: `${spot.x}%`, top: `${spot.y}%` }}
              dir="auto"
            >
              {one.name}
            </a>
          );
        })}
      </div>
      {around.length === 0 && <p className="empty">{w.knowledge.alone}</p>}
      {entity.neighbours?.truncated && <p className="soft">{w.moreThanShown}</p>}
    </>
  );
}

/** A slider over the moments at which something began or ceased to be true; the present is one of them. */
function Moment({ asOf, onChange }: { asOf: string | null; onChange: (asOf: string | null) => void }) {
  const w = useWords();
  const me = useMe();
  const language = useValue(locale);
  const { data } = useReading(FactTimesDocument, {});
  if (!me) return null;
  const times = (data?.knowledge.facts?.nodes ?? []).flatMap((one) => [one.validAt, one.invalidAt]).filter((one) => one != null);
  const present = me.viewer.now;
  const stops = [...new Set([...times, present])].sort((a, b) => Date.parse(a) - Date.parse(b));
  if (stops.length < 2) return null;
  const at = stops.indexOf(asOf ?? present);
  const said = asOf === null ? w.knowledge.now : dateOf(asOf, language);
  return (
    <label className="graph__time">
      <span>
        {w.knowledge.asOf} <strong>{said}</strong>
      </span>
      <input
        type="range"
        min={0}
        max={stops.length - 1}
        value={at < 0 ? stops.indexOf(present) : at}
        aria-valuetext={said}
        onChange={(e) => {
          const stop = stops[Number(e.target.value)];
          onChange(stop === undefined || stop === present ? null : stop);
        }}
      />
    </label>
  );
}
