import { Check, Copy } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { copyText } from "../../base/core/copy_text.ts";

/** How long it tells that the text was copied, in milliseconds. */
const COPIED_MS = 3_000;

/** Copies a text, and tells so. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  useEffect(() => setCopied(false), [text]);
  return (
    <>
      <IconButton
        label={copied ? t("info.copied") : label}
        glyph={copied ? Check : Copy}
        onClick={() => void copyText(text).then(setCopied)}
      />
      <span className="unseen" role="status">{copied && t("info.copied")}</span>
    </>
  );
}
