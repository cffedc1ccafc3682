import { Check, Copy } from "lucide";
import { useState } from "react";
import { usePage } from "../core/page.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";

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
    const { copyReport } = await import("../actions/copy_report.ts");
    setCopied(await copyReport(text, Version));
  };
  return (
    <IconButton
      label={t(copied ? "sharing.copied" : "buttons.report")}
      glyph={copied ? Check : Copy}
      onClick={() => void copy()}
    />
  );
}
