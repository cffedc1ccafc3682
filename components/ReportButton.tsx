import { Check, Copy } from "lucide";
import { useState } from "react";
import { lazy } from "../lib/client/lazy.ts";
import { usePage } from "../lib/client/page.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { IconButton } from "./Button.tsx";

const clipboard = lazy(() => import("../lib/client/copy_report.ts"));

/**
 * Copies a report of what went wrong, for whoever looks after the server: the page sends nothing
 * anywhere. Sites without links to elsewhere go without it.
 */
export function ReportButton({ text }: { text: string }) {
  const { t } = useTranslation();
  const { DisableExternal, Version } = usePage().data.config;
  const [copied, setCopied] = useState(false);
  if (DisableExternal) return null;
  const copy = async () => {
    const code = await clipboard.load();
    setCopied(await code?.copyReport(text, Version) ?? false);
  };
  return (
    <IconButton
      label={t(copied ? "sharing.copied" : "buttons.report")}
      glyph={copied ? Check : Copy}
      onClick={() => void copy()}
    />
  );
}
