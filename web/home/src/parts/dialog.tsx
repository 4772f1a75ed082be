import { useId, useLayoutEffect, useRef, type ReactNode } from "react";

import { useWords } from "../words/words";
import { Icon } from "./icons";

interface Props {
  title: string;
  /** What closing it does; left out, it stays until what it asks for is done. */
  onClose?: () => void;
  /** `sheet` stands at the side, on a phone at the bottom. */
  kind?: "box" | "sheet" | "palette";
  children: ReactNode;
}

/** From how many characters on a title has a height of its own. */
const LONG = 200;

/** A modal dialog of the browser's own: it keeps the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, onClose, kind = "box", children }: Props) {
  const w = useWords();
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  // It is a dialog from its first moment on: a key that comes right after it is meant for it.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    dialog?.querySelector<HTMLElement>("[data-first]")?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={`dialog dialog--${kind}`}
      aria-labelledby={id}
      onCancel={(e) => {
        e.preventDefault();
        onClose?.();
      }}
      // Browsers close it at a second Escape, whatever is said to the first.
      onClose={() => ref.current?.isConnected && !onClose && ref.current.showModal()}
      onPointerDown={(e) => e.target === ref.current && onClose?.()}
    >
      <div className="dialog__body">
        <header className={kind === "palette" ? "hidden" : "dialog__head"}>
          {/* What can be scrolled can be reached by keys. */}
          <h2 id={id} dir="auto" {...(title.length > LONG && { className: "dialog__long", tabIndex: 0 })}>
            {title}
          </h2>
          {kind !== "palette" && onClose && (
            <button type="button" className="round" aria-label={w.close} onClick={onClose}>
              <Icon name="close" />
            </button>
          )}
        </header>
        {children}
      </div>
    </dialog>
  );
}
