import { Check, RotateCw, X } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { reasonOf } from "../../base/api/reasons.ts";
import { formatBytes } from "../../base/core/format.ts";
import type { SentFile } from "./sent_files.ts";

interface SentFileRowProps {
  file: SentFile;
  onRetry: () => void;
  onDrop: () => void;
}

/** A file that is refused for itself is refused again. */
const FINAL = ["wrong_content_type", "body_too_large"];

/** One file that is sent: its progress, or what has become of it. */
export function SentFileRow({ file, onRetry, onDrop }: SentFileRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const { name, size, sent, state, failure } = file;
  const reason = failure?.code === "wrong_content_type"
    ? t("request.wrongKind")
    : failure?.code === "body_too_large"
    ? t("request.tooLarge")
    : failure?.code === "forbidden"
    ? t("request.noRoom")
    : failure && reasonOf(t, failure);
  return (
    <li className="request__file" data-state={state}>
      <span className="request__name" dir="auto">{name}</span>
      <span className="request__size">{reason ?? formatBytes(size, language)}</span>
      {state === "sending" && (
        <progress className="progress" value={sent} max={Math.max(size, 1)} aria-label={name} />
      )}
      <span className="request__acts">
        {state === "failed" && !FINAL.includes(failure?.code ?? "") && (
          <IconButton label={t("request.retry", { name })} glyph={RotateCw} onClick={onRetry} />
        )}
        {state === "arrived"
          ? (
            <span className="request__check" title={t("request.hasArrived")}>
              <Icon glyph={Check} />
              <span className="unseen">{t("request.hasArrived")}</span>
            </span>
          )
          : <IconButton label={t("request.giveUp", { name })} glyph={X} onClick={onDrop} />}
      </span>
    </li>
  );
}
