import { CircleAlert, Compass, type IconNode, Lock, RefreshCw, Unplug } from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "./Icon.tsx";
import { Button } from "./Button.tsx";

interface StatusScreenProps {
  glyph: IconNode;
  variant?: "calm" | "error";
  /** "h1" if the page has no other heading. */
  heading?: "h1" | "h2";
  title: string;
  /** The HTTP status, set large behind the text of an error. */
  code?: number;
  text?: string;
  /** Ways out: links and buttons. */
  children?: ReactNode;
}

/** A message in place of content: empty, missing, refused, broken. */
export function StatusScreen(
  { glyph, variant = "calm", heading: Heading = "h2", title, code, text, children }:
    StatusScreenProps,
) {
  return (
    <div className="status" data-variant={variant}>
      <span className="status__sign">
        <Icon glyph={glyph} />
      </span>
      {code !== undefined && <p className="status__code">{code}</p>}
      <Heading className="status__title">{title}</Heading>
      {text && <p className="status__text">{text}</p>}
      {children && <div className="status__ways">{children}</div>}
    </div>
  );
}

type Trouble = "offline" | "forbidden" | "missing" | "broken";

const GLYPHS: Record<Trouble, IconNode> = {
  offline: Unplug,
  forbidden: Lock,
  missing: Compass,
  broken: CircleAlert,
};

function troubleOf(status: number): Trouble {
  if (status === 0) return "offline";
  if (status === 403) return "forbidden";
  // An address that no entry can have (400) is shown like a missing entry.
  return status === 404 || status === 400 ? "missing" : "broken";
}

interface ErrorScreenProps {
  /** The HTTP status; 0 when the server could not be reached. */
  status: number;
  /** "h1" if the page has no other heading. */
  heading?: "h1" | "h2";
  /** Ways out. */
  children?: ReactNode;
}

/** An error screen for an HTTP status. */
export function ErrorScreen({ status, heading, children }: ErrorScreenProps) {
  const { t } = useTranslation();
  const trouble = troubleOf(status);
  return (
    <StatusScreen
      variant="error"
      heading={heading}
      glyph={GLYPHS[trouble]}
      code={status || undefined}
      title={t(`status.${trouble}Title`)}
      text={t(`status.${trouble}Text`)}
    >
      {children}
    </StatusScreen>
  );
}

/** Placeholder of a part of the page whose code could not be loaded. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <StatusScreen
      variant="error"
      glyph={RefreshCw}
      title={t("status.loadTitle")}
      text={t("status.loadText")}
    >
      <Button variant="primary" onClick={onRetry}>{t("buttons.retry")}</Button>
    </StatusScreen>
  );
}
