import { type ReactNode, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ignoreSecondPress, usePressBeside } from "../lib/client/base/ui/dialog_press.ts";
import { Button } from "./Button.tsx";
import { FormError } from "./Fields.tsx";
import { SheetGrip } from "./Menu.tsx";

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
  /** The confirm button has the focus, although there are fields. */
  ready?: boolean;
  onAct?: () => void;
  onClose: () => void;
  /** What "Cancel" does instead: the prompt stays. */
  onBack?: () => void;
  /** Further buttons before the confirm button. */
  more?: ReactNode;
  /** Takes the available height and scrolls its content. */
  tall?: boolean;
  /** Takes the available width as well, over another prompt. */
  wide?: boolean;
  children?: ReactNode;
}

/**
 * A modal dialog, on small screens a bottom sheet. Enter confirms; Esc and a click outside close it.
 */
export function Prompt(
  {
    title,
    text,
    error,
    act,
    danger,
    busy,
    incomplete,
    ready,
    onAct,
    onClose,
    onBack = onClose,
    more,
    tall,
    wide,
    children,
  }: PromptProps,
) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const beside = usePressBeside(dialog, () => dialog.current?.close());
  const isGone = useRef(false);
  // At once, not with the next frame: a key that is pressed before it would reach the page below.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isGone.current = true;
      // Taken away by a button, or by the next prompt: only closing returns the focus.
      shown?.close();
    };
  }, []);
  const titleId = wide ? "wide-title" : "prompt-title";
  const className = wide
    ? "prompt prompt--tall prompt--wide"
    : tall
    ? "prompt prompt--tall"
    : "prompt";
  return (
    <dialog
      ref={dialog}
      className={className}
      aria-labelledby={titleId}
      onClose={() => !isGone.current && onClose()}
      {...beside}
    >
      <SheetGrip sheet={dialog} />
      <form
        className="prompt__form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !incomplete) (onAct ?? onClose)();
        }}
      >
        <div className="prompt__head">
          <h2 className="prompt__title" id={titleId}>{title}</h2>
          {text && <p className="prompt__text">{text}</p>}
        </div>
        {children}
        <FormError text={error} />
        <div className="prompt__acts" onClick={ignoreSecondPress}>
          {act !== undefined && <Button onClick={onBack}>{t("buttons.cancel")}</Button>}
          {more}
          <Button
            type="submit"
            variant={danger ? "danger" : "primary"}
            disabled={incomplete}
            aria-busy={busy}
            autofocus={ready || danger || act === undefined || !children}
          >
            {act ?? t("buttons.close")}
          </Button>
        </div>
      </form>
    </dialog>
  );
}
