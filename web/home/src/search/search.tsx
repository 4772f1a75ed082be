import { useEffect, useRef, type FormEvent, type ReactNode } from "react";

import { useReading } from "../api/cache";
import { addDays } from "../api/clock";
import { useMe, type Me } from "../api/viewer";
import {
  EntitiesDocument,
  FindEventsDocument,
  FindListsDocument,
  FindMailDocument,
  FindTasksDocument,
  RecallDocument,
  type TypedDocumentString,
} from "../gql/graphql";
import { go, useRoute } from "../keys/route";
import { openPane } from "../panes/panes";
import { Icon } from "../parts/icons";
import { MailRow } from "../parts/mails";
import { Row } from "../parts/rows";
import { TaskRow } from "../parts/tasks";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

/** Events are looked for this many days back and ahead. */
const BACK = 90;
const AHEAD = 365;

/** Words in everything that the viewer has, each kind by itself: one that cannot be read hides no other. */
export default function Search() {
  const w = useWords();
  const me = useMe();
  const [, q] = useRoute();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (q === "") box.current?.focus();
  }, [q]);
  const search = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    go("search", String(new FormData(e.currentTarget).get("q") ?? "").trim());
  };
  return (
    <div className="narrow">
      <h1>{w.everything}</h1>
      <form className="say__form" role="search" onSubmit={search} key={q}>
        <Icon name="search" />
        <input
          name="q"
          type="search"
          dir={q === "" ? undefined : "auto"}
          autoComplete="off"
          ref={box}
          aria-label={w.everything}
          placeholder={w.everythingHint}
          defaultValue={q}
        />
        <button type="submit" className="button button--main">
          {w.search}
        </button>
      </form>
      {q === "" ? <p className="empty">{w.everythingEmpty}</p> : me ? <Found q={q} me={me} /> : <Waiting rows={8} />}
    </div>
  );
}

function Found({ q, me }: { q: string; me: Me }) {
  const w = useWords();
  const window = { from: `${addDays(me.today, -BACK)}T00:00`, to: `${addDays(me.today, AHEAD)}T00:00` };
  return (
    <>
      <Part
        title={w.board}
        document={FindTasksDocument}
        variables={{ q }}
        rows={({ tasks }) => tasks?.nodes.map((one) => <TaskRow key={one.id} task={one} today={me.today} />)}
        more={({ tasks }) => tasks?.pageInfo.hasNextPage}
      />
      <Part
        title={w.events}
        document={FindEventsDocument}
        variables={{ q, ...window }}
        rows={({ events }) =>
          events?.nodes.map((one) => (
            <Hit key={one.id} icon="clock" title={one.summary ?? ""} about={one.whenFormatted} open={() => openPane({ kind: "event", id: one.id })} />
          ))
        }
        more={({ events }) => events?.pageInfo.hasNextPage}
      />
      <Part
        title={w.inbox}
        document={FindMailDocument}
        variables={{ q }}
        rows={({ emails }) => emails?.nodes.map((one) => <MailRow key={one.id} mail={one} snippet />)}
        more={({ emails }) => emails?.pageInfo.hasNextPage}
      />
      <Part
        title={w.memory}
        document={RecallDocument}
        variables={{ q }}
        rows={({ searchMemories }) =>
          searchMemories?.edges.map(({ node }) => <Hit key={node.id} icon="memory" title={node.content} open={() => openPane({ kind: "memory", id: node.id })} />)
        }
      />
      <Part
        title={w.graph}
        document={EntitiesDocument}
        variables={{ q }}
        rows={({ knowledge }) =>
          knowledge.nodes?.nodes.slice(0, SHOWN).map((one) => <Hit key={one.id} icon="graph" title={one.name} about={one.summary} open={() => go("graph", one.id)} />)
        }
      />
      <Part
        title={w.lists}
        document={FindListsDocument}
        variables={{ q }}
        rows={({ lists }) => lists?.nodes.map((one) => <Hit key={one.id} icon="lists" title={one.name} open={() => go("lists")} />)}
        more={({ lists }) => lists?.pageInfo.hasNextPage}
      />
    </>
  );
}

const SHOWN = 10;

function Part<T, V>({ title, document, variables, rows, more }: {
  title: string;
  document: TypedDocumentString<T, V>;
  variables: V;
  rows: (data: T) => ReactNode[] | null | undefined;
  /** Whether there is more than is shown. */
  more?: (data: T) => boolean | undefined;
}) {
  const w = useWords();
  const { data, failure, again } = useReading(document, variables);
  const shown = data && (rows(data) ?? []);
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {failure && !data && <Trouble failure={failure} again={again} />}
      {!failure && !data && <Waiting rows={2} />}
      {shown?.length === 0 && <p className="empty">{w.nothingFound}</p>}
      {shown && shown.length > 0 && <ul className="rows">{shown}</ul>}
      {data && more?.(data) && <p className="soft">{w.moreThanShown}</p>}
    </section>
  );
}

function Hit({ icon, title, about, open }: { icon: Parameters<typeof Icon>[0]["name"]; title: string; about?: string | null; open: () => void }) {
  return (
    <Row deeds={{ open }} className="row row--event">
      <span className="row__mark">
        <Icon name={icon} />
      </span>
      <button type="button" className="row__main" data-open="" onClick={open}>
        <span className="row__title row__title--long" dir="auto">
          {title}
        </span>
        {about && (
          <span className="row__meta">
            <bdi>{about}</bdi>
          </span>
        )}
      </button>
    </Row>
  );
}
