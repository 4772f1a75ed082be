import { useState, type FormEvent } from "react";

import { act } from "../api/act";
import { useReading } from "../api/cache";
import { AddListDocument, DeleteListDocument, ListsDocument, SetItemsDocument, type ListsQuery } from "../gql/graphql";
import { Icon } from "../parts/icons";
import { Row } from "../parts/rows";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";

type List = NonNullable<ListsQuery["lists"]>["nodes"][number];

export default function Lists() {
  const w = useWords();
  const [name, setName] = useState("");
  const { data, failure, again } = useReading(ListsDocument, {});
  const page = data?.lists;
  const add = async (e: FormEvent) => {
    e.preventDefault();
    if (name.trim() === "") return;
    const { done } = await act({ document: AddListDocument, input: { name: name.trim() } });
    if (done) setName("");
  };
  return (
    <div className="board">
      <header className="board__head">
        <h1>{w.lists}</h1>
        <form className="line" onSubmit={(e) => void add(e)}>
          <input type="text" dir={name === "" ? undefined : "auto"} aria-label={w.listAdd} placeholder={w.listAdd} value={name} onChange={(e) => setName(e.target.value)} />
          <button type="submit" className="round" aria-label={w.listAdd}>
            <Icon name="add" />
          </button>
        </form>
      </header>
      {failure && !page && <Trouble failure={failure} again={again} />}
      {!failure && !page && <Waiting rows={8} />}
      {page && page.nodes.length === 0 && <p className="empty">{w.listsEmpty}</p>}
      <div className="board__groups">
        {page?.nodes.map((list) => (
          <Card key={list.id} list={list} />
        ))}
      </div>
      {page?.pageInfo.hasNextPage && <p className="soft">{w.moreThanShown}</p>}
    </div>
  );
}

function Card({ list }: { list: List }) {
  const w = useWords();
  const [text, setText] = useState("");
  const add = (e: FormEvent) => {
    e.preventDefault();
    if (text.trim() === "") return;
    void act({ document: SetItemsDocument, input: { id: list.id, add: [{ text: text.trim() }] }, said: null });
    setText("");
  };
  const toggle = (item: List["items"][number]) =>
    void act({
      document: SetItemsDocument,
      input: { id: list.id, [item.checked ? "uncheck" : "check"]: [{ id: item.id }] },
      patch: { id: item.id, patch: { checked: !item.checked } },
      waits: true,
      said: null,
    });
  const left = list.items.filter((item) => !item.checked).length;
  return (
    <section className="card column" aria-labelledby={list.id}>
      <h2 id={list.id}>
        <span dir="auto">{list.name}</span>
        {list.isChecklist && left > 0 && <span className="count">{left}</span>}
        <button
          type="button"
          className="quiet quiet--end"
          aria-label={`${w.remove}: ${list.name}`}
          onClick={() => void act({ document: DeleteListDocument, input: { id: list.id }, patch: { id: list.id, patch: { gone: true } } })}
        >
          {w.remove}
        </button>
      </h2>
      <ul className="rows rows--tight">
        {list.items.map((item) => (
          <Row key={item.id} deeds={list.isChecklist ? { complete: () => toggle(item) } : {}} className={`row row--item ${item.checked ? "row--done" : ""}`}>
            {list.isChecklist ? (
              <label className="check row__main">
                <input type="checkbox" checked={item.checked} onChange={() => toggle(item)} data-open="" />
                <span className="row__title" dir="auto">
                  {item.text}
                </span>
              </label>
            ) : (
              <span className="row__main row__title" dir="auto" tabIndex={-1} data-open="">
                {item.text}
              </span>
            )}
            <button
              type="button"
              className="round"
              aria-label={`${w.remove}: ${item.text}`}
              onClick={() =>
                void act({ document: SetItemsDocument, input: { id: list.id, remove: [{ id: item.id }] }, patch: { id: item.id, patch: { gone: true } } })
              }
            >
              <Icon name="close" />
            </button>
          </Row>
        ))}
      </ul>
      <form className="line" onSubmit={add}>
        <input type="text" dir={text === "" ? undefined : "auto"} aria-label={`${w.itemAdd}: ${list.name}`} placeholder={w.itemAdd} value={text} onChange={(e) => setText(e.target.value)} />
        <button type="submit" className="round" aria-label={`${w.itemAdd}: ${list.name}`}>
          <Icon name="add" />
        </button>
      </form>
    </section>
  );
}
