import { CircleAlert, Compass, type IconNode, Lock, Unplug } from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { StatusScreen } from "../../../components/StatusScreen.tsx";

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
  // An address that no entry can have (400) leads nowhere, as one of an entry that has gone.
  return status === 404 || status === 400 ? "missing" : "broken";
}

interface ErrorScreenProps {
  /** The HTTP status; 0 when the server could not be reached. */
  status: number;
  /** "h1" where nothing else is the heading of the page. */
  heading?: "h1" | "h2";
  /** Ways out. */
  children?: ReactNode;
}

/** What a person reads in place of something that could not be shown. */
export function ErrorScreen({ status, heading, children }: ErrorScreenProps) {
  const { t } = useTranslation();
  const trouble = troubleOf(status);
  return (
    <StatusScreen
      look="error"
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
