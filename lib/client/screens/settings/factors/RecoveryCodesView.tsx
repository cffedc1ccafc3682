import { Copy, Download } from "lucide";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { copyText } from "../../../base/core/copy_text.ts";
import { usePage } from "../../../base/core/page.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { Button } from "../../../../../components/Button.tsx";

interface RecoveryCodesViewProps {
  codes: readonly string[];
  /** The user has saved them. */
  onDone: () => void;
}

/** New recovery codes, which are shown this once. */
export function RecoveryCodesView({ codes, onDone }: RecoveryCodesViewProps) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const { config, user } = usePage().data;
  const heading = useRef<HTMLHeadingElement>(null);
  // The focused element is gone, and this must not be overlooked.
  useEffect(() => heading.current?.focus(), []);

  const copy = async () => {
    if (await copyText(codes.join("\n"))) toasts.success(t("info.copied"));
    else toasts.error(t("sharing.noCopy"));
  };
  const download = () => {
    const text = [`${config.Name}: ${user?.username}`, "", ...codes, ""].join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = "recovery-codes.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div className="factors__codes">
      <h3 className="factors__heading" ref={heading} tabIndex={-1}>{t("factors.saveTitle")}</h3>
      <p className="card__text">{t("factors.saveText")}</p>
      <ul className="factors__list" dir="ltr">
        {codes.map((code) => <li key={code}>{code}</li>)}
      </ul>
      <div className="factors__acts">
        <Button glyph={Copy} onClick={() => void copy()}>{t("factors.copyCodes")}</Button>
        <Button glyph={Download} onClick={download}>{t("buttons.download")}</Button>
        <Button variant="primary" onClick={onDone}>{t("factors.saved")}</Button>
      </div>
    </div>
  );
}
