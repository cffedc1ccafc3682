import { type ReactNode, useEffect, useRef } from "react";
import { ignoreSecondPress, usePressBeside } from "../lib/client/ui/dialog_press.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";
import { Button } from "./Button.tsx";
import { FormError } from "./Fields.tsx";

interface PromptProps {
  title: string;
  /** A sentence or two below the title. */
  text?: ReactNode;
  /** The error message of the last attempt. */
  error?: string;
  /** The label of the confirm button; without one the prompt can only be closed. */
  act?: string;
  danger?: boolean;
  busy?: boolean;
  /** The form is incomplete: the confirm button is disabled. */
  incomplete?: boolean;
  onAct?: () => void;
  onClose: () => void;
  /** Further buttons before the confirm button. */
  more?: ReactNode;
  /** Takes the available height and scrolls its content. */
  tall?: boolean;
  children?: ReactNode;
}

/** A modal dialog. Enter confirms; Esc and a click outside close it. */
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
