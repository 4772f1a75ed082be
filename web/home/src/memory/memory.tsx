import { useState, type FormEvent } from "react";

import { act } from "../api/act";
import { useReading } from "../api/cache";
import { MemoriesDocument, RecallDocument, RememberDocument, type SearchLeg } from "../gql/graphql";
import { go, useRoute } from "../keys/route";
import { openPane } from "../panes/panes";
import { Icon } from "../parts/icons";
import { Row } from "../parts/rows";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

interface Shown {
  id: string;
  content: string;
  tags: string[];
}

export default function Memory() {
  const w = useWords();
  const [, q] = useRoute();
  const [added, setAdded] = useState("");
  const search = (e: FormEvent<HTMLFormElement>) => {
    e.preventDefault();
    go("memory", String(new FormData(e.currentTarget).get("q") ?? "").trim());
  };
  const add = async (e: FormEvent) => {
    e.preventDefault();
    if (added.trim() === "") return;
    const { done } = await act({ document: RememberDocument, input: { content: added.trim() } });
    if (done) setAdded("");
  };
  return (
    <div className="narrow">
      <h1>{w.memory}</h1>
      <form className="say__form" role="search" onSubmit={search} key={q}>
        <Icon name="search" />
        <input id="search" name="q" type="search" autoComplete="off" aria-label={w.memorySearch} placeholder={w.memorySearch} defaultValue={q} />
        <button type="submit" className="button button--main">
          {w.search}
        </button>
      </form>
      {q ? <Found q={q} /> : <Newest />}
      <form className="line" onSubmit={(e) => void add(e)}>
        <input type="text" dir={added === "" ? undefined : "auto"} aria-label={w.memoryAdd} placeholder={w.memoryAdd} value={added} onChange={(e) => setAdded(e.target.value)} />
        <button type="submit" className="button">
          {w.remember}
        </button>
      </form>
    </div>
  );
}

function Newest() {
  const w = useWords();
  const { data, failure, again } = useReading(MemoriesDocument, {});
  const nodes = data?.memories?.nodes;
  if (failure && !nodes) return <Trouble failure={failure} again={again} />;
  if (!nodes) return <Waiting rows={6} />;
  return (
    <section className="card" aria-labelledby="newest">
      <h2 id="newest">{w.memoryNewest}</h2>
      {nodes.length === 0 && <p className="empty">{w.memoryEmpty}</p>}
      <ul className="rows">
        {nodes.map((one) => (
          <One key={one.id} memory={one} />
        ))}
      </ul>
    </section>
  );
}

function Found({ q }: { q: string }) {
  const w = useWords();
  const { data, failure, again } = useReading(RecallDocument, { q });
  const edges = data?.searchMemories?.edges;
  if (failure && !edges) return <Trouble failure={failure} again={again} />;
  if (!edges) return <Waiting rows={6} />;
  const why = (by: SearchLeg[], similarity: number | null | undefined) => {
    const legs = by.map((leg) => (leg === "VECTOR" ? `${w.byMeaning}${similarity == null ? "" : ` ${Math.round(similarity * 100)} %`}` : w.byWords));
    return legs.join(` ${w.and} `);
  };
  return (
    <section className="card" aria-labelledby="found">
      <h2 id="found">{w.memoryFound(edges.length)}</h2>
      {edges.length === 0 && <p className="empty">{w.memoryNone}</p>}
      <ul className="rows">
        {edges.map(({ node, matchedBy, similarity }) => (
          <One key={node.id} memory={node} why={why(matchedBy, similarity)} />
        ))}
      </ul>
    </section>
  );
}

function One({ memory, why }: { memory: Shown; why?: string }) {
  const open = () => openPane({ kind: "memory", id: memory.id });
  return (
    <Row deeds={{ open }} className="row">
      <button type="button" className="row__main" data-open="" onClick={open}>
        <span className="row__title row__title--long" dir="auto">
          {memory.content}
        </span>
        <span className="row__meta">
          {why && <span className="chip chip--why">{why}</span>}
          {memory.tags.map((tag) => (
            <span key={tag} className="chip" dir="auto">
              {tag}
            </span>
          ))}
        </span>
      </button>
    </Row>
  );
}
