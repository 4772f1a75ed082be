import { useState } from "react";

import { undo } from "../api/act";
import { useReading } from "../api/cache";
import { CLIENT } from "../api/client";
import { clockTime } from "../api/clock";
import { locale } from "../api/preferences";
import { useValue } from "../api/state";
import { useMe } from "../api/viewer";
import { ActionsDocument } from "../gql/graphql";
import { Icon } from "../parts/icons";
import { Row } from "../parts/rows";
import { Trouble, Waiting } from "../parts/trouble";
import { tokenName } from "../words/given";
import { fullDay } from "../words/days";
import { useWords } from "../words/words";

export default function Actions() {
  const w = useWords();
  const [pages, setPages] = useState<string[]>([""]);
  return (
    <div className="narrow">
      <h1>{w.actions}</h1>
      <p className="soft">{w.actionsIntro}</p>
      {pages.map((after, index) => (
        <Page key={after} after={after} {...(index === pages.length - 1 && { onMore: (next: string) => setPages([...pages, next]) })} />
      ))}
    </div>
  );
}

function Page({ after, onMore }: { after: string; onMore?: (after: string) => void }) {
  const w = useWords();
  const me = useMe();
  const language = useValue(locale);
  const { data, failure, again } = useReading(ActionsDocument, { after: after || null });
  const page = data?.actions;
  if (failure && !page) return <Trouble failure={failure} again={again} />;
  if (!page) return <Waiting rows={8} />;
  if (page.nodes.length === 0 && after === "") return <p className="empty">{w.actionsEmpty}</p>;
  const days = Map.groupBy(page.nodes, (one) => one.at.slice(0, 10));
  const who = (one: (typeof page.nodes)[number]): string => {
    const client = one.client === CLIENT ? w.thisPage : one.client;
    const by = one.via === "GRAPHQL" ? (client ?? w.via.GRAPHQL) : [w.via[one.via], client].filter(Boolean).join(" · ");
    return one.token ? `${by} (${tokenName(one.token)})` : by;
  };
  return (
    <>
      {[...days].map(([day, actions]) => (
        <section key={day} className="card">
          <h2>{day === me?.today ? w.today : fullDay(day, language)}</h2>
          <ul className="rows">
            {actions.map((one) => (
              <Row key={one.id} deeds={{}} className={`row row--action ${one.undone ? "row--done" : ""}`}>
                <span className="line__time">{clockTime(one.at)}</span>
                <span className="row__main" data-open="" tabIndex={-1}>
                  <span className="row__title" dir="auto">
                    {one.summary ?? w.noSummary}
                  </span>
                  <span className="row__meta">
                    <bdi>{who(one)}</bdi>
                    {one.undone && <span className="chip">{w.undone}</span>}
                  </span>
                </span>
                {one.undoable && (
                  <button type="button" className="button" aria-label={w.undoNow(one.summary ?? w.noSummary)} onClick={() => void undo(one.id)}>
                    <Icon name="undo" />
                    {w.undo}
                  </button>
                )}
              </Row>
            ))}
          </ul>
        </section>
      ))}
      {onMore && page.pageInfo.hasNextPage && (
        <button type="button" className="button" onClick={() => onMore(page.pageInfo.endCursor ?? "")}>
          {w.showMore}
        </button>
      )}
    </>
  );
}
