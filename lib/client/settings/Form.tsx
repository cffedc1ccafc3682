import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";

interface FormProps {
  className?: string;
  busy: boolean;
  onSend: () => void;
  children: ReactNode;
}

/** Fields that are sent together: by the button, or by Enter. */
export function Form({ className, busy, onSend, children }: FormProps) {
  // Before hydration no handler takes the form.
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);
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
  /** In place of "Save". */
  words?: string;
}

/** Sends the form that it is in. */
export function SaveButton({ busy, words }: SaveButtonProps) {
  const { t } = useTranslation();
  return (
    <Button type="submit" look="primary" aria-busy={busy}>
      {words ?? t("buttons.save")}
    </Button>
  );
}
