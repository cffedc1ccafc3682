import { type ReactNode, useEffect, useState } from "react";

interface FormProps {
  className?: string;
  busy: boolean;
  onSend: () => void;
  children: ReactNode;
}

/** Fields that are sent together: by the button, or by Enter. */
export function Form({ className, busy, onSend, children }: FormProps) {
  // Before the island wakes nothing is there to take the form.
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
