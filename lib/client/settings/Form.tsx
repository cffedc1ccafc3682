import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";

interface FormProps {
  className?: string;
  busy: boolean;
  onSend: () => void;
  /** Called once fields can take the focus. */
  onReady?: () => void;
  children: ReactNode;
}

/** A form, submitted by its button or by Enter. */
export function Form({ className, busy, onSend, onReady, children }: FormProps) {
  // Before hydration there is no submit handler.
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  useEffect(() => {
    if (ready) onReady?.();
  }, [ready]);
  return (
    <form
      className={className}
      method="post"
      noValidate
      inert={!ready}
      aria-busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSend();
      }}
    >
      {children}
    </form>
  );
}

interface SaveButtonProps {
  busy: boolean;
  /** The label, "Save" by default. */
  words?: string;
}

/** The submit button of a form. */
export function SaveButton({ busy, words }: SaveButtonProps) {
  const { t } = useTranslation();
  return (
    <Button type="submit" look="primary" aria-busy={busy}>
      {words ?? t("buttons.save")}
    </Button>
  );
}
