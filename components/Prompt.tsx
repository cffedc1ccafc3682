import { type ReactNode, useEffect, useRef } from "react";
import { ignoreSecondPress } from "../lib/client/session/second_press.ts";
import { usePressBeside } from "../lib/client/ui/use_press_beside.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";
import { Button } from "./Button.tsx";
import { FormError } from "./FormError.tsx";

interface PromptProps {
  title: string;
  /** A sentence or two below the title. */
  text?: ReactNode;
  /** What went wrong with the last attempt. */
  error?: string;
  /** The word on the button that goes ahead; without one there is nothing but to close it. */
  act?: string;
  danger?: boolean;
  busy?: boolean;
  /** The form lacks something: going ahead is not possible yet. */
  incomplete?: boolean;
  onAct?: () => void;
  onClose: () => void;
  /** Further buttons before the one that goes ahead. */
  more?: ReactNode;
  /** Takes the height that it is given, and has its contents scroll. */
  tall?: boolean;
  children?: ReactNode;
}

/** A question in a dialog over the page. Enter goes ahead; Esc and a press outside close it. */
export function Prompt(
  { title, text, error, act, danger, busy, incomplete, onAct, onClose, more, tall, children }:
    PromptProps,
) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const beside = usePressBeside(dialog, () => dialog.current?.close());
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={tall ? "prompt prompt--tall" : "prompt"}
      aria-labelledby="prompt-title"
      onClose={onClose}
      {...beside}
    >
      <form
        className="prompt__form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !incomplete) (onAct ?? onClose)();
        }}
      >
        <div className="prompt__head">
          <h2 className="prompt__title" id="prompt-title">{title}</h2>
          {text && <p className="prompt__text">{text}</p>}
        </div>
        {children}
        <FormError text={error} />
        <div className="prompt__acts" onClick={() => ignoreSecondPress()}>
          {act !== undefined && <Button onClick={onClose}>{t("buttons.cancel")}</Button>}
          {more}
          <Button
            type="submit"
            look={danger ? "danger" : "primary"}
            disabled={incomplete}
            aria-busy={busy}
            autofocus={danger || act === undefined}
          >
            {act ?? t("buttons.close")}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
