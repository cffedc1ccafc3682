import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";

interface LoadingProps {
  /** Why it cannot be read, in place of the rows. */
  failure?: string;
  onRetry: () => Promise<unknown>;
  /** How many placeholders. */
  rows?: number;
}

/** Stands for a list until it has been read: placeholder rows, or the failure and a retry. */
export function Loading({ failure, onRetry, rows = 3 }: LoadingProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  // The button that had the focus goes when the list comes.
  useEffect(() => () => {
    if (!box.current?.contains(document.activeElement)) return;
    box.current.closest("dialog, [popover]")
      ?.querySelector<HTMLElement>("[type=submit], h2[tabindex]")?.focus();
  }, []);
  const retry = async () => {
    if (busy) return;
    setBusy(true);
    await onRetry();
    setBusy(false);
  };
  return (
    <div
      ref={box}
      className={failure === undefined ? "loading" : "loading loading--failed"}
      aria-busy={failure === undefined || busy}
    >
      {failure === undefined
        ? (
          <>
            <span className="unseen" role="status">{t("files.loading")}</span>
            {Array.from(
              { length: rows },
              (_, index) => (
                <div key={index} className="loading__row" aria-hidden="true">
                  <span className="bone loading__icon" />
                  <span className="bone" />
                  <span className="bone" />
                </div>
              ),
            )}
          </>
        )
        : (
          <>
            <p role="alert">{failure}</p>
            <Button aria-busy={busy} onClick={() => void retry()}>{t("buttons.retry")}</Button>
          </>
        )}
    </div>
  );
}
