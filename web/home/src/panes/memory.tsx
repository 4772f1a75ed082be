import { act, approve } from "../api/act";
import { useReading } from "../api/cache";
import { clockTime } from "../api/clock";
import { ForgetMemoriesDocument, MemoryPaneDocument, RestoreMemoryDocument, SetMemoryDocument } from "../gql/graphql";
import { Dialog } from "../parts/dialog";
import { Trouble, Waiting } from "../parts/trouble";
import { useWords } from "../words/words";
import { closePane } from "./panes";

/** How many earlier versions the document asks for. */
const VERSIONS = 20;

export function MemoryPane({ id }: { id: string }) {
  const w = useWords();
  const { data, failure, again } = useReading(MemoryPaneDocument, { id });
  const memory = data?.memory;
  const written = (at: string) => `${at.slice(0, 10)} ${clockTime(at)}`;
  return (
    <Dialog kind="sheet" title={w.memoryOne} onClose={closePane}>
      {failure && !memory && <Trouble failure={failure} again={again} />}
      {!failure && !memory && <Waiting />}
      {memory && (
        <form
          className="pane"
          key={memory.version}
          onSubmit={(e) => {
            e.preventDefault();
            const content = String(new FormData(e.currentTarget).get("content") ?? "").trim();
            if (content !== "" && content !== memory.content) void act({ document: SetMemoryDocument, input: { id, set: { content }, ifVersion: memory.version } });
          }}
        >
          <label className="field">
            <span>{w.memoryText}</span>
            <textarea name="content" dir="auto" rows={5} defaultValue={memory.content} required />
          </label>
          <p className="soft">
            <bdi>{written(memory.updatedAt)}</bdi>
          </p>
          {memory.history.length > 0 && (
            <>
              <h3>{w.memoryHistory}</h3>
              <ol className="rows">
                {memory.history.map((one) => (
                  <li key={one.version} className="row">
                    <span className="row__main">
                      <span className="row__title row__title--long" dir="auto">
                        {one.content}
                      </span>
                      <span className="row__meta">
                        <bdi>{written(one.writtenAt)}</bdi>
                      </span>
                    </span>
                    <button type="button" className="button" onClick={() => void act({ document: RestoreMemoryDocument, input: { id, version: one.version } })}>
                      {w.restore}
                    </button>
                  </li>
                ))}
              </ol>
            </>
          )}
          <footer className="pane__foot">
            <button
              type="button"
              className="button button--bad"
              onClick={async () => {
                if (!(await approve(w.forgetSure(memory.history.length, memory.history.length === VERSIONS)))) return;
                const { done } = await act({ document: ForgetMemoriesDocument, input: { ids: [id] } });
                if (done) closePane();
              }}
            >
              {w.forget}
            </button>
            <button type="submit" className="button button--main">
              {w.save}
            </button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}
