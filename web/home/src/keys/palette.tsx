import { useId, useState } from "react";

import { setSingleKeys, singleKeys } from "../api/preferences";
import { useValue } from "../api/state";
import { openPane } from "../panes/panes";
import { Dialog } from "../parts/dialog";
import { useWords } from "../words/words";
import { go } from "./route";
import { allKeys, commands, focusSay, keysOpen, paletteOpen } from "./commands";

export function Keys({ of }: { of: string }) {
  return (
    <span className="keys" dir="ltr">
      {of.split(" ").map((key) => (
        <kbd key={key}>{key.length === 1 ? key.toUpperCase() : key}</kbd>
      ))}
    </span>
  );
}

export function Palette() {
  return useValue(paletteOpen) ? <OpenPalette /> : null;
}

function OpenPalette() {
  const w = useWords();
  const list = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const close = () => paletteOpen.set(false);
  const wanted = text.trim().toLocaleLowerCase();
  const found = commands().filter(({ name, keys }) => keys !== "Ctrl K" && wanted.split(/\s+/).every((word) => name.toLocaleLowerCase().includes(word)));
  const shown = [
    ...found,
    ...(wanted === ""
      ? []
      : [
          { name: w.sayThis(text.trim()), keys: "", run: () => focusSay(text.trim()) },
          { name: w.searchThis(text.trim()), keys: "", run: () => go("search", text.trim()) },
          { name: w.addThis(text.trim()), keys: "", run: () => openPane({ kind: "add", text: text.trim() }) },
        ]),
  ];
  const chosen = Math.min(at, shown.length - 1);
  const run = (index: number) => {
    close();
    const command = shown[index];
    // The dialog gives the focus back first, so that the command finds the row that had it.
    setTimeout(() => command?.run());
  };
  return (
    <Dialog kind="palette" title={w.palette} onClose={close}>
      <input
        type="text"
        dir={text === "" ? undefined : "auto"}
        className="palette__box"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={`${list}-${chosen}`}
        aria-label={w.commandHint}
        placeholder={w.commandHint}
        data-first=""
        value={text}
        onChange={(e) => {
          setText(e.target.value);
          setAt(0);
        }}
        onKeyDown={(e) => {
          const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
          if (step !== 0) {
            e.preventDefault();
            const next = (chosen + step + shown.length) % shown.length;
            setAt(next);
            document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: "nearest" });
          } else if (e.key === "Enter") {
            e.preventDefault();
            run(chosen);
          }
        }}
      />
      <ul className="palette__list" role="listbox" id={list} aria-label={w.palette}>
        {shown.map((command, index) => (
          <li key={command.name} id={`${list}-${index}`} role="option" aria-selected={index === chosen} onClick={() => run(index)}>
            {/* Only what holds words that were typed has a direction of its own. */}
            <span dir={command.keys === "" ? "auto" : undefined}>{command.name}</span>
            {command.keys && <Keys of={command.keys} />}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

export function KeyHelp() {
  const w = useWords();
  const open = useValue(keysOpen);
  const on = useValue(singleKeys);
  if (!open) return null;
  return (
    <Dialog title={w.keys} onClose={() => keysOpen.set(false)}>
      <label className="check">
        <input type="checkbox" checked={on} onChange={(e) => setSingleKeys(e.target.checked)} />
        <span>{w.singleKeys}</span>
      </label>
      <dl className="keylist">
        {allKeys().map(([keys, name]) => (
          <div key={keys}>
            <dt>
              <Keys of={keys} />
            </dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
