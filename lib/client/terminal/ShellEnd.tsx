import { reasonOf } from "../api/reasons.ts";
import type { CommandEnd } from "./shell_command.ts";
import { useTranslation } from "../core/use_translation.ts";

/** How a command ended, beside its line; that it runs, until then. */
export function ShellEnd({ end }: { end: CommandEnd | null }) {
  const { t } = useTranslation();
  if (end === null) return <span className="spinner" role="img" aria-label={t("shell.running")} />;
  const good = end.is === "exited" && end.status === 0;
  return <span className="terminal__end" data-good={good || undefined}>{endText()}</span>;

  function endText(): string {
    switch (end?.is) {
      case "exited":
        return t("shell.status", { status: end.status });
      case "failed":
        return t("shell.failed", { reason: reasonOf(t, end.why) });
      case "refused":
        return t("shell.refused");
      case "stopped":
        return t("shell.stopped");
      case "session":
        return t("errors.not_signed_in");
      default:
        return t("shell.broken");
    }
  }
}
